"""Games that are led to what no game has met.

All seats work together for it: they take what brings the position nearer to it (see `goals`), and else what a greedy
bot takes. As in Go-Explore (Ecoffet and others 2021) the nearest positions are kept, and most games go on from one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from random import Random

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.runtime import State
from polis_rules.play import bots
from polis_rules.verification.coverage.coverage import CoverageCounter, is_new
from polis_rules.verification.coverage.found import Found
from polis_rules.verification.coverage.goals import FAR, Goals, towards
from polis_rules.verification.coverage.instrument import Count

SHARES = (1.0, 0.5, 0.2)
"""So many of the decisions of a game, one share or another, go to what is nearest; the others are a greedy bot's."""
LOOK = 6
"""So many steps after an option, at random, are looked at for the nearest position."""
APART = 8
"""Positions are kept after every so many decisions."""
ANEW = 0.2
"""So many games begin anew, and do not go on from a position that was kept."""
BEST_OF = 3
"""They go on from the nearest of so many positions."""
SEEDS = 4
"""At so many seeds games are played for one thing: where games came to its rule."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A position that is kept, in the program that plays and in the one that counts."""

    distance: int
    state: State
    twin: State
    taken: tuple[int, ...]


class Seeker:
    """Plays games of one ruleset that are led to one thing."""

    def __init__(self, counting: CoverageCounter, count: Count) -> None:
        self.counting, self.count = counting, count
        self.number = counting.instrument.numbers[count.what, count.span, count.label]
        rules = counting.ruleset.rules()
        goal = Goals(rules).goal(count)
        self.goal = None if goal is None else counting.ruleset.with_rules(towards(rules, goal)).program(compact=True)
        self.random = Random(self.number)
        self.seeds = counting.asked.get(self.number, [])[:SEEDS] or [*range(SEEDS)]
        self.kept: dict[tuple[int, int], Kept] = {}
        self.games = 0

    def seek(self, games: int) -> Found | None:
        """Play so many games at most, up to one that meets it, which is counted. Raises RuleError."""
        for tries in range(1, games + 1 if self.goal is not None else 0):
            met, seed, taken = self.game()
            self.games += 1
            if met:
                self.counting.again(seed, taken)
                return Found(self.count, self.counting.ruleset, seed, taken, tries)
        return None

    def game(self) -> tuple[bool, int, tuple[int, ...]]:
        """Play a game, of which nothing is counted: whether it met the thing, its seed, and what was taken."""
        program, counted = self.counting.program, self.counting.counted
        seed, begin = self.begin()
        state, twin, taken = begin.state[:], begin.twin[:], [*begin.taken]
        choose = self.chooser(seed, twin, taken)
        with counted.tally.meanwhile() as rows:
            for options, option in program.steps(state, choose):
                counted.options(twin)
                if options:
                    counted.decider(twin)
                    taken.append(option)
                counted.apply(twin, option)
            counted.winners(twin)
            return is_new(self.count, rows.get(self.number)), seed, tuple(taken)

    def begin(self) -> tuple[int, Kept]:
        """Where a game begins."""
        if self.kept and self.random.random() >= ANEW:
            cells = [self.random.choice([*self.kept]) for _ in range(BEST_OF)]
            cell = min(cells, key=lambda each: self.kept[each].distance)
            return cell[0], self.kept[cell]
        seed = self.random.choice(self.seeds)
        with self.counting.counted.tally.meanwhile():
            return seed, Kept(FAR, self.counting.program.new_state(seed), self.counting.counted.new_state(seed), ())

    def chooser(self, seed: int, twin: State, taken: Sequence[int]) -> Callable[[State, list[int]], int]:
        """What is chosen in a game: now and then what leads nearest, else what a greedy bot takes."""
        program, rng = self.counting.program, self.random
        share = rng.choice(SHARES)
        greedy = bots.chooser(program, ["greedy"] * program.compiled.players, rng.getrandbits(30))

        def chosen(state: State, options: list[int]) -> int:
            if len(taken) % APART == 0:
                self.keep(seed, Kept(self.distance(state), state[:], twin[:], tuple(taken)))
            if len(options) == 1:
                return options[0]
            if rng.random() >= share:
                return greedy(state, options)
            distances = {option: self.ahead(state, option) for option in options}
            near = [option for option in options if distances[option] == min(distances.values())]
            if len(near) == 1:
                return near[0]
            mine = greedy(state, options)
            return mine if mine in near else rng.choice(near)

        return chosen

    def keep(self, seed: int, kept: Kept) -> None:
        """Keep a position, unless a nearer one is kept of as many decisions in a game of this seed."""
        cell = seed, len(kept.taken)
        if cell not in self.kept or self.kept[cell].distance >= kept.distance:
            self.kept[cell] = kept

    def distance(self, state: State) -> int:
        """How far a position is from the goal; where the rule cannot be asked of it, far."""
        assert self.goal is not None
        try:
            return -self.goal.worth(state, 0)
        except RuleError:
            return FAR

    def ahead(self, state: State, option: int) -> tuple[int, int]:
        """How near an option and some steps at random lead at best, and in sum; where the game ends by them, far."""
        program, trial, rng = self.counting.program, state[:], self.random
        with suppress(RuleError):
            program.apply(trial, option)
            distances = [self.distance(trial)]
            for _ in islice(program.steps(trial, lambda _, options: rng.choice(options)), LOOK):
                distances.append(self.distance(trial))
            if len(distances) > LOOK or not distances[-1]:
                return min(distances), sum(distances)
        return FAR, FAR
