"""On the whole screen people pass the keyboard, enter dice, and wait for bots."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from polis_cli.screen import PlayApp, answering
from polis_cli.screen.overlays import Curtain, Sheet
from support.on_screen import SHELF, on_screen, session_of, settled, text, typed
from textual.pilot import Pilot
from textual.widgets import Static

from polis_rules import load
from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN, Session


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


def test_nothing_hidden_shows_before_the_keyboard_is_passed() -> None:
    session = session_of("hearts", people=2)
    first = session.people[0]

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for _ in range(30):
            assert isinstance(app.screen, Curtain)
            assert app.choices == [] and app.session.eyes in (None, first)
            await pilot.press("enter")
            await settled(pilot, app)
            assert app.session.viewer == app.session.asked and app.choices
            if app.session.viewer != first:
                return
            while not isinstance(app.screen, Curtain):
                await typed(pilot, app, "1")

    on_screen(session, play)
    assert session.viewer != first


def test_dice_that_were_thrown_are_entered() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for _ in range(20):
            if app.session.turn == "chance":
                break
            await pilot.press("down", "enter")
            await settled(pilot, app)
        assert app.session.turn == "chance" and [each.label for each in app.choices[-2:]] == ["roll", "roll all"]
        await typed(pilot, app, app.choices[0].label)
        assert app.session.game.log[-1][0] == "chance" or app.session.turn != "chance"

        if app.session.turn == "chance":
            await typed(pilot, app, "roll all")
        assert app.session.turn != "chance"

    on_screen(session_of("leduc", by_hand=True), play)


@pytest.mark.slow
def test_only_options_answer_themselves_if_wished() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for _ in range(60):
            if app.session.turn == "over":
                break
            assert len(app.choices) > 1
            await pilot.press("down", "enter")
            await settled(pilot, app)

    on_screen(session_of("othello"), play, answer_single=True)


def test_undo_goes_back_past_what_answered_itself() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        asked = app.session.decision
        await pilot.press(*"create_hoplites", "enter")
        await settled(pilot, app)
        assert app.session.game.moment > 1
        await pilot.press("ctrl+z")
        await settled(pilot, app)
        assert app.session.decision == asked

    on_screen(session_of("yucata", 7), play, answer_single=True)


def test_what_was_rolled_for_an_answer_that_gave_itself_is_told_beside_what_others_did_since() -> None:
    """Only metal pays for Thraki here: then the die is rolled at once, and Sparta moves."""

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        rng = Random(4)
        while ("decision", "athens", "thraki_3_metal") not in app.session.game.log:
            assert app.session.game.moment < 60
            await typed(pilot, app, rng.choice(app.choices).label)
        told = text(app, "#news")
        assert "Athens trades 3 metal for 3 wheat" in told and "Sparta moves 2 galleys" in told

    on_screen(session_of("yucata", 4), play, answer_single=True)


def test_an_answer_that_gives_itself_and_fails_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise PolisError("a rule fails")

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        monkeypatch.setattr(app.session, "answers_itself", lambda _: True)
        monkeypatch.setattr(app.session, "choose", fails)
        app.go_on()
        await pilot.pause()
        assert text(app, "#note") == "a rule fails"

    on_screen(session_of("othello"), play)


def test_a_bot_that_thinks_can_be_stopped() -> None:
    session = session_of("othello")
    session.seats["white"] = "slow"

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        app.paused = True
        await typed(pilot, app, "back")
        await typed(pilot, app, "now")
        assert "Stopped" not in text(app, "#prompt")
        before = app.session.game.log
        app.session.choose(app.choices[0].option)  # type: ignore[arg-type]
        app.paused = True
        app.go_on()
        await pilot.pause()
        assert "Stopped" in text(app, "#prompt") and len(app.session.game.log) == len(before) + 1
        await typed(pilot, app, "")
        assert app.session.turn == "person" and len(app.session.game.log) == len(before) + 2

    on_screen(session, play)


def test_why_something_is_not_offered_to_a_bot_is_not_told() -> None:
    """That goes by what the bot may see; whoever is asked is told."""
    session = session_of("othello")
    session.seats["white"] = "slow"

    async def why_a1(pilot: Pilot[None], app: PlayApp) -> str:
        app.action_why("column_1_row_1")
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        told = str(app.screen.query_one("#known", Static).render())
        await pilot.press("escape")
        return told

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        assert "is not offered because of" in await why_a1(pilot, app)
        app.session.choose(app.choices[0].option)  # type: ignore[arg-type]
        app.paused = True
        app.go_on()
        await pilot.pause()
        told = await why_a1(pilot, app)
        assert app.session.turn == "bot" and told.startswith("White is asked now")

    on_screen(session, play)


@pytest.mark.slow
def test_keys_are_answered_while_a_bot_thinks() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        app.take(app.choices[0])
        await pilot.press("f4")
        await pilot.pause()
        assert isinstance(app.screen, Sheet) and app.is_thinking
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert "Stopped" in text(app, "#prompt") and not app.is_thinking

    session = Session(load(SHELF / "othello"), {"black": HUMAN, "white": "mcts:60s"}, 1, keep=False)
    before = sys.getswitchinterval()
    with answering():
        assert sys.getswitchinterval() < before
        on_screen(session, play)
    assert sys.getswitchinterval() == before
