"""A page of the studio that has lost its connection for long, in a real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.browser import browser, studio, until
from support.on_page import one, press

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"
FORGOTTEN = "window.before = true; socket.io.opts.query.client_id = 'forgotten'; socket.disconnect().connect();"


def test_a_page_that_the_studio_has_forgotten_is_loaded_anew(tmp_path: Path) -> None:
    """The studio forgets a page that was not to be reached for half a minute; as it was, it answers to nothing."""
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    seats = ("--seat", "black=human", "--seat", "white=human")
    with studio(game, *seats, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".prompt", "Where do you put a disc?")
        page.execute_script(FORGOTTEN)  # type: ignore[no-untyped-call]
        until(lambda: page.execute_script("return !window.before"), "the page is not loaded anew", 30)  # type: ignore[no-untyped-call]
        press(page, "[data-spot].offered")
        one(page, ".moment", "1 of 1 moves")
