"""Many games between bots, in several processes: the same rows, in the same order, for any number of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from polis_rules.diagnostics import PolisError, listing
from polis_rules.interpreter.runtime.native import NativeMissingError, Wanted
from polis_rules.lab.rows import Batch, GameRow
from polis_rules.lab.table import Table
from polis_rules.play import bots
from polis_rules.ruleset import Ruleset, load
from polis_rules.verification import WorkerLostError, in_processes

BOT = "mcts:300"
"""Who plays where nobody is named: what random players do says little about a change of rules."""

Rows = Literal["games", "decisions", "rounds"]

WORTH_C = 200
"""From so many games of bots that search on it pays to wait for a C compiler."""

FEW, MANY = 8, 200
"""How many games a process plays before it hands them over: of bots that search, and of quick ones."""


MOST_GAMES = 10_000_000
"""One command plays no more games: its portions are listed, and each becomes a file."""

MOST_SEED = 2**63 - 1
"""The greatest seed that a column of a table can hold."""


class LabError(PolisError):
    """Games that cannot be played or kept as asked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. The game of number n has the seed `seed` + n."""

    ruleset: str | Path
    scenario: str | None = None
    variants: tuple[str | Path, ...] = ()
    games: int = 1000
    seed: int = 0
    seats: tuple[str, ...] = ()
    """which bot plays each player, in the order of the players; without any all are `BOT`"""
    rows: tuple[Rows, ...] = ()
    """what is kept besides one row of each game"""
    native: Wanted = "auto"
    """the native code in which bots search"""

    def loaded(self) -> Ruleset:
        """The ruleset with its scenario and variants. Raises RulesetError."""
        return load(self.ruleset, self.scenario, self.variants)

    def settled(self) -> Plan:
        """The same with a bot in every seat. Raises RulesetError, UnknownBotError, and LabError if it cannot be."""
        ruleset = self.loaded()
        seats = self.seats or (BOT,) * len(ruleset.players)
        for name in seats:
            bots.check(name)
        if len(seats) != len(ruleset.players):
            raise LabError(f"{len(seats)} bots for {len(ruleset.players)} players: {listing(ruleset.players)}")
        if self.games > MOST_GAMES:
            raise LabError(f"one command plays {MOST_GAMES:,} games at most; let each of several have its own --seed")
        if self.seed + self.games - 1 > MOST_SEED:
            raise LabError(f"no seed of a game may be above {MOST_SEED}")
        if "rounds" in self.rows and ruleset.rules().rounds is None:
            raise LabError(f"{ruleset.name} does not say how its rounds are counted, so there are no rows of rounds")
        return replace(self, seats=seats, scenario=self.scenario or ruleset.scenario)

    @property
    def is_quick(self) -> bool:
        """Whether no bot searches."""
        return {*self.seats} <= {*bots.QUICK}

    @property
    def at_once(self) -> int:
        """How many games a process plays before it hands them over."""
        return MANY if self.is_quick else FEW


Span = tuple[int, int]
"""The number of a first game, and of the first one that is no more meant."""


def spans(plan: Plan, done: Iterable[Span] = (), at_once: int = 0) -> list[Span]:
    """The games of a plan that are not done, in portions of the plan's size or of another one.

    >>> spans(Plan("yucata", games=20, seats=("mcts:300", "mcts:300")), [(4, 12)])
    [(0, 4), (12, 20)]
    """
    left, at = [], 0
    for begin, end in sorted(done):
        left.append((at, begin))
        at = max(at, end)
    left.append((at, plan.games))
    size = at_once or plan.at_once
    return [
        (first, min(first + size, end, plan.games))
        for begin, end in left
        for first in range(begin, min(end, plan.games), size)
    ]


def play(plan: Plan, wanted: Sequence[Span] | None = None, jobs: int = 1) -> Iterator[Batch]:
    """The rows of the games of a settled plan, or of some spans of them, in the order of the games.

    Ctrl-C reaches whoever asks for the next rows, after those that other processes have finished. Games that a process
    was playing when it was killed, another one plays. Raises LabError where these games end that one too.
    """
    tasks = [(plan, begin, end) for begin, end in (spans(plan) if wanted is None else wanted)]
    try:
        with closing(in_processes(batch, tasks, jobs)) as batches:
            yield from batches
    except WorkerLostError as error:
        raise LabError(f"{error} What was finished is kept, and the same command goes on.") from None


def played(plan: Plan, jobs: int = 1) -> Iterator[GameRow]:
    """One row of each game of a plan, in order.

    Raises RulesetError, UnknownBotError, LabError.

    >>> rows = played(Plan("yucata", games=2, seats=("random", "random")))
    >>> [row.seed for row in rows]
    [0, 1]
    """
    for each in play(plan.settled(), jobs=jobs):
        yield from each.games


def batch(task: tuple[Plan, int, int]) -> Batch:
    """The rows of the games of a settled plan from one number up to another."""
    plan, begin, end = task
    at = table_of(plan)
    return Batch.of(begin, (at.play(number, plan.seed + number) for number in range(begin, end)))


def fast(plan: Plan) -> tuple[Plan, str]:
    """A settled plan with the fastest native code that can be had, and why there is none, if so.

    What a C compiler makes is half as fast again as WebAssembly, and pays from some hundred games on.
    """
    if {*plan.seats} <= {"random"}:
        return plan, ""
    ruleset = plan.loaded()
    if plan.games >= WORTH_C:
        try:
            ruleset.program(native="c")
        except NativeMissingError:
            pass
        else:
            return replace(plan, native="c"), ""
    return plan, ruleset.program(native="auto").native_reason


def table_of(plan: Plan) -> Table:
    """Where the games of a settled plan are played, made once in each process."""
    return _table(replace(plan, games=0, seed=0))


@lru_cache(maxsize=8)
def _table(plan: Plan) -> Table:
    about = plan.loaded(), plan.seats, "decisions" in plan.rows, "rounds" in plan.rows
    try:
        return Table(*about, plan.native)
    except NativeMissingError:  # another machine of a cluster may have no C compiler; the games are the same
        return Table(*about, "auto")
