"""The columns of the files in which rows are kept: their names, types, units and meanings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from operator import attrgetter
from typing import Any, Literal

from polis_rules.lab.games import Rows
from polis_rules.lab.rows import Used
from polis_rules.lab.table import Table

Type = Literal["int32", "int64", "double", "string"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `value` takes it from a row, `about` says by ids what it is of."""

    name: str
    type: Type
    unit: str
    says: str
    value: Callable[[Any], object]
    about: Mapping[str, str] = field(default_factory=dict)


def columns(table: Table, rows: Rows) -> list[Column]:
    """The columns of one sort of rows of a table's games.

    >>> from polis_rules import load
    >>> table = Table(load("yucata"), ("random", "random"))
    >>> [each.name for each in columns(table, "decisions")][2:5]
    ['decision', 'round', 'player']
    """
    found = [
        Column("game", "int64", "number", "The number of the game, from 0.", attrgetter("game")),
        Column("seed", "int64", "number", "The seed of its dice, draws and bots.", attrgetter("seed")),
        *{"games": _of_games, "decisions": _of_decisions, "rounds": _of_rounds}[rows](table),
    ]
    return _told_apart(found)


def _told_apart(found: Sequence[Column]) -> list[Column]:
    """The columns, with a number behind each name that an earlier column has.

    Ids may contain the `__` that joins them in names. Columns that are about a player alone keep their names.
    """
    order = sorted(found, key=lambda each: bool({*each.about} - {"player"}) and each.about.get("part") != "total")
    names: dict[str, Column] = {}
    for each in order:
        tried = (f"{each.name}_{number}" if number > 1 else each.name for number in count(1))
        names[next(name for name in tried if name not in names)] = each
    called = {id(each): name for name, each in names.items()}
    return [replace(each, name=called[id(each)]) for each in found]


def _of_games(table: Table) -> Iterator[Column]:
    yield Column("ending", "string", "id", "How it ended; empty where it failed.", lambda row: row.ending or None)
    for at, player in enumerate(table.players):
        of = {"player": player}
        yield Column(f"bot__{player}", "string", "bot", "Who played it.", _nth("seats", at), of)
        says = "What it has of the win: 1 alone, equal parts where several won, and where nobody did."
        yield Column(f"share__{player}", "double", "share", says, _nth("shares", at), of)
        says = "Its place, where more than two play and are placed."
        yield Column(f"place__{player}", "int32", "place", says, _nth("places", at), of)
        for part in ("total", *table.rules.score):
            name = f"score__{player}" if part == "total" else f"score__{player}__{part}"
            says = "Its score at the end." if part == "total" else "A part of its score at the end."
            value = _score_of(at, part)
            yield Column(name, "int64", "points", says, value, {**of, "part": part})
    yield Column("decisions", "int32", "decisions", "How many decisions there were.", attrgetter("decisions"))
    yield Column("chances", "int32", "dice and draws", "How many dice and draws there were.", attrgetter("chances"))
    yield Column("rounds", "int32", "rounds", "How many rounds began.", attrgetter("rounds"))
    yield Column("failed", "string", "text", "Why it has no end; empty where it has.", lambda row: row.failed or None)
    yield from _uses(table, "in the game")
    for at, end in enumerate(table.ends):
        says = "Whether it was true when the game was over; a target of the ruleset looks at it."
        about = {"player": end.player, "end": end.name, "member": end.member}
        name = "__".join(("end", *filter(None, (end.player, end.name, end.member))))
        yield Column(name, "int32", "0 or 1", says, _nth("held", at), about)


def end_columns(table: Table) -> dict[tuple[str, str, str], str]:
    """The columns of what is true or not at the end, by its name, the member and the player that it is about."""
    abouts = ((each.name, each.about) for each in columns(table, "games") if "end" in each.about)
    return {(about["end"], about["member"], about["player"]): name for name, about in abouts}


def _of_decisions(table: Table) -> Iterator[Column]:
    yield Column("decision", "int32", "number", "Its number within the game, from 1.", attrgetter("decision"))
    yield Column("round", "int32", "round", "The round, as the rules count it.", attrgetter("round"))
    yield Column("player", "string", "id", "Who decides.", attrgetter("player"))
    yield Column("rule", "string", "path", "The rule that asks.", attrgetter("rule"))
    yield Column("options", "int32", "options", "How many were offered.", attrgetter("options"))
    yield Column("chosen", "string", "id", "The option that was taken.", attrgetter("chosen"))
    yield from _scores(table, "before it")


def _of_rounds(table: Table) -> Iterator[Column]:
    yield Column("round", "int32", "round", "The round, as the rules count it.", attrgetter("round"))
    yield Column("decisions", "int32", "decisions", "How many decisions it had.", attrgetter("decisions"))
    yield from _scores(table, "when the next round begins, or at the end")
    yield from _uses(table, "in the round")
    for at, value in enumerate(table.values):
        variable, owner = value.variable, value.variable.owner
        about = {"of": owner, "variable": variable.name, "members": " ".join(value.members), "title": variable.label}
        if variable.type.base == "ref":
            about["values"] = variable.type.kind
        name = "__".join(("state", *([owner] if owner else []), variable.name.replace(".", "_"), *value.members))
        counted = f" ({variable.unit})" if variable.unit else ""
        says = f"{variable.label.capitalize()}{counted}, when the next round begins, or at the end."
        kind: Type = "string" if variable.type.base == "ref" else "int64"
        unit = {"ref": "id", "bool": "0 or 1"}.get(variable.type.base, "number")
        yield Column(name, kind, unit, says, _nth("state", at), about)


def _scores(table: Table, when: str) -> Iterator[Column]:
    for at, player in enumerate(table.players):
        says = f"The score {when}; empty where it cannot be told yet."
        yield Column(f"score__{player}", "int64", "points", says, _nth("scores", at), {"player": player})


def _uses(table: Table, where: str) -> Iterator[Column]:
    for used in table.things:
        begin = f"uses__{used.player}" if used.player else "drawn"
        says = f"How often it was {'taken' if used.player else 'drawn'} {where}."
        about = {**used._asdict(), "title": table.title(used)}
        yield Column(f"{begin}__{used.kind.replace('.', '_')}__{used.name}", "int32", "times", says, _used(used), about)


def _used(used: Used) -> Callable[[Any], object]:
    return lambda row: row.uses.get(used, 0)


def _score_of(at: int, part: str) -> Callable[[Any], object]:
    return lambda row: row.scores[at][part] if row.scores else None


def _nth(name: str, at: int) -> Callable[[Any], object]:
    def value(row: object) -> object:
        values: Sequence[object] = getattr(row, name)
        return values[at] if values else None

    return value
