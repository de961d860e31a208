"""Pages of the studio whose connection does not stand yet, or was lost for long, in a real browser."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from support.browser import browser, studio, until
from support.on_page import click_line, one, press

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"
FULL = "Storage.prototype.setItem = () => { throw new Error('no room'); };"
FORGOTTEN = "window.before = true; socket.io.opts.query.client_id = 'forgotten'; socket.disconnect().connect();"
LATE = """
let connect;
const late = (url, options) => connect(url, { ...options, autoConnect: false });
Object.defineProperty(window, "io", { get: () => late, set: (real) => (connect = real) });
"""


def connects_late(page: WebDriver) -> None:
    """What a browser opens from now on has no connection before it is told so."""
    page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LATE})


def test_what_is_typed_and_clicked_before_the_connection_stands_is_sent_in_its_order(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".prompt", "Where do you put a disc?")
        connects_late(page)
        page.get(address.partition("/open/")[0])
        one(page, ".q-tab", "Tables").click()
        text = one(page, ".cm-content")
        text.send_keys(Keys.CONTROL, Keys.HOME, Keys.NULL, "# ")
        for number, letter in enumerate("every letter counts"):
            text.send_keys(letter)
            time.sleep(0.007 * (number % 5))
        text.send_keys(Keys.ENTER, Keys.CONTROL, "s", Keys.NULL)
        page.execute_script("window.socket.connect()")  # type: ignore[no-untyped-call]
        until(lambda: (game / "ruleset.yaml").read_text("utf-8").startswith("# every letter counts\n#"), "not saved")
        assert one(page, ".cm-content").text.startswith("# every letter counts\n#")
        one(page, ".q-tab--active", "Tables")


SLOW = """
const send = window.socket.emit.bind(window.socket);
window.socket.emit = (...told) => setTimeout(() => send(...told), 1000);
"""


def test_what_is_typed_on_a_slow_connection_stays_when_something_is_told_of_the_text_before_it(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".status", "nothing wrong")
        click_line(page, "# Othello on")
        page.execute_script(SLOW)  # type: ignore[no-untyped-call]
        text = one(page, ".cm-content")
        text.send_keys(Keys.END, Keys.ARROW_DOWN)
        for letter in "wrong: and more than a second of typing":
            text.send_keys(letter)
            time.sleep(0.05)
        one(page, ".findings", "wrong")
        time.sleep(3)
        one(page, ".cm-line", "wrong: and more than a second of typing")


@pytest.mark.parametrize("is_late", [False, True])
def test_a_draft_is_recovered_by_a_click_that_is_made_at_once(tmp_path: Path, is_late: bool) -> None:
    """The browser has kept a copy of it, which is taken while the author clicks: the buttons stay what they are."""
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with browser(tmp_path / "profile") as page:
        with studio(game, home=tmp_path) as address:
            page.get(address)
            click_line(page, "title: Othello")
            page.switch_to.active_element.send_keys(Keys.END, " mine")
            until(lambda: list((tmp_path / "drafts").glob("*.json")), "no draft is kept")
        if is_late:
            connects_late(page)
        with studio(game, home=tmp_path) as address:
            page.get(address)
            one(page, ".banner button", "Recover").click()
            if is_late:
                page.execute_script("window.socket.connect()")  # type: ignore[no-untyped-call]
            one(page, ".cm-line", "title: Othello mine")


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


def test_where_the_browser_can_keep_nothing_it_says_so_and_gives_the_text_as_a_file(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with browser(tmp_path / "profile") as page:
        with studio(game, home=tmp_path) as address:
            page.get(address)
            click_line(page, "title: Othello")
            page.execute_script(FULL)  # type: ignore[no-untyped-call]
        one(page, ".cm-content").send_keys(Keys.END, " too late")
        one(page, ".unsent", "this browser keeps nothing")
        one(page, ".unsent button", "Save it as a file")
