"""What is known at one place of a ruleset: local names with their types, and what is certainly not none."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.expressions.nodes import Bool, Compare, Contains, Expr, Not
from polis_rules.expressions.types import Type


@dataclass(frozen=True)
class Scope:
    """Local names and facts. Scopes are never changed, only extended.

    >>> from polis_rules.expressions.types import INT
    >>> sorted(Scope().having(n=INT).names)
    ['n']
    """

    names: dict[str, Type] = field(default_factory=dict)
    facts: frozenset[Expr] = frozenset()
    base: Expr | None = None
    """inside a modifier: the value without it"""

    def having(self, **names: Type) -> Scope:
        """This scope with more local names."""
        return Scope({**self.names, **names}, self.facts, self.base)

    def knowing(self, facts: frozenset[Expr]) -> Scope:
        """This scope with more expressions known not to be none."""
        return Scope(self.names, self.facts | facts, self.base) if facts else self


NOTHING: frozenset[Expr] = frozenset()


def when_true(test: Expr) -> frozenset[Expr]:
    """The expressions that are certainly not none where this condition holds."""
    if isinstance(test, Bool) and test.op == "and":
        return NOTHING.union(*(when_true(item) for item in test.items))
    if isinstance(test, Bool):
        return frozenset.intersection(*(when_true(item) for item in test.items))
    if isinstance(test, Not):
        return when_false(test.item)
    if isinstance(test, Contains):
        return frozenset((test.item,)) if test.item.type.maybe else NOTHING
    if isinstance(test, Compare):
        if test.op == "!=" and test.right.type.base == "none":
            return frozenset((test.left,))
        if test.op == "==":
            return _same(test.left, test.right) | _same(test.right, test.left)
    return NOTHING


def when_false(test: Expr) -> frozenset[Expr]:
    """The expressions that are certainly not none where this condition does not hold."""
    if isinstance(test, Bool) and test.op == "or":
        return NOTHING.union(*(when_false(item) for item in test.items))
    if isinstance(test, Not):
        return when_true(test.item)
    if isinstance(test, Compare) and test.op == "==" and test.right.type.base == "none":
        return frozenset((test.left,))
    return NOTHING


def _same(unsure: Expr, sure: Expr) -> frozenset[Expr]:
    return frozenset((unsure,)) if unsure.type.maybe and not sure.type.maybe else NOTHING
