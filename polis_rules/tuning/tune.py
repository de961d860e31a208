"""Weights of advice, set by games of bots: what makes positions of games that were won differ from others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import pstdev
from typing import TYPE_CHECKING

from polis_rules.diagnostics import PolisError
from polis_rules.ruleset import load
from polis_rules.tuning.fit import Example, fit
from polis_rules.tuning.games import POINT, Match, Table

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime.native import Wanted

ROUNDS = 2
"""So often games are played, weights learned, and these compared with the best before."""

LEARNING, COMPARING, FINAL = 0.2, 0.1, 0.4
"""The parts of all games that each round learns from and compares by, and that the last comparison has."""

LARGEST = 10_000
"""No weight is farther from 0, in hundredths."""

SURE = 1.96
"""So many standard errors to both sides hold 95 % of what may be."""

OPEN = 0.5
"""By how much the logarithm of the odds of a win may well be misjudged, by what is usual of a term."""

LEAST = 0.25
"""By so much at least a lead that is usual changes it: the weights before may say nothing, or the contrary."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be tuned, and how many games that may take."""

    ruleset: str | Path
    scenario: str | None = None
    variants: tuple[str | Path, ...] = ()
    games: int = 1000
    seed: int = 0
    jobs: int = 1
    native: Wanted | None = None


@dataclass(frozen=True, slots=True)
class TunedTerm:
    """A term of advice with its weights in points."""

    name: str
    before: float
    after: float
    low: float | None
    """where its weight lies according to the games, in 95 of 100 cases; None where these did not differ in it"""
    high: float | None


@dataclass(slots=True)
class Tuned:
    """What was found so far."""

    terms: list[TunedTerm]
    learned: int = 0
    """how many games were learned from"""
    games: int = 0
    """how many were played in all"""
    match: Match = field(default_factory=Match)
    """the new weights against the old, in games that were not learned from"""
    better: bool = False
    """whether other weights than those before were found"""
    stopped: bool = False
    """whether Ctrl-C has ended it early"""

    @property
    def rate(self) -> tuple[float, float, float]:
        """The part of games that the new weights win, and its ends in 95 of 100 cases (Wilson)."""
        return wilson(self.match.won, self.match.games)


def tune(plan: Plan, done: Callable[[int], None] = lambda number: None) -> Tuned:
    """Set the weights of a ruleset's advice by games of greedy bots.

    Without advice, everything that a player may spend gets a weight. `done` is told how many games were played. Ctrl-C
    ends it early with the best so far. Raises PolisError where there is nothing to weigh, RuleError where a rule fails.
    """
    ruleset = load(plan.ruleset, plan.scenario, plan.variants)
    table = Table(ruleset, plan.native, plan.jobs)
    if not table.terms or table.players < 2:
        what = "players that compete" if table.terms else "advice, and nothing that a player may spend"
        raise PolisError(f"{ruleset.name} has no {what}: there is nothing to weigh")
    return Tuning(plan, table, done).run()


class Tuning:
    """The work of one call."""

    def __init__(self, plan: Plan, table: Table, done: Callable[[int], None]) -> None:
        self.plan, self.table, self.done = plan, table, done
        self.before = [each.hundredths for each in table.terms]
        self.best = self.before
        self.examples: list[Example] = []
        self.result = Tuned(self._terms(self.before, {}))
        self.seed = plan.seed

    def run(self) -> Tuned:
        """Learn and compare, as often as is planned."""
        self.result.stopped = True
        with suppress(KeyboardInterrupt):
            for _ in range(ROUNDS):
                self._round()
            if self.best != self.before:
                self._compare(self.best, self.before, FINAL, last=True)
            self.result.stopped = False
        return self.result

    def _round(self) -> None:
        for learned in self.table.examples(self.best, self._seeds(LEARNING)):
            self.examples += learned
            self.result.learned += 1
            self._played(1)
        new, ends = learn(self.examples, self.best)
        if new == self.best:
            return
        match = self._compare(new, self.best, COMPARING)
        if match.won > match.games / self.table.players:
            self.best = new
            self.result.better = True
            self.result.terms = self._terms(new, ends)

    def _compare(self, ours: Sequence[int], theirs: Sequence[int], part: float, last: bool = False) -> Match:
        whole = Match()
        for match in self.table.duels(ours, theirs, self._seeds(part, self.table.players)):
            whole = Match(whole.won + match.won, whole.games + match.games)
            if last:
                self.result.match = whole
            self._played(match.games)
        return whole

    def _seeds(self, part: float, each: int = 1) -> Iterator[int]:
        """Seeds of games that have not been played, if each is played so often."""
        count = max(1, round(self.plan.games * part) // each)
        self.seed += count
        return iter(range(self.seed - count, self.seed))

    def _played(self, games: int) -> None:
        self.result.games += games
        self.done(self.result.games)

    def _terms(self, after: Sequence[int], ends: dict[int, tuple[int, int]]) -> list[TunedTerm]:
        return [
            TunedTerm(
                term.name, self.before[place] / POINT, after[place] / POINT,
                *((end / POINT for end in ends[place]) if place in ends else (None, None)),
            )
            for place, term in enumerate(self.table.terms)
        ]  # fmt: skip


def learn(examples: Iterable[Example], weights: Sequence[int]) -> tuple[list[int], dict[int, tuple[int, int]]]:
    """Weights in hundredths by which positions of the winners are worth more; and between what each may lie."""
    examples = [*examples]
    if not examples:
        return [*weights], {}
    columns = [*zip(*(each.inputs for each in examples), strict=True)]
    spread = [pstdev(column) for column in columns]
    # how much a point says, if the weights are right as they are
    points = [POINT, *weights]
    leads = [sum(map(float.__mul__, map(float, points), each.inputs[: len(points)])) / POINT for each in examples]
    usual = pstdev(leads)
    if not usual:
        return [*weights], {}
    single = [Example(each.game, (lead,), each.won) for each, lead in zip(examples, leads, strict=True)]
    per_point = max(fit(single, [0.0], [1 / usual]).factors[0], LEAST / usual)
    known = [per_point * each / POINT for each in points] + [0.0] * (len(columns) - len(points))
    fitted = fit(examples, known, [OPEN / (each or 1) for each in spread])
    point = max(fitted.factors[0], per_point / 4)
    new, ends = [*weights], dict[int, tuple[int, int]]()
    for place in range(len(weights)):
        if spread[1 + place]:
            weight, far = (POINT * each[1 + place] / point for each in (fitted.factors, fitted.errors))
            new[place] = _within(weight)
            ends[place] = _within(weight - SURE * far), _within(weight + SURE * far)
    return new, ends


def _within(weight: float) -> int:
    return max(-LARGEST, min(LARGEST, round(weight)))


def wilson(won: float, games: int) -> tuple[float, float, float]:
    """A rate and the ends between which it lies in 95 of 100 cases (Wilson, 1927).

    >>> [round(each, 2) for each in wilson(60, 100)]
    [0.6, 0.5, 0.69]
    """
    if not games:
        return 0.5, 0.0, 1.0
    rate, square = won / games, SURE**2
    middle = (rate + square / (2 * games)) / (1 + square / games)
    far = SURE / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return rate, max(0.0, middle - far), min(1.0, middle + far)
