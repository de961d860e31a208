"""What settings do: the same games for every combination of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from polis_rules.composition import with_choices
from polis_rules.lab.games import LabError, Plan, play, spans, table_of
from polis_rules.lab.rows import GameRow
from polis_rules.lab.sequential import ERROR, Bounded, Interval, Unbounded

MOST = 200
"""So many combinations are played at most."""


@dataclass(frozen=True, slots=True)
class Swept:
    """The games of one combination of values."""

    values: Mapping[str, str]
    """of the settings, by name"""
    games: int
    failed: tuple[tuple[int, str], ...]
    """seeds of games without an end, and why"""
    rates: Mapping[str, tuple[float, Interval]]
    """each player's share of the wins"""
    lengths: Mapping[str, tuple[float, Interval | None]]
    """`decisions`, and where the rules count them `rounds`, of a game; no interval where there are too few games"""


def combinations(settings: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """All combinations of the values of settings; the last setting varies first.

    >>> combinations({"sides": ["4", "6"], "rounds": ["3"]})
    [{'sides': '4', 'rounds': '3'}, {'sides': '6', 'rounds': '3'}]
    """
    return [dict(zip(settings, values, strict=True)) for values in product(*settings.values())]


def laid(plan: Plan, settings: Mapping[str, Sequence[str]]) -> list[Plan]:
    """A plan for each combination. Raises LabError where they are too many."""
    found = combinations(settings)
    if len(found) > MOST:
        raise LabError(f"{len(found):,} combinations of settings are too many: at most {MOST} are played")
    return [replace(plan, variants=with_choices(plan.variants, values)) for values in found]


def sweep(
    plans: Sequence[Plan],
    settings: Mapping[str, Sequence[str]],
    error: float = ERROR,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda number: None,
) -> Iterator[Swept]:
    """What comes of each of the settled plans that `laid` has made.

    With the probability `error` at most any of all intervals of win rates misses. After Ctrl-C, or where games end the
    processes that play them, the games that are there are the last that is told, and then it, or LabError, reaches
    whoever asks for the next.
    """
    for done, (plan, values) in enumerate(zip(plans, combinations(settings), strict=True)):
        found = Tally(plan, values, error / len(plans))
        try:
            for _ in tallied(plan, found, jobs):
                progress(done * plan.games + found.games)
        except (KeyboardInterrupt, LabError):
            yield found.swept()
            raise
        yield found.swept()


def tallied(plan: Plan, found: Tally, jobs: int = 1, at_once: int = 0) -> Iterator[Tally]:
    """What is known after each portion of the games of one combination, beginning after those that are known already.

    A portion has so many games as is usual, or `at_once`.
    """
    for each in play(plan, spans(plan, [(0, found.games)], at_once), jobs):
        found.add(each.games)
        yield found


class Tally:
    """What is known of the games of one combination: all that is needed to go on with them, and no game itself."""

    def __init__(self, plan: Plan, values: Mapping[str, str], error: float) -> None:
        self.players = table_of(plan).players
        self.values = values
        self.error = error / (1 if len(self.players) == 2 else len(self.players))
        self.rates = [Bounded(error=self.error) for _ in self.players]
        self.lengths = {"decisions": Unbounded(error), "rounds": Unbounded(error)}
        self.length_error = error
        self.games = 0
        self.failed: list[tuple[int, str]] = []

    def add(self, rows: Sequence[GameRow]) -> None:
        """Take more games."""
        for row in rows:
            self.games += 1
            if row.failed:
                self.failed.append((row.seed, row.failed))
                continue
            for rate, share in zip(self.rates, row.shares, strict=True):
                rate.add(share)
            self.lengths["decisions"].add(row.decisions)
            if row.rounds is not None:
                self.lengths["rounds"].add(row.rounds)

    def swept(self) -> Swept:
        """What is known."""
        rates = {
            player: (rate.mean, rate.interval(self.error))
            for player, rate in zip(self.players, self.rates, strict=True)
        }
        lengths = {
            name: (each.mean, each.interval(self.length_error) if each.told else None)
            for name, each in self.lengths.items()
            if each.number
        }
        return Swept(self.values, self.games, tuple(self.failed), rates, lengths)
