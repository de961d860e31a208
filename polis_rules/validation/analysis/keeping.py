"""What checks have found out before, for as long as what they looked at is the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import is_
from typing import Any, TypeVar

T = TypeVar("T")


class Kept:
    """Answers of one ruleset, as it is edited: what nobody asked for in one round is forgotten after the next."""

    def __init__(self) -> None:
        self._before: dict[Hashable, tuple[tuple[object, ...], Any]] = {}
        self._now: dict[Hashable, tuple[tuple[object, ...], Any]] = {}

    def begin(self) -> None:
        """Another round begins."""
        self._before, self._now = self._now, {}

    def of(self, what: Hashable, basis: tuple[object, ...], work: Callable[[], T]) -> T:
        """The answer of some work that depends on nothing but these very objects, which do not change.

        >>> kept, place = Kept(), object()
        >>> kept.of("how many", (place,), lambda: 1), kept.of("how many", (place,), lambda: 2)
        (1, 1)
        """
        known = self._now.get(what) or self._before.get(what)
        if known is None or len(known[0]) != len(basis) or not all(map(is_, known[0], basis)):
            known = basis, work()
        self._now[what] = known
        answer: T = known[1]
        return answer

    def same(self, what: Hashable, value: T) -> T:
        """The value of the last time if this one is equal, so that what depends on it need not be worked out again."""
        known = self._now.get(what) or self._before.get(what)
        if known is None or known[1] != value:
            known = (), value
        self._now[what] = known
        answer: T = known[1]
        return answer
