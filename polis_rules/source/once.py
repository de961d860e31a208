"""Work that is done once for each object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

ROUNDS = 12
"""What was asked for in none of so many rounds may be forgotten: variants and scenarios are asked about in turn."""


class Once(Generic[K, V]):
    """A function of objects that never change, which is called once for each; they need not be hashable.

    It knows those for which it was called last, `most` of them and as many again. Where things are asked about in
    rounds, it is told when one begins: what edits have made and taken back is not kept until so many others come.

    >>> size, numbers = Once(len), [1, 2, 3]
    >>> size(numbers), numbers.clear(), size(numbers)
    (3, None, 3)
    """

    def __init__(self, work: Callable[[K], V], most: int = 2000) -> None:
        self.work, self.most = work, most
        self.known: dict[int, tuple[K, V]] = {}
        """by the id of the object, which is kept here so that no other one gets that id"""
        self.before: dict[int, tuple[K, V]] = {}
        """what was known before so many others or rounds came; forgotten when as many have come again"""
        self.rounds = 0

    def __call__(self, thing: K) -> V:
        known = self.known.get(id(thing))
        if known is None:
            known = self.before.get(id(thing)) or (thing, self.work(thing))
            if len(self.known) >= self.most:
                self._turn_over()
            self.known[id(thing)] = known
        return known[1]

    def begin(self) -> None:
        """Another round of questions begins."""
        self.rounds += 1
        if self.rounds % ROUNDS == 0:
            self._turn_over()

    def _turn_over(self) -> None:
        self.before, self.known = self.known, {}
