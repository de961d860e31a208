"""A position in tables and words, as one player may see it: what an interface without a picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from polis_rules.interpreter.evaluator import Evaluator, Names, SeenBy, StateValue
from polis_rules.interpreter.game import Game, Option
from polis_rules.interpreter.machine import Layout
from polis_rules.play.changes import counted, listed
from polis_rules.play.known import Known
from polis_rules.semantics import KindSymbol
from polis_rules.semantics.expressions import Expr, Load
from polis_rules.source import spoken

MOST_APART = 6
"""Of more that sets an option apart only so much is told."""
MOST_OWNED = 40
"""Of a kind of more members only those of which something is to be told stand in a table."""
MOST_BESIDE = 8
"""What is printed on more members beside the board than these is not told in a table."""
POINT = 100
"""So many hundredths are a point of the score."""
MOST_COLUMNS = 8
"""What is kept for each of more members than these shares a column."""
UNSEEN = "?"
"""What stands in a table for a value that the player may not see."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: what it is about, the titles of its columns, and its rows, each with its own title first."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def alike(self) -> Iterator[tuple[str, str]]:
        """Of a table of one column: the titles of what has the same value, together, and that value."""
        alike: dict[str, list[str]] = {}
        for title, value in self.rows:
            alike.setdefault(value, []).append(title)
        for value, titles in alike.items():
            yield ("; " if any("," in title for title in titles) else ", ").join(titles), value


class Situation:
    """One position, as one player sees it; as nobody in particular, who sees what is open, for None."""

    def __init__(self, game: Game, player: str | None, known: Known | None = None) -> None:
        """Who asks about one position of a game after the other gives what is `known` of its program."""
        self.game = game
        self.program = game.program
        self.symbols = game.program.rules.symbols
        self.known = Known(game.program) if known is None else known
        self.wording = self.known.wording
        self.viewer = None if player is None else game.players.index(player)

    # -- what the game says of itself -------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        """The round, and who decides what."""
        name, decision = self.game.round_name, self.game.decision
        parts = [] if name is None else [f"Round {name}"]
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

    def _terms(self, tree: Expr) -> Iterator[str]:
        for number in range(self.symbols.count("player")):
            yield self._number(tree, {"who": number})

    def _number(self, tree: Expr, names: Names) -> str:
        return self.known.number(tree, names, self.game.state, self.viewer, lambda: self._sight)

    @cached_property
    def _sight(self) -> Evaluator:
        layout: Layout = self.program.layout
        if self.viewer is None and not self.game.options.secrets:
            return self.program.evaluator
        return SeenBy(self.program.rules, layout, -1 if self.viewer is None else self.viewer)

    @property
    def warning(self) -> str:
        """A sentence on what the ruleset's advice counts against this player now, by at least a point of the score."""
        if self.viewer is None:
            return ""
        worths = [each for each in self.program.rules.advice.values() if each.hundredths < 0]
        counted = ((each, self._number(each.counts, {"who": self.viewer})) for each in worths)
        told = [
            f"{each.title}: {number}"
            for each, number in counted
            if number != "?" and int(number) * each.hundredths <= -POINT
        ]
        return f"At risk: {'; '.join(told)}" if told else ""

    @property
    def warning_before_acting(self) -> str:
        """The same where this player is about to choose an action, and so might still do something about it."""
        decision = self.game.decision
        kinds = {each.refers_to[0] for each in decision.options if each.refers_to} if decision is not None else set()
        return self.warning if "action" in kinds else ""

    # -- state ------------------------------------------------------------------------------------------------------

    @property
    def common(self) -> list[tuple[str, str]]:
        """The game's own state: what it is called, and its value; without the round, which `headline` names."""
        rounds = self.program.rules.rounds
        counted = {part.name for part in rounds.walk() if isinstance(part, Load)} if rounds is not None else set()
        values = self._shown_of("")
        found = ((value, self.known.label(value, len(value.variable.kinds)), self._words(value)) for value in values)
        return [
            (label, text)
            for value, label, text in found
            if text and not (value.variable.name in counted and text == self.game.round_name)
        ]

    @property
    def players(self) -> Sheet:
        """What the players have: a column for each."""
        kind = self.symbols.kinds["player"]
        rows: dict[str, list[str]] = {}
        board = self.program.rules.board
        supply = board.supply if board is not None else frozenset()
        for is_supply in (False, True):
            for value in self._shown_of("player"):
                if (("player", value.variable.name) in supply) == is_supply:
                    label = self.known.label(value, len(value.variable.kinds[1:]))
                    text = self._words(value) or ("" if self._sees(value) else UNSEEN)
                    rows.setdefault(label, [""] * len(kind.members))[value.indexes[0]] = text
            for label in self._worked_out("player") if not is_supply else ():
                rows[label] = [self.worked_out("player", member).get(label, "") for member in range(len(kind.members))]
        full = [(label, *(cell or "-" for cell in cells)) for label, cells in rows.items() if {*cells} - {"", UNSEEN}]
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
        told = self.told_of(kind, member) or self._unowned(kind, member)
        return ", ".join(label if text == "yes" else f"{label} {text}" for label, text in told.items())

    def _unowned(self, kind: str, member: int) -> dict[str, str]:
        """Of a member of which nothing else is to be told: that it belongs to nobody, if it may belong to a player."""
        own = (value for value in self._shown_of(kind) if value.indexes == (member,) and self._sees(value))
        return {
            self._member_label(value): self.wording.value(value.variable.type, self.game.state[value.slot])
            for value in own
            if value.variable.type.base == "ref" and value.variable.type.kind == "player"
        }

    def of_state(self, owner: str, name: str) -> str:
        """What a state is now, of everything that has it, in a line: what has the same value together.

        Of players and of the game itself also none, no, zero, and that it is hidden are told.
        """
        return self._together(value for value in self._shown_of(owner) if value.variable.name == name)

    def kept_for(self, kind: str, member: int) -> dict[str, str]:
        """What others keep for one member now, such as how much players have of it, by what the state is called."""
        kept: dict[str, list[StateValue]] = {}
        for value in self._shown:
            kinds = value.variable.kinds
            first = 1 if value.variable.owner else 0
            if (kind, member) in zip(kinds[first:], value.indexes[first:], strict=True):
                kept.setdefault(value.variable.label, []).append(value)
        told = {label: self._together(values, (kind, member)) for label, values in kept.items()}
        return {label: text for label, text in told.items() if text}

    def _together(self, values: Iterable[StateValue], without: tuple[str, int] | None = None) -> str:
        """Values in a line: whose each is, but for one member that all are kept for, and what is the same together."""
        alike: dict[str, list[str]] = {}
        for value in values:
            if not (text := self._words(value) or self._nothing(value)):
                continue
            first = 1 if value.variable.owner else 0
            belongs = list(zip(value.variable.kinds, value.indexes, strict=True))
            if without is not None:
                belongs.pop(belongs.index(without, first))
            whose, *others = [*(self.wording.title(*each) for each in belongs), ""]
            further = ", ".join(filter(None, others))
            alike.setdefault(text, []).append(f"{whose} ({further})" if further else whose)
        told = [(listed(filter(None, titles)), text) for text, titles in alike.items()]
        between = " / " if any(";" in whose for whose, _ in told) else "; "
        return between.join(f"{whose}: {text}" if whose else text for whose, text in told)

    def _nothing(self, value: StateValue) -> str:
        """A value of a player or the game itself that has no words otherwise: hidden, none, no or zero."""
        kind = value.variable.type
        if value.variable.owner not in ("", "player"):
            return ""
        if not self._sees(value):
            return UNSEEN
        return "none" if kind.base in ("list", "set") else self.wording.value(kind, self.game.state[value.slot])

    def told_of(self, kind: str, member: int) -> dict[str, str]:
        """What is to be told of one member now, by what it is called."""
        values = (value for value in self._shown_of(kind) if value.indexes[0] == member)
        found = {self._member_label(value): self._words(value) for value in values}
        return {label: text for label, text in (found | self.worked_out(kind, member)).items() if text}

    def differences(self, options: Iterable[Option]) -> dict[str, str]:
        """What sets the members apart that options choose, in a line for each option by its id.

        That is the numbers printed on them and what is to be told of them now, without what is the same of all; what
        the board's `tell` works out is told in any case.
        """
        chosen = {each.id: each.refers_to for each in options if each.refers_to is not None}
        kinds = {kind for kind, _ in chosen.values()}
        if len(kinds) != 1 or not kinds.isdisjoint(("action", "player")):
            return {}
        kind = self.symbols.kinds[kinds.pop()]
        places = {id: kind.index[name] for id, (_, name) in chosen.items()}
        told = {id: self.printed(kind, place) | self.told_of(kind.name, place) for id, place in places.items()}
        often = Counter(item for each in told.values() for item in each.items())
        worked_out = self._worked_out(kind.name)
        apart = {
            id: [
                f"{label} {text}"
                for label, text in each.items()
                if often[label, text] < len(told) or len(told) < 2 or label in worked_out
            ]
            for id, each in told.items()
        }
        return {id: ", ".join([*each[:MOST_APART], *(["..."] if len(each) > MOST_APART else [])])
                for id, each in apart.items() if each}  # fmt: skip

    def printed(self, kind: KindSymbol, member: int) -> dict[str, str]:
        """The numbers of a member that never change and are not 0, by what they are called."""
        return self.known.printed(kind, member)

    def worked_out(self, kind: str, member: int) -> dict[str, str]:
        """The numbers that the board's `tell` works out for a member and this player may know, but for 0."""
        found = {label: self._number(tree, {"it": member}) for label, tree in self._worked_out(kind).items()}
        return {label: text for label, text in found.items() if text not in ("0", "?")}

    def _worked_out(self, kind: str) -> dict[str, Expr]:
        board = self.program.rules.board
        return {} if board is None else board.tell.get(kind, {})

    @cached_property
    def _shown(self) -> list[StateValue]:
        """The values that are told: those with a title, and those that not everybody sees, if the board shows them.

        Where no state has a title, what is another than at the beginning.
        """
        titled = self.known.titled
        return titled or [value for value in self.known.told if not value.variable.open or self._changed(value)]

    def _shown_of(self, owner: str) -> list[StateValue]:
        """The same of one kind, or with no name of the game itself."""
        if self.known.titled:
            return self.known.titled_of.get(owner, [])
        return [value for value in self._shown if value.variable.owner == owner]

    def _changed(self, value: StateValue) -> bool:
        return self.game.state[value.slots] != list(self.program.compiled.first[value.slots])

    def _sees(self, value: StateValue) -> bool:
        if value.open or self.viewer is None:
            return value.open
        return self.program.views.sees(value, self.game.state, self.viewer)

    def _counts(self, value: StateValue) -> bool:
        return self.viewer is not None and self.program.views.counts(value, self.game.state, self.viewer)

    def _words(self, value: StateValue) -> str:
        """A value in words; empty for none, no and zero, and for what is hidden."""
        state, kind = self.game.state, value.variable.type
        number = state[value.slot]
        if not self._sees(value):
            return f"{number} hidden" if number and self._counts(value) else ""
        if kind.base == "list":
            titles = self.symbols.kinds[kind.kind].titles
            held = [titles[each] for each in state[value.slot + 1 : value.slot + 1 + number]]
            return "; ".join(held if value.variable.open else counted(held))
        if kind.base == "set":
            titles = self.symbols.kinds[kind.kind].titles
            return "; ".join(title for place, title in enumerate(titles) if number >> place & 1)
        return (
            self.wording.value(kind, number)
            if number > 0 or (number == 0 and kind.base == "ref") or number < -1
            else ""
        )

    def _member_label(self, value: StateValue) -> str:
        """What a value is called where all is told of one member; it is not said that one's own hand is one's own."""
        further = value.variable.kinds[1:]
        is_own = further == ("player",) and not value.variable.open and value.indexes[-1] == self.viewer
        return value.variable.label if is_own else self.known.label(value, len(further))

    def _sheet(self, kind: KindSymbol) -> Sheet:
        """The members of which something is to be told, a row for each."""
        cells: dict[str, dict[int, list[str]]] = {}
        unseen: set[tuple[str, int]] = set()
        for value in self._shown_of(kind.name):
            further = value.variable.kinds[1:]
            wide = any(self.symbols.count(each) > MOST_COLUMNS for each in further)
            column = value.variable.label if wide else self.known.label(value, len(further))
            if not (text := self._words(value)):
                if not self._sees(value):
                    unseen.add((column, value.indexes[0]))
            else:
                inner = f"{self.known.label(value, len(further))}: {text}" if wide else text
                cells.setdefault(column, {}).setdefault(value.indexes[0], []).append(inner)
        told = sorted({member for column in cells.values() for member in column})
        owned = self._may_be_owned(kind)
        if told and (owned or self._are_few_beside(kind, len(told))):
            told = list(range(len(kind.members))) if owned else told
            for member in told:
                for label, text in self.printed(kind, member).items():
                    cells.setdefault(label, {})[member] = [text]
        for member in told:
            for label, text in self.worked_out(kind.name, member).items():
                cells.setdefault(label, {})[member] = [text]
        rows = [
            (
                kind.titles[each],
                *(
                    ", ".join(column.get(each, [])) or (UNSEEN if (label, each) in unseen else "-")
                    for label, column in cells.items()
                ),
            )
            for each in told
        ]
        return Sheet(kind.plural or kind.title, ("", *cells), tuple(rows))

    def _may_be_owned(self, kind: KindSymbol) -> bool:
        """Whether players own members of a kind that have numbers printed on them, so that also free ones matter."""
        owned = any(
            each.title and each.open and not each.per and each.type.base == "ref" and each.type.kind == "player"
            for each in kind.state.values()
        )
        return owned and len(kind.members) <= MOST_OWNED and any(self.printed(kind, 0))

    def _are_few_beside(self, kind: KindSymbol, told: int) -> bool:
        """Whether members lie beside the board, and so few that all the numbers on them can be told."""
        board = self.program.rules.board
        return board is not None and kind.name not in board.symbols and told <= MOST_BESIDE

    def _grid(self, kind: KindSymbol) -> Sheet | None:
        """A kind with a member for each row and column, of which one thing is told, as a board; None for others."""
        values = self._shown_of(kind.name)
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
