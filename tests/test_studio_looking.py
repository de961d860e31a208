"""What the page shows of what somebody has just done: where one looks, and of which rules something is told."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from support.browser import browser, studio, until
from support.on_page import click_line, key, one
from support.tried_variant import TRIED

from polis_rules.lab import Difference
from polis_rules.lab.pairs import What
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.page.measuring import OTHERS, named
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened

SHELF = Path(__file__).parent / "rulesets"


def lit(page: WebDriver) -> int:
    """So many places of the board are shown as looked at."""
    return len(page.find_elements(By.CSS_SELECTOR, ".rims .lit"))


@pytest.mark.slow
def test_after_a_click_no_place_is_shown_as_looked_at_and_after_a_key_the_first_one_is(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    seats = ("--seat", "black=human", "--seat", "white=human")
    with studio(game, *seats, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, "button.choice").click()
        ActionChains(page).move_to_element(one(page, "h1.title")).perform()
        one(page, ".moment", "1 of 1 moves")
        until(lambda: page.switch_to.active_element.get_attribute("class") == "choice", "no choice has the focus")
        assert lit(page) == 0
        key(page, Keys.ENTER)
        one(page, ".moment", "2 of 2 moves")
        until(lambda: lit(page) == 1, "the choice that has the focus is not shown on the board")


@pytest.mark.slow
def test_no_names_are_offered_in_a_sentence_unless_somebody_asks_for_them(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".status", "nothing wrong")
        offered = ".cm-tooltip-autocomplete"
        text = one(page, ".cm-content")
        click_line(page, "half: {type")
        text.send_keys(Keys.END, Keys.ENTER, "x: half.")
        one(page, offered)
        text.send_keys(Keys.ESCAPE)
        click_line(page, "title: Othello")
        text.send_keys(Keys.END, ". And half.")
        with pytest.raises(AssertionError):
            one(page, offered, seconds=3)


def test_it_is_known_whether_what_was_compared_are_the_rules_of_now(tmp_path: Path) -> None:
    variant = tmp_path / "tried.yaml"
    variant.write_text(TRIED, "utf-8")
    work = Studio(Opened(SHELF / "othello", variants=(variant,)), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        compared = await work.comparison()
        assert not await work.has_other_rules(compared)
        variant.write_text(TRIED.replace("Dark", "Night"), "utf-8")
        assert await work.has_other_rules(compared)

    try:
        asyncio.run(story())
    finally:
        work.close()


@pytest.mark.parametrize(
    ("what", "title", "told"),
    [
        ("uses", "Attika", "takes Attika"),
        ("drawn", "Oracle", "Oracle is drawn"),
        ("ending", "All is built", "ends: All is built"),
        ("rounds", "rounds", "rounds"),
    ],
)
def test_a_number_that_is_compared_says_what_it_counts(what: What, title: str, told: str) -> None:
    assert named(Difference(what, "", "", "", title, 1, 2, 1, None, 0, None, stands=False)) == told


@pytest.mark.slow
def test_what_was_compared_before_rules_were_saved_is_told_to_be_of_other_rules(tmp_path: Path) -> None:
    variant = tmp_path / "tried.yaml"
    variant.write_text(TRIED, "utf-8")
    seats = ("--seat", "black=human", "--seat", "white=human", "--variant", str(variant))
    with studio(SHELF / "othello", *seats, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, "button.choice")
        one(page, ".q-tab", "Compare").click()
        one(page, "button", "Compare").click()
        one(page, "button", "Stop", 90).click()
        one(page, "button", "Go on", 90)
        assert OTHERS not in page.find_element(By.TAG_NAME, "body").text
        text = one(page, ".cm-content")
        text.send_keys(Keys.CONTROL, Keys.END, Keys.NULL)
        text.send_keys("  tables.player.white.title: {was: White, to: Light}")
        text.send_keys(Keys.CONTROL, "s")
        one(page, ".note", OTHERS)
