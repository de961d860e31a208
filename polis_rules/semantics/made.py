"""An expression that was made of a text, with what can be said of it alone: that is found out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from polis_rules.diagnostics import Span
from polis_rules.semantics.expressions import Expr, nodes as n


class Bounded(NamedTuple):
    """A number that must lie between others, with what is known there: what a rule is given for a parameter, or what
    something is divided by."""

    expr: Expr
    span: Span
    facts: frozenset[Expr]
    ends: tuple[int, int]
    param: str = ""
    """empty for what something is divided by"""


@dataclass(frozen=True, eq=False)
class Made:
    """A typed expression and the place of its text."""

    span: Span
    expr: Expr

    @cached_property
    def parts(self) -> int:
        """How many parts it has."""
        return sum(1 for _ in self.expr.walk())

    @cached_property
    def products(self) -> tuple[n.Arith, ...]:
        """The products in it."""
        return tuple(part for part in self.expr.walk() if isinstance(part, n.Arith) and part.op == "*")

    @cached_property
    def leads_on(self) -> bool:
        """Whether a part of it calls something or goes over members."""
        return any(isinstance(part, (n.Call, n.RouteQuestion, n.Formula, n.Comp)) for part in self.expr.walk())
