"""The board as it stands in the editor: places to be moved, and connections to be added and taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polis_rules.source import Mapping, Sequence, entries_at, node_at, spoken
from polis_rules.studio.workspace import MEND_FIRST, WorkspaceError

if TYPE_CHECKING:
    from polis_rules.authoring import Value
    from polis_rules.language_server import Analysis

NONE_MOVED = "this board is worked out: give its members places under `board` first"


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
    """the spots with places that the ruleset gives, as `kind member`"""
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
    >>> path, place = moved(analysis, first, 10, 0)
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
        frozenset(
            f"{kind} {member}"
            for kind, members in entries_at(analysis.tree, "board", "places").items()
            for member in entries_at(members)
        ),
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


def moved(analysis: Analysis, spot: str, right: float, down: float) -> tuple[str, Value]:
    """The path and the new value of a place that is moved by so many units of the picture. Raises WorkspaceError."""
    kind, _, member = spot.partition(" ")
    path, place = f"board.places.{kind}.{member}", node_at(analysis.tree, "board", "places", kind, member)
    if isinstance(place, Mapping):
        path, place = f"{path}.at", place.get("at")
    if not isinstance(place, Sequence) or analysis.build.rules is None:
        raise WorkspaceError(NONE_MOVED)
    from polis_rules.board import made, unit_of

    board = made(analysis.build.rules, "")
    unit = unit_of(board)
    ends = (board.width, board.height)
    now = [int(str(each)) for each in place.items]
    return path, [
        str(round(min(max(at + by * unit, 0), end))) for at, by, end in zip(now, (right, down), ends, strict=True)
    ]


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
