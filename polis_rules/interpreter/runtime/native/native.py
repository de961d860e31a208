"""Games of one ruleset inside native code."""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from polis_rules.interpreter.compiler.native.lowering import CONTEXT, Lowering, kept_places
from polis_rules.interpreter.compiler.native.tree import WORD, Unit
from polis_rules.interpreter.machine import ChancePoint, Compiled
from polis_rules.interpreter.runtime.native.engine import Instance, Kind
from polis_rules.interpreter.runtime.native.open_engine import open_engine

WORKING = 1 << 17
"""How many words of working memory a game has: one million bytes."""
AT_ONCE = 256
"""How many games are played by one call."""
ALL = (1 << 64) - 1
TALLY = 3
"""How many words of a tally come before those of its games."""
BEFORE = 8
"""How many words stand before a state, with its context."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game came out: its decisions, the number of its ending and what it says of who won."""

    decisions: int
    ending: int
    winner: int


class Native:
    """Plays games of a compiled ruleset in native code. For one thread at a time; `another` is for another thread.

    Raises NativeMissingError where there is no wasmtime or no compiler, NotNativeError where something in the rules
    has no native form.
    """

    def __init__(self, compiled: Compiled, kind: Kind, key: str) -> None:
        self.kind = kind
        self.slots = compiled.layout.size
        self.players = len(compiled.rules.symbols.kinds["player"].members)
        self.finished = len(compiled.points)
        self.is_chance = [isinstance(point, ChancePoint) for point in compiled.points]
        self.kept = kept_places(compiled)[1]
        self.engine = open_engine(kind, key, partial(_unit, compiled))
        self.shape = self.engine.shape
        self._begin()

    def _begin(self, more: int = 0) -> None:
        tally = TALLY + 3 * AT_ONCE
        state = CONTEXT + BEFORE
        working = state + self.shape.size + BEFORE
        self.instance: Instance = self.engine.instance(working + WORKING + self.kept + tally + more)
        words, base = self.instance.words, self.instance.base
        self.words, self.first = words, state
        self.tally = working + WORKING + self.kept
        self.more = self.tally + tally
        self.state = base + WORD * state
        words[state - 1] = base
        end = base + WORD * (working + WORKING)
        words[0] = words[3] = base + WORD * working
        words[1] = words[4] = end
        self.call: Callable[..., int] = self.instance.call

    def another(self, more: int = 0) -> Native:
        """The same program with memory of its own; from its word `more` on, so many are for whoever asks for it.

        Raises MemoryError.
        """
        other = copy.copy(self)
        other._begin(more)
        return other

    def load(self, state: list[int]) -> None:
        """Take over a state."""
        for at, value in enumerate(state[: self.slots], self.first):
            self.words[at] = signed(value)
        for slot, place in self.shape.wide:
            for at in range(self.shape.words):
                self.words[self.first + place + at] = signed(state[slot] >> 64 * at)

    def read(self) -> list[int]:
        """The state as it is now."""
        state = self.words[self.first : self.first + self.slots]
        for slot, place in self.shape.wide:
            words = self.words[self.first + place : self.first + place + self.shape.words]
            state[slot] = sum((word & ALL) << 64 * at for at, word in enumerate(words))
        return state

    def members(self, address: int) -> list[int]:
        """A list that native code answered with."""
        at = (address - self.instance.base) // WORD
        return self.words[at + 1 : at + 1 + self.words[at]]

    def playout(self) -> tuple[int, int, int]:
        """Play the state on to its end: decisions, those with one option only, options in all. Raises TrappedError."""
        for at in range(TALLY):
            self.words[self.tally + at] = 0
        self.call("playout", self.state, self.instance.base + WORD * self.tally)
        decisions, forced, total = self.words[self.tally : self.tally + TALLY]
        return decisions, forced, total

    def playouts(self, seed: int, games: int) -> Iterator[Played]:
        """Games of so many seeds, one after another. Raises TrappedError at the first that fails, AT_ONCE at a time."""
        tally = self.instance.base + WORD * self.tally
        for first in range(seed, seed + games, AT_ONCE):
            count = min(AT_ONCE, seed + games - first)
            self.call("playouts", self.state, first, count, tally)
            told = self.words[self.tally + TALLY : self.tally + TALLY + 3 * count]
            yield from (Played(*told[at : at + 3]) for at in range(0, 3 * count, 3))


def signed(value: int) -> int:
    """The lower 64 bits of a number as a word."""
    return (value & ALL) - ((value & ALL) >> 63 << 64)


def _unit(compiled: Compiled) -> Unit:
    collects = gc.isenabled()
    gc.disable()  # nothing of a tree can be freed before it is printed, and looking takes half the time
    try:
        return Lowering(compiled).unit()
    finally:
        if collects:
            gc.enable()
