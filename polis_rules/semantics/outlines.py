"""Whether an outline covers an area, as a line does that comes back to its beginning and never crosses itself."""

from __future__ import annotations

from functools import lru_cache

Point = tuple[int, int]
Edge = tuple[Point, Point]

MOST_CORNERS = 2000
"""So many corners are enough for any shape, and are looked through at once."""


@lru_cache(maxsize=2000)  # while somebody types elsewhere in the rules they are the same at every key
def fault(points: tuple[Point, ...]) -> str:
    """What is wrong with an outline; empty where nothing is.

    >>> fault(((0, 0), (4, 0), (4, 4))), fault(((0, 0), (4, 4), (4, 0), (0, 4)))
    ('', 'crosses itself near 2,2')
    """
    if len(points) > MOST_CORNERS:
        return f"has {len(points):,} corners, and an outline has at most {MOST_CORNERS:,}"
    edges = list(zip(points, [*points[1:], points[0]], strict=True))
    if not any(_side(points[0], one, other) for one, other in edges):
        return "covers nothing: its corners lie on one line"
    edges.sort(key=lambda edge: min(edge[0][0], edge[1][0]))
    for at, edge in enumerate(edges):
        right = max(edge[0][0], edge[1][0])
        for other in edges[at + 1 :]:
            if min(other[0][0], other[1][0]) > right:
                break
            if _cross(edge, other):
                x, y = _meeting(edge, other)
                return f"crosses itself near {x},{y}"
    return ""


def _side(begin: Point, end: Point, point: Point) -> int:
    """Above 0 on one side of a line, below 0 on the other."""
    return (end[0] - begin[0]) * (point[1] - begin[1]) - (end[1] - begin[1]) * (point[0] - begin[0])


def _cross(one: Edge, other: Edge) -> bool:
    """Whether two edges go through each other; where they only touch they do not."""
    return _side(*one, other[0]) * _side(*one, other[1]) < 0 and _side(*other, one[0]) * _side(*other, one[1]) < 0


def _meeting(one: Edge, other: Edge) -> Point:
    begin, end = (abs(_side(*other, point)) for point in one)
    share = begin / (begin + end)
    (x, y), (to_x, to_y) = one
    return round(x + share * (to_x - x)), round(y + share * (to_y - y))
