"""Games at random of which every point is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from polis_rules.interpreter.compiler.native import COUNTS, UNCOUNTED, WORD
from polis_rules.interpreter.machine import LONGEST_GAME
from polis_rules.interpreter.runtime.native.engine import TrappedError
from polis_rules.interpreter.runtime.native.native import Native

COUNTER = 4
"""How many words are counted in for each thing that rules can meet."""

HIGHEST = 1 << 63
"""Seeds from here on are for Python alone."""

NOTHING, INVARIANTS, RANGES = range(3)
"""What is asked at every point: nothing, invariants and supplies, or these and the ranges of all state."""


class SeatedGame(NamedTuple):
    """A game: how many of its points were decisions, and of each point the number and what was taken."""

    decisions: int
    points: list[int]
    taken: list[int]
    state: list[int]


class Seats:
    """Plays such games in native code, on memory of its own.

    `counters` says how many things are counted that rules meet; `counted` tells of them.
    """

    def __init__(self, native: Native, counters: int = 0) -> None:
        self.counters = counters
        log = 1 + 2 * (LONGEST_GAME + 1)
        self.native = native.another(log + 2 * COUNTER * counters)
        self.log = self.native.more
        self.counts = self.log + log
        words, base = self.native.words, self.native.instance.base
        if counters:
            words[COUNTS] = base + WORD * self.counts
            words[UNCOUNTED] = base + WORD * (self.counts + COUNTER * counters)

    def play(self, seed: int, asked: int = NOTHING, most: int = LONGEST_GAME) -> SeatedGame | None:
        """The game that random players play; None where it fails, is not over after so many points, or its seed is
        beyond what native code takes. What it has counted until then is forgotten."""
        native, words, base = self.native, self.native.words, self.native.instance.base
        if not 0 <= seed < HIGHEST or most > LONGEST_GAME:
            return None
        before = words[self.counts : self.counts + COUNTER * self.counters]
        try:
            native.call("begin", native.state, seed)
            decisions, _, _ = native.playout(base + WORD * self.log, most, asked)
        except TrappedError:
            for at, word in enumerate(before, self.counts):
                words[at] = word
            return None
        told = words[self.log + 1 : self.log + 1 + 2 * words[self.log]]
        return SeatedGame(decisions, told[::2], told[1::2], native.read())

    def counted(self) -> Iterator[tuple[int, list[int]]]:
        """Each thing that was met: its number; how often, how often with 0, the least, the most."""
        for site in range(self.counters):
            at = self.counts + COUNTER * site
            row = self.native.words[at : at + COUNTER]
            if row[0]:
                yield site, row
