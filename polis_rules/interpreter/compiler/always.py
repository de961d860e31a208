"""What must hold after every decision."""

from __future__ import annotations

from functools import reduce

from polis_rules.semantics import TypedRules
from polis_rules.semantics.expressions import BOOL, INT, Arith, Comp, Compare, Const, Everyone, Expr, Type
from polis_rules.source import spoken


def always(rules: TypedRules) -> list[tuple[str, Expr]]:
    """What must hold after every decision: the invariants, and that no piece of a supply is lost or made."""
    tests = [(spoken(item.label), item.test) for item in rules.invariants]
    for supply in rules.supplies:
        parts: tuple[Expr, ...] = (*supply.reserve, *supply.places.values()) or (Const(INT, 0),)
        everywhere = reduce(lambda so_far, part: Arith(INT, "+", so_far, part), parts)
        test: Expr = Compare(BOOL, "==", everywhere, supply.total)
        if supply.per:
            kind = Type("ref", supply.per)
            test = Comp(BOOL, "all", "owner", Everyone(Type("set", kind.kind)), None, test)
        tests.append((f"the supply of {spoken(supply.name)} adds up", test))
    return tests
