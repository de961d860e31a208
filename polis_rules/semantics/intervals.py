"""Which numbers or members a value may be: intervals and sets, and what operators make of them.

What is proved of rules and what their code leaves out both rest on these.
"""

from __future__ import annotations

from typing import NamedTuple

ENDLESS = 1 << 63
"""Stands for no limit: rules cannot count so far."""
MOST_NUMBERS = 10_000
"""How many numbers a choice may go over."""
NO_ROUTE = 9999
"""The cost of a route that does not exist."""


class Interval(NamedTuple):
    """All whole numbers from `low` to `high`; of flags, 0 is false and 1 is true."""

    low: int
    high: int


Members = frozenset[int]
"""The members that a value may be, by their place in the table; -1 is none."""

Value = Interval | Members | None
"""What an expression may be; None where nothing is known, as of sets."""

ANY = Interval(-ENDLESS, ENDLESS)
FLAG = Interval(0, 1)


def compared(op: str, left: Interval, right: Interval) -> bool | None:
    """Whether a comparison of two ranges always or never holds; None when that depends.

    >>> compared("<", Interval(1, 6), Interval(7, 9)), compared("==", Interval(1, 6), Interval(7, 9))
    (True, False)
    """
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    if op == "<":
        return True if left.high < right.low else False if left.low >= right.high else None
    if op == "<=":
        return True if left.high <= right.low else False if left.low > right.high else None
    apart = left.high < right.low or right.high < left.low
    same = False if apart else True if left.low == left.high == right.low == right.high else None
    return same if op == "==" or same is None else not same


def arithmetic(op: str, left: Interval, right: Interval) -> Interval:
    """The range of what an operator makes of two ranges; what has no limit is left without one.

    >>> arithmetic("-", Interval(1, 6), Interval(0, 2)), arithmetic("%", Interval(3, 4), Interval(5, 5))
    (Interval(low=-1, high=6), Interval(low=3, high=4))
    """
    if op == "+":
        low, high = (_end(sum(ends), *ends) for ends in zip(left, right, strict=True))
        return Interval(low, high)
    if op == "-":
        return arithmetic("+", left, Interval(-right.high, -right.low))
    if op == "*":
        ends = [a * b for a in left for b in right]
        return Interval(max(min(ends), -ENDLESS), min(max(ends), ENDLESS))
    if right.low <= 0 or right.low > right.high:
        return ANY
    if op == "//":
        ends = [_end(a // b, a) for a in left for b in right]
        return Interval(min(ends), max(ends))
    if right.low == right.high and left.low // right.low == left.high // right.low:
        return Interval(left.low % right.low, left.high % right.low)
    return Interval(0, right.high - 1)


def _end(value: int, *made_of: int) -> int:
    """An end of a range that is made of these ends: no limit where one of them is none, or where it is past all."""
    unlimited = [end for end in made_of if abs(end) == ENDLESS]
    return unlimited[0] if unlimited else max(-ENDLESS, min(value, ENDLESS))


def join(*values: Value) -> Value:
    """What a value may be that is one of these."""
    spans = [each for each in values if isinstance(each, Interval)]
    if spans and len(spans) == len(values):
        return Interval(min(each.low for each in spans), max(each.high for each in spans))
    groups = [each for each in values if isinstance(each, frozenset)]
    return frozenset().union(*groups) if groups and len(groups) == len(values) else None


def meet(first: Value, second: Value) -> Value:
    """What a value may be that is both; an empty range has its ends crossed."""
    if isinstance(first, Interval) and isinstance(second, Interval):
        return Interval(max(first.low, second.low), min(first.high, second.high))
    if isinstance(first, frozenset) and isinstance(second, frozenset):
        return first & second
    return first if second is None else second
