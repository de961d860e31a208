"""A game on the whole screen: played by keys and mouse, at several sizes; what a file says is only shown."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from polis_cli.plain.details import Details
from polis_cli.played import can_draw
from polis_cli.screen import PlayApp, answering, pictures_here
from polis_cli.screen.choice_list import ChoiceList
from polis_cli.screen.drawing import Draughtsman
from polis_cli.screen.map import MapView
from polis_cli.screen.overlays import Curtain, Question, Sheet
from polis_cli.screen.panel import Panel
from polis_cli.screen.pictures import fitted
from polis_cli.screen.telling import headline, latest
from rich.cells import cell_len
from rich.console import Console
from textual.pilot import Pilot
from textual.widgets import Input, Static

from polis_rules import load
from polis_rules.board import Board, draw, position, seen
from polis_rules.play import HUMAN, Session, Situation, saved_games

SHELF = Path(__file__).parent / "rulesets"
Play = Callable[["Pilot[None]", PlayApp], Awaitable[None]]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


def session_of(name: str, seed: int = 1, people: int = 1, by_hand: bool = False, keep: bool = False) -> Session:
    rules = load(name if name in ("yucata", "devir") else SHELF / name)
    bots = dict.fromkeys(rules.players, "random")
    return Session(rules, bots | dict.fromkeys(rules.players[:people], HUMAN), seed, by_hand, keep=keep)


def on_screen(session: Session, play: Play, size: tuple[int, int] = (100, 30), answer_single: bool = False) -> PlayApp:
    """Run a session on a screen that is not there, and play it so."""
    app = PlayApp(session, answer_single)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(pilot, app)
            await play(pilot, app)

    asyncio.run(run())
    return app


async def settled(pilot: Pilot[None], app: PlayApp) -> None:
    """Wait until a person, or nobody, has to go on, and all is shown."""
    for _ in range(2000):
        await pilot.pause()
        if not app.is_thinking:
            break
    await pilot.pause()


async def typed(pilot: Pilot[None], app: PlayApp, line: str) -> None:
    app.query_one("#line", Input).value = line
    await pilot.press("enter")
    await settled(pilot, app)


def text(app: PlayApp, id: str) -> str:
    return str(app.query_one(id, Static).render())


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


def test_what_every_option_would_change_is_told_once_below_them() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.press("enter")  # the keyboard is passed
        await settled(pilot, app)
        *offered, last = app.query_one(ChoiceList).blocks
        assert [each.number for each in offered] == [*range(len(app.choices))] and last.number is None
        assert "Whatever you choose: Lakedaimon: tribute discs 0 to 1" in " ".join(map(str.strip, last.lines))

    session = session_of("yucata", seed=7, people=2)
    session.choose("collection")
    session.choose("lakedaimon")
    on_screen(session, play)


def test_the_last_of_the_news_is_what_is_shown() -> None:
    """What came of one's own last action and what others did since; when there is no room, the end of it."""
    assert latest(["a", "b", "c"], 20, 3) == ["a", "b", "c"]
    assert latest(["a", "b", "c"], 20, 2) == ["… b", "c"]

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "create_merchants")
        await typed(pilot, app, "1")
        await typed(pilot, app, "finish")
        for word in ("collection", "1", "1"):
            if "builds merchants" in text(app, "#news"):
                return
            await typed(pilot, app, word)
        assert "builds merchants" in text(app, "#news")

    on_screen(session_of("yucata", seed=5), play, size=(120, 40))


def test_prices_stand_beside_the_steps_of_a_track_and_the_tables_of_the_board_last() -> None:
    session = session_of("yucata", seed=5)
    board = Board.of(session.rules)
    now = position(board, seen(session.shown, session.eyes))
    console = Console(file=StringIO(), width=60)
    console.print(Panel(session, now, board, Details(session.rules), True).all())
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "GOOD: MARKET VALUE price of 3/price of 4/price of 5" in shown and "Column 1 3/4/5" in shown
    assert "round ▰▱▱▱ 3 capacity 3" in shown
    assert shown.index("PROJECT ") < shown.index("POLEIS")


def test_what_is_part_of_the_score_is_told_once_also_where_a_player_has_none_of_it() -> None:
    session = session_of("yucata", seed=5)
    board = Board.of(session.rules)
    session.shown.state[session.rules.program().layout.bases["player", "prestige"]] = 0
    console = Console(file=StringIO(), width=60)
    now = position(board, seen(session.shown, session.eyes))
    console.print(Panel(session, now, board, Details(session.rules), True).all())
    rows = re.findall(r"^prestige +\S+ +\S+ *$", console.file.getvalue(), re.MULTILINE)  # type: ignore[attr-defined]
    assert len(rows) == 1


def test_what_advice_counts_against_a_player_is_told_to_that_player() -> None:
    game = load("yucata").start(seed=5)
    warning = Situation(game, "athens").warning
    assert warning.startswith(
        "At risk: Wheat or prestige lacking for the next supply, if 2 prestige are to be left: 3;"
    )
    assert Situation(game, None).warning == ""


def test_what_is_at_risk_is_told_above_the_actions_and_not_at_each_question_that_follows() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        assert "At risk: Wheat or prestige lacking" in text(app, "#news")
        await typed(pilot, app, "move hoplites")
        assert "At risk" not in text(app, "#news")

    on_screen(session_of("yucata", 5), play)


def test_a_line_that_means_nothing_is_told_and_takes_nothing() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "99")
        assert "99" in text(app, "#note")
        await typed(pilot, app, "")
        assert text(app, "#note").startswith("Type one of 1 to 4")
        assert app.session.game.log == ()

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


def test_details_and_reasons_are_told_over_the_game() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "details column 1, row 2")
        assert isinstance(app.screen, Question)
        assert "Column 1, Row 2" in str(app.screen.query_one("#known", Static).render())
        await pilot.press("escape")
        await typed(pilot, app, "why column_1_row_1")
        assert "not offered because" in str(app.screen.query_one("#known", Static).render())
        await pilot.press("escape", "f1")
        await pilot.pause()
        assert isinstance(app.screen, Sheet)
        await pilot.press("escape", "f4")
        await pilot.pause()
        assert isinstance(app.screen, Sheet)

    on_screen(session_of("othello"), play)


def test_the_board_is_shown_as_the_picture_that_the_map_command_draws() -> None:
    session, fed = session_of("yucata"), []

    def pictures(png: BytesIO) -> Static:
        fed.append(png.read())
        return Static("the picture")

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.press("ctrl+p")
        assert not fed and "shows no pictures" in text(app, "#note"), "this terminal has not said that it can"
        app.pictures = pictures
        await pilot.press("ctrl+p")
        await pilot.press("escape")
        assert len(app.screen_stack) == 1

    assert pictures_here() is None, "no terminal, no pictures"
    on_screen(session, play, (120, 40))
    svg = draw(Board.of(session.rules), seen(session.game, session.eyes), dark=True, alone=True)
    assert fed == [fitted(svg, 120, 40)]


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


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (40, 12), (100, 30), (140, 45), (20, 5)])
@pytest.mark.parametrize("name", ["yucata", "hearts", "othello"])
def test_it_is_playable_at_every_size(name: str, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "1")
        await pilot.press("f5")
        await pilot.resize_terminal(90, 26)
        await settled(pilot, app)
        await pilot.press("down")
        assert app.session.game.log

    on_screen(session_of(name), play, size)


@pytest.mark.parametrize("size", [(20, 5), (30, 8)])
def test_on_a_tiny_terminal_the_question_and_the_line_for_the_answer_are_what_shows(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for id in ("#prompt", "ChoiceList", "#line"):
            region = app.query_one(id).region
            assert region.height and region.bottom <= size[1]

    on_screen(session_of("leduc"), play, size)


def test_a_terminal_that_only_prints_lines_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert can_draw()
    monkeypatch.setenv("TERM", "dumb")
    assert not can_draw()


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
        assert app.session.turn == "chance" and app.choices[-1].label == "roll"
        await typed(pilot, app, app.choices[0].label)
        assert app.session.game.log[-1][0] == "chance" or app.session.turn != "chance"

    on_screen(session_of("leduc", by_hand=True), play)


def test_leaving_loses_nothing() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await typed(pilot, app, "1")
        await pilot.press("ctrl+q")

    app = on_screen(session_of("othello", keep=True), play)
    [saved] = saved_games()
    assert tuple(saved.transcript.entries) == app.session.game.log != ()


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


MARKUP = "[red]Where[/red] [@click=app.quit]do[/]"
EVIL = "[red]x[/red] \x1b[31m\x1b]0;title\x07 <b>&"


def test_what_a_file_says_is_neither_markup_nor_obeyed(tmp_path: Path) -> None:
    """Titles are shown as they are written; what a terminal would obey is shown as a code."""
    folder = tmp_path / "game"
    folder.mkdir()
    for file in (SHELF / "othello").rglob("*.yaml"):
        target = folder / file.relative_to(SHELF / "othello")
        target.parent.mkdir(exist_ok=True)
        target.write_text(file.read_text("utf-8").replace("Where do you put a disc?", f"'{MARKUP}'"))
    rules = load(folder)

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        assert MARKUP in text(app, "#prompt")
        app.note(EVIL)
        assert "\x1b" not in text(app, "#note") and "[red]x[/red]" in text(app, "#note")

    on_screen(Session(rules, {rules.players[0]: HUMAN}, 1, keep=False), play)


@pytest.mark.parametrize("name", ["yucata", "devir", "skirmish", "othello", "hex", "crossing"])
@pytest.mark.parametrize("size", [(60, 14), (90, 30)])
def test_every_place_is_drawn_and_none_hides_another(name: str, size: tuple[int, int]) -> None:
    rules = load(name if name in ("yucata", "devir") else SHELF / name)
    board = Board.of(rules)
    drawing = Draughtsman(board).draw(position(board, seen(rules.start(seed=1))), *size)
    assert not drawing.missing and set(drawing.at) == set(board.spots)
    cells = [(x + each, y) for x, y, wide in drawing.at.values() for each in range(wide)]
    assert len(cells) == len(set(cells))


def test_a_title_is_cut_only_where_there_is_no_room_for_it() -> None:
    rules = load("yucata")
    board = Board.of(rules)
    shown = Draughtsman(board).draw(position(board, seen(rules.start(seed=1))), 44, 14).picture.text
    whole = [spot.title for spot in board.spots.values() if spot.title in shown]
    assert len(board.spots) // 2 < len(whole) < len(board.spots)


def test_the_board_has_all_its_titles_on_a_usual_terminal_and_stays_as_it_is_from_question_to_question() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        view, seen_at = app.query_one(MapView), set()
        for line in ("collection", "1", "1", ""):
            assert view.drawing is not None
            seen_at.add((view.size, view.drawing.picture.width, view.drawing.picture.height))
            assert all(spot.title in view.drawing.picture.text for spot in app.board.spots.values())
            assert all(block.top + len(block.lines) <= 7 for block in app.query_one(ChoiceList).blocks)
            await typed(pilot, app, line)
        assert len(seen_at) == 1

    on_screen(session_of("yucata", seed=5), play)


@pytest.mark.parametrize("width", [40, 80, 140])
def test_the_head_line_tells_how_the_game_is_kept(width: int) -> None:
    session = session_of("hearts", keep=True)
    session.choose(session.decision.options[0])  # type: ignore[union-attr]
    line = headline(session, width)
    assert cell_len(line) <= width and f"kept as {session.name}" in line
    assert ("West: random" in line) == (width == 140)


@pytest.mark.parametrize("name", ["othello", "hex"])
def test_tables_do_not_repeat_a_grid(name: str) -> None:
    session = session_of(name)
    session.choose(session.decision.options[0])  # type: ignore[union-attr]
    now, board = Situation(session.shown, session.eyes), Board.of(session.rules)
    panel = Panel(session, position(board, seen(session.shown)), board, Details(session.rules), True)
    console = Console(width=60, file=(written := StringIO()))
    console.print(panel.all())
    assert now.things and not any(sheet.title.upper() in written.getvalue() for sheet in now.things)


def test_a_game_without_a_board_shows_its_tables_on_a_narrow_terminal() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        assert app.query_one("#side").region.height > 5
        await pilot.press("f5")
        await pilot.pause()
        assert app.query_one("#side").region.height > 5

    on_screen(session_of("hearts"), play, (80, 24))
