"""The board: what a ruleset says of it, what is made without that, and what stands on it in a position."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import polis_rules
from polis_rules.board import Board, draw, position, seen
from tests.support.small_ruleset import findings, marked, small

RULESETS = Path(__file__).parent / "rulesets"
BOARD = """
board:
  size: [400, 300]
  symbols: {region: area}
  colours: {red: purple, region: sand, region.wet: water, south: grass}
  lines: {land: dashed, ferries: none}
  show: {region.owner: colour, region.units: count, player.seat: piece, shown: list}
  places:
    region:
      north: {at: [100, 60], outline: ["0,0 200,0 200,120"]}
      south: [300, 240]
"""


def board_of(folder: Path, text: str = BOARD) -> Board:
    return Board.of(polis_rules.load(small(folder, more=text)))


def test_a_board_gives_places_colours_and_lines(tmp_path: Path) -> None:
    board = board_of(tmp_path)
    north, south, west = (board.spots["region", name] for name in ("north", "south", "west"))
    assert (north.x, north.y, north.colour, north.symbol) == (0.25, 0.2, "sand", "area")
    assert north.outline == (((0, 0), (0.5, 0), (0.5, 0.4)),)
    assert (south.colour, west.colour) == ("grass", "water")
    assert {(line.one[1], line.other[1], line.style) for line in board.lines} == {
        ("north", "south", "dashed"),
        ("south", "west", "dashed"),
    }
    assert [player.colour for player in board.players] == ["purple", "blue"]


def test_players_who_are_called_by_colours_have_them() -> None:
    board = Board.of(polis_rules.load("colonnades", settings={"seats": 5}))
    assert [player.colour for player in board.players] == ["red", "blue", "green", "yellow", "white"]


def test_a_member_without_a_place_lies_by_those_that_it_is_joined_to(tmp_path: Path) -> None:
    west = board_of(tmp_path).spots["region", "west"]
    assert (west.x, west.y) == (220 / 400, 170 / 300)  # between north, by ferry, and south


@pytest.mark.parametrize(
    ("old", "new", "code", "at", "meant"),
    [
        ("region: area", "regoin: area", "unknown-name", "regoin", "region"),
        ("north: {at", "norht: {at", "unknown-name", "norht", "north"),
        ("land: dashed", "lands: dashed", "unknown-name", "lands", "land"),
        ("region.owner: colour", "region.ownr: colour", "unknown-name", "region.ownr", "region.owner"),
        ("region.owner: colour", "region.owner: color", "unfit-value", "color", "colour"),
        ("region.units: count", "region.size: count", "wrong-type", "count", None),
        ("region.units: count", "card.now: list", "wrong-type", "card.now", None),
        ("region.units: count", "region.units: colour", "wrong-type", "colour", None),
        ("region.owner: colour", "player.stock: track", "wrong-type", "track", None),
        ("region.wet: water", "region.wett: water", "unknown-name", "region.wett", "region.wet"),
        ("south: [300, 240]", "south: [300, 340]", "unfit-value", "south", None),
        ("[400, 300]", "[400]", "unfit-value", "[400]", None),
        ("0,0 200,0 200,120", "0,0 200,0", "unfit-value", "0,0 200,0", None),
        ("0,0 200,0 200,120", "0,0 200,120 200,0 0,120", "unfit-value", "north", None),
        ("0,0 200,0 200,120", "0,0 100,0 200,0", "unfit-value", "north", None),
        ("[300, 240]", "[.nan, 240]", "unfit-value", "[.nan, 240]", None),
        ("[400, 300]", "[-400, 300]", "unfit-value", "[-400, 300]", None),
        ("region: sand", "region: '<b>'", "unfit-value", "<b>", None),
    ],
)
def test_what_is_wrong_with_a_board_is_said_at_its_place(
    tmp_path: Path, old: str, new: str, code: str, at: str, meant: str | None
) -> None:
    folder = small(tmp_path, more=BOARD.replace(old, new))
    (finding,) = findings(folder)
    assert (finding.code, marked(folder, finding), finding.suggestion) == (code, at, meant)


def test_a_board_changes_no_rule(tmp_path: Path) -> None:
    plain, drawn = (polis_rules.load(small(tmp_path / name, more=text)) for name, text in (("a", ""), ("b", BOARD)))
    assert plain.hash == drawn.hash


def test_a_variant_may_draw_the_board_anew(tmp_path: Path) -> None:
    folder = small(tmp_path, more=BOARD)
    variant = tmp_path / "moved.yaml"
    variant.write_text(
        "variant: moved\ntitle: Moved\nextends: small\nwhy: It fits better.\n"
        "change:\n  board.places.region.south: {was: [300, 240], to: [200, 150]}\n"
    )
    assert Board.of(polis_rules.load(folder, variants=[variant])).spots["region", "south"].x == 0.5


def test_a_position_stands_on_the_board(tmp_path: Path) -> None:
    board = board_of(tmp_path)
    view: dict[str, object] = {
        "game": {"shown": "feast", "round": 3},
        "player": {"red": {"coins": 4, "seat": "north"}, "blue": {"coins": 2, "seat": None}},
        "region": {"north": {"owner": "blue", "units": {"red": 0, "blue": 3}}},
    }
    found = position(board, view)
    north = found.places["region", "north"]
    assert north.owner == "blue"
    assert [(each.player, each.number, each.how) for each in north.tokens] == [
        ("blue", 3, "count"),
        ("red", 1, "piece"),
    ]
    assert [(each.title, [(row.title, row.text) for row in each.rows]) for each in found.players] == [
        ("Red", [("coins", "4")]),
        ("Blue", [("coins", "2")]),
    ]
    assert [(row.title, row.text) for listing in found.lists for row in listing.rows] == [("shown", "Feast")]


def test_attributes_that_the_ruleset_lists_are_a_table(tmp_path: Path) -> None:
    asked = "shown: list, region.size: list, region.ports: list, region.yields: list, region.wet: list"
    (facts,) = board_of(tmp_path, BOARD.replace("shown: list", asked)).facts
    assert facts.columns == ("size", "ports", "yields", "wet")
    assert [row[:3] for row in facts.rows] == [("North", "1", "South"), ("South", "1", ""), ("West", "1", "")]
    assert [row[4] for row in facts.rows] == ["", "", "wet"]


def test_what_the_game_keeps_for_each_player_stands_with_the_player() -> None:
    rules = polis_rules.load(RULESETS / "agora")
    found = position(Board.of(rules), seen(rules.start(seed=1)))
    kept = [name for name, each in rules.rules().symbols.state.items() if [kind for _, kind in each.per] == ["player"]]
    assert kept
    titles = {row.title for row in found.players[0].rows}
    assert {rules.rules().symbols.state[name].label for name in kept} <= titles


def test_a_piece_of_each_player_stands_where_the_game_keeps_it(tmp_path: Path) -> None:
    more = BOARD.replace("shown: list", "goal_of: piece") + "state: {goal_of: {per: player, type: region or none}}\n"
    board = board_of(tmp_path, more)
    found = position(board, {"game": {"goal_of": {"red": None, "blue": "south"}}, "player": {}, "region": {}})
    assert [(each.player, each.how) for each in found.places["region", "south"].tokens] == [("blue", "piece")]
    assert list(found.places) == [("region", "south")]


def test_whoever_looks_on_sees_what_all_see() -> None:
    game = polis_rules.load(RULESETS / "leduc").start(seed=1)
    hands = [state.get("hand") for state in seen(game)["player"].values()]  # type: ignore[attr-defined]
    assert hands == [[None], [None]]
    own = seen(game, game.players[0])["player"][game.players[0]]  # type: ignore[index]
    assert own["hand"] != [None]


def test_a_game_by_coordinates_is_a_grid_whose_first_row_is_below() -> None:
    board = Board.of(polis_rules.load(RULESETS / "othello"))
    (first, *_, last) = board.spots.values()
    assert first.x < last.x and first.y > last.y and not board.lines
    assert {spot.symbol for spot in board.spots.values()} == {"area"} and all(
        each.outline for each in board.spots.values()
    )


def test_cells_that_touch_on_all_but_two_corners_are_hexagons() -> None:
    board = Board.of(polis_rules.load(RULESETS / "hex"))
    assert {len(spot.outline[0]) for spot in board.spots.values()} == {6}


def test_pieces_of_each_player_are_no_board_by_coordinates(tmp_path: Path) -> None:
    """In hellenes_training these are 26 blocks of each; without its board the places lie as its graphs join them."""
    folder = tmp_path / "rules"
    shutil.copytree(Path(__file__).parents[1] / "rulesets" / "hellenes_training", folder)
    manifest = folder / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace(" board.yaml,", ""), "utf-8")
    (folder / "board.yaml").unlink()
    board = Board.of(polis_rules.load(folder))
    assert {kind for kind, _ in board.spots} == {"area", "deep_water"} and board.lines


def test_a_graph_is_spread_out_in_the_same_way_each_time() -> None:
    one, other = (Board.of(polis_rules.load(RULESETS / "random_isles")).spots for _ in range(2))
    assert one == other
    points = [(spot.x, spot.y) for spot in one.values()]
    assert len(set(points)) == len(points) and all(0 < x < 1 and 0 < y < 1 for x, y in points)


def test_a_game_without_places_has_only_what_stands_beside_the_board() -> None:
    rules = polis_rules.load(RULESETS / "hearts")
    board = Board.of(rules)
    assert not board.spots
    assert position(board, seen(rules.start(seed=1))).players


def test_what_a_place_holds_is_drawn_as_pieces_in_their_colours_and_what_is_printed_there_as_a_number() -> None:
    rules = polis_rules.load("politeia")
    board, view = Board.of(rules), seen(rules.start(seed=1))
    tokens = position(board, view).places["city", "ephesos"].tokens
    assert [(each.title, each.colour, each.player) for each in tokens] == [
        ("Persian", "black", None), ("Athenian", "purple", None)
    ]  # fmt: skip
    assert ">Per<" in draw(board, view) and ">Produce<" in draw(board, view)
    assert Board.of(polis_rules.load("yucata")).spots["polis", "thebai"].printed == "3"


def test_what_is_fixed_about_a_member_is_not_told_where_its_title_says_all_of_it() -> None:
    about = Board.of(polis_rules.load("hellenes_training")).about
    assert {text for (kind, _), text in about.items() if kind == "block"} == {""}
    assert all(text for (kind, _), text in about.items() if kind == "card")


@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_the_columns_of_the_market_are_called_by_their_prices(name: str) -> None:
    """Their titles repeat what the rows say, so that reports tell prices; on a track their numbers set them apart."""
    rules = polis_rules.load(name)
    (chart,) = [each for each in position(Board.of(rules), seen(rules.start(seed=1))).tracks if len(each.steps) == 11]
    prices = zip(*(values for _, values in chart.notes), strict=True)
    assert list(chart.steps) == [f"{'/'.join(each)} (column {at})" for at, each in enumerate(prices, 1)]
    assert chart.short == [str(at) for at in range(1, 12)]
