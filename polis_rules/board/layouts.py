"""Places for the members of a ruleset that has no board of its own: a grid, hexagons, or what its graphs suggest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import cos, hypot, pi, sin, sqrt

from polis_rules.board.model import Key, Label
from polis_rules.semantics import KindSymbol, Symbols

CELL = 100
"""How wide a cell of a grid is."""
MOST_SPREAD = 150
"""How many members are laid out by their distances; more lie in rows."""
ROUNDS = 120

Corners = tuple[tuple[float, float], ...]


@dataclass(slots=True)
class Layout:
    """Places in units of their own."""

    size: tuple[int, int]
    places: dict[Key, tuple[float, float]] = field(default_factory=dict)
    outlines: dict[Key, list[Corners]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    is_grid: bool = False


def lay_out(symbols: Symbols) -> Layout:
    """A layout of the greatest kind with coordinates; without one, of all members that graphs join."""
    grids = [kind for kind in symbols.kinds.values() if len(kind.parts) == 2 and _is_board(kind, symbols)]
    if grids:
        return _grid(max(grids, key=lambda kind: len(kind.members)), symbols)
    return _spread(symbols)


def _is_board(kind: KindSymbol, symbols: Symbols) -> bool:
    """Whether members with two parts are places: such that change or are joined, which cards are not. What there is of
    each player are pieces."""
    return "player" not in kind.parts and bool(kind.members) and (bool(kind.state) or kind.name in symbols.first_node)


def _grid(kind: KindSymbol, symbols: Symbols) -> Layout:
    """Columns to the right, rows up; hexagons where each cell but those at the rim touches half a dozen."""
    columns, rows = (symbols.kinds[part] for part in kind.parts)
    wide, high = len(columns.members), len(rows.members)
    skew = _hexagonal(kind, symbols, wide, high)
    side = 0.5 * CELL if skew else 0.0
    step = CELL * sqrt(3) / 2 if skew else CELL
    margin = 0.6 * CELL
    width = wide * CELL + side * (high - 1) + 2 * margin
    height = high * step + (CELL - step) + 2 * margin
    layout = Layout((round(width), round(height)), is_grid=True)
    labels = []

    def middle(column: int, row: int) -> tuple[float, float]:
        slid = row if skew > 0 else high - 1 - row
        return margin + (column + 0.5) * CELL + side * slid, height - margin - CELL / 2 - row * step

    for number, member in enumerate(kind.members):
        column, row = divmod(number, high)
        x, y = layout.places[kind.name, member] = middle(column, row)
        layout.outlines[kind.name, member] = [_hexagon(x, y) if skew else _square(x, y)]
    for column, title in enumerate(_short(columns)):
        x, y = middle(column, 0)
        labels.append(Label(title, x / width, (y + 0.83 * CELL) / height))
    for row, title in enumerate(_short(rows)):
        x, y = middle(0, row)
        labels.append(Label(title, (x - 0.83 * CELL) / width, y / height))
    layout.labels = tuple(labels)
    return layout


def _short(kind: KindSymbol) -> list[str]:
    """What stands at the rim: numbers for numbers, titles where they are short, else the places counted."""
    numbers = [member.rpartition("_")[2] for member in kind.members]
    if all(each.isdecimal() for each in numbers):
        return numbers
    return [title if len(title) < 9 else str(place) for place, title in enumerate(kind.titles, 1)]


def _hexagonal(kind: KindSymbol, symbols: Symbols, wide: int, high: int) -> int:
    """1 where rows slide to the right as they go up, -1 to the left, 0 where cells are squares."""
    first = symbols.first_node.get(kind.name)
    if first is None:
        return 0
    many = wide * high
    steps = set()
    for edges in symbols.graphs.values():
        for one, other, _, _ in edges:
            if first <= one < first + many and first <= other < first + many:
                (x, y), (to_x, to_y) = divmod(one - first, high), divmod(other - first, high)
                steps |= {(to_x - x, to_y - y), (x - to_x, y - to_y)}
    straight = {(1, 0), (-1, 0), (0, 1), (0, -1)}
    if steps == straight | {(1, -1), (-1, 1)}:
        return 1
    return -1 if steps == straight | {(1, 1), (-1, -1)} else 0


def _square(x: float, y: float) -> Corners:
    half = CELL / 2
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _hexagon(x: float, y: float) -> Corners:
    far = CELL / sqrt(3)
    return tuple((x + far * sin(pi * turn / 3), y - far * cos(pi * turn / 3)) for turn in range(6))


# -- graphs ---------------------------------------------------------------------------------------------------------


def _spread(symbols: Symbols) -> Layout:
    """Members that graphs join, so far apart as there are steps from one to the other."""
    keys = [(kind, member) for kind in symbols.first_node for member in symbols.kinds[kind].members]
    ends = [
        (one, other)
        for edges in symbols.graphs.values()
        for one, other, _, _ in edges
        if one != other and "player" not in (keys[one][0], keys[other][0])  # who sits is no place
    ]
    joined = sorted({node for pair in ends for node in pair})
    if not joined:
        return Layout((1000, 600))
    near: dict[int, set[int]] = {node: set() for node in joined}
    for one, other in ends:
        near[one].add(other)
        near[other].add(one)
    points = _rows(joined) if len(joined) > MOST_SPREAD else _by_distance(joined, near)
    return _fitted([keys[node] for node in joined], points)


def _rows(joined: list[int]) -> list[tuple[float, float]]:
    wide = max(1, round(sqrt(len(joined) * 1.4)))
    return [(float(number % wide), float(number // wide)) for number in range(len(joined))]


def _distances(start: int, near: dict[int, set[int]]) -> dict[int, int]:
    """How many steps it is to each node that is reached."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for other in sorted(near[node]):
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found


def _by_distance(joined: list[int], near: dict[int, set[int]]) -> list[tuple[float, float]]:
    """Stress majorization: each node moves to where the others want it, the nearer ones more than those far away."""
    far = {node: _distances(node, near) for node in joined}
    widest = 1 + max(max(each.values()) for each in far.values())
    many = len(joined)
    apart = [[float(far[one].get(other, widest)) for other in joined] for one in joined]
    turns = {node: 2 * pi * number / many for number, node in enumerate(_walk_order(joined, near))}
    points = [(widest / 2 * cos(turns[node]), widest / 2 * sin(turns[node])) for node in joined]
    for _ in range(ROUNDS if many < 60 else ROUNDS // 3):
        for at in range(many):
            points[at] = _wanted(at, points, apart[at])
    return points


def _walk_order(joined: list[int], near: dict[int, set[int]]) -> list[int]:
    """The nodes as one meets them going in depth, so that those which are near begin near each other."""
    met: list[int] = []
    known: set[int] = set()
    for start in sorted(joined, key=lambda node: (len(near[node]), node)):
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node not in known:
                known.add(node)
                met.append(node)
                waiting += sorted(near[node], reverse=True)
    return met


def _wanted(at: int, points: list[tuple[float, float]], apart: list[float]) -> tuple[float, float]:
    x, y = points[at]
    sum_x = sum_y = weights = 0.0
    for other, (other_x, other_y) in enumerate(points):
        if other != at:
            wanted = apart[other]
            long = hypot(x - other_x, y - other_y) or 0.01
            weight = 1 / (wanted * wanted)
            sum_x += weight * (other_x + wanted * (x - other_x) / long)
            sum_y += weight * (other_y + wanted * (y - other_y) / long)
            weights += weight
    return (sum_x / weights, sum_y / weights) if weights else (x, y)


def _fitted(keys: list[Key], points: list[tuple[float, float]]) -> Layout:
    """Points turned so that they are wider than high, at a distance that leaves room for names."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if max(ys) - min(ys) > max(xs) - min(xs):
        points = [(y, x) for x, y in points]
        xs, ys = ys, xs
    closest = min(_gaps(points), default=1.0)
    scale = min(max(130 / max(closest, 0.05), 60), 400)
    margin = 110
    places = {
        key: ((x - min(xs)) * scale + margin, (y - min(ys)) * scale + margin)
        for key, (x, y) in zip(keys, points, strict=True)
    }
    width, height = (max(some) - min(some) for some in (xs, ys))
    return Layout((round(width * scale) + 2 * margin, round(height * scale) + 2 * margin), places)


def _gaps(points: list[tuple[float, float]]) -> Iterable[float]:
    for number, (x, y) in enumerate(points):
        for other_x, other_y in points[:number]:
            yield hypot(x - other_x, y - other_y)
