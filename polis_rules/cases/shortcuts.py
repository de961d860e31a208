"""The shortest way found to a moment of a game: values given at the start, then as few decisions as possible.

A case is played from the first step of the rules, so a moment in the middle cannot simply be given: which step comes
next is no value that a case could name. But play comes through the same steps again and again. Where the real game
stood at one step twice, at `a` and later at `b`, a game that begins with what changed in between, and then makes the
decisions before `a` only, may stand at `b` as well. Whether it does depends on the rules; so each such shortcut is
played, and held against the real game there and in what may come next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate
from random import Random

from polis_rules.cases.stage import Stage
from polis_rules.diagnostics import PolisError, RuleError
from polis_rules.interpreter.evaluator import StateValue, value_at
from polis_rules.interpreter.game import Game, LogEntry, decisions
from polis_rules.interpreter.machine import ENDING, PC, WINNER, YOU
from polis_rules.interpreter.runtime import State
from polis_rules.semantics import Start

ATTEMPTS = 400
"""How many shortcuts are tried; each costs about as much as replaying the decisions that it keeps."""

LOOKS_AHEAD = 3
STEPS_AHEAD = 30
"""How many random continuations are compared, and how many decisions and chance outcomes of each."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Values to begin with, the entries that then lead to the moment, and the game that stands there."""

    given: list[StateValue]
    start: State
    """Holds the given values, each in its slot."""
    entries: tuple[LogEntry, ...]
    game: Game

    @property
    def decisions(self) -> int:
        """How many decisions lead to the moment."""
        return decisions(self.entries)


def shortcut(stage: Stage, entries: tuple[LogEntry, ...]) -> Shortcut:
    """The shortest way found to where a log leads from the beginning; in the worst case all of it, with nothing given.

    Raises PolisError when an entry cannot be played.
    """
    return _Search(stage, entries).run()


class _Search:
    def __init__(self, stage: Stage, entries: tuple[LogEntry, ...]) -> None:
        self.stage = stage
        self.entries = entries
        self.there = stage.game([])
        self.states = _states(self.there, entries)
        self.first: State = list(stage.program.compiled.first)

    def run(self) -> Shortcut:
        best = Shortcut([], self.first, self.entries, self.there)
        states, tries = self.states, ATTEMPTS
        while tries:
            cuts = nsmallest(tries, _cuts(best.entries, states))
            for number, (_, a, b) in enumerate(cuts):
                start = self.merged(best.start, states[a], states[b])
                shorter = self.reaches(start, best.entries[:a] + best.entries[b:])
                if shorter is not None:
                    tries -= number + 1
                    best, states = shorter, _states(self.stage.game(self.starts(shorter.start)), shorter.entries)
                    break
            else:
                return best
        return best

    def merged(self, ours: State, base: State, theirs: State) -> State:
        """A start laid anew, so that what changed from `base` to `theirs` has changed in it too."""
        merged = ours[:]
        for place in self.stage.free:
            slot, kind = place.slot, place.variable.type.base
            if theirs[place.slots] == base[place.slots]:
                continue
            if kind == "int":
                value = ours[slot] + theirs[slot] - base[slot]
                low, high = place.variable.low, place.variable.high
                merged[slot] = min(max(value, low), high) if place.variable.bounded else value
            elif kind == "set":
                merged[slot] = (ours[slot] | theirs[slot] & ~base[slot]) & ~(base[slot] & ~theirs[slot])
            else:
                merged[place.slots] = theirs[place.slots]
        return merged

    def reaches(self, start: State, entries: tuple[LogEntry, ...]) -> Shortcut | None:
        """The shortcut, if it leads to the moment and all goes on from there as it would."""
        game, there = self.played(start, entries), self.there
        if game is None or not self.same(game.state, there.state) or game.decision != there.decision:
            return None
        if not all(_alike(game.copy(), there.copy(), Random(seed)) for seed in range(LOOKS_AHEAD)):
            return None
        return Shortcut(self.given(start), start, entries, game)

    def played(self, start: State, entries: tuple[LogEntry, ...]) -> Game | None:
        """A game with these first values and entries; None where that cannot be."""
        try:
            game = self.stage.game(self.starts(start))
            if not all(holds(game.state) for _, holds, _ in self.stage.sound):
                return None
            game.replay(entries)
        except PolisError:
            return None
        return game

    def starts(self, start: State) -> list[Start]:
        starts, bases = [], self.stage.program.layout.bases
        for slot, _, _, variable, *_ in self.given(start):
            base = bases[variable.owner, variable.name]
            value = value_at(self.stage.symbols, variable, start, slot)
            starts.append(Start(variable.owner, variable.name, (slot - base) // variable.width, value))
        return starts

    def given(self, start: State) -> list[StateValue]:
        return [place for place in self.stage.free if start[place.slots] != self.first[place.slots]]

    def same(self, one: State, other: State) -> bool:
        """Whether two states are the same to players, reserves and all, at the same step."""
        steps = all(one[slot] == other[slot] for slot in (PC, YOU, ENDING, WINNER))
        return steps and all(one[place.slots] == other[place.slots] for place in self.stage.places)


def _states(game: Game, entries: tuple[LogEntry, ...]) -> tuple[State, ...]:
    """The states that a game comes through with these entries, played in it. Raises PolisError."""
    states = [game.state[:]]
    for entry in entries:
        game.replay([entry])
        states.append(game.state[:])
    return tuple(states)


def _cuts(entries: tuple[LogEntry, ...], states: tuple[State, ...]) -> Iterator[tuple[int, int, int]]:
    """Pairs of positions at the same step, after the number of decisions that are left without what is between."""
    costs = list(accumulate((kind == "decision" for kind, _, _ in entries), initial=0))
    seen: dict[tuple[int, int], list[int]] = {}
    for b, state in enumerate(states):
        for a in seen.get(_step(state), ()):
            if costs[a] < costs[b]:
                yield costs[-1] - costs[b] + costs[a], a, b
        seen.setdefault(_step(state), []).append(b)


def _step(state: State) -> tuple[int, int]:
    """Where a state stands in the rules, and who acts there."""
    return state[PC], state[YOU]


def _alike(one: Game, other: Game, rng: Random) -> bool:
    """Whether the same decisions and outcomes, taken at random, lead two games on alike for a while."""
    for _ in range(STEPS_AHEAD):
        if one.decision != other.decision or one.chance != other.chance or one.result != other.result:
            return False
        if one.finished:
            return True
        if (decision := one.decision) is not None:
            chosen = rng.choice(decision.options).id
            told, same = _told(one.apply, chosen), _told(other.apply, chosen)
        else:
            assert one.chance is not None
            outcome = rng.choice(one.chance.outcomes)
            told, same = _told(one.answer, outcome), _told(other.answer, outcome)
        if told or same:
            return told == same
    return True


def _told(act: Callable[[str], None], what: str) -> str:
    """What is wrong with going on so; empty when nothing is."""
    try:
        act(what)
    except RuleError as error:
        return error.message
    return ""
