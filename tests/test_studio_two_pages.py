"""Two pages of the author: what one of them puts before him is before him in the other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.browser import browser, studio
from support.on_page import one, tab, wrong

pytestmark = pytest.mark.slow
PEOPLE = ("--seat", "black=human", "--seat", "white=human")


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
