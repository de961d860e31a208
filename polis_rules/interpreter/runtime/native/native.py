"""Games of one ruleset inside native code."""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from polis_rules.interpreter.compiler.native import (
    BOTTOM,
    CONTEXT,
    KEPT,
    LIMIT,
    TOP,
    WORD,
    Lowering,
    Unit,
    kept_places,
)
from polis_rules.interpreter.machine import LONGEST_GAME, SEED, Compiled
from polis_rules.interpreter.runtime.native.engine import Instance, Kind, NativeMissingError, TrappedError
from polis_rules.interpreter.runtime.native.open_engine import open_engine
from polis_rules.interpreter.runtime.played import Played

WORKING = 1 << 17
"""How many words of working memory a game has: one million bytes."""
ALL = (1 << 64) - 1
TALLY = 4
"""How many words of a tally come before those of its games."""
MOST = 256
"""How many games one call plays at most."""
BEFORE = 8
"""How many words stand before a state, with its context."""


class Native:
    """Plays games of a compiled ruleset in native code. For one thread at a time; `another` is for another thread.

    Raises NativeMissingError where there is no wasmtime or no compiler, NotNativeError where something in the rules
    has no native form.
    """

    def __init__(self, compiled: Compiled, kind: Kind, key: str) -> None:
        self.kind = kind
        self.slots = compiled.layout.size
        self.players = compiled.players
        self.finished = len(compiled.waits)
        self.is_chance = [each.is_chance for each in compiled.waits]
        self.kept = kept_places(compiled)[1]
        self.engine = open_engine(kind, key, partial(_unit, compiled))
        self.shape = self.engine.shape
        self._begin()

    def _begin(self, more: int = 0) -> None:
        tally = TALLY + (3 + self.players) * MOST
        state = CONTEXT + BEFORE
        working = state + self.shape.size + BEFORE
        self.instance: Instance = self.engine.instance(working + WORKING + self.kept + tally + more)
        self.working = working
        words, base = self.instance.words, self.instance.base
        self.words, self.first = words, state
        self.tally = working + WORKING + self.kept
        self.more = self.tally + tally
        self.state = base + WORD * state
        words[state - 1] = base
        words[TOP] = words[BOTTOM] = base + WORD * working
        words[LIMIT] = words[KEPT] = base + WORD * (working + WORKING)
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
        self.put(self.first, state)

    def put(self, first: int, state: list[int]) -> None:
        """Write a state from some word on."""
        words: list[Any] = state[: self.slots]
        self.words[first : first + self.slots] = words  # which takes the lower 64 bits of each
        for slot, place in self.shape.wide:
            for at in range(self.shape.words):
                self.words[first + place + at] = signed(state[slot] >> 64 * at)

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

    def playout(self, log: int = 0, most: int = LONGEST_GAME, asked: int = 0) -> tuple[int, int, int]:
        """Play the state on to its end: decisions, those with one option only, options in all. Raises TrappedError.

        The library's `playout` says what the arguments are.
        """
        for at in range(TALLY - 1):
            self.words[self.tally + at] = 0
        self.call("playout", self.state, self.instance.base + WORD * self.tally, log, most, asked)
        decisions, forced, total = self.words[self.tally : self.tally + TALLY - 1]
        return decisions, forced, total

    def playout_of(self, state: list[int]) -> tuple[int, int, int] | None:
        """The same for a state that is changed; None, and the state as it is, where that does not come to an end."""
        self.load(state)
        try:
            done = self.playout()
        except TrappedError:
            return None
        played = self.read()
        played[SEED] = state[SEED]  # which may be wider than a word; chance goes by its lower 64 bits
        state[: self.slots] = played
        return done

    def paths(self, state: list[int], depth: int) -> int | None:
        """How many paths of so many decisions lead from a state; None where that fails."""
        self.load(state)
        try:
            return self.call("paths", self.state, depth)
        except TrappedError:
            return None
        finally:
            self.words[BOTTOM] = self.instance.base + WORD * self.working

    def rows(self, seed: int, games: int) -> tuple[list[Played], bool]:
        """Games of so many seeds, at most MOST, one after another, and whether the next one failed."""
        failed = False
        try:
            self.call("playouts", self.state, seed, games, self.instance.base + WORD * self.tally)
        except TrappedError:
            failed = True
        done, width, first = self.words[self.tally + TALLY - 1], 3 + self.players, self.tally + TALLY
        told = self.words[first : first + width * done]
        decisions, ending, winner, *scores = (told[at::width] for at in range(width))
        rows = zip(decisions, ending, winner, zip(*scores, strict=True), strict=True)
        return [*map(partial(tuple.__new__, Played), rows)], failed


class Playing(Protocol):
    """A program that may have been opened in native code."""

    native: Native | None
    native_reason: str


def native_of(program: Playing | Native) -> Native:
    """The native code of a program. Raises NativeMissingError where it was opened without."""
    if isinstance(program, Native):
        return program
    if program.native is None:
        reason = program.native_reason or "this program plays in Python"
        raise NativeMissingError(reason, "open it with program(native='c') or program(native='wasm')")
    return program.native


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
