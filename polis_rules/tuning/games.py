"""Games from which weights are learned, and games that compare weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, TypeVar

from polis_rules.play import bots
from polis_rules.semantics import worths
from polis_rules.tuning.fit import Example

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State
    from polis_rules.interpreter.runtime.native import Wanted
    from polis_rules.ruleset import Ruleset
    from polis_rules.semantics import TypedRules, Worth

Done = TypeVar("Done")

AT_RANDOM = 0.1
"""One decision in ten is made at random in games to learn from: what bots never do they learn nothing of."""

POSITIONS = 12
"""So many positions are looked at in each of them."""

POINT = 100


@dataclass(frozen=True, slots=True)
class Match:
    """How games went for one of two sides: `won` counts wins, and shares of what several won."""

    won: float = 0.0
    games: int = 0


class Table:
    """Plays games of one ruleset between greedy bots that go by weights."""

    def __init__(self, ruleset: Ruleset, native: Wanted | None = None, jobs: int = 1) -> None:
        self.ruleset, self.native, self.jobs = ruleset, native, jobs
        self.players = len(ruleset.players)
        self.rules = ruleset.rules()
        self.terms = advice_of(self.rules)
        self.programs: dict[tuple[int, ...], Ruleset] = {}

    def _program(self, weights: Sequence[int]) -> Program:
        """A program in which positions are worth what these weights say, for one thread."""
        key = tuple(weights)
        if key not in self.programs:
            pairs = zip(self.terms, weights, strict=True)
            advice = {each.name: replace(each, hundredths=weight) for each, weight in pairs}
            self.programs[key] = self.ruleset.with_rules(replace(self.rules, advice=advice))
        return self.programs[key].program(native=self.native)

    def examples(self, weights: Sequence[int], seeds: Iterable[int]) -> Iterator[list[Example]]:
        """Positions of games in which all go by these weights; what they hold is the lead in points, then in terms."""
        self._program(weights)
        return self._each(lambda seed: self._learned(weights, seed), seeds)

    def duels(self, ours: Sequence[int], theirs: Sequence[int], seeds: Iterable[int]) -> Iterator[Match]:
        """Games of one that goes by our weights against the others: for each seed one in each seat."""
        self._program(ours)
        self._program(theirs)
        return self._each(lambda seed: self._compared(ours, theirs, seed), seeds)

    def _each(self, play: Callable[[int], Done], seeds: Iterable[int]) -> Iterator[Done]:
        """What comes of each seed, in threads: what takes long happens in native code."""
        if self.jobs == 1:
            yield from map(play, seeds)
            return
        pool = ThreadPoolExecutor(self.jobs)
        try:
            yield from pool.map(play, seeds)
        finally:
            pool.shutdown(cancel_futures=True)

    def _played(self, programs: Sequence[Program], seed: int, watch: Callable[[State], None], luck: float) -> State:
        """The end of a game in which the players have these programs in mind."""
        rng, table = Random(seed), programs[0]
        players = bots.seated(["greedy"] * self.players, seed)

        def choose(state: State, options: list[int]) -> int:
            watch(state)
            if luck and rng.random() < luck:
                return rng.choice(options)
            who = table.decider(state)
            return players[who].pick(programs[who], state, options)

        state = table.new_state(seed)
        for _ in table.steps(state, choose):
            pass
        return state

    def _compared(self, ours: Sequence[int], theirs: Sequence[int], seed: int) -> Match:
        mine, others = self._program(ours), self._program(theirs)
        won = 0.0
        for seat in range(self.players):
            programs = [mine if who == seat else others for who in range(self.players)]
            won += shares(mine, self._played(programs, seed, lambda state: None, 0))[seat]
        return Match(won, self.players)

    def _learned(self, weights: Sequence[int], seed: int) -> list[Example]:
        program = self._program(weights)
        met: list[State] = []
        acting = [-1]

        def watch(state: State) -> None:
            who = program.decider(state)
            if who != acting[0]:  # somebody's turn is over
                met.append(state[:])
            acting[0] = who

        end = self._played([program] * self.players, seed, watch, AT_RANDOM)
        won, rng = shares(program, end), Random(seed)
        chosen = rng.sample(met[1:], min(POSITIONS, max(0, len(met) - 1)))
        return [self._example(program, state, seed, rng.randrange(self.players), won) for state in chosen]

    def _example(self, program: Program, state: State, game: int, who: int, won: Sequence[float]) -> Example:
        others = [each for each in range(self.players) if each != who]
        best = max(others, key=lambda each: program.worth(state, each), default=None)
        ahead = [float(program.score(state, who))]
        ahead += [float(self._count(program, each, state, who)) for each in self.terms]
        if best is not None:
            theirs = [program.score(state, best), *(self._count(program, each, state, best) for each in self.terms)]
            ahead = [mine - their for mine, their in zip(ahead, theirs, strict=True)]
        return Example(game, (*ahead, *(float(who == each) for each in range(self.players))), won[who])

    @staticmethod
    def _count(program: Program, term: Worth, state: State, who: int) -> int:
        count: int = program.evaluator.value(term.counts, state, {"who": who})
        return count


def advice_of(rules: TypedRules) -> list[Worth]:
    """What is advised to look at; without advice, everything that players may spend."""
    return worths(rules)[len(rules.score) :]


def shares(program: Program, state: State) -> list[float]:
    """How the win is shared at the end: all have an equal part where nobody won."""
    players = range(program.compiled.players)
    won = program.winners(state)
    return [float(who in won) / len(won) if won else 1 / len(players) for who in players]
