"""What the editor of the studio tells of a name under the pointer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support.browser import browser, studio, until
from support.on_page import one

pytestmark = pytest.mark.slow


def test_what_a_name_means_is_told_as_long_as_the_pointer_rests_on_it(tmp_path: Path) -> None:
    game = Path(shutil.copytree(Path(__file__).parent / "rulesets" / "othello", tmp_path / "othello"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".status", "nothing wrong")
        line = one(page, ".cm-line", "half: {type")
        ActionChains(page).move_to_element_with_offset(line, 30 - line.rect["width"] // 2, 0).perform()  # type: ignore[no-untyped-call]
        one(page, ".cm-tooltip .told p")
        ActionChains(page).move_to_element(one(page, "header.top")).perform()  # type: ignore[no-untyped-call]
        until(lambda: not page.find_elements(By.CSS_SELECTOR, ".cm-tooltip"), "it stays")


def test_what_a_name_means_hides_no_text_from_who_types_while_the_pointer_rests(tmp_path: Path) -> None:
    game = Path(shutil.copytree(Path(__file__).parent / "rulesets" / "othello", tmp_path / "othello"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".status", "nothing wrong")
        line = one(page, ".cm-line", "half: {type")
        ActionChains(page).move_to_element_with_offset(line, 30 - line.rect["width"] // 2, 0).click().perform()  # type: ignore[no-untyped-call]
        one(page, ".cm-tooltip .told p")
        one(page, ".cm-content").send_keys(Keys.END, " # a half")
        until(lambda: not page.find_elements(By.CSS_SELECTOR, ".cm-tooltip .told"), "it stays", 10)
