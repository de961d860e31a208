"""A board on few cells: where much lies close together it is drawn larger, and wide empty parts smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from rich.cells import cell_len

from polis_rules.board import Plan

BINS = 12
"""Into so many strips a board is cut, across and down."""
MOST = 0.65
"""How much of the room is given by what lies in each strip, and not by how wide it is, at most."""
BESIDE = 3
"""So many cells a title needs besides itself: its symbol, and a space on both sides."""
Stretch = Callable[[float], float]


def stretched(board: Plan, width: int, height: int) -> Plan:
    """The board for so many cells; what lies left of something, or above it, stays there."""
    needed = sum(cell_len(spot.title) + BESIDE for spot in board.spots.values())
    share = min(MOST, 1.3 * needed / (width * height))
    across = stretch([spot.x for spot in board.spots.values()], share)
    down = stretch([spot.y for spot in board.spots.values()], share)

    def put(outlines: Sequence[Sequence[tuple[float, float]]]) -> tuple[tuple[tuple[float, float], ...], ...]:
        return tuple(tuple((across(x), down(y)) for x, y in points) for points in outlines)

    return replace(
        board,
        spots={
            key: replace(spot, x=across(spot.x), y=down(spot.y), outline=put(spot.outline))
            for key, spot in board.spots.items()
        },
        insets=tuple(
            replace(inset, left=across(inset.left), right=across(inset.right),
                    top=down(inset.top), bottom=down(inset.bottom))
            for inset in board.insets
        ),
        backdrop=tuple((tint, put(outlines)) for tint, outlines in board.backdrop),
    )  # fmt: skip


def stretch(places: Sequence[float], share: float) -> Stretch:
    """From a place, as a share of the whole, to one that leaves more room where many places are.

    >>> wider = stretch([0.1, 0.12, 0.14, 0.16, 0.9], 0.5)
    >>> round(wider(0.0), 2), wider(0.1) < wider(0.16) < wider(0.9) < wider(1.0), round(wider(1.0), 2)
    (0.0, True, 1.0)
    >>> wider(0.16) - wider(0.1) > 0.06
    True
    """
    counts = [0] * BINS
    for place in places:
        counts[min(BINS - 1, int(place * BINS))] += 1
    total = max(1, sum(counts))
    ends = [0.0, *accumulate((1 - share) / BINS + share * count / total for count in counts)]

    def moved(place: float) -> float:
        strip = min(BINS - 1, max(0, int(place * BINS)))
        return (ends[strip] + (place * BINS - strip) * (ends[strip + 1] - ends[strip])) / ends[-1]

    return moved
