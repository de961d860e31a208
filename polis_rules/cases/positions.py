"""Positions as cases write them: values by variable and member, only those that differ from other ones."""

from __future__ import annotations

from polis_rules.interpreter.evaluator import StateValue
from polis_rules.interpreter.runtime import State
from polis_rules.semantics import TypedRules

Tree = dict[str, object]
"""`{kind: {member: {state: value}}}`, the values as texts or lists of texts; the form of `given` and `then`."""


def reserves(rules: TypedRules) -> set[tuple[str, str]]:
    """The variables, by kind and name, that hold what is left in a reserve: nobody gives them."""
    return {(each.owner, each.name) for supply in rules.supplies for each in supply.reserve}


def tree_of(values: list[StateValue], state: State) -> Tree:
    """Some values of a state, as a case writes them."""
    tree: Tree = {}
    for each in values:
        owner, name = each.variable.owner, each.variable.name
        *way, last = (owner, each.ids[0], name, *each.ids[1:]) if owner else (name, *each.ids)
        here = tree
        for key in way:
            inner = here.setdefault(key, {})
            assert isinstance(inner, dict)
            here = inner
        here[last] = _written(each.plain(state))
    return tree


def _written(value: object) -> object:
    """One value as it is written: a number, true or false, an id, none, or a list of ids."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return value if isinstance(value, list) else str(value)
