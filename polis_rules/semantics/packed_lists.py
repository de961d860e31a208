"""Lists as one number: so expressions are worked out where speed is no matter, and values are written down."""

from __future__ import annotations

from collections.abc import Iterable


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


def stored(members: list[int], at_most: int) -> list[int]:
    """How a list stands in a state: its length, its members from the top, and -1 in the places that are left.

    >>> stored([2, 0], 4)
    [2, 2, 0, -1, -1]
    """
    return [len(members), *members, *[-1] * (at_most - len(members))]
