"""Values of declared state as one number each, put into their slots and read from them."""

from __future__ import annotations

from polis_rules.semantics import Symbols, Variable, packed, stored, unpacked

State = list[int]


def put_value(symbols: Symbols, variable: Variable, state: State, slot: int, value: int) -> None:
    """Give some state a value; a list is unpacked into its slots."""
    if variable.type.base == "list":
        members = unpacked(value, symbols.count(variable.type.kind))
        state[slot : slot + variable.width] = stored(members, variable.at_most)
    else:
        state[slot] = value


def value_at(symbols: Symbols, variable: Variable, state: State, slot: int) -> int:
    """The value of some state; a list is packed."""
    if variable.type.base == "list":
        return packed(state[slot + 1 : slot + 1 + state[slot]], symbols.count(variable.type.kind))
    return state[slot]
