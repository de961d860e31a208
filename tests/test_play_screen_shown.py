"""What the whole screen shows of a game, at several sizes; what a file says is only shown."""

from __future__ import annotations

import re
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from polis_cli.output import wrapped
from polis_cli.plain.details import Details
from polis_cli.screen import PlayApp, pictures_here
from polis_cli.screen.choice_list import ChoiceList
from polis_cli.screen.choices import Choice, choices_of
from polis_cli.screen.drawing import LENGTHS, Draughtsman
from polis_cli.screen.map import MapView
from polis_cli.screen.panel import Panel
from polis_cli.screen.pictures import fitted
from polis_cli.screen.telling import headline, latest, told_above
from rich.cells import cell_len
from rich.console import Console
from support.on_screen import SHELF, on_screen, session_of, settled, text, typed
from textual.pilot import Pilot
from textual.widgets import Static

from polis_rules import load
from polis_rules.board import Board, draw, position, seen
from polis_rules.play import HUMAN, Session, Situation


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


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
    assert "GOOD: MARKET VALUE price of 3/price of 4/price of 5" in shown and shown.count("3/4/5") == 4
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


def test_what_came_of_ones_own_decision_stays_in_sight_beside_what_others_did() -> None:
    news = ["Sparta fails", *(f"Athens pays {number} coins" for number in range(5))]
    assert told_above(news, 1, "", 40, 3) == ["Sparta fails", "… Athens pays 3 coins", "Athens pays 4 coins"]
    assert told_above(news, 0, "", 40, 2) == ["… Athens pays 3 coins", "Athens pays 4 coins"]


def test_ones_own_decision_is_news_also_under_the_title_that_was_told_last() -> None:
    """In politeia a round of turns goes on under the title that stood last when the player decided."""

    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for _ in range(60):
            *_, last = app.session.game.sentences("athens")
            own = app.session.decision is not None and app.session.decision.options[-1].id == "pass"
            await typed(pilot, app, "pass" if own else app.choices[-1].label)
            if own and last.startswith("-- "):
                assert text(app, "#news").startswith("Athens passes")
                return
        raise AssertionError("no decision came first under a title")

    rules = load("politeia")
    bots = dict.fromkeys(rules.players, "random")
    on_screen(Session(rules, bots | {"athens": HUMAN}, 6, keep=False), play)


def test_a_warning_leaves_room_for_the_news() -> None:
    warning = "At risk: food that lacks, and much else besides"
    assert told_above(["North fails"], 1, warning, 24, 4) == ["North fails", *wrapped(warning, 24, "", "  ")]
    assert told_above(["North fails", "South passes"], 1, warning, 24, 3)[:2] == ["North fails", "South passes"]
    assert told_above(["North fails"], 1, warning, 24, 1) == ["North fails"]
    assert told_above([], 0, warning, 24, 1) == [f"{wrapped(warning, 24, '', '  ')[0]} …"]


def test_what_a_price_leaves_stands_with_the_price() -> None:
    choice = {each.id: each for each in choices_of(session_of("yucata", 5))}["move_hoplites"]
    assert choice.price == "costs 1 prestige (3 to 2)" and not choice.changes


def test_what_all_options_change_is_cut_to_a_line_where_there_is_no_room_for_more() -> None:
    list_ = ChoiceList()
    list_.shown = [Choice(str(each), "go", "go", common=("Whatever you choose: " + "more " * 20,)) for each in range(3)]
    assert list_.fit(40, 9) > 4 and list_.fit(40, 4) == 4


def test_options_stand_in_more_columns_only_where_that_leaves_the_room_that_news_need() -> None:
    list_ = ChoiceList()
    list_.shown = [Choice(str(each), f"go {each}", "go") for each in range(7)]
    assert (list_.fit(100, 8), list_.fit(100, 8, 5), list_.fit(100, 8, 2), list_.fit(40, 8, 5)) == (7, 4, 7, 7)


def test_a_table_of_many_players_is_folded_and_not_cut() -> None:
    rules = load("colonnades", settings={"seats": 3})
    session = Session(rules, dict.fromkeys(rules.players[:1], HUMAN), 4, keep=False)
    board = Board.of(rules)
    panel = Panel(session, position(board, seen(session.shown, session.eyes)), board, Details(rules), True)
    for width in (36, 38, 60):
        console = Console(width=200, file=StringIO())
        lines = console.render_lines(panel.players_sheet(), console.options.update(width=width), pad=False)
        told = ["".join(each.text for each in line).rstrip() for line in lines]
        assert max(map(len, told)) <= width and "\n".join(told).count("hidden") == 2


def test_what_is_at_risk_is_told_above_the_actions_and_not_at_each_question_that_follows() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        assert "At risk: Wheat or prestige lacking" in text(app, "#news")
        await typed(pilot, app, "move hoplites")
        assert "At risk" not in text(app, "#news")

    on_screen(session_of("yucata", 5), play)


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


def test_on_a_terminal_that_grows_all_options_show_at_once() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.resize_terminal(140, 45)
        await settled(pilot, app)
        options = app.query_one(ChoiceList)
        wanted = options.fit(app.query_one("#talk").content_size.width, 99)
        assert options.size.height == wanted

    on_screen(session_of("yucata", seed=5), play)


@pytest.mark.parametrize("size", [(20, 5), (30, 8)])
def test_on_a_tiny_terminal_the_question_and_the_line_for_the_answer_are_what_shows(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        for id in ("#prompt", "ChoiceList", "#line"):
            region = app.query_one(id).region
            assert region.height and region.bottom <= size[1]

    on_screen(session_of("leduc"), play, size)


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


@pytest.mark.parametrize("name", ["yucata", "colonnades"])
def test_no_title_moves_when_another_place_stands_out(name: str) -> None:
    board = Board.of(load(name))
    shown = position(board, seen(load(name).start(seed=3)))
    still = Draughtsman(board).draw(shown, 60, 20)
    assert all(Draughtsman(board).draw(shown, 60, 20, focus=[key]).at == still.at for key in [*board.spots][::9])


def test_a_title_is_cut_only_where_there_is_no_room_for_it() -> None:
    rules = load("yucata")
    board = Board.of(rules)
    shown = Draughtsman(board).draw(position(board, seen(rules.start(seed=1))), 44, 14).picture.text
    whole = [spot.title for spot in board.spots.values() if spot.title in shown]
    assert len(board.spots) // 2 < len(whole) < len(board.spots)


def test_titles_that_begin_alike_are_cut_so_that_they_can_be_told_apart() -> None:
    """Three gulfs of hellenes_training, first by initials of what they share with others; of titles that begin like no
    other one the beginning stays."""
    short = Draughtsman(Board.of(load("hellenes_training"))).short
    assert [short(f"Gulf of {name}", 7) for name in ("Rhegium", "Corinth", "Ambracia")] == [
        "…Rhegiu",
        "…Corint",
        "…Ambrac",
    ]
    names = ("Gulf of Corinth", "Thermaic Gulf", "Sea of Marmara")
    assert [short(name, 11) for name in names] == ["G. Corinth", "Thermaic G.", "S. Marmara"]
    assert (short("Amphipolis", 7), short("Gulf of Corinth", 99)) == ("Amphip…", "Gulf of Corinth")


@pytest.mark.parametrize("name", ["hellenes_training", "yucata", "devir", "politeia"])
def test_no_two_titles_of_a_board_are_cut_alike(name: str) -> None:
    """On whatever so many cells each finds room."""
    of = Draughtsman(Board.of(load(name)))
    titles = {spot.title for spot in of.board.spots.values()}
    meant = {(of.short(title, length), title) for title in titles for length in LENGTHS}
    assert len({text for text, _ in meant}) == len(meant)


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


def test_the_first_page_of_tables_holds_what_the_map_does_not_tell() -> None:
    """In a hundred cells and thirty lines: both players, the event with its text, prices and projects, as said here."""
    session = session_of("yucata", seed=7, people=2)
    now, board, details = Situation(session.shown, session.eyes), Board.of(session.rules), Details(session.rules)
    for kind, member in now.named:
        details.effects(session.shown, kind, member)
    panel = Panel(session, position(board, seen(session.shown)), board, details, True)
    console = Console(width=98, file=(written := StringIO()))
    console.print(panel.all(page=20))
    pages = [written.getvalue().split("\n")[at : at + 20] for at in (0, 20)]
    first, second = ("\n".join(page) for page in pages)
    for told in (
        "SCORE SO FAR",
        "Wheat lacking",
        "Persian Fleet Destruction: Athens gains 1",
        "MARKET VALUE",
        "PROJECT",
    ):
        assert told in first
    assert "POLEIS" not in first and "TERRITORY" in second


def test_page_keys_turn_the_pages_of_tables_that_stand_in_place_of_the_board() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        await pilot.press("enter")  # the keyboard is passed
        await settled(pilot, app)
        await pilot.press("f5")
        await settled(pilot, app)
        side = app.query_one("#side")
        await pilot.press("pagedown")
        await pilot.pause()
        assert side.scroll_offset.y == side.size.height > 15
        await pilot.press("pageup")
        await pilot.pause()
        assert side.scroll_offset.y == 0
        await pilot.press("pagedown", "f5")
        await settled(pilot, app)
        assert side.scroll_offset.y == 0  # beside the board the score stands first again

    on_screen(session_of("yucata", seed=7, people=2), play)


def test_a_game_without_a_board_shows_its_tables_on_a_narrow_terminal() -> None:
    async def play(pilot: Pilot[None], app: PlayApp) -> None:
        assert app.query_one("#side").region.height > 5
        await pilot.press("f5")
        await pilot.pause()
        assert app.query_one("#side").region.height > 5

    on_screen(session_of("hearts"), play, (80, 24))
