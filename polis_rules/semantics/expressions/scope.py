"""What is known at one place of a ruleset: local names with their types, what is not none, which comparisons hold."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from polis_rules.semantics.expressions import nodes as n
from polis_rules.semantics.expressions.nodes import Expr, number
from polis_rules.semantics.expressions.types import BOOL, INT, Type

MOST_PLACES = 8
"""Of how many places of a list it is noted that a member is there."""


@dataclass(frozen=True)
class Scope:
    """Local names and facts. Scopes are never changed, only extended.

    >>> from polis_rules.semantics.expressions.types import INT
    >>> sorted(Scope().having(x=INT).names)
    ['x']
    """

    names: dict[str, Type] = field(default_factory=dict)
    facts: frozenset[Expr] = frozenset()
    """what is not none, and the comparisons of numbers that hold"""
    base: Expr | None = None
    """inside a modifier: the value without it"""
    unclear: bool = False
    """a condition that should hold here is wrong, so what it would say of none is not known"""
    memory: dict[str, str] = field(default_factory=dict)
    """local names of what the rule remembers, with what the symbols call that"""
    lapsed: frozenset[str] = frozenset()
    """names of numbers that were chosen only perhaps, so that they mean nothing after the choice"""
    joint: frozenset[tuple[str, n.Var]] = frozenset()
    """names with what was chosen together with them: if one is not none, nor are the others"""

    def having(self, **names: Type) -> Scope:
        """This scope with more local names."""
        return replace(self, names={**self.names, **names})

    def knowing(self, facts: frozenset[Expr]) -> Scope:
        """This scope with more facts."""
        names = {fact.name for fact in facts if isinstance(fact, n.Var)}
        others = {other for name, other in self.joint if name in names}
        return replace(self, facts=self.facts | facts | others) if facts else self

    def after(self, test: Expr | None, truth: bool = True) -> Scope:
        """This scope where a condition holds, or where it does not; None is one that is wrong."""
        if test is None:
            return replace(self, unclear=True)
        return self.knowing(established(test, truth))

    def counting(self, name: str, low: Expr, high: Expr | None = None) -> Scope:
        """This scope, in which a local name is of a number that is at least, and perhaps at most, so much."""
        ends = ((">=", low), ("<=", high))
        return self.knowing(
            frozenset(n.Compare(BOOL, op, n.Var(INT, name), end) for op, end in ends if end is not None)
        )

    def forgetting(self, changed: frozenset[str], owner: str | None = None, but_of: str = "") -> Scope:
        """This scope without what was known of state that may have changed, given by its names, or of one owner's.

        What is known of the state of a local name itself, `but_of`, stays known.
        """
        if not changed or not self.facts:
            return self
        kept = frozenset(fact for fact in self.facts if not _depends(fact, changed, owner, but_of))
        return replace(self, facts=kept)

    def anew(self, name: str, kind: Type) -> Scope:
        """This scope with a local name that means something new."""
        kept = frozenset(fact for fact in self.facts if not _mentions(fact, name))
        memory = {each: path for each, path in self.memory.items() if each != name}
        joint = frozenset((each, other) for each, other in self.joint if name not in (each, other.name))
        return replace(self, names={**self.names, name: kind}, facts=kept, memory=memory, joint=joint)

    def remembering(self, name: str, path: str) -> Scope:
        """This scope, in which a local name is that of something the rule remembers."""
        return replace(self, memory={**self.memory, name: path})


NOTHING: frozenset[Expr] = frozenset()


def _mentions(fact: Expr, name: str) -> bool:
    return any(isinstance(part, n.Var) and part.name == name for part in fact.walk())


HIDDEN = (n.Call, n.Formula, n.Possible, n.RouteQuestion)
"""What depends on state that it does not show."""


def _depends(fact: Expr, changed: frozenset[str], owner: str | None, but_of: str) -> bool:
    parts = list(fact.walk())
    loads = (part for part in parts if isinstance(part, n.Load) and not _is_of(part, but_of))
    return any(isinstance(part, HIDDEN) for part in parts) or any(
        (load.name in changed or load.name.rpartition(".")[2] in changed) and owner in (None, load.owner)
        for load in loads
    )


def _is_of(load: n.Load, name: str) -> bool:
    """Whether state is that of what a local name stands for."""
    return bool(load.args) and isinstance(load.args[0], n.Var) and load.args[0].name == name


def established(test: Expr, truth: bool) -> frozenset[Expr]:
    """The facts where this condition holds, or where it does not: what is not none, and comparisons of numbers."""
    match test:
        case n.Not():
            return established(test.item, not truth)
        case n.Bool():
            parts = [established(item, truth) for item in test.items]
            if (test.op == "and") == truth:
                return NOTHING.union(*parts)
            return frozenset.intersection(*parts) if truth else NOTHING
        case n.Contains() if truth and test.item.type.maybe:
            return frozenset((test.item,))
        case n.Compare():
            op = test.op if truth else n.OPPOSITE[test.op]
            if test.left.type == INT:
                return _filled(replace(test, op=op)) | {n.Compare(BOOL, op, test.left, test.right)}
            if op == "!=" and test.right.type.base == "none":
                return frozenset((test.left,))
            same = truth and op == "=="
            alike = _same(test.left, test.right) | _same(test.right, test.left) if same else NOTHING
            return alike | _filled(replace(test, op=op))
    return NOTHING


def _filled(test: n.Compare) -> frozenset[Expr]:
    """The places of a list at which there is a member where a comparison of its length, or with `[]`, holds."""
    group, op, other = test.left, test.op, test.right
    if isinstance(group, (n.Const, n.ListOf)):
        group, op, other = other, n.TURNED[op], group
    if group.type.base == "list" and isinstance(other, n.ListOf) and not other.items and op == "!=":
        return _places(group, 1)
    if not isinstance(group, n.Size) or group.group.type.base != "list" or not isinstance(other, n.Const):
        return NOTHING
    least = {">": other.value + 1, ">=": other.value, "==": other.value, "!=": 1 if other.value == 0 else 0}
    return _places(group.group, least.get(op, 0))


def _places(group: Expr, least: int) -> frozenset[Expr]:
    """The first and the last places of a list that has at least so many members."""
    places = range(min(least, MOST_PLACES))
    kind = Type("ref", group.type.kind, True)
    return frozenset(n.Item(kind, group, number(at)) for place in places for at in (place, -1 - place))


def _same(unsure: Expr, sure: Expr) -> frozenset[Expr]:
    return frozenset((unsure,)) if unsure.type.maybe and not sure.type.maybe else NOTHING
