"""Which state the places of a supply count."""

from __future__ import annotations

from polis_rules.semantics.expressions import Expr, nodes as n
from polis_rules.semantics.symbols import Symbols
from polis_rules.semantics.typed_rules import Supply


def counted_by(supply: Supply, symbols: Symbols) -> list[n.Load]:
    """The state that a supply counts: only `move` may change it."""
    counts = {key: _counted(tree, symbols) for key, tree in supply.places.items()}
    # a piece that only says whose something is has no counter to move to: then the reserve is set with it
    if all(counts[key] or isinstance(tree, n.Const) for key, tree in supply.places.items()):
        counts["reserve"] = [supply.reserve]
    return [load for loads in counts.values() for load in loads]


def _counted(tree: Expr, symbols: Symbols) -> list[n.Load]:
    """The state whose pieces an amount counts, without what decides whose they are."""
    within: tuple[Expr | None, ...] = ()
    match tree:
        case n.Load():
            return [tree]
        case n.Arith():
            within = (tree.left, tree.right)
        case n.IfElse():
            within = (tree.then, tree.other)
        case n.MinMax():
            within = tree.items
        case n.Comp(func="sum" | "min" | "max"):
            within = (tree.body,)
        case n.Comp(func="count", domain=group) | n.Size(group=group) if group.type.base == "list":
            within = (group,)
        case n.Joined():
            within = (tree.left, tree.right)
        case n.Call():
            within = (symbols.terms[tree.term].body,)
    return [load for part in within if part is not None for load in _counted(part, symbols)]
