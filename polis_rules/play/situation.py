"""A position in tables and words, as one player may see it: what an interface without a picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from polis_rules.interpreter.evaluator import (
    Evaluator,
    HiddenError,
    NothingThereError,
    SeenBy,
    StateValue,
    Wording,
    may_count,
    may_see,
)
from polis_rules.interpreter.game import Game
from polis_rules.interpreter.machine import Layout
from polis_rules.semantics import KindSymbol
from polis_rules.source import spoken

MOST_COLUMNS = 8
"""What is kept for each of more members than these shares a column."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: what it is about, the titles of its columns, and its rows, each with its own title first."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Situation:
    """One position, as one player sees it; as nobody in particular, who sees what is open, for None."""

    def __init__(self, game: Game, player: str | None) -> None:
        self.game = game
        self.program = game.program
        self.symbols = game.program.rules.symbols
        self.wording = Wording(self.symbols)
        self.viewer = None if player is None else game.players.index(player)

    # -- what the game says of itself -------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        """The round, and who decides what."""
        number, decision = self.game.round, self.game.decision
        parts = [] if number is None else [f"Round {number}"]
        if self.game.result is not None:
            parts.append(self.game.result.ended_by_title)
        elif decision is not None:
            parts.append(f"{decision.player_title}: {decision.prompt}")
        return ". ".join(parts)

    @property
    def scores(self) -> Sheet | None:
        """What each player would have if the game ended now, term by term; None where nothing is counted."""
        rules, players = self.program.rules, self.symbols.kinds["player"]
        if not rules.score:
            return None
        rows = [(spoken(name), *self._terms(tree)) for name, tree in rules.score.items()]
        if len(rows) > 1:
            columns = ([row[place] for row in rows] for place in range(1, len(players.titles) + 1))
            sums = (str(sum(map(int, each))) if "?" not in each else "?" for each in columns)
            rows.append(("total", *sums))
        return Sheet("score so far", ("", *players.titles), tuple(rows))

    def _terms(self, tree: object) -> Iterator[str]:
        for number in range(len(self.symbols.kinds["player"].members)):
            try:
                yield str(self._sight.value(tree, self.game.state, {"who": number}))  # type: ignore[arg-type]
            except HiddenError:
                yield "?"
            except NothingThereError:
                yield "0"

    @cached_property
    def _sight(self) -> Evaluator:
        layout: Layout = self.program.layout
        if self.viewer is None and not self.game.options.secrets:
            return self.program.evaluator
        return SeenBy(self.program.rules, layout, -1 if self.viewer is None else self.viewer)

    # -- state ------------------------------------------------------------------------------------------------------

    @property
    def common(self) -> list[tuple[str, str]]:
        """The game's own state: what it is called, and its value."""
        values = (value for value in self._shown if not value.variable.owner)
        found = ((self._label(value, value.variable.kinds), self._words(value)) for value in values)
        return [(label, text) for label, text in found if text]

    @property
    def players(self) -> Sheet:
        """What the players have: a column for each."""
        kind = self.symbols.kinds["player"]
        rows: dict[str, list[str]] = {}
        for value in self._shown:
            if value.variable.owner == "player":
                label = self._label(value, value.variable.kinds[1:])
                rows.setdefault(label, [""] * len(kind.members))[value.indexes[0]] = self._words(value)
        full = [(label, *(cell or "-" for cell in cells)) for label, cells in rows.items() if any(cells)]
        return Sheet(kind.title, ("", *kind.titles), tuple(full))

    @property
    def things(self) -> list[Sheet]:
        """What is on the table: a sheet for each kind of which something is to be told."""
        kinds = (kind for kind in self.symbols.kinds.values() if kind.name not in ("player", "action"))
        sheets = (self._grid(kind) or self._sheet(kind) for kind in kinds)
        return [sheet for sheet in sheets if sheet.rows]

    @property
    def named(self) -> list[tuple[str, int]]:
        """The members that the game's own state speaks of, such as the card that was drawn, each after its kind."""
        found = []
        for value in self._shown:
            kind = value.variable.type
            if not value.variable.owner and kind.base == "ref" and kind.kind != "player":
                member = self.game.state[value.slot]
                found += [(kind.kind, member)] if member >= 0 else []
        return found

    def of(self, kind: str, member: int) -> str:
        """What is to be told of one member now, in a line."""
        values = (value for value in self._shown if value.variable.owner == kind and value.indexes[0] == member)
        found = ((self._label(value, value.variable.kinds[1:]), self._words(value)) for value in values)
        return ", ".join(f"{label} {text}" for label, text in found if text)

    @cached_property
    def _shown(self) -> list[StateValue]:
        """The values that are told: those with a title, and those that not everybody sees.

        Of things that have no state with a title, what is another than at the beginning.
        """
        values = self.program.views.values
        titled = {value.variable.owner for value in values if value.variable.title}
        return [
            value
            for value in values
            if value.variable.title
            or not value.variable.open
            or (value.variable.owner not in titled and self._changed(value))
        ]

    def _changed(self, value: StateValue) -> bool:
        return self.game.state[value.slots] != list(self.program.compiled.first[value.slots])

    def _sees(self, value: StateValue) -> bool:
        if value.variable.open or self.viewer is None:
            return value.variable.open
        return may_see(self.program.views.evaluator, value.variable, self.game.state, value.indexes, self.viewer)

    def _counts(self, value: StateValue) -> bool:
        if self.viewer is None or value.variable.type.base != "list":
            return False
        return may_count(self.program.views.evaluator, value.variable, self.game.state, value.indexes, self.viewer)

    def _words(self, value: StateValue) -> str:
        """A value in words; empty for none, no and zero, and for what is hidden."""
        state, kind = self.game.state, value.variable.type
        number = state[value.slot]
        if not self._sees(value):
            return f"{number} hidden" if number and self._counts(value) else ""
        if kind.base == "list":
            titles = self.symbols.kinds[kind.kind].titles
            return "; ".join(titles[each] for each in state[value.slot + 1 : value.slot + 1 + number])
        if kind.base == "set":
            titles = self.symbols.kinds[kind.kind].titles
            return "; ".join(title for place, title in enumerate(titles) if number >> place & 1)
        return (
            self.wording.value(kind, number)
            if number > 0 or (number == 0 and kind.base == "ref") or number < -1
            else ""
        )

    def _label(self, value: StateValue, kinds: Sequence[str]) -> str:
        """What a value is called beside others of the same owner."""
        titles = [
            self.wording.title(kind, member)
            for kind, member in zip(kinds, value.indexes[len(value.indexes) - len(kinds) :], strict=True)
        ]
        if value.variable.spendable and titles:
            return ", ".join(titles)
        return f"{value.variable.label} ({', '.join(titles)})" if titles else value.variable.label

    def _sheet(self, kind: KindSymbol) -> Sheet:
        """The members of which something is to be told, a row for each."""
        cells: dict[str, dict[int, list[str]]] = {}
        for value in self._shown:
            if value.variable.owner == kind.name and (text := self._words(value)):
                further = value.variable.kinds[1:]
                wide = any(len(self.symbols.kinds[each].members) > MOST_COLUMNS for each in further)
                column = value.variable.label if wide else self._label(value, further)
                inner = f"{self._label(value, further)}: {text}" if wide else text
                cells.setdefault(column, {}).setdefault(value.indexes[0], []).append(inner)
        told = sorted({member for column in cells.values() for member in column})
        rows = [
            (kind.titles[each], *(", ".join(column.get(each, [])) or "-" for column in cells.values())) for each in told
        ]
        return Sheet(kind.plural or kind.title, ("", *cells), tuple(rows))

    def _grid(self, kind: KindSymbol) -> Sheet | None:
        """A kind with a member for each row and column, of which one thing is told, as a board; None for others."""
        values = [value for value in self._shown if value.variable.owner == kind.name]
        if len(kind.parts) != 2 or len({value.variable.name for value in values}) != 1 or len(values[0].indexes) != 1:
            return None
        across, down = (self.symbols.kinds[part] for part in kind.parts)
        cells = ["." if not (text := self._words(value)) else text for value in values]
        width = len(down.members)
        rows = [
            (down.titles[row], *(cells[column * width + row] for column in range(len(across.members))))
            for row in range(width)
        ]
        return Sheet(kind.plural or kind.title, ("", *across.titles), tuple(rows))
