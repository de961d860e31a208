"""The figures of a report, worked out of files of games and rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from polis_rules.lab.files import file_of, library, metadata, same_games, table_in
from polis_rules.lab.games import LabError, Rows
from polis_rules.lab.report.svg import Curve

Z = 1.96
"""so many standard errors on each side are an interval of 95 %"""

FEWEST = 5
"""So many games must have something, and so many not, before it is said what it does for winning."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that may be taken, and the column that counts it."""

    column: str
    player: str
    kind: str
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Effect:
    """The share of the win of a player in games with something and in those without."""

    thing: Thing
    games: int
    """with it"""
    with_it: float
    without: float
    low: float
    high: float
    """the ends of the interval of the difference"""
    sure: bool = False
    """whether the difference is told from chance, as one of all that were looked at"""

    @property
    def difference(self) -> float:
        return self.with_it - self.without


class Results:
    """A file of games, with that of its rounds if it is there. Raises LabError and OSError."""

    def __init__(self, path: Path) -> None:
        self.path, self.said = path, metadata(path)
        if self.said["sort"] != "games":
            raise LabError(f"{path} holds {self.said['sort']}; a report is made of the file of the games beside it")
        self.compute, self.arrow = library("pyarrow.compute"), library("pyarrow")
        whole = table_in(path)
        self.games = whole.filter(self.compute.is_valid(whole["ending"]))
        if not self.games.num_rows:
            raise LabError(f"{path} holds no game that came to an end")
        self.failed = whole.num_rows - self.games.num_rows
        self.players: Mapping[str, str] = self.said["players"]
        self.things = list(_things(self.games.schema))
        self.rounds = self._beside("rounds")
        self.decisions = self._beside("decisions", ["rule", "chosen"])

    def _beside(self, rows: Rows, columns: list[str] | None = None) -> Any:
        """Another file of the same games; None where there is none."""
        beside = file_of(self.path, rows)
        if beside.exists() and same_games(self.said, metadata(beside)):
            return table_in(beside, columns)
        return None

    def counts(self, column: str) -> Counter[float]:
        """How often each value of a column comes."""
        return Counter(each for each in self.games[column].to_pylist() if each is not None)

    def mean(self, column: str) -> float:
        """The mean of a column of games."""
        return float(self.compute.mean(self.games[column]).as_py() or 0)

    def used(self, kind: str) -> list[tuple[str, dict[str, float]]]:
        """How often the members of a kind are taken in a game, by title and player; the most frequent first."""
        rows: dict[str, dict[str, float]] = {}
        titles: dict[str, str] = {}
        for each in self.things:
            if each.kind == kind:
                titles[each.name] = each.title
                rows.setdefault(each.name, {})[each.player] = self.mean(each.column)
        order = sorted(rows, key=lambda name: -sum(rows[name].values()))
        return [(titles[name], rows[name]) for name in order]

    def answers(self) -> dict[str, dict[str, float]]:
        """How often each question gets each answer in a game, by the rule that asks; the most frequent rule first."""
        found: dict[str, dict[str, float]] = {}
        counted = self.decisions.group_by(["rule", "chosen"]).aggregate([([], "count_all")]).to_pydict()
        for rule, chosen, times in zip(counted["rule"], counted["chosen"], counted["count_all"], strict=True):
            for each in chosen.split():
                answers = found.setdefault(rule, {})
                answers[each] = answers.get(each, 0.0) + times / self.games.num_rows
        return dict(sorted(found.items(), key=lambda each: -sum(each[1].values())))

    def effects(self) -> list[Effect]:
        """What winning has to do with what players take, the greatest difference first."""
        found = []
        for each in self.things:
            for player in [each.player] if each.player else self.players:
                effect = self._effect(each, player)
                if effect is not None:
                    found.append(effect)
        return sorted(found, key=lambda each: -abs(each.difference) / (each.high - each.low or 1))

    def _effect(self, thing: Thing, player: str) -> Effect | None:
        compute, share = self.compute, self.games[f"share__{player}"]
        has = compute.greater(self.games[thing.column], 0)
        count = int(compute.sum(has).as_py() or 0)
        if not FEWEST <= count <= self.games.num_rows - FEWEST:
            return None
        means, spread = [], 0.0
        for part in (share.filter(has), share.filter(compute.invert(has))):
            means.append(float(compute.mean(part).as_py()))
            spread += float(compute.variance(part, ddof=1).as_py()) / len(part)
        wide = Z * sqrt(spread + 1 / self.games.num_rows**2)
        one = thing if thing.player else Thing(thing.column, player, thing.kind, thing.name, f"{thing.title}, drawn")
        difference = means[0] - means[1]
        return Effect(one, count, means[0], means[1], difference - wide, difference + wide)

    # -- rounds -----------------------------------------------------------------------------------------------------

    def over_rounds(self, columns: Mapping[str, str]) -> list[Curve]:
        """The means of columns over the rounds, each by its label, with intervals."""
        names = list(columns)
        asked = [(name, what) for name in names for what in ("mean", "stddev", "count")]
        table = self.rounds.group_by("round").aggregate(asked).sort_by("round").to_pydict()
        found = []
        for series, name in enumerate(names):
            points = []
            rows = zip(*(table[key] for key in ("round", *(f"{name}_{each[1]}" for each in asked[:3]))), strict=True)
            for at, mean, deviation, count in rows:
                if mean is not None:
                    wide = Z * (deviation or 0) / sqrt(count)
                    points.append((at, mean, mean - wide, mean + wide))
            if points:
                found.append(Curve(columns[name], points, series))
        return found

    def state_columns(self) -> Iterator[tuple[str, dict[bytes, bytes]]]:
        """The columns of numbers that the state holds, each with what is said of it."""
        for field in self.rounds.schema:
            if field.name.startswith("state__") and field.metadata[b"unit"] == b"number":
                yield field.name, field.metadata

    def standing(self, kind: str) -> dict[str, dict[str, dict[str, float]]]:
        """The means over all rounds of the numbers that members of a kind have: by what they are, member, and the
        others of which they are, such as a player."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for name, about in self.state_columns():
            if about[b"of"].decode() == kind:
                first, *others = about[b"members"].decode().split()
                mean = float(self.compute.mean(self.rounds[name]).as_py() or 0)
                found.setdefault(about[b"title"].decode(), {}).setdefault(first, {})[" ".join(others)] = mean
        return found

    def by_round(self, kind: str) -> list[tuple[str, list[Curve]]]:
        """How often each member of a kind is taken in a round, all players together, by title."""
        rows: dict[str, list[Thing]] = {}
        for each in self.things:
            if each.kind == kind and each.player:
                rows.setdefault(each.name, []).append(each)
        found = []
        for several in rows.values():
            parts = self.over_rounds({each.column: each.title for each in several})
            found.append((several[0].title, parts))
        return found


def _things(schema: Any) -> Iterator[Thing]:
    for field in schema:
        if field.name.startswith(("uses__", "drawn__")):
            said = {key.decode(): value.decode() for key, value in field.metadata.items()}
            yield Thing(field.name, said["player"], said["kind"], said["name"], said["title"])


def heat(results: Results, kind: str) -> Sequence[tuple[str, float]]:
    """How often the members of a kind are taken in a game by anybody, by id."""
    found: dict[str, float] = {}
    for each in results.things:
        if each.kind == kind and each.player:
            found[each.name] = found.get(each.name, 0.0) + results.mean(each.column)
    return list(found.items())
