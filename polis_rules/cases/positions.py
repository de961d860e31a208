"""Positions as cases write them: values by variable and member, only those that differ from other ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from polis_rules.interpreter.machine import Layout
from polis_rules.interpreter.runtime import State
from polis_rules.semantics import Symbols, TypedRules, Variable, every_variable

Tree = dict[str, object]
"""`{"kind.state": {member: value}}`, the values as texts or lists of texts; the form of `given` and `then`."""


@dataclass(frozen=True, slots=True)
class Place:
    """One value of the declared state: its slot, its variable, the flat index in it and the ids of that index."""

    slot: int
    variable: Variable
    index: int
    members: tuple[str, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """The keys under which a case writes it."""
        owner, name = self.variable.owner, self.variable.name
        return (f"{owner}.{name}" if owner else name, *self.members)


def places(symbols: Symbols, layout: Layout) -> Iterator[Place]:
    """Every value of the declared state, in the order of the layout."""
    for variable in every_variable(symbols):
        base = layout.bases[variable.owner, variable.name]
        for index, members in enumerate(product(*(symbols.kinds[kind].members for kind in variable.kinds))):
            yield Place(base + index, variable, index, members)


def reserves(rules: TypedRules) -> set[tuple[str, str]]:
    """The variables, by kind and name, that hold what is left in a reserve: nobody gives them."""
    return {(supply.reserve.owner, supply.reserve.name) for supply in rules.supplies}


def tree_of(symbols: Symbols, found: list[Place], state: State) -> Tree:
    """The values of a state at some places, as a case writes them."""
    tree: Tree = {}
    for place in found:
        *way, last = place.path
        here = tree
        for key in way:
            inner = here.setdefault(key, {})
            assert isinstance(inner, dict)
            here = inner
        here[last] = word(symbols, place.variable, state[place.slot])
    return tree


def word(symbols: Symbols, variable: Variable, value: int) -> str | list[str]:
    """One value as it is written: a number, true or false, an id, none, or a list of ids."""
    kind = variable.type
    if kind.base == "bool":
        return "true" if value else "false"
    if kind.base == "ref":
        return symbols.kinds[kind.kind].members[value] if value >= 0 else "none"
    if kind.base == "set":
        return [member for number, member in enumerate(symbols.kinds[kind.kind].members) if value >> number & 1]
    return str(value)
