"""What is different between two states, as far as one player sees both, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polis_rules.diagnostics import amount
from polis_rules.interpreter.evaluator import StateValue, Wording
from polis_rules.interpreter.runtime import Program, State
from polis_rules.semantics import Variable

YES = "yes"
MOST_TOLD = 6
"""Of more differences the first are told, and how many there are besides."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that is different: whose it is, what it is called, and how it was and is."""

    whose: str
    """the titles of what it belongs to; empty for the player's own and for the game's"""
    label: str
    was: str
    now: str
    kind: str
    """the type of the value, such as `int`"""
    rank: int
    """those of the player come first"""
    is_paid_with: bool = False

    @property
    def what(self) -> str:
        """What has changed, such as `North: coins`."""
        return f"{self.whose}: {self.label}" if self.whose else self.label

    @property
    def how(self) -> str:
        """The change without what it is that has changed."""
        return f"{self.was} to {self.now}" if self.kind == "int" else self.now

    @property
    def text(self) -> str:
        """The change without whose it is: `coins 3 to 2`, `owner Red`, `no longer on offer`."""
        if self.kind == "bool":
            return self.label if self.now == YES else f"no longer {self.label}"
        return f"{self.label} {self.how}"

    def is_cost(self, cost: str) -> bool:
        """Whether it says nothing but that the player has paid this, such as `2 coins`."""
        is_own = self.is_paid_with and self.kind == "int" and not self.whose
        return is_own and amount(int(self.was) - int(self.now), self.label) == cost

    def only_says(self, title: str) -> bool:
        """Whether it says nothing but that something of this title is taken, or goes from list to list."""
        return (self.kind == "ref" and self.now == title) or (
            self.kind in ("list", "set") and self.now in (f"+ {title}", f"- {title}")
        )


class Changes:
    """Finds the differences of states of one program."""

    def __init__(self, program: Program) -> None:
        self.views = program.views
        self.symbols = program.rules.symbols
        self.wording = Wording(self.symbols)
        self.values: dict[int, StateValue] = {}
        board = program.rules.board
        supply = board.supply if board is not None else frozenset()
        for value in program.views.values:
            if value.variable.title and (value.variable.owner, value.variable.name) not in supply:
                self.values |= dict.fromkeys(range(value.slots.start, value.slots.stop), value)

    def between(self, before: State, after: State, viewer: int) -> list[Change]:
        """What has changed that a player sees in both states."""
        if before == after:
            return []
        slots = (slot for slot, (was, now) in enumerate(zip(before, after, strict=True)) if was != now)
        changed = dict.fromkeys(self.values[slot].slot for slot in slots if slot in self.values)
        found = (self._change(self.values[slot], before, after, viewer) for slot in changed)
        return sorted((each for each in found if each is not None), key=lambda each: each.rank)

    def _change(self, value: StateValue, before: State, after: State, viewer: int) -> Change | None:
        variable, indexes = value.variable, value.indexes
        visible = all(self.views.sees(value, state, viewer) for state in (before, after))
        whose, label, rank = self._name(variable, indexes, viewer)
        if variable.type.base == "list":
            counted = all(self.views.counts(value, state, viewer) for state in (before, after))
            if not visible:
                was, now = before[value.slot], after[value.slot]
                return Change(whose, label, str(was), str(now), "int", rank) if counted and was != now else None
            told = self._went(variable, self._members(value, before), self._members(value, after))
            return Change(whose, label, "", told, "list", rank) if told else None
        if not visible:
            return None
        was, now = before[value.slot], after[value.slot]
        if variable.type.base == "set":
            every = range(self.symbols.count(variable.type.kind))
            sets = ([each for each in every if number >> each & 1] for number in (was, now))
            return Change(whose, label, "", self._went(variable, *sets), "set", rank)
        before_words, words = (self.wording.value(variable.type, number) for number in (was, now))
        return Change(whose, label, before_words, words, variable.type.base, rank, variable.spendable)

    def _name(self, variable: Variable, indexes: tuple[int, ...], viewer: int) -> tuple[str, str, int]:
        """Whose a value is, what it is called, and where it stands among others."""
        titles = [self.wording.title(kind, member) for kind, member in zip(variable.kinds, indexes, strict=True)]
        label, further = variable.label, titles[1:] if variable.owner else titles
        kinds = variable.kinds[1:] if variable.owner else variable.kinds
        if kinds == ("player",) and indexes[-1] == viewer:
            further = []
        if variable.spendable and further:
            label, further = self.symbols.title_within(variable.kinds[-1], indexes[-1]), further[:-1]
        if further:
            label = f"{label} ({', '.join(further)})"
        if variable.owner == "player" and indexes[0] == viewer:
            return "", label, 0
        return (titles[0] if variable.owner else ""), label, 1 if variable.owner == "player" else 2

    @staticmethod
    def _members(value: StateValue, state: State) -> list[int]:
        return state[value.slot + 1 : value.slot + 1 + state[value.slot]]

    def _went(self, variable: Variable, was: list[int], now: list[int]) -> str:
        """What has come and gone; that the order is another one where nothing has."""
        titles = self.symbols.kinds[variable.type.kind].titles
        came, gone = list(now), list(was)
        for member in was:
            if member in came:
                came.remove(member)
                gone.remove(member)
        parts = [
            f"{sign} {listed(counted([titles[each] for each in members]))}"
            for sign, members in (("+", came), ("-", gone))
            if members
        ]
        return " ".join(parts) or ("in another order" if was != now else "")


def told(changes: Iterable[Change], most: int = MOST_TOLD) -> str:
    """Changes in a line: what is the same of several things together, and all of one thing together.

    >>> told([Change("", "coins", "3", "2", "int", 0), *(Change(each, "owner", "", "Red", "ref", 2) for each in "AB")])
    'coins 3 to 2; A, B: owner Red'
    >>> told([Change(each, "coins", "3", "2", "int", 0) for each in ("", "North", "South")])
    'coins 3 to 2; North, South: coins 3 to 2'
    """
    alike: dict[tuple[bool, str], list[str]] = {}
    for each in changes:
        alike.setdefault((bool(each.whose), each.text), []).append(each.whose)
    more = [f"and {len(alike) - most} more"] if len(alike) > most else []
    whose: dict[str, list[str]] = {}
    for (_, text), owners in list(alike.items())[:most]:
        whose.setdefault(listed(filter(None, owners)), []).append(text)
    texts = [f"{who}: {listed(what)}" if who else listed(what) for who, what in whose.items()]
    return "; ".join([*texts, *more])


def listed(texts: Iterable[str]) -> str:
    """Texts one after the other; ones that have commas themselves stay apart."""
    every = list(texts)
    return ("; " if any("," in text for text in every) else ", ").join(every)


def counted(titles: Sequence[str]) -> list[str]:
    """Titles of things of which the order does not matter: how many there are of each.

    >>> counted(["red", "blue", "red"])
    ['red (2)', 'blue']
    """
    return [title if number == 1 else f"{title} ({number})" for title, number in Counter(titles).items()]
