"""Drawings of boards: well-formed, harmless, readable, and without anything that is hidden."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import polis_rules
from cli.main import app
from polis_rules.board import Board, Spot, as_png, draw, seen
from polis_rules.board.barriers import barriers
from polis_rules.board.canvas import Canvas, width_of
from polis_rules.board.glyphs import Glyphs
from polis_rules.board.palette import DARK, LIGHT, contrast, on
from polis_rules.board.placing import Box, Room, beside, contains
from polis_rules.board.position import Token
from polis_rules.diagnostics import PolisError
from tests.support.small_ruleset import small

ROOT = Path(__file__).resolve().parents[1]
RULESETS = ROOT / "tests" / "rulesets"
EVERY = ["yucata", "devir", *(str(RULESETS / name) for name in ("othello", "hex", "random_isles", "hearts", "leduc"))]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("dark", [False, True])
def test_a_drawing_is_sound_svg_that_runs_and_loads_nothing(name: str, dark: bool) -> None:
    rules = polis_rules.load(name)
    for view in (None, seen(rules.start(seed=1))):
        tree = ElementTree.fromstring(draw(Board.of(rules), view, dark))
        assert tree.tag == f"{SVG}svg"
        for each in tree.iter():
            assert each.tag.removeprefix(SVG) in ("svg", "g", "title", "text", "rect", "path", "circle", "line")
            assert not any(
                key.startswith("on") or "href" in key or "url(" in value for key, value in each.attrib.items()
            )


def test_nothing_that_a_ruleset_says_becomes_markup(tmp_path: Path) -> None:
    title = '</text><script>alert(1)</script>" & <b>'
    things = f"""
    board:
      title: '{title}'
      size: [400, 300]
      places: {{region: {{north: [100, 60], south: [300, 100], west: [50, 200]}}}}
      show: {{region.owner: colour}}
    """
    folder = small(tmp_path, more=things)
    path = folder / "things.yaml"
    path.write_text(path.read_text().replace("north: {worth", f"north: {{title: '{title}', worth"))
    rules = polis_rules.load(folder)
    svg = draw(Board.of(rules), seen(rules.start(seed=1)))
    assert "<script" not in svg and "<b>" not in svg
    texts = [each.text for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert texts.count(title) == 2


def test_what_is_fixed_is_told_beside_the_board_and_what_a_card_does_where_it_lies_open() -> None:
    rules = polis_rules.load("yucata")
    empty = [each.text for each in ElementTree.fromstring(draw(Board.of(rules))).iter(f"{SVG}text")]
    assert {"growth (cubes)", "Kyklades, Ionio Pelagos", "4 wine, 4 oil, 3 silver, 1 wheat"} <= {*empty}
    view = seen(rules.start(seed=1))
    told = draw(Board.of(rules), view, does=lambda kind, member: f"It does what a card of the kind {kind} does.")
    assert "It does what a card of the kind event does." in told


def test_a_long_hand_stays_in_its_column() -> None:
    rules = polis_rules.load(RULESETS / "hearts")
    tree = ElementTree.fromstring(draw(Board.of(rules), seen(rules.start(seed=1), "north")))
    hand = [each for each in tree.iter(f"{SVG}text") if "; " in (each.text or "")]
    assert len(hand) > 1
    assert all(width_of(each.text or "", 12.5) * 1.1 < 484 for each in hand)


def test_a_title_without_end_is_cut_where_it_would_leave_the_picture(tmp_path: Path) -> None:
    folder = small(tmp_path)
    path = folder / "things.yaml"
    path.write_text(path.read_text().replace("north: {worth", f"north: {{title: {'W' * 10_000}, worth"))
    rules = polis_rules.load(folder)
    tree = ElementTree.fromstring(draw(Board.of(rules), seen(rules.start(seed=1))))
    assert max(len(each.text or "") for each in tree.iter(f"{SVG}text")) < 100
    assert any(len(each.text or "") == 10_000 for each in tree.iter(f"{SVG}title"))


def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    canvas = Canvas()
    canvas.text("a\x00b\ud800c\x1b", 0, 0, 10, "#000000")
    assert ElementTree.fromstring(canvas.parts[0]).text == "a b c "


def test_what_is_hidden_from_a_player_is_not_drawn() -> None:
    rules = polis_rules.load(RULESETS / "leduc")
    game = rules.start(seed=3)
    board = Board.of(rules)
    hands = {player: game.view(player)["player"][player]["hand"][0] for player in game.players}  # type: ignore[index]
    one, other = game.players
    titles = {player: board.title_of("card", card) for player, card in hands.items()}
    assert titles[one] != titles[other]
    assert titles[one] in draw(board, seen(game, one)) and titles[other] not in draw(board, seen(game, one))
    everybody = draw(board, seen(game))
    assert not any(title in everybody for title in titles.values())


def test_a_drawing_is_the_same_each_time() -> None:
    rules = polis_rules.load("yucata")
    assert draw(Board.of(rules)) == draw(Board.of(rules))


# -- whether it can be read -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_stands_out_from_what_lies_under_it(theme: object) -> None:
    assert isinstance(theme, type(LIGHT))
    grounds = [theme.page, *theme.tints.values()]
    assert contrast(theme.faint, theme.page) > 4.5
    assert contrast(theme.shore, theme.tints["water"]) > 3
    assert all(contrast(theme.ink, ground) > 7 for ground in grounds)
    assert contrast(theme.water_ink, theme.tints["water"]) > 4.5
    assert contrast(theme.area_ink, theme.tints["sand"]) > 4.5


def test_numbers_stand_out_from_the_pieces_that_bear_them() -> None:
    from polis_rules.board.palette import PIECES

    assert all(contrast(on(colour), colour) > 4.5 for colour in PIECES.values())


def shared(one: Box, other: Box) -> float:
    """How much of a rectangle another one covers."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return wide * high if wide > 0 and high > 0 else 0.0


@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_no_text_of_the_map_covers_another(name: str) -> None:
    rules = polis_rules.load(name)
    tree = ElementTree.fromstring(draw(Board.of(rules)))
    boxes = []
    for each in tree.iter(f"{SVG}text"):
        size, x, y = (float(each.get(key) or 0) for key in ("font-size", "x", "y"))
        width = len(each.text or "") * size * 0.56  # about what fonts take, where the drawing keeps a little more free
        left = {"middle": x - width / 2, "end": x - width}.get(each.get("text-anchor") or "", x)
        boxes.append((each.text, Box(left, y - size * 0.75, left + width, y)))
        assert size >= 12.5, "at 800 pixels it would be too small"
    assert len(boxes) > 40
    covered = [(one, other) for (one, box), (other, there) in combinations(boxes, 2) if shared(box, there) > 4]
    assert covered == []


def test_what_players_have_at_a_point_stands_on_it() -> None:
    """Where the point shows nothing else, so that nobody asks which of several points near it is meant."""
    rules = polis_rules.load("hellenes_training")
    picture = ElementTree.fromstring(draw(Board.of(rules), rules.start(seed=5).view("athens")))
    pylos = next(each for each in picture.iter(f"{SVG}g") if each.findtext(f"{SVG}title") == "Pylos")
    middles = {(each.get("cx"), each.get("cy")) for each in pylos.iter(f"{SVG}circle")}
    assert [each.text for each in pylos.iter(f"{SVG}text")] == ["1"]
    assert len(middles) == 1


def test_two_sorts_of_counters_of_one_player_look_different() -> None:
    """Units and siege discs of devir, on the map and in the legend: of the second the ground has no player's colour."""
    rules = polis_rules.load("devir")
    drawn = []
    for title in ("units", "siege discs"):
        canvas = Canvas()
        glyphs = Glyphs(canvas, Board.of(rules), LIGHT)
        glyphs.token(Token(title, "athens", 2, "count"), 50, 50)
        drawn.append(f'fill="{glyphs.fill("athens")}"' in canvas.picture(100, 100, "", "#ffffff"))
    assert drawn == [True, False]


def test_each_sort_of_mark_that_is_nobodys_has_lines_of_its_own() -> None:
    """Siege, blockade and what else may lie at a city of hellenes_training."""
    board = Board.of(polis_rules.load("hellenes_training"))
    drawn = []
    for title in ("siege", "blockade", "pillaged", "in civil war", "taken by the enemy"):
        canvas = Canvas()
        Glyphs(canvas, board, LIGHT).mark(Token(title, None, 1, "mark"), 50, 50, 6)
        drawn.append(canvas.picture(100, 100, "", "#ffffff"))
    assert len(set(drawn)) == len(drawn)


def test_names_of_many_players_are_not_cut_in_their_table() -> None:
    rules = polis_rules.load("politeia", settings={"seats": 5})
    svg = draw(Board.of(rules), seen(rules.start(seed=3)))
    headings = [
        each.text for each in ElementTree.fromstring(svg).iter(f"{SVG}text") if each.get("text-anchor") == "end"
    ]
    assert set(rules.titles.values()) <= set(headings)


SEATED = [("yucata", 0), ("devir", 0), ("politeia", 5), ("colonnades", 3), ("colonnades", 5), ("hellenes_training", 0)]


@pytest.mark.parametrize(("name", "seats"), SEATED)
def test_no_title_of_a_shipped_ruleset_is_cut(name: str, seats: int) -> None:
    rules = polis_rules.load(name, settings={"seats": seats} if seats else {})
    tree = ElementTree.fromstring(draw(Board.of(rules), seen(rules.start(seed=3))))
    assert not [each.text for each in tree.iter(f"{SVG}text") if "…" in (each.text or "")]


def test_a_place_is_found_that_covers_nothing() -> None:
    room = Room(200, 100)
    room.take(Box.around(100, 50, 20, 20))
    room.take(Box(110, 30, 200, 70))
    box = room.best(beside(100, 50, 10, 50, 14))
    assert box.right < 100 and not any(shared(box, other) for other in room.taken[:2])
    assert contains([[(0, 0), (9, 0), (9, 9), (0, 9)], [(3, 3), (6, 3), (6, 6), (3, 6)]], (1, 1))
    assert not contains([[(0, 0), (9, 0), (9, 9), (0, 9)], [(3, 3), (6, 3), (6, 6), (3, 6)]], (4, 4))


# -- the map of the shipped game ------------------------------------------------------------------------------------


def rims(board: Board, spot: Spot) -> list[tuple[float, float]]:
    return [(x * board.width, y * board.height) for outline in spot.outline for x, y in outline]


def to_rim(board: Board, point: tuple[float, float], spot: Spot) -> float:
    """How far a point is from the rim of an area."""
    x, y = point
    least = 9999.0
    for outline in spot.outline:
        points = [(to_x * board.width, to_y * board.height) for to_x, to_y in outline]
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
            long = (bx - ax) ** 2 + (by - ay) ** 2 or 1
            share = max(0, min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long))
            least = min(least, hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)))
    return least


@pytest.mark.slow
def test_areas_that_touch_on_the_map_are_those_that_are_neighbours_in_the_game() -> None:
    rules = polis_rules.load("yucata")
    board = Board.of(rules)
    symbols = rules.rules().symbols
    members = symbols.kinds["territory"].members
    first = symbols.first_node["territory"]
    joined = {
        frozenset((members[one - first], members[other - first]))
        for graph in ("land", "coasts", "sea_lanes")
        for one, other, _, _ in symbols.graphs[graph]
    }
    wrong = []
    for one, other in combinations(members, 2):
        spots = board.spots["territory", one], board.spots["territory", other]
        near = sum(to_rim(board, point, spots[1]) < 6 for point in rims(board, spots[0]))
        near += sum(to_rim(board, point, spots[0]) < 6 for point in rims(board, spots[1]))
        if near < 3 if frozenset((one, other)) in joined else near > 8:  # a corner in common makes no neighbours
            wrong.append((one, other, near))
    assert wrong == []


def heavy_lines(*variants: str) -> int:
    tree = ElementTree.fromstring(draw(Board.of(polis_rules.load("yucata", variants=variants))))
    return sum(each.get("stroke-width") == "5" for each in tree.iter(f"{SVG}path"))


@pytest.mark.slow
def test_a_heavy_line_parts_areas_that_touch_and_are_no_neighbours() -> None:
    assert heavy_lines() == 0
    assert heavy_lines("print_and_play_map") > 3  # which lacks three borders


def test_areas_that_lie_on_each_other_are_not_parted_by_thousands_of_lines() -> None:
    square = [[(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)]]
    of_some = {("field", str(number)): square for number in range(10)}
    of_many = {("field", str(number)): square for number in range(100)}
    assert len(barriers(of_some, frozenset())) == 45 and barriers(of_many, frozenset()) == []


def test_each_polis_lies_in_its_territory() -> None:
    rules = polis_rules.load("yucata")
    board = Board.of(rules)
    kinds = rules.rules().symbols.kinds
    territories = kinds["polis"].attributes["territory"].values
    far = []
    poleis = [spot for spot in board.spots.values() if spot.kind == "polis"]
    for spot, number in zip(poleis, territories, strict=True):
        if number >= 0:
            area = board.spots["territory", kinds["territory"].members[number]]
            if not contains(area.outline, (spot.x, spot.y)):
                far.append((spot.member, round(to_rim(board, (spot.x * board.width, spot.y * board.height), area))))
    assert [each for each in far if each[1] > 12] == []  # on a coast that is drawn in few corners


# -- the command ----------------------------------------------------------------------------------------------------


def polis(*args: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["map", *map(str, args)])
    return result.exit_code, result.output


def test_the_command_prints_svg_or_writes_what_the_ending_says(tmp_path: Path) -> None:
    code, text = polis("yucata")
    assert code == 0 and text.startswith("<svg") and text.endswith("</svg>\n")
    picture = tmp_path / "board.png"
    assert polis("yucata", "--seed", 1, "--dark", "--width", 800, "--out", picture)[0] == 0
    raw = picture.read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(raw[16:20], "big") == 800
    code, text = polis("yucata", "--out", tmp_path / "board.gif")
    assert code == 2 and ".svg or .png" in text


@pytest.mark.slow
def test_the_command_draws_any_moment_of_a_recorded_game(tmp_path: Path) -> None:
    record = ROOT / "tests" / "transcripts" / "devir_standard_1.jsonl"
    early, late = (polis("devir", "--transcript", record, "--at", at)[1] for at in (0, 30))
    assert early.startswith("<svg") and early != late
    code, text = polis("devir", "--transcript", record, "--at", 99999)
    assert code == 2 and "entries" in re.sub(r"\s+", " ", text)


def test_options_that_do_not_go_together_are_refused() -> None:
    for args in (("--as", "athens"), ("--at", 3), ("--seed", 1, "--transcript", "game.jsonl")):
        assert polis("yucata", *args)[0] == 2, args


def test_without_the_package_for_png_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(PolisError, match="polis-rules\\[map\\]"):
        as_png("<svg/>")


@pytest.mark.slow
def test_a_very_large_board_is_drawn_without_much_looking_around(tmp_path: Path) -> None:
    rows = "\n".join(f"    hole_{number}: {{next_to: [hole_{number + 1}]}}" for number in range(1500))
    things = f"""
kinds:
  hole: {{attributes: {{next_to: {{type: set of hole, default: []}}}}}}
tables:
  hole:
{rows}
    hole_1500: {{}}
graphs:
  tunnels: {{from: hole.next_to}}
"""
    board = Board.of(polis_rules.load(small(tmp_path, more=things)))
    assert len(board.spots) > 1500
    assert draw(board).count("<text") > 1500
