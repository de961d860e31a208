"""What a ruleset wants of games between bots, and whether games are like that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any, Literal

from polis_rules.lab.columns import columns, end_columns
from polis_rules.lab.files import table_in
from polis_rules.lab.games import LabError
from polis_rules.lab.rows import GameRow
from polis_rules.lab.sequential import ERROR, Interval
from polis_rules.lab.table import End, Table
from polis_rules.semantics import EVERY, Wanted
from polis_rules.source import spoken

Values = Mapping[str, Any]
"""Those values of a row of a game that targets ask for, by the names of the columns."""
FEWEST = 20
"""With fewer games nothing is said of a length: they do not tell how much lengths differ."""

Answer = Literal["met", "missed", "not known"]


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that is wanted of games."""

    path: str
    """Where it is written, e.g. `targets.win_rate.red`; a member for which `every` stands has a line of its own."""
    says: str
    """What is measured, e.g. `Red wins`."""
    bounds: Wanted
    columns: tuple[str, ...]
    """The columns of a row of a game that it asks for."""
    ending: str = ""
    """Where it is about an ending, its id."""
    shares: tuple[str, ...] = ()
    """Where it is about the wins of those of whom `columns` are true, the columns of their shares."""

    @property
    def asked(self) -> tuple[str, ...]:
        """All columns of a row of a game that it reads."""
        return (*self.columns, *self.shares)

    @property
    def is_share(self) -> bool:
        """Whether it is about a share of games, in percent; if not, about how many decisions or rounds these have."""
        return self.bounds.unit == "%"

    def values(self, row: Values) -> list[float]:
        """What a game counts: 0 to 100 of a share, or its length. Of whom something is true each player counts."""
        if self.ending:
            return [100.0 if row["ending"] == self.ending else 0.0]
        if not self.is_share:
            return [float(row[self.columns[0]] or 0)]
        if self.shares:
            pairs = zip(self.columns, self.shares, strict=True)
            return [100.0 * float(row[share]) for held, share in pairs if row[held]]
        if self.columns[:1] and self.columns[0].startswith("share__"):
            return [100.0 * float(row[self.columns[0]])]
        return [100.0 * any(row[each] for each in self.columns)]


@dataclass(frozen=True, slots=True)
class Judged:
    """What games say about a target."""

    target: Target
    mean: float
    """percent of the games, or decisions or rounds a game"""
    interval: Interval
    """in which the true mean lies; those of all targets hold at once with the probability that was asked for"""
    chance: float
    """how likely the target is met, from 0 to 1, if nothing was known before these games"""

    @property
    def answer(self) -> Answer:
        """Whether the whole interval lies inside of what is wanted, or outside."""
        low, high = self.ends
        if low <= self.interval[0] and self.interval[1] <= high:
            return "met"
        return "missed" if self.interval[1] < low or self.interval[0] > high else "not known"

    @property
    def missed_by(self) -> float:
        """How far the mean lies outside of what is wanted; 0 where it lies inside."""
        low, high = self.ends
        return max(low - self.mean, self.mean - high, 0.0)

    @property
    def ends(self) -> Interval:
        """What is wanted, with an end where none is written."""
        bounds = self.target.bounds
        low = 0.0 if bounds.low is None else bounds.low
        return low, (100.0 if self.target.is_share else float("inf")) if bounds.high is None else bounds.high


def targets_of(table: Table) -> list[Target]:
    """What the ruleset of a table wants. Raises LabError where it wants nothing, or what nobody counts."""
    if not table.rules.targets:
        raise LabError(f"{table.ruleset.name} has no targets; docs/language.md says how `targets` are written")
    taken: dict[tuple[str, str], list[str]] = {}
    chosen = {each.kind for each in table.things if each.player}
    for each in columns(table, "games"):
        kind = each.about.get("kind", "")
        if kind and (each.about["player"] or kind not in chosen):
            taken.setdefault((kind, each.about["name"]), []).append(each.name)
    return [each for line in table.rules.targets for each in _targets(line, table, taken)]


def _targets(line: Wanted, table: Table, taken: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[Target]:
    """The targets that a line is short for."""
    path = ".".join(("targets", line.section, *line.names))
    match line.section, line.names:
        case "win_rate", (player,):
            if player in table.players:  # with fewer seats some do not play
                yield Target(path, f"{table.ruleset.titles[player]} wins", line, (f"share__{player}",))
        case "endings", (ending,):
            yield Target(path, f"{table.rules.endings[ending]}:", line, ("ending",), ending)
        case "used", (kind, name):
            known = table.rules.symbols.kinds[kind]
            own = {each.names[1] for each in table.rules.targets if each.section == "used" and each.names[0] == kind}
            for member, title in zip(known.members, known.titles, strict=True):
                asked = tuple(taken.get((kind, member), ()))
                if member == name or (name == EVERY and asked and member not in own):
                    yield Target(f"targets.used.{kind}.{member}", f"{title} is taken", line, asked)
        case "at_the_end", (name, what):
            yield from _at_the_end(line, table, name, what, path)
        case _:
            if line.unit == "rounds" and table.rules.rounds is None:
                raise LabError(f"{line.span}: {table.ruleset.name} does not say how its rounds are counted")
            yield Target(path, "a game has", line, (line.unit,))


def _at_the_end(line: Wanted, table: Table, name: str, what: str, path: str) -> Iterator[Target]:
    """A target for each member of which something is true or not at the end."""
    ends: dict[str, list[End]] = {}
    called = end_columns(table)
    for each in table.ends:
        if each.name == name:
            ends.setdefault(each.member, []).append(each)
    (kind,) = (table.rules.symbols.kinds.get(each.kind) for each in table.rules.at_the_end if each.name == name)
    for member, several in ends.items():
        title = kind.titles[kind.index[member]] if kind is not None else ""
        about = ", ".join(filter(None, (spoken(name), title)))
        held = tuple(called[each[:3]] for each in several)
        where = path.replace(f".{name}.", f".{name}.{member}.") if member else path
        if what == "wins":
            shares = tuple(f"share__{each.player}" for each in several)
            yield Target(where, f"{about}: whose it is wins", line, held, shares=shares)
        else:
            yield Target(where, f"{about}: true at the end of", line, held)


def sure_interval(share: float, games: int, error: float) -> Interval:
    """Where the mean of so many shares from 0 to 1 lies, but for the probability `error` at most, also of few games.

    A mean of p is farther from theirs in this direction with the probability exp(-games * KL(share, p)) at most
    (Hoeffding, 1963, theorem 1), whatever the shares may be.

    >>> [round(end, 3) for end in sure_interval(1.0, 1, 0.05)]
    [0.025, 1.0]
    """
    most = log(2 / error) / games if games else inf

    def end(refuted: float) -> float:
        kept = share
        if _apart(share, refuted) <= most:
            return refuted
        for _ in range(50):
            middle = (refuted + kept) / 2
            refuted, kept = (middle, kept) if _apart(share, middle) > most else (refuted, middle)
        return refuted

    return end(0.0), end(1.0)


def _apart(share: float, mean: float) -> float:
    """How far a mean is from a share of games (Kullback and Leibler)."""
    parts = ((share, mean), (1 - share, 1 - mean))
    return sum(one * log(one / other) if other > 0 else inf for one, other in parts if one > 0)


def judged(targets: Iterable[Target], rows: Iterable[Values], error: float = ERROR) -> list[Judged]:
    """What games say about targets, those left out that failed; nothing where there are none.

    The intervals are those of a number of games that was settled before: of shares `sure_interval`, of the normal
    distribution for lengths, of which nothing is known before `FEWEST` games. With the probability `error` at most any
    of them misses (Bonferroni).
    """
    wanted, games = [*targets], [*rows]
    if not games:
        return []
    return [
        _judged(each, [value for row in games for value in each.values(row)], error / len(wanted)) for each in wanted
    ]


def _judged(target: Target, values: list[float], error: float) -> Judged:
    number, mean = len(values), fmean(values) if values else 0.0
    if target.is_share:
        low, high = sure_interval(mean / 100, number, error)
        middle = (mean * number / 100 + 2) / (number + 4)
        likely = NormalDist(100 * middle, 100 * sqrt(middle * (1 - middle) / (number + 4)))
        within = 100 * low, 100 * high
    else:
        spread = (stdev(values) if number > 1 else mean) / sqrt(number)
        likely, wide = NormalDist(mean, max(spread, 1e-9)), -NormalDist().inv_cdf(error / 2) * spread
        within = (mean - wide, mean + wide) if number >= FEWEST else (0.0, inf)
    found = Judged(target, mean, within, 0.0)
    low, high = found.ends
    at_most = 1.0 if target.bounds.high is None or (target.is_share and high >= 100) else likely.cdf(high)
    return replace(found, chance=max(at_most - (likely.cdf(low) if low > 0 else 0.0), 0.0))


def kept_values(path: Path, targets: Iterable[Target]) -> list[Values]:
    """What the games of a file count, those left out that failed."""
    names = sorted({"ending", *(name for each in targets for name in each.asked)})
    rows: list[Values] = table_in(path, names).to_pylist()
    return [row for row in rows if row["ending"] is not None]


def played_values(table: Table, rows: Iterable[GameRow], targets: Iterable[Target]) -> Iterator[Values]:
    """The same of games that were just played."""
    names = {"ending", *(name for each in targets for name in each.asked)}
    asked = [each for each in columns(table, "games") if each.name in names]
    for row in rows:
        if not row.failed:
            yield {each.name: each.value(row) for each in asked}
