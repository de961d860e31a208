"""What authors write shortly, said with the expressions that there are."""

from __future__ import annotations

from polis_rules.semantics.expressions import nodes as n
from polis_rules.semantics.expressions.nodes import TRUE, Expr, conjunction, number
from polis_rules.semantics.expressions.types import BOOL, INT, Type

MEMBER, EACH = "MEMBER", "EACH"
"""Local names where the author needs none; ids of rulesets are lower case."""

Loop = tuple[str, Expr, Expr | None]
"""A name, what it goes over, and a condition."""


def members_of(group: Expr) -> Expr:
    """The set of the members that are in a list."""
    kind = Type("ref", group.type.kind)
    return n.Comp(Type("set", kind.kind), "set", MEMBER, group, None, n.Var(kind, MEMBER), span=group.span)


def any_inside(body: Expr) -> Expr:
    """Whether there is anything to go over in a `min` or `max`, and those inside it."""
    assert isinstance(body, n.Comp)
    inner = any_inside(body.body) if isinstance(body.body, n.Comp) and body.body.default is body.default else TRUE
    return n.Comp(BOOL, "any", body.var, body.domain, body.test, inner)


def set_over(loops: list[Loop], body: Expr) -> Expr:
    """`{body for ... for ...}`: whoever of the kind is the body of some round."""
    kind = body.type.sure()
    member = n.Var(kind, EACH)
    test: Expr = n.Compare(BOOL, "==", body, member)
    for name, domain, condition in reversed(loops):
        test = n.Comp(BOOL, "any", name, domain, condition, test)
    every = Type("set", kind.kind)
    return n.Comp(every, "set", EACH, n.Everyone(every), test, member)


def most(best: str, name: str, domain: Expr, test: Expr | None, of: Expr, tied: Expr, certain: bool) -> Expr:
    """The one member of which a number is `best`, max or min; `tied` where there are several.

    It is `certain` where there is always some member.
    """
    kind = Type("ref", domain.type.kind)
    end = n.Comp(INT, best, name, domain, test, of, number(0))
    those = conjunction([*([test] if test is not None else []), n.Compare(BOOL, "==", of, end)])
    only = n.Comp(Type("ref", kind.kind, not certain), "first", name, domain, those, n.Var(kind, name))
    several = n.Compare(BOOL, ">", n.Comp(INT, "count", name, domain, those, n.Var(kind, name)), number(1))
    return n.IfElse(Type("ref", kind.kind, tied.type.maybe or not certain), several, tied, only)


def foremost(expr: n.IfElse) -> tuple[n.Comp, Expr] | None:
    """What `most` or `least` looks for, and who it is of several; None where an expression is none of these."""
    match expr:
        case n.IfElse(test=n.Compare(left=n.Comp(func="count", test=those)), other=n.Comp(func="first", test=same)):
            last = those.items[-1] if isinstance(those, n.Bool) else those
            if those is same and isinstance(last, n.Compare) and isinstance(last.right, n.Comp):
                return last.right, expr.then
    return None
