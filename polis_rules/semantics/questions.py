"""What checks ask about a ruleset that no word of a rule itself names.

Each answer is noted, so that the rule is checked again when there is another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from polis_rules.semantics.expressions import Type
from polis_rules.semantics.symbols import Paying, Symbols

Shape = tuple[int, int, tuple[str, ...]]

State = tuple[str, str]
"""A kind ("" for the game) and the name of its state."""


@dataclass(slots=True, eq=False)
class Questions:
    """The answers of one ruleset as it is now."""

    symbols: Symbols
    term: Callable[[str], Type | None]
    changes: dict[str, frozenset[str]] = field(default_factory=dict)
    """the names of the state that each call may change"""
    counted: dict[State, str] = field(default_factory=dict)
    """state whose pieces a supply counts, and the name of the supply"""
    reserves: set[State] = field(default_factory=set)

    def type_of_term(self, name: str) -> Type | None:
        """The type of a term, which is checked if it was not yet; None when it is wrong."""
        return self.term(name)

    def changed_by(self, call: str) -> frozenset[str]:
        """The names of the state that a call may change."""
        return self.changes.get(call, frozenset())

    def counted_by(self, state: State) -> str | None:
        """The supply that counts the pieces in some state."""
        return self.counted.get(state)

    def paying(self, state: State) -> Paying:
        """What spendable state says of how it is paid."""
        return self.symbols.variable(*state).paying

    def paid_with(self, what: tuple[str, str, int]) -> str:
        """What spendable state is called, or that of one of the members that it is kept for (-1 for none)."""
        owner, name, member = what
        variable = self.symbols.variable(owner, name)
        return variable.label if member < 0 else self.symbols.title_within(variable.per[-1][1], member)

    def is_reserve(self, state: State) -> bool:
        """Whether state begins with what is nowhere else."""
        return state in self.reserves

    def in_graphs(self, kind: str) -> bool:
        """Whether members of a kind stand in graphs."""
        return kind in self.symbols.first_node

    def count(self, kind: str) -> int:
        """How many members a kind has."""
        return self.symbols.count(kind)

    def shape(self, kind: str) -> Shape:
        """How members of a kind are found: the number of the first, how many there are, the kinds of their parts."""
        symbol = self.symbols.kinds[kind]
        return symbol.first, len(symbol.members), symbol.parts

    def purses(self, kind: str) -> dict[str, list[str]]:
        """The spendable state that members of a kind keep for each member of one other kind, by that kind."""
        purses: dict[str, list[str]] = {}
        for variable in self.symbols.kinds[kind].state.values():
            if variable.spendable and len(variable.per) == 1:
                purses.setdefault(variable.per[0][1], []).append(variable.name)
        return purses

    def broken(self, kind: str) -> frozenset[str]:
        """The attributes and state of a kind whose declaration is wrong."""
        return frozenset(name for owner, name in self.symbols.broken if owner == kind)


Asked = dict[tuple[Callable[[Questions, Any], object], Any], object]
"""Questions, what they were about, and the answers."""
