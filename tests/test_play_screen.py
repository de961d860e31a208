"""A game on the whole screen is answered by keys, words and mouse, and told of when one asks."""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path

import pytest
from polis_cli.plain.details import Details
from polis_cli.played import can_draw
from polis_cli.screen import PlayApp
from polis_cli.screen.choice_list import ChoiceList
from polis_cli.screen.map import MapView
from polis_cli.screen.overlays import Question, Sheet
from support.on_screen import on_screen, session_of, settled, text, typed
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input, Static

from polis_rules import Game, load
from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN, Session, saved_games


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


@pytest.mark.parametrize(
    "name", ["leduc", *(pytest.param(name, marks=pytest.mark.slow) for name in ("othello", "hearts", "skirmish"))]
)
def test_a_whole_game_is_played_by_keys(name: str) -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for _ in range(400):
            if app.session.turn == "over":
                break
            await pilot.press("down", "enter")
            await settled(pilot, app)
        assert app.session.turn == "over"
        assert "Ctrl+Q leaves" in text(app, "#prompt")

    on_screen(session_of(name), play)


def test_an_option_is_taken_by_its_number_and_by_a_part_of_its_name() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "2")
        await typed(pilot, app, app.session.decision.options[-1].title)  # type: ignore[union-attr]

    session = session_of("othello")
    assert session.decision is not None
    second = session.decision.options[1].id
    log = on_screen(session, play).session.game.log
    assert log[0] == ("decision", "black", second) and len(log) == 4


def test_what_is_typed_on_while_the_screen_is_busy_is_a_line_of_its_own() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for key in ("9", "enter", "1"):
            app.post_message(Key(key, key if key != "enter" else None))
        await settled(pilot, app)
        assert app.query_one("#line", Input).value == "1" and app.session.game.log == ()

    on_screen(session_of("othello"), play)


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_number_that_begins_like_an_option_takes_none_by_mistake(by_hand: bool) -> None:
    """While it is typed key by key the option with its first digit stands out, and no more after that."""

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        before = len(app.session.game.log)
        assert len(app.choices) > 3
        await pilot.press("3")
        assert app.query_one(ChoiceList).current is app.choices[2]
        await pilot.press("3", "enter")
        await settled(pilot, app)
        assert len(app.session.game.log) == before
        assert f"'33' {'cannot come out' if by_hand else 'is not an option'} here" in text(app, "#note")

    on_screen(session_of("yucata", seed=7, by_hand=by_hand), play)


def test_typing_leaves_the_options_that_fit() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.press(*"row", "space", "5")
        await pilot.pause()
        shown = app.query_one(ChoiceList).shown
        assert shown and all("row 5" in choice.title.casefold() for choice in shown)
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.query_one(ChoiceList).shown) == len(app.choices) > len(shown)

    on_screen(session_of("othello"), play)


def test_a_line_that_means_nothing_is_told_and_takes_nothing() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "99")
        assert "99" in text(app, "#note")
        await typed(pilot, app, "")
        assert text(app, "#note").startswith("Type one of 1 to 4")
        assert app.session.game.log == ()

    on_screen(session_of("othello"), play)


def test_every_word_of_lines_is_understood_on_the_screen_in_any_case(tmp_path: Path) -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "?")
        assert isinstance(app.screen, Sheet)
        await pilot.press("escape")
        await typed(pilot, app, "State")
        assert app.only_tables
        await typed(pilot, app, "state")
        assert not app.only_tables
        for word in ("map", "picture"):
            await typed(pilot, app, f"{word} {tmp_path / word}.svg")
            assert (tmp_path / f"{word}.svg").read_text("utf-8").startswith("<svg")
        assert app.is_running and app.session.game.log == ()
        await typed(pilot, app, "EXIT")
        assert not app.is_running

    on_screen(session_of("othello"), play)


def test_a_click_takes_an_option() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.click(ChoiceList, offset=(3, 0))
        await settled(pilot, app)
        assert app.session.game.log[0][:2] == ("decision", "black")

    on_screen(session_of("othello"), play)


def test_a_place_that_may_be_chosen_is_highlighted_by_a_click_and_taken_by_another() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        view = app.query_one(MapView)
        wanted = app.choices[2]
        assert wanted.option is not None and wanted.option.refers_to is not None and view.drawing is not None
        column, row, wide = view.drawing.at[wanted.option.refers_to]
        where = (column + wide // 2 + view.margin, row)
        await pilot.click(MapView, offset=where)
        await pilot.pause()
        assert app.query_one(ChoiceList).current == wanted and app.session.game.log == ()
        await pilot.click(MapView, offset=where)
        await settled(pilot, app)
        assert app.session.game.log[0] == ("decision", "black", wanted.id)

    on_screen(session_of("othello"), play)


def test_a_note_is_gone_when_one_looks_back_or_takes_an_option_by_mouse() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.press("down", "enter")
        await settled(pilot, app)
        await typed(pilot, app, "99")
        assert "99" in text(app, "#note")
        await pilot.press("f7")
        await settled(pilot, app)
        assert text(app, "#note") == "" and app.session.looking_back
        await pilot.press("f7", "f9")
        await settled(pilot, app)
        assert "You play on" in text(app, "#note")
        await pilot.click(ChoiceList, offset=(3, 0))
        await settled(pilot, app)
        assert text(app, "#note") == "" and text(app, "#news")

    on_screen(session_of("othello"), play)


def test_details_and_reasons_are_told_over_the_game() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "details column 1, row 2")
        await app.workers.wait_for_complete()
        assert isinstance(app.screen, Question)
        assert "Column 1, Row 2" in str(app.screen.query_one("#known", Static).render())
        await pilot.press("escape")
        await typed(pilot, app, "why column_1_row_1")
        await app.workers.wait_for_complete()
        assert "not offered because" in str(app.screen.query_one("#known", Static).render())
        await pilot.press("escape", "f1")
        await pilot.pause()
        assert isinstance(app.screen, Sheet)
        await pilot.press("escape", "f4")
        await pilot.pause()
        assert isinstance(app.screen, Sheet)

    on_screen(session_of("othello"), play)


def test_details_and_reasons_that_fail_are_told_over_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> list[str]:
        raise PolisError("its file is gone")

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for line in ("details disc", "why disc"):
            await typed(pilot, app, line)
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert "its file is gone" in str(app.screen.query_one("#known", Static).render())
            await pilot.press("escape")

    monkeypatch.setattr(Details, "of", fails)
    monkeypatch.setattr(Game, "why_not", fails)
    on_screen(session_of("othello"), play)


def test_details_and_reasons_are_of_what_is_being_typed() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for key, line in (("f2", "gytheion"), ("f3", "besiege")):
            app.query_one("#line", Input).value = line
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert line in str(app.screen.query_one("#known", Static).render()).casefold()
            await pilot.press("escape")

    on_screen(session_of("yucata", 7), play)


def test_details_of_the_highlighted_option_tell_all_that_it_would_change() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        wanted = next(at for at, each in enumerate(app.choices) if each.price and each.preview is not None)
        line = f"details {app.choices[wanted].label}"
        for keys in (("down",) * (wanted + 1) + ("f2",), (*line, "enter")):
            await pilot.press(*("space" if key == " " else key for key in keys))
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            told = str(app.screen.query_one("#known", Static).render())
            assert f"If you choose {app.choices[wanted].title} now: {app.choices[wanted].price}" in told
            await pilot.press("escape")

    on_screen(session_of("yucata", 7), play)


def test_details_are_of_the_only_option_where_nothing_is_highlighted() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        app.choices = app.choices[:1]
        await pilot.press("f2")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.choices[0].title in str(app.screen.query_one("#known", Static).render())

    on_screen(session_of("othello"), play)


def test_what_is_typed_over_the_game_leaves_its_options_as_they_are() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for key in ("f2", "f3"):
            await pilot.press("down", key)
            await pilot.press(*"hoplites", "enter")
            await app.workers.wait_for_complete()
            await pilot.press("escape")
            await pilot.pause()
            assert len(app.query_one(ChoiceList).shown) == len(app.choices) > 1

    on_screen(session_of("yucata"), play)


def test_a_click_on_a_place_tells_of_that_place_and_nothing_else_that_is_called_so() -> None:
    """In politeia Sparta is a player and a city."""

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        app.on_map_view_clicked(MapView.Clicked(("city", "sparta")))
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        known = str(app.screen.query_one("#known", Static).render())
        assert "Sparta (city)" in known and "Sparta (polis)" not in known

    rules = load("politeia")
    on_screen(Session(rules, dict.fromkeys(rules.players, HUMAN), 1, keep=False), play)


def test_undo_takes_back_history_goes_back_and_forth_and_a_branch_plays_on() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "1")
        await typed(pilot, app, "1")
        made = len(app.session.game.log)
        await pilot.press("ctrl+z")
        await settled(pilot, app)
        assert len(app.session.game.log) == made - 2
        await pilot.press("f7")
        await settled(pilot, app)
        assert app.session.looking_back and "ago" in text(app, "#prompt")
        await typed(pilot, app, "1")
        assert len(app.session.game.log) == made - 2
        await pilot.press("f7", "f9")
        await settled(pilot, app)
        assert not app.session.looking_back and app.session.game.moment == 0

    on_screen(session_of("othello"), play)


def test_what_a_bot_does_where_a_branch_begins_is_told() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        while all(who != "sparta" for _, who, _ in app.session.game.log):
            await typed(pilot, app, "1")
        await pilot.press("f7", "f9")
        await settled(pilot, app)
        assert "Sparta" in text(app, "#news") and text(app, "#note") == ""

    on_screen(session_of("yucata", 7), play)


def test_a_terminal_that_only_prints_lines_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert can_draw()
    monkeypatch.setenv("TERM", "dumb")
    assert not can_draw()


def test_leaving_loses_nothing() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "1")
        await pilot.press("ctrl+q")

    app = on_screen(session_of("othello", keep=True), play)
    [saved] = saved_games()
    assert tuple(saved.transcript.entries) == app.session.game.log != ()


@pytest.mark.parametrize(("name", "by_hand"), [("othello", False), ("dice_race", True)], ids=["undo", "dice"])
def test_a_full_disk_is_told_and_ends_no_game(name: str, by_hand: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        while app.session.chance is None and by_hand:
            await pilot.press("down", "enter")
            await settled(pilot, app)
        await pilot.press("down", "enter")
        await settled(pilot, app)
        monkeypatch.setattr(os, "fsync", full)
        await pilot.press(*(("down", "enter") if by_hand else ("ctrl+z",)))
        await settled(pilot, app)
        assert "No space left" in text(app, "#note")

    on_screen(session_of(name, people=2, by_hand=by_hand, keep=True), play)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("save", "Give the file a name: save FILE"),
        ("save {}", "Not written: {} exists already"),
        ("save {}/no/where", "Not written: No such file or directory"),
    ],
)
def test_a_game_that_cannot_be_saved_where_it_should_be_is_told_why(line: str, told: str, tmp_path: Path) -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, line.format(tmp_path))
        assert text(app, "#note") == told.format(tmp_path)

    on_screen(session_of("othello"), play, size=(200, 30))
