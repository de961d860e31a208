"""Lists as one number: so expressions are worked out where speed is no matter, and values are written down."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST_LIST = 100_000
"""How many members a list may have while it is worked out."""


def packed(members: Iterable[int], count: int) -> int:
    """A list of members of a kind that has `count` of them; the empty list is 0.

    >>> packed([2, 0, 2], 3)
    55
    """
    value, weight = 0, 1
    for member in members:
        value += (member + 1) * weight
        weight *= count + 1
    return value


def unpacked(value: int, count: int) -> list[int]:
    """The members of a packed list, from the top.

    >>> unpacked(55, 3)
    [2, 0, 2]
    """
    members = []
    while value:
        value, digit = divmod(value, count + 1)
        members.append(digit - 1)
    return members


def members_in(base: str, value: int, count: int) -> set[int]:
    """The members that a value names which is one of them or none (`ref`), a set or a list.

    >>> members_in("set", 6, 3), members_in("list", packed([2, 0, 2], 3), 3), members_in("ref", -1, 3)
    ({1, 2}, {0, 2}, set())
    """
    if base == "list":
        return {*unpacked(value, count)}
    return {at for at in range(count) if value >> at & 1} if base == "set" else {value} - {-1}


def stored(members: list[int], at_most: int) -> list[int]:
    """How a list stands in a state: its length, its members from the top, and -1 in the places that are left.

    >>> stored([2, 0], 4)
    [2, 2, 0, -1, -1]
    """
    return [len(members), *members, *[-1] * (at_most - len(members))]
