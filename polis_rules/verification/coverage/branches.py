"""Branches of games that go to what no game has met: on and on from the positions that came nearest to it.

That is the search of Ecoffet and others, "First return, then explore" (2021), with the branch distance
(`polis_rules.verification.coverage.distance`) for what is promising. Chance comes out as it can, not as often as it
does.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable, KeysView, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.compiler import compile_lazily
from polis_rules.interpreter.machine import PC, SEED, YOU
from polis_rules.interpreter.runtime import Program
from polis_rules.play import bots
from polis_rules.verification.coverage.coverage import Coverage, CoverageCounter, outcomes
from polis_rules.verification.coverage.distance import FAR, Aim, Distances

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import State

KEPT = 30
"""So many positions are kept for an aim in each part of a game."""

PARTS = 8
"""Games are taken in so many parts by their length: what is near in one of them may have to wait for a later one."""

ANEW = 0.1
"""This share of the branches begins at the beginning of a game."""

SHARES = (0.0, 0.3, 0.6, 0.9)
"""One of these shares of the decisions goes to what comes nearer to the aim."""

AT_RANDOM = 0.1
"""This share of the other decisions is made at random."""

SEEN = 3
"""Every so many decisions a position is looked at."""

BESIDES = 2
"""So many other aims it is looked at for."""

STEPS = 10
"""How near an option leads is looked at right after it, and again after so many steps at random in the same turn."""

SOON = 6
"""So many steps after something has come out by chance, at random, it is looked whether the aim is asked for."""

IN_VAIN = 20
"""What came out so often, and it was never asked for, is not looked at again."""

LEADS = 1000
"""And what led there once is looked at so often."""


class Near(NamedTuple):
    """A position in a game, as the program and the counting one have it."""

    distance: int
    drawn: float
    """puts those in order that are as near"""
    decisions: int
    """how many were made before"""
    state: State
    twin: State


def aims_of(coverage: Coverage) -> list[Aim]:
    """What games have not met, nobody has explained, and may be looked for: how conditions should come out."""
    wanted = {"never": (False, True), "always": (False,), "never true": (True,), "met": ()}
    return [
        ((each.what, each.span, each.label), out)
        for each in coverage.unmet
        if each.yes_no or each.what == "requirement"
        for out in wanted[each.met]
    ]


class Branches:
    """Plays branches of the games that a counter has played, and others from their beginning."""

    def __init__(self, counter: CoverageCounter) -> None:
        self.counter = counter
        self._near: defaultdict[Aim, defaultdict[int, list[Near]]] = defaultdict(lambda: defaultdict(list))
        self._in_vain: Counter[tuple[int, int, int]] = Counter()
        """how often something that came out at a point did not lead to a site, as long as it never did"""

    def has_asked(self, aim: Aim) -> bool:
        """Whether the counter has seen a condition, however it came out."""
        return self.counter.instrument.numbers.get(aim[0], -1) in self.counter.counted.tally.rows

    def has_met(self, aim: Aim) -> bool:
        """Whether the counter has seen that a condition comes out so."""
        met = self.counter.counted.tally.rows
        number = self.counter.instrument.numbers.get(aim[0], -1)
        return number in met and (number, aim[1]) in outcomes({number: met[number]})

    @cached_property
    def _measures(self) -> tuple[dict[Aim, int], Program]:
        """The places of distances in the order that decides ties, of a program that has no other use."""
        distances = Distances(self.counter.program.rules)
        trees = {str(place): tree for place, tree in enumerate(distances.trees.values())}
        program = Program(compile_lazily(replace(distances.rules, tie_break=trees)))
        return {aim: place for place, aim in enumerate(distances.trees, 1)}, program

    @cached_property
    def _length(self) -> int:
        """How many decisions games have, as far as that was seen."""
        return max(1, self.counter.decisions // max(1, self.counter.games))

    @property
    def known(self) -> KeysView[Aim]:
        """The aims of which it is known how far a position is from them."""
        return self._measures[0].keys()

    def distance(self, aim: Aim, state: State) -> int:
        """How far a position is from an aim that it is known of: 0 or more."""
        places, program = self._measures
        try:
            return program.rank(state, 0, places[aim])
        except RuleError:  # some of what it asks for is not there
            return FAR.value

    def play(self, seats: Sequence[str], seed: int, aim: Aim, others: Sequence[Aim]) -> int:
        """Play one branch, with names of bots, to come to an aim; its decisions. Raises RuleError.

        Positions are also kept for some of the others.
        """
        counter, rng = self.counter, Random(seed)
        site, share = counter.instrument.numbers[aim[0]], rng.choice(SHARES)
        begun = self._begin(aim, seed, rng)
        bot = bots.chooser(counter.program, seats, seed)

        def choose(state: State, options: list[int]) -> int:
            if len(options) > 1 and rng.random() < share:
                nearest = _least({each: self._leads(aim, state, each, rng) for each in options})
                if len(nearest) < len(options):
                    return rng.choice(nearest)
            return rng.choice(options) if rng.random() < AT_RANDOM else bot(state, options)

        def chance(state: State, twin: State) -> int:
            return self._comes_out(aim, site, state, twin, rng)

        def watch(state: State, twin: State, decisions: int) -> None:
            if decisions % SEEN == 0:
                for each in {aim, *rng.sample(others, min(BESIDES, len(others)))}:
                    self._keep(each, begun.decisions + decisions, state, twin, rng)

        counter.branches += 1
        return counter.run(begun.state[:], begun.twin[:], choose, chance, watch)

    def _begin(self, aim: Aim, seed: int, rng: Random) -> Near:
        """Where a branch begins."""
        parts = [*self._near[aim].values()]
        if parts and rng.random() >= ANEW:
            near = rng.choice(rng.choice(parts))
            state = near.state[:]
            state[SEED] = rng.getrandbits(60)
            return near._replace(state=state)
        return Near(0, 0, 0, self.counter.program.new_state(seed), self.counter.counted.new_state(seed))

    def _keep(self, aim: Aim, decisions: int, state: State, twin: State, rng: Random) -> None:
        """Keep a position if it is among the nearest in its part of games."""
        part = self._near[aim][min(PARTS - 1, PARTS * decisions // self._length)]
        near = Near(self.distance(aim, state), rng.random(), decisions, state[:], twin[:])
        if len(part) < KEPT or near < part[-1]:
            insort(part, near)
            del part[KEPT:]

    def _leads(self, aim: Aim, state: State, option: int, rng: Random) -> int:
        """How near an option leads to an aim."""
        program, trial, you = self.counter.program, state[:], state[YOU]
        least = FAR.value
        with suppress(RuleError):
            program.apply(trial, option)
            least = self.distance(aim, trial)
            for number, _ in enumerate(program.steps(trial, lambda _, options: rng.choice(options))):
                if number == STEPS or trial[YOU] != you:
                    break
            least = min(least, self.distance(aim, trial))
        return least

    def _comes_out(self, aim: Aim, site: int, state: State, twin: State, rng: Random) -> int:
        """How chance comes out: where that makes a difference, so that the aim is asked for, or comes nearer."""
        program, point = self.counter.program, state[PC]
        outcome, possible = program.outcome(state), program.options(state)
        if len(possible) < 2:
            return outcome
        hopeful = [each for each in possible if self._in_vain[site, point, each] < IN_VAIN]
        asked = [each for each in hopeful if self._is_asked(site, twin, each, rng)]
        for each in hopeful:
            before = self._in_vain[site, point, each]
            self._in_vain[site, point, each] = -LEADS if each in asked else before + 1
        if asked:
            return rng.choice(asked)
        if rng.random() < AT_RANDOM:
            return outcome
        nearest = _least({each: self._after(aim, state, each) for each in possible})
        return outcome if outcome in nearest else rng.choice(nearest)

    def _is_asked(self, site: int, twin: State, outcome: int, rng: Random) -> bool:
        """Whether a condition is asked for soon after something has come out. None of it is counted."""
        counted, trial = self.counter.counted, twin[:]
        with counted.tally.meanwhile() as rows, suppress(RuleError):
            counted.apply(trial, outcome)
            for number, _ in enumerate(counted.steps(trial, lambda _, options: rng.choice(options))):
                if number == SOON or site in rows:
                    break
            return site in rows
        return False

    def _after(self, aim: Aim, state: State, outcome: int) -> int:
        trial = state[:]
        with suppress(RuleError):
            self.counter.program.apply(trial, outcome)
        return self.distance(aim, trial)


def _least(distances: dict[int, int]) -> list[int]:
    """What has the least distance."""
    least = min(distances.values())
    return [each for each, distance in distances.items() if distance == least]


def branch_off(
    branches: Sequence[Branches], aims: Iterable[Aim], seats: Sequence[str], seed: int, count: int
) -> list[Aim]:
    """Play so many branches of the games of several scenarios; the aims that nobody has come to yet.

    Raises RuleError.
    """
    left = [aim for aim in aims if not any(each.has_met(aim) for each in branches)]
    for number in range(seed * count, (seed + 1) * count):
        promising = [(own, aim) for aim in left for own in _where(aim, branches)]
        if not promising:
            break
        own, aim = promising[number % len(promising)]
        own.play(seats, number, aim, [other for with_it, other in promising if with_it is own])
        left = [aim for aim in left if not own.has_met(aim)]
    return left


def _where(aim: Aim, branches: Sequence[Branches]) -> list[Branches]:
    """The scenarios in which to go to an aim: those in which it has been asked for, if there are some."""
    known = [each for each in branches if aim in each.known]
    return [each for each in known if each.has_asked(aim)] or known
