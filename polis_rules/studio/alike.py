"""Which lines of a text stand in another one too, found in little time whatever the texts are."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

FEW = 20_000
"""Texts with so many pairs of lines at most are compared line by line. That takes the time of all pairs for each piece
that is found, which is hours for thousands of lines that are the same."""
Block = tuple[int, int, int]
"""Where lines begin in one text and in the other, and how many they are."""


def alike(one: Sequence[str], other: Sequence[str]) -> list[Block]:
    """The lines that two texts have in common, in order.

    >>> alike("a b c".split(), "a x c".split())
    [(0, 0, 1), (2, 2, 1)]
    """
    found: list[Block] = []
    todo = [(0, len(one), 0, len(other))]
    while todo:
        a, b, c, d = todo.pop()
        first = a
        while a < b and c < d and one[a] == other[c]:
            a, c = a + 1, c + 1
        last = b
        while a < b and c < d and one[b - 1] == other[d - 1]:
            b, d = b - 1, d - 1
        found += [(first, c - a + first, a - first), (b, d, last - b)]
        if (b - a) * (d - c) <= FEW:
            blocks = SequenceMatcher(None, one[a:b], other[c:d], False).get_matching_blocks()
            found += [(a + each.a, c + each.b, each.size) for each in blocks]
            continue
        before = a, c
        anchors = list(_anchors(one[a:b], other[c:d]))
        for x, y in anchors:
            todo.append((before[0], a + x, before[1], c + y))
            found.append((a + x, c + y, 1))
            before = a + x + 1, c + y + 1
        if anchors:
            todo.append((before[0], b, before[1], d))
    return sorted(each for each in found if each[2])


def _anchors(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int]]:
    """As many lines as stand once in each of two texts and in the same order in both."""
    once = [{line for line, count in Counter(text).items() if count == 1} for text in (one, other)]
    places = {line: number for number, line in enumerate(other) if line in once[1]}
    pairs = [(number, places[line]) for number, line in enumerate(one) if line in once[0] and line in places]
    ends: list[int] = []
    """of the chains that were found, by length, the place in the other text where they end"""
    last: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [place], [index]
    chain = []
    at = last[-1] if last else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    yield from reversed(chain)
