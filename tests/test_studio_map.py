"""The map of the rules on the page: what is dragged there, in a real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from support.browser import browser, studio, until
from support.on_page import one, tab, wrong

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"


def test_members_are_connected_by_dragging_one_onto_the_other_and_parted_so_again_and_lines_show_it(
    tmp_path: Path,
) -> None:
    game = Path(shutil.copytree(SHELF / "random_isles", tmp_path / "random_isles"))
    chart = 'section[aria-label="Map"]'
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        tab(page, "Map")

        def dropped(one_spot: str, other: str) -> None:
            ends = (one(page, f'{chart} [data-spot="cell {each}"] circle') for each in (one_spot, other))
            ActionChains(page).drag_and_drop(*ends).perform()  # type: ignore[no-untyped-call]

        def lines() -> int:
            return len(page.find_elements(By.CSS_SELECTOR, f"{chart} .joined line"))

        one(page, f'{chart} [data-spot="cell a1"]')
        assert lines() == 0
        chosen = one(page, f"{chart} select")
        until(lambda: "shallows" in chosen.text, "there are no graphs")
        chosen.send_keys("shallows")
        one(page, f"{chart} .links", "A1 - B1")
        joined = len(one(page, f"{chart} .links").find_elements(By.TAG_NAME, "li"))
        until(lambda: lines() == joined, "there is no line for each connection")
        dropped("a1", "b2")
        one(page, f"{chart} .links", "A1 - B2")
        until(lambda: lines() == joined + 1, "a new connection has no line")
        dropped("b2", "a1")
        until(lambda: "A1 - B2" not in one(page, f"{chart} .links").text, "they are still joined")
        assert "places" not in one(page, ".cm-content").text
        assert wrong(page) == []
