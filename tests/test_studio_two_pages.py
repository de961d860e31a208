"""A page of the author, where another page or program changes what it shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support.browser import browser, studio
from support.on_page import one, tab, wrong

pytestmark = pytest.mark.slow
PEOPLE = ("--seat", "black=human", "--seat", "white=human")


def test_what_is_typed_into_a_cell_is_put_into_its_row_also_where_another_one_comes_above(tmp_path: Path) -> None:
    game = Path(shutil.copytree(Path(__file__).parent / "rulesets" / "harbours", tmp_path / "harbours"))
    things = game / "things.yaml"
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".status", "nothing wrong")
        tab(page, "Tables")
        one(page, 'section[aria-label="Tables"] option[value="isle"]').click()
        one(page, 'td[data-at="1 0"]', "Beta").click()
        page.switch_to.active_element.send_keys(Keys.ENTER)
        one(page, ".grid-box td input").send_keys(Keys.CONTROL, "a")
        page.switch_to.active_element.send_keys("Snow")
        before, above = things.read_text("utf-8"), "    alfa: {title: Alfa"
        things.write_text(before.replace(above, f"    delta: {{title: Delta}}\n{above}", 1), "utf-8")
        one(page, ".grid-box td", "Delta")
        page.switch_to.active_element.send_keys(Keys.ENTER)
        one(page, ".grid-box td", "Snow")
        rows = page.find_elements(By.CSS_SELECTOR, ".grid-box tbody th")
        assert [each.text for each in rows] == ["Delta", "Alfa", "Snow"]


def test_another_game_comes_before_the_author_in_each_of_his_pages(tmp_path: Path) -> None:
    """Otherwise a page would show one game, and close another one or give the link of its seats."""
    game = shutil.copytree(Path(__file__).parent / "rulesets" / "othello", tmp_path / "othello")
    with studio(game, *PEOPLE, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".choices button").click()
        one(page, ".moment", "1 of 1")
        other = page.current_window_handle
        page.switch_to.new_window("tab")
        page.get(address)
        one(page, ".moment", "1 of 1")
        tab(page, "Seats")
        one(page, "button", "Another game").click()
        one(page, ".moment", "0 of 0")
        page.switch_to.window(other)
        one(page, ".moment", "0 of 0")
        assert wrong(page) == []
