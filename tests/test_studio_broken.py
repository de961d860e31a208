"""A ruleset that cannot be played when the studio opens it: all but the game is there, which comes with the mending."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support.browser import browser, studio, until
from support.on_page import key, one, tab, wrong

from polis_rules.studio.drafts import Drafts
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened

SHELF = Path(__file__).parent / "rulesets"
PEOPLE = ("--seat", "black=human", "--seat", "white=human")
GOOD, BAD = "is: square[", "is: squarre["
ENDLESS = "    - repeat:\n        while: true\n        do:\n          - set: {turn: turn.rival}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))


def spoilt(game: Path, good: str = GOOD, bad: str = BAD) -> str:
    """Break a rule of a game; its text before."""
    file = game / "ruleset.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace(good, bad, 1), "utf-8")
    return text


def opened(game: Path) -> Studio:
    return Studio(Opened(game), Drafts(game.parent / "drafts"), game.parent / "games")


def test_a_game_begins_when_another_program_has_mended_the_rules(game: Path) -> None:
    whole = spoilt(game)
    studio = opened(game)

    async def story() -> None:
        await studio.begin()
        assert studio.table is None and "squarre" in studio.trouble
        await studio.look_around()
        assert studio.table is None
        (game / "ruleset.yaml").write_text(whole, "utf-8")
        await studio.look_around()
        assert studio.table is not None and not studio.trouble

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_two_pages_that_save_at_once_begin_one_game(game: Path) -> None:
    studio = opened(game)

    async def story() -> None:
        await asyncio.gather(*(studio.take_rules() for _ in range(4)))

    try:
        asyncio.run(story())
        assert len(studio.tables) == 1 and not studio.trouble
    finally:
        studio.close()


@pytest.mark.slow
def test_rules_that_are_broken_when_they_are_opened_are_mended_on_the_page_and_the_game_comes(
    game: Path, tmp_path: Path
) -> None:
    spoilt(game)
    with studio(game, *PEOPLE, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".trouble", "squarre")
        assert len(page.find_elements(By.CSS_SELECTOR, ".q-tab")) == 9
        one(page, ".q-tab-panel", "There is no game, as the rules cannot be played.")
        tab(page, "Cases")
        one(page, 'input[aria-label="Name of the case"]').send_keys("first_disc")
        one(page, "button", "Make a case of this moment").click()
        one(page, 'section[aria-label="Cases"]', "there is no game on the table")
        one(page, "button", "Pick on the board").click()
        one(page, 'section[aria-label="Cases"]', "There is no game yet to pick from")
        tab(page, "Share")
        one(page, "button", "The game, as a page").click()
        one(page, 'section[aria-label="Share"] [role="status"]', "There is no game yet")
        tab(page, "Seats")
        one(page, ".findings button", "Mend").click()
        until(lambda: "not saved" in one(page, ".status").text, "it is not mended")
        one(page, ".cm-content").send_keys(Keys.CONTROL, "s")
        one(page, ".seats", "Copy the link of this seat")
        until(lambda: not page.find_element(By.CSS_SELECTOR, ".trouble").text, "it is still told what was wrong")
        tab(page, "Game")
        one(page, ".prompt", "Where do you put a disc?")
        assert "no game" not in one(page, ".q-tab-panel").text
        assert wrong(page) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("good", "bad"), [("format: 2", "format: [2"), ("phases:\n  game:\n", f"phases:\n  game:\n{ENDLESS}")]
)
def test_the_tables_and_the_game_come_when_another_program_has_mended_what_cannot_be_read_or_does_not_end(
    game: Path, tmp_path: Path, good: str, bad: str
) -> None:
    whole = spoilt(game, good, bad)
    with studio(game, *PEOPLE, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".trouble", "are not played", 60)
        tab(page, "Tables")
        (game / "ruleset.yaml").write_text(whole, "utf-8")
        one(page, 'section[aria-label="Tables"] td', "Black")
        until(lambda: not page.find_element(By.CSS_SELECTOR, ".trouble").text, "it is still told what was wrong")
        tab(page, "Game")
        one(page, ".prompt", "Where do you put a disc?")
        key(page, Keys.NULL)
        assert wrong(page) == []
