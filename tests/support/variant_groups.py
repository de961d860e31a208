"""Variants in groups that go together, so that few games show what each and each two of them do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

Pair = frozenset[str]


def groups(names: Iterable[str], apart: Iterable[Pair], most: int) -> list[list[str]]:
    """Groups of at most so many names in which each two meet at least once, but for those that stay apart.

    >>> groups("abc", [frozenset("ab")], most=3)
    [['a', 'c'], ['b', 'c']]
    """
    every = [*names]
    excluded = {*apart}
    left = dict.fromkeys(pair for pair in map(frozenset, combinations(every, 2)) if pair not in excluded)
    made = []
    while left:
        group = [name for name in every if name in next(iter(left))]
        while len(group) < most:
            meets = {
                name: sum(frozenset({name, other}) in left for other in group)
                for name in every
                if name not in group and all(frozenset({name, other}) not in excluded for other in group)
            }
            best = max(meets, key=meets.__getitem__, default="")
            if not meets.get(best):
                break
            group.append(best)
        for pair in map(frozenset, combinations(group, 2)):
            left.pop(pair, None)
        made.append([name for name in every if name in group])
    return made


def parted(names: Iterable[str], apart: Iterable[Pair], most: int) -> list[list[str]]:
    """Groups of at most so many names with each name once.

    >>> parted("abcd", [frozenset("ab")], most=2)
    [['a', 'c'], ['b', 'd']]
    """
    excluded, made = {*apart}, list[list[str]]()
    for name in names:
        for group in made:
            if len(group) < most and not any(frozenset({name, other}) in excluded for other in group):
                group.append(name)
                break
        else:
            made.append([name])
    return made
