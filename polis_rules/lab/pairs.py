"""What a change of rules does: games in pairs, of which both have the same seed and the same bots in the same seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from polis_rules.lab.effects import effect
from polis_rules.lab.ended import Ended
from polis_rules.lab.games import MANY, LabError, Plan, batch, spans, table_of
from polis_rules.lab.rows import Batch, GameRow, Used
from polis_rules.lab.sequential import ERROR, Bounded, Interval, Unbounded, refuted
from polis_rules.lab.table import Table
from polis_rules.verification import WorkerLostError, in_processes

WITHIN = 0.05
"""A difference of win rates that is surely smaller is not looked for any longer."""

What = Literal["lead", "decisions", "rounds", "ending", "uses", "drawn"]

Verdict = Literal["more", "less", "same", "open"]
"""What is known of a difference: that there is one, that it is smaller than was asked for, or neither yet."""


@dataclass(frozen=True, slots=True)
class WinRate:
    """A player's share of the wins by both rules."""

    player: str
    title: str
    before: float
    before_interval: Interval
    now: float
    now_interval: Interval
    difference: float
    interval: Interval
    """of the difference"""
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different in games by the other rules, on average."""

    what: What
    player: str
    kind: str
    """of what is taken"""
    name: str
    title: str
    before: float
    now: float
    difference: float
    interval: Interval | None
    """of the difference; None where there are too few games with such a thing to tell"""
    effect: float
    """the difference by the standard deviation of one game; 0 where that is 0"""
    effect_interval: Interval | None
    """None also where so few games have such a thing that the standard deviation is hardly known"""
    stands: bool
    """whether it is told from chance, as one of all that were looked at"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known after so many pairs of games."""

    pairs: int
    failed: tuple[tuple[int, str], ...]
    """seeds of games without an end, and why; their pairs are left out"""
    stopped: bool
    """by Ctrl-C"""
    error: float
    within: float
    rates: tuple[WinRate, ...]
    looked_at: int
    """how many differences besides those of win rates"""
    differences: tuple[Difference, ...]
    """those that stand, and then those that do not; each time the largest effect first"""
    lost: str = ""
    """why no more pairs could be played, where games end the processes that play them"""


class Rates:
    """How often each player wins in pairs of games, and how sure that is."""

    def __init__(self, players: int, error: float = ERROR) -> None:
        self.asked = 1 if players == 2 else players
        """of two players one has what the other has not"""
        self.error = error / self.asked
        self.differences = [Bounded(-1, 1, self.error) for _ in range(players)]
        self.sides = tuple([Bounded(error=self.error) for _ in range(players)] for _ in range(2))

    def add(self, before: GameRow, now: GameRow) -> None:
        """Take one more pair."""
        for at, (one, other) in enumerate(zip(before.shares, now.shares, strict=True)):
            self.differences[at].add(other - one)
            self.sides[0][at].add(one)
            self.sides[1][at].add(other)

    def verdict(self, at: int, within: float) -> Verdict:
        """What is known of a player's wins."""
        found = self.differences[at]
        if found.above(0, self.error):
            return "more"
        if found.below(0, self.error):
            return "less"
        same = found.above(-within, self.error) and found.below(within, self.error)
        return "same" if same else "open"

    def known(self, within: float) -> bool:
        """Whether the question is answered for every player."""
        return all(self.verdict(at, within) != "open" for at in range(self.asked))

    def of(self, table: Table, within: float) -> Iterator[WinRate]:
        """What is known of each player's wins."""
        for at, player in enumerate(table.players):
            before, now, found = self.sides[0][at], self.sides[1][at], self.differences[at]
            yield WinRate(
                player, table.ruleset.titles[player], before.mean, before.interval(self.error), now.mean,
                now.interval(self.error), found.mean, found.interval(self.error), self.verdict(at, within),
            )  # fmt: skip


class _Measure:
    """One number of each game, by both rules."""

    def __init__(self, what: What, title: str, used: Used, difference: Bounded | Unbounded) -> None:
        self.what, self.title, self.used, self.difference = what, title, used, difference
        self.values = Counter[tuple[float, float]]()

    def add(self, before: float, now: float) -> None:
        self.values[before, now] += 1
        self.difference.add(now - before)

    def told(self, error: float, stands: bool) -> Difference:
        number = max(self.difference.number, 1)
        before, now = (sum(pair[at] * times for pair, times in self.values.items()) / number for at in (0, 1))
        within: Interval | None = self.difference.interval(error)
        if within == (-inf, inf):
            within = None
        return Difference(
            self.what, *self.used, self.title, before, now, self.difference.mean, within,
            *effect(self.values, within), stands,
        )  # fmt: skip


class Pairs:
    """What is known of games in pairs by the rules of two tables, with which chance of a false alarm."""

    def __init__(self, before: Table, now: Table, error: float = ERROR, within: float = WITHIN) -> None:
        if before.players != now.players:
            raise LabError("the players are not the same by both rules")
        self.table, self.error, self.within = now, error, within
        self.rates = Rates(len(now.players), error)
        self.pairs = 0
        self.failed: list[tuple[int, str]] = []
        self.leads = {
            at: _Measure("lead", "points ahead", Used(player, "", ""), Unbounded())
            for at, player in enumerate(now.players[: self.rates.asked])
        }
        self.lengths = {name: _Measure(name, name, Used("", "", ""), Unbounded()) for name in ("decisions", "rounds")}
        endings = {**before.rules.endings, **now.rules.endings}
        self.endings = {
            each: _Measure("ending", title, Used("", "ending", each), Bounded(-1, 1)) for each, title in endings.items()
        }
        things = {each: table.title(each) for table in (before, now) for each in table.things}
        self.things = {
            each: _Measure("uses" if each.player else "drawn", title, each, Unbounded())
            for each, title in things.items()
        }

    def add(self, before: GameRow, now: GameRow) -> None:
        """Take one more pair."""
        if failed := [(row.seed, row.failed) for row in (before, now) if row.failed]:
            self.failed += failed
            return
        self.pairs += 1
        self.rates.add(before, now)
        if all("total" in each for row in (before, now) for each in row.scores):
            for at, measure in self.leads.items():
                measure.add(_lead(before, at), _lead(now, at))
        self.lengths["decisions"].add(before.decisions, now.decisions)
        if before.rounds is not None and now.rounds is not None:
            self.lengths["rounds"].add(before.rounds, now.rounds)
        for ending, measure in self.endings.items():
            measure.add(before.ending == ending, now.ending == ending)
        for used, measure in self.things.items():
            measure.add(before.uses.get(used, 0), now.uses.get(used, 0))

    @property
    def known(self) -> bool:
        """Whether the question who wins more often is answered."""
        return self.rates.known(self.within)

    def comparison(self, stopped: bool = False) -> Comparison:
        """What is known so far."""
        found = [
            each
            for group in (self.leads, self.lengths, self.endings, self.things)
            for each in group.values()
            if each.difference.number
        ]
        stand = refuted([each.difference.evidence(0) for each in found], self.error)
        error = self.error * max(len(stand), 1) / max(len(found), 1)
        told = [each.told(error, at in stand) for at, each in enumerate(found)]
        told.sort(key=lambda each: (not each.stands, -abs(each.effect)))
        rates = tuple(self.rates.of(self.table, self.within)) if self.pairs else ()
        return Comparison(
            self.pairs, tuple(self.failed), stopped, self.error, self.within, rates, len(found), tuple(told)
        )


def compare(
    before: Plan,
    now: Plan,
    error: float = ERROR,
    within: float = WITHIN,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda number: None,
) -> Comparison:
    """Play games by two settled plans in pairs, until it is known who wins more often, or all are played.

    With the probability `error` at most a difference of win rates is told that there is not. Ctrl-C ends early with
    what is known, and so do games that end the processes that play them. Raises LabError where the players are not the
    same.
    """
    pairs = Pairs(table_of(before), table_of(now), error, within)
    with Ended() as ended:
        for portion in in_pairs(before, now, jobs):
            for one, other in portion:
                pairs.add(one, other)
            progress(pairs.pairs + len(pairs.failed))
            if pairs.known:
                break
    return replace(pairs.comparison(ended.stopped), lost=ended.lost)


def in_pairs(before: Plan, now: Plan, jobs: int = 1) -> Generator[list[tuple[GameRow, GameRow]], None, None]:
    """The games of two settled plans by pairs, in portions, in order: of bots that search in portions of one, as
    whoever waits for them may know enough after any."""
    tasks = [(plan, *span) for span in spans(now, at_once=MANY if now.is_quick else 1) for plan in (before, now)]
    first: Batch | None = None
    try:
        with closing(in_processes(batch, tasks, jobs)) as batches:
            for each in batches:
                if first is not None and first.begin == each.begin:
                    yield list(zip(first.games, each.games, strict=True))
                first = each  # after Ctrl-C some are left out
    except WorkerLostError as error:
        raise LabError(str(error)) from None


def _lead(row: GameRow, at: int) -> float:
    """How far a player is ahead of the best other one."""
    points = [each["total"] for each in row.scores]
    return points[at] - max((each for other, each in enumerate(points) if other != at), default=0)
