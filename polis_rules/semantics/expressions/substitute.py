"""Put expressions in the place of local names."""

from __future__ import annotations

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
    return tree.rebuilt(lambda part: substitute(part, values))
