"""Where areas touch on the picture that no graph joins: there a board has mountains, or no landing place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import hypot

from polis_rules.board.canvas import Point
from polis_rules.board.model import Key

Rims = Sequence[Sequence[Point]]

NEAR = 2.0
"""How near two rims are that touch."""
SHORT = 8.0
"""How long they touch without anybody taking that for a way across."""
MOST = 1000
"""More lines than these tell nothing, as of areas that lie on each other, and are not drawn."""


def barriers(areas: Mapping[Key, Rims], joined: frozenset[frozenset[Key]]) -> list[list[Point]]:
    """The lines along which areas touch that nothing joins; none where they would be too many."""
    found: list[list[Point]] = []
    bounds = {key: _bounds(rims) for key, rims in areas.items()}
    for one, other in combinations(areas, 2):
        if frozenset((one, other)) not in joined and _meet(bounds[one], bounds[other]):
            runs = _along(areas[one], areas[other], bounds[other])
            if sum(map(_length, runs)) > SHORT:
                found += runs
                if len(found) > MOST:
                    return []
    return found


def _bounds(rims: Rims) -> tuple[float, float, float, float]:
    points = [point for rim in rims for point in rim]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - NEAR, min(ys) - NEAR, max(xs) + NEAR, max(ys) + NEAR


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _along(rims: Rims, others: Rims, bounds: tuple[float, float, float, float]) -> list[list[Point]]:
    """The parts of rims that run along others."""
    runs: list[list[Point]] = []
    left, top, right, bottom = bounds
    for rim in rims:
        run: list[Point] = []
        for x, y in (*rim, rim[0]):
            if left <= x <= right and top <= y <= bottom and _touches((x, y), others):
                run.append((x, y))
            else:
                runs.append(run)
                run = []
        runs.append(run)
    return [run for run in runs if len(run) > 1]


def _touches(point: Point, rims: Rims) -> bool:
    """Whether a point lies on one of some rims."""
    x, y = point
    for rim in rims:
        ax, ay = rim[-1]
        for bx, by in rim:
            if min(ax, bx) - NEAR <= x <= max(ax, bx) + NEAR and min(ay, by) - NEAR <= y <= max(ay, by) + NEAR:
                long = (bx - ax) ** 2 + (by - ay) ** 2 or 1.0
                share = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long))
                if hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)) <= NEAR:
                    return True
            ax, ay = bx, by
    return False


def _length(run: Sequence[Point]) -> float:
    return sum(hypot(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(run))
