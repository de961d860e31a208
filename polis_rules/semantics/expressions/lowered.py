"""What authors write shortly, said with the expressions that there are."""

from __future__ import annotations

from polis_rules.semantics.expressions.nodes import (
    TRUE,
    Bool,
    Comp,
    Compare,
    Everyone,
    Expr,
    IfElse,
    Var,
    conjunction,
    number,
)
from polis_rules.semantics.expressions.types import BOOL, INT, Type

MEMBER, EACH = "MEMBER", "EACH"
"""Local names where the author needs none; ids of rulesets are lower case."""

Loop = tuple[str, Expr, Expr | None]
"""A name, what it goes over, and a condition."""


def members_of(group: Expr) -> Expr:
    """The set of the members that are in a list."""
    kind = Type("ref", group.type.kind)
    return Comp(Type("set", kind.kind), "set", MEMBER, group, None, Var(kind, MEMBER), span=group.span)


def any_inside(body: Expr) -> Expr:
    """Whether there is anything to go over in a `min` or `max`, and those inside it."""
    assert isinstance(body, Comp)
    inner = any_inside(body.body) if isinstance(body.body, Comp) and body.body.default is body.default else TRUE
    return Comp(BOOL, "any", body.var, body.domain, body.test, inner)


def set_over(loops: list[Loop], body: Expr) -> Expr:
    """`{body for ... for ...}`: whoever of the kind is the body of some round."""
    kind = body.type.sure()
    member = Var(kind, EACH)
    test: Expr = Compare(BOOL, "==", body, member, "", "")
    for name, domain, condition in reversed(loops):
        test = Comp(BOOL, "any", name, domain, condition, test)
    every = Type("set", kind.kind)
    return Comp(every, "set", EACH, Everyone(every), test, member)


def most(best: str, name: str, domain: Expr, test: Expr | None, of: Expr, tied: Expr, certain: bool) -> Expr:
    """The one member of which a number is `best`, max or min; `tied` where there are several.

    It is `certain` where there is always some member.
    """
    kind = Type("ref", domain.type.kind)
    end = Comp(INT, best, name, domain, test, of, number(0))
    those = conjunction([*([test] if test is not None else []), Compare(BOOL, "==", of, end, "", "")])
    only = Comp(Type("ref", kind.kind, not certain), "first", name, domain, those, Var(kind, name))
    several = Compare(BOOL, ">", Comp(INT, "count", name, domain, those, Var(kind, name)), number(1), "", "")
    return IfElse(Type("ref", kind.kind, tied.type.maybe or not certain), several, tied, only)


def foremost(expr: IfElse) -> tuple[Comp, Expr] | None:
    """What `most` or `least` looks for, and who it is of several; None where an expression is none of these."""
    match expr:
        case IfElse(test=Compare(left=Comp(func="count", test=those)), other=Comp(func="first", test=same)):
            last = those.items[-1] if isinstance(those, Bool) else those
            if those is same and isinstance(last, Compare) and isinstance(last.right, Comp):
                return last.right, expr.then
    return None
