"""Put expressions in the place of local names."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from polis_rules.semantics.expressions.nodes import Expr, Var


def substitute(tree: Expr, values: dict[str, Expr]) -> Expr:
    """The same tree with local names replaced.

    >>> from polis_rules.semantics.expressions.nodes import number
    >>> from polis_rules.semantics.expressions.types import INT
    >>> substitute(Var(INT, "n"), {"n": number(3)}).value
    3
    """
    if isinstance(tree, Var):
        value = values.get(tree.name, tree)
        return value if value.span else value.at(tree.span)
    changed: dict[str, Any] = {}
    for item in fields(tree):
        value = getattr(tree, item.name)
        if isinstance(value, Expr):
            new: Any = substitute(value, values)
        elif isinstance(value, tuple) and value and isinstance(value[0], Expr):
            new = tuple(substitute(part, values) for part in value)
        else:
            continue
        if new is not value:
            changed[item.name] = new
    return replace(tree, **changed) if changed else tree
