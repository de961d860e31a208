"""The part of a state that rules declare, which everything that plays by the same rules lays out alike."""

from __future__ import annotations

from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import every_variable


def declared(program: Program) -> slice:
    """Where the declared values stand in a state.

    >>> from polis_rules import load
    >>> program = load("yucata").program()
    >>> len(program.new_state(seed=1)[declared(program)]) > 100
    True
    """
    low = min(program.layout.bases.values())
    return slice(low, low + sum(each.size for each in every_variable(program.rules.symbols)))
