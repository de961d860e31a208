"""Settings on the page of the studio, in a real browser: numbers are typed or slid, and those outside are refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support.browser import browser, studio, until
from support.on_page import key, one, tab, wrong

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"
IN_SIGHT = """
  const [box, around] = [".replayed", ".right"].map((css) => document.querySelector(css).getBoundingClientRect());
  return box.top >= around.top && box.top < around.bottom;
"""
VALUES = "return [...document.querySelectorAll('.knob input')].map((each) => each.value)"
FIELD = '.knob input[type="number"]'


def test_a_number_is_typed_and_one_that_is_not_allowed_is_refused_with_what_is(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile", 1440, 500) as page:
        page.get(address)
        one(page, ".prompt")
        tab(page, "Changes")
        one(page, ".knob", "Half the length of a side (2 to 4)")
        for typed, told in (("7", "7 is not possible"), (Keys.BACKSPACE, "A number is missing")):
            one(page, FIELD).send_keys(Keys.CONTROL, "a")
            key(page, typed, Keys.TAB)
            one(page, ".knob .note", f"{told}: Half the length of a side is a whole number from 2 to 4. It stays 3.")
            one(page, f'{FIELD}[aria-invalid="true"]')
        assert not page.find_elements(By.CSS_SELECTOR, ".replayed .title")
        page.execute_script("document.querySelector('.right').scrollTop = 9999")  # type: ignore[no-untyped-call]
        one(page, FIELD).send_keys(Keys.CONTROL, "a")
        key(page, "2", Keys.TAB)
        until(lambda: page.find_elements(By.CSS_SELECTOR, ".replayed .title"), "the game is not played on")
        until(lambda: page.execute_script(IN_SIGHT), "what has become of the game is not in sight")  # type: ignore[no-untyped-call]
        slider = one(page, '.knob input[type="range"]')
        one(page, "button", "Write these settings")
        assert page.switch_to.active_element == slider
        slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)

        def taken() -> bool:
            page.refresh()
            one(page, ".prompt")
            tab(page, "Changes")
            one(page, ".knob")
            return bool(page.execute_script(VALUES) == ["4", "4"])  # type: ignore[no-untyped-call]

        until(taken, "what was slid to last does not hold")
        assert wrong(page) == []
