"""The board as it stands in the editor: places to be moved, and connections to be added and taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polis_rules.source import Mapping, Sequence, entries_at, node_at, spoken
from polis_rules.studio.workspace import MEND_FIRST, WorkspaceError

if TYPE_CHECKING:
    from polis_rules.authoring import Value
    from polis_rules.board import Board
    from polis_rules.language_server import Analysis

NONE_MOVED = "This board is worked out from its columns and rows, so its places cannot be moved."


@dataclass(frozen=True, slots=True)
class Link:
    """A connection that a graph lists."""

    id: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A board to be changed."""

    picture: str
    """as SVG; empty for rules without a board"""
    movable: frozenset[str]
    """the spots that can be moved, as `kind member`: all but those of a grid that is worked out"""
    titles: dict[str, str]
    """of all spots"""
    graphs: dict[str, str]
    """the graphs that list their connections, with titles"""
    links: dict[str, tuple[Link, ...]]


def chart(analysis: Analysis, dark: bool) -> Chart:
    """The board of the rules as they stand in the editor.

    >>> from polis_rules.composition import find
    >>> from polis_rules.language_server import Workbench
    >>> bench = Workbench()
    >>> analysis = bench.known(bench.target(find("yucata") / "ruleset.yaml"))
    >>> first = min(chart(analysis, False).movable)
    >>> [(path, place)] = moved(analysis, first, 10, 0)
    >>> path == f"board.places.{first.replace(' ', '.')}", len(place)
    (True, 2)
    """
    if analysis.build.rules is None:
        raise WorkspaceError(MEND_FIRST)
    from polis_rules.board import draw, made  # which the first page does not need

    board = made(analysis.build.rules, "")
    graphs = {name: node for name, node in entries_at(analysis.tree, "graphs").items() if node_at(node, "edges")}
    return Chart(
        draw(board, None, dark, alone=True, named=True) if board.spots else "",
        frozenset() if _is_grid(board) else frozenset(" ".join(key) for key in board.spots),
        {" ".join(spot.key): spot.title for spot in board.spots.values()},
        {str(name): str(node_at(node, "title") or spoken(name)) for name, node in graphs.items()},
        {
            str(name): tuple(Link(str(id), *_ends(str(id))) for id in entries_at(node, "edges"))
            for name, node in graphs.items()
        },
    )


def _ends(id: str) -> tuple[str, str]:
    one, _, other = id.partition("-")
    return one, other


def moved(analysis: Analysis, spot: str, right: float, down: float) -> list[tuple[str, Value]]:
    """The paths and new values with which a place is moved by so many units of the picture.

    They are one, but for a board that was worked out, of which everything is given a place then. Raises WorkspaceError.
    """
    kind, _, member = spot.partition(" ")
    if analysis.build.rules is None:
        raise WorkspaceError(MEND_FIRST)
    from polis_rules.board import made, margin_of, unit_of

    board = made(analysis.build.rules, "")
    known, unit = board.spots.get((kind, member)), unit_of(board)
    if known is None or _is_grid(board):
        raise WorkspaceError(NONE_MOVED)
    path, place = f"board.places.{kind}.{member}", node_at(analysis.tree, "board", "places", kind, member)
    if isinstance(place, Mapping):
        path, place = f"{path}.at", place.get("at")
    if isinstance(place, Sequence):
        x, y = (int(str(each)) for each in place.items)
        return [(path, _at(x + right * unit, y + down * unit, (board.width, board.height)))]
    given = node_at(analysis.tree, "board", "size")
    if isinstance(given, Sequence) and len(given.items) == 2:
        wide, high = (int(str(each)) for each in given.items)
        margin, shares = 0.0, (wide / board.width, high / board.height)
    else:  # so wide that what is drawn of it is as large as before
        margin, shares = (0.0 if board.is_drawn else margin_of(board)), (1.0, 1.0)
        wide, high = round(board.width + 2 * margin), round(board.height)

    def at(x: float, y: float) -> list[Value]:
        return _at((x + margin) * shares[0], y * shares[1], (wide, high))

    here = at(known.x * board.width + right * unit, known.y * board.height + down * unit)
    if board.is_drawn:
        return [(path, here)]
    places: dict[str, dict[str, Value]] = {}
    for each in board.spots.values():
        places.setdefault(each.kind, {})[each.member] = at(each.x * board.width, each.y * board.height)
    places[kind][member] = here
    lines: Value = {each.graph: each.style for each in board.lines}
    if node_at(analysis.tree, "board") is None:
        section: dict[str, Value] = {"size": [str(wide), str(high)], "lines": lines, "places": {**places}}
        return [("board", {name: each for name, each in section.items() if each})]
    asked: list[tuple[str, Value]] = [("board.places", {**places})]
    return asked if node_at(analysis.tree, "board", "lines") or not lines else [*asked, ("board.lines", lines)]


def _is_grid(board: Board) -> bool:
    """Whether places follow from columns and rows: only then members have outlines on a board that is worked out."""
    return not board.is_drawn and any(spot.outline for spot in board.spots.values())


def _at(x: float, y: float, size: tuple[float, float]) -> list[Value]:
    return [str(round(min(max(at, 0), end))) for at, end in zip((x, y), size, strict=True)]


def linked(analysis: Analysis, graph: str, one: str, other: str) -> tuple[str, bool]:
    """The path of a connection between two members, and whether it is there."""
    ways = (f"{one}-{other}", f"{other}-{one}")
    now, before = (
        entries_at(each.tree if each is not None else None, "graphs", graph, "edges")
        for each in (analysis, analysis.base)
    )
    there = next((id for id in ways if id in {*map(str, now)}), "")
    known = next((id for id in ways if id in {*map(str, before)}), ways[0])
    return f"graphs.{graph}.edges.{there or known}", bool(there)
