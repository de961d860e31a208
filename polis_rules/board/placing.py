"""Finds room for texts and pieces, so that they do not cover each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import cos, inf, pi, sin
from typing import NamedTuple

from polis_rules.board.canvas import Point

MOST_TAKEN = 1200
"""How many things are kept apart; on a board with more of them, what comes later stands where it would stand alone."""

AT_ONCE = 17
"""How many places are looked at before more are worked out; most often one of the first will do."""


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @staticmethod
    def around(x: float, y: float, width: float, height: float) -> Box:
        """A rectangle by its middle."""
        return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.left, self.bottom),
            (self.right, self.bottom),
            self.middle,
        )


@dataclass(slots=True)
class Room:
    """What is taken on a picture of some size."""

    width: float
    height: float
    taken: list[Box] = field(default_factory=list)

    def take(self, box: Box) -> Box:
        """Keep a place."""
        self.taken.append(box)
        return box

    def best(self, boxes: Iterable[Box], within: Callable[[Point], bool] | None = None) -> Box:
        """The first of some places that covers nothing, or the one that covers least; it is taken then.

        Where something says what lies `within`, a place is the worse the more of its corners do not; those named first
        are better.
        """
        if len(self.taken) > MOST_TAKEN:
            return self.take(next(iter(boxes)))
        places, rank = iter(boxes), 0
        found, least = Box(0, 0, 0, 0), inf
        while some := list(islice(places, AT_ONCE)):
            close = self._close(some)
            for box in some:
                cost = rank * 0.6
                if least <= cost:
                    return self.take(found)
                rank += 1
                left, top, right, bottom = box
                covered = 0.0
                for other_left, other_top, other_right, other_bottom in close:
                    if other_left < right and left < other_right and other_top < bottom and top < other_bottom:
                        covered += (min(right, other_right) - max(left, other_left)) * (
                            min(bottom, other_bottom) - max(top, other_top)
                        )
                cost += covered * 4 + self._beyond(box) * 40
                if within is not None and cost < least:
                    cost += 14 * sum(not within(corner) for corner in box.corners)
                if cost < least:
                    found, least = box, cost
        return self.take(found)

    def _close(self, places: Sequence[Box]) -> list[Box]:
        """What is taken around some places."""
        lefts, tops, rights, bottoms = zip(*places, strict=True)
        left, top, right, bottom = min(lefts), min(tops), max(rights), max(bottoms)
        return [
            other
            for other in self.taken
            if other[0] < right and left < other[2] and other[1] < bottom and top < other[3]
        ]

    def _beyond(self, box: Box) -> float:
        sides = (3 - box.left, 3 - box.top, box.right - self.width + 3, box.bottom - self.height + 3)
        return sum(side for side in sides if side > 0)


def beside(x: float, y: float, far: float, width: float, height: float) -> Iterator[Box]:
    """Places for a label at a symbol: right, left, then around it."""
    gap = far + 3
    for shift_x, shift_y in ((1, 0), (-1, 0), (1, -0.7), (1, 0.7), (-1, -0.7), (-1, 0.7), (0, -1), (0, 1)):
        if shift_x:
            middle = x + shift_x * (gap + width / 2)
            yield Box.around(middle, y + shift_y * (far + height / 4), width, height)
        else:
            yield Box.around(x, y + shift_y * (gap + height / 2), width, height)
    for away in (2.2, 3.2):
        for turn in range(12):
            angle = pi * turn / 6
            yield Box.around(
                x + cos(angle) * (away * far + width / 2), y + sin(angle) * (away * far + height / 2), width, height
            )


def near(x: float, y: float, width: float, height: float, reach: float = 90) -> Iterator[Box]:
    """Places ever farther from a point."""
    yield Box.around(x, y, width, height)
    away = 5.0
    while away < reach:
        for turn in range(16):
            angle = pi * turn / 8
            yield Box.around(x + away * cos(angle) * 1.3, y + away * sin(angle), width, height)
        away += 5


def contains(outlines: Sequence[Sequence[Point]], point: Point) -> bool:
    """Whether a point lies within an odd number of outlines.

    >>> contains([[(0, 0), (4, 0), (4, 4), (0, 4)]], (1, 2))
    True
    """
    x, y = point
    inside = False
    for outline in outlines:
        before_x, before_y = outline[-1]
        for here_x, here_y in outline:
            if (here_y > y) != (before_y > y) and x < (before_x - here_x) * (y - here_y) / (before_y - here_y) + here_x:
                inside = not inside
            before_x, before_y = here_x, here_y
    return inside
