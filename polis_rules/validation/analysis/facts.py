"""What conditions that hold say about the values in them, until something changes these."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from polis_rules.semantics import ALLOWS, ENDLESS, Fact, Interval, Ranges, Value, join, meet, order_of, orders_of
from polis_rules.semantics.expressions import Expr, nodes as n
from polis_rules.validation.analysis.effects import Depends, Effects, Key


class Facts:
    """What is known at one place of the rules. Facts are never changed, only extended and forgotten."""

    def __init__(self, ranges: Ranges, effects: Effects, known: dict[Expr, Fact] | None = None) -> None:
        self.ranges = ranges
        self.effects = effects
        self.known: dict[Expr, Fact] = known or {}

    def verdict(self, tree: Expr) -> bool | None:
        """Whether a condition always or never holds here; None when it may be either."""
        return self.ranges.verdict(tree, self.known)

    def having(self, variable: n.Var, value: Value) -> Facts:
        """These facts with a local name that has a new value."""
        fact = Fact(value, frozenset(), frozenset((variable.name,)))
        return self._with({**self.without(variable.name).known, variable: fact})

    def without(self, *names: str) -> Facts:
        """These facts without those about some local names."""
        return self._without([tree for tree, fact in self.known.items() if not fact.names.isdisjoint(names)])

    def forgetting(self, changed: frozenset[Key]) -> Facts:
        """These facts without those that depend on state which may have changed."""
        return self._without([tree for tree, fact in self.known.items() if fact.reads & changed]) if changed else self

    @cached_property
    def plain(self) -> Facts:
        """Only what local names are by what they were chosen from, without what conditions say."""
        return self._without([tree for tree, fact in self.known.items() if fact.origin is not None])

    def _without(self, dropped: list[Expr]) -> Facts:
        if not dropped:
            return self
        known = dict(self.known)
        for tree in dropped:
            del known[tree]
        return self._with(known)

    def _with(self, known: dict[Expr, Fact]) -> Facts:
        return Facts(self.ranges, self.effects, known)

    def parts(self, tree: Expr) -> Iterator[tuple[Expr, Facts]]:
        """The parts of an expression, each with what is known where it is asked."""
        match tree:
            case n.Bool():
                facts = self
                for item in tree.items:
                    yield item, facts
                    facts = facts.assuming(item, tree.op == "and")
            case n.IfElse():
                yield tree.test, self
                yield tree.then, self.assuming(tree.test, True)
                yield tree.other, self.assuming(tree.test, False)
            case n.Comp():
                inner = self.having(*self.ranges.inside(tree, self.known))
                yield tree.domain, self
                if tree.test is not None:
                    yield tree.test, inner
                    inner = inner.assuming(tree.test, True) if tree.func != "walk" else inner
                yield tree.body, inner
            case _:
                yield from ((child, self) for child in tree.children())

    # -- conditions that hold ---------------------------------------------------------------------------------------

    def assuming(self, tree: Expr, truth: bool) -> Facts:
        """These facts and what follows from a condition that holds, or from one that does not.

        A condition that contradicts them adds nothing: one contradiction is enough.
        """
        if self.verdict(tree) is (not truth):
            return self
        facts = self._with(dict(self.known))
        facts._assume(tree, truth, tree)
        return facts

    def _assume(self, tree: Expr, truth: bool, at: Expr) -> None:
        match tree:
            case n.Not():
                self._assume(tree.item, not truth, at)
            case n.Bool():
                self._junction(tree, truth, at)
            case n.Compare():
                self._compare(tree, truth, at)
            case n.Const():
                pass
            case _:
                self._note(tree, Interval(int(truth), int(truth)), at)
                if truth and isinstance(tree, n.Contains):
                    self._inside(tree, at)

    def _junction(self, tree: n.Bool, truth: bool, at: Expr) -> None:
        if (tree.op == "and") is truth:
            for item in tree.items:
                if self.verdict(item) is not (not truth):
                    self._assume(item, truth, at)
            return
        self._note(tree, Interval(int(truth), int(truth)), at)
        open_items = [item for item in tree.items if self.verdict(item) is not (not truth)]
        if len(open_items) == 1:
            self._assume(open_items[0], truth, at)

    def _inside(self, tree: n.Contains, at: Expr) -> None:
        """A member of a set is one of those that may be in it, and not none."""
        members = self.ranges.of_type(tree.item.type.sure())
        if isinstance(tree.group, n.SetOf):
            members = meet(members, join(*(self.ranges.of(item, self.known) for item in tree.group.items)))
        self._narrow(tree.item, members, at)

    def _compare(self, tree: n.Compare, truth: bool, at: Expr) -> None:
        op = tree.op if truth else n.OPPOSITE[tree.op]
        self._order(tree, op, at)
        left, right = (self.ranges.of(side, self.known) for side in (tree.left, tree.right))
        if op == "==":
            self._narrow(tree.left, right, at)
            self._narrow(tree.right, left, at)
        elif op == "!=":
            self._exclude(tree.left, left, right, at)
            self._exclude(tree.right, right, left, at)
        elif isinstance(left, Interval) and isinstance(right, Interval):
            lower, upper, low, high = tree.left, tree.right, left, right
            if op in (">", ">="):
                lower, upper, low, high = upper, lower, high, low
            gap = 0 if "=" in op else 1
            self._narrow(lower, Interval(-ENDLESS, high.high - gap), at)
            self._narrow(upper, Interval(low.low + gap, ENDLESS), at)

    def _exclude(self, tree: Expr, mine: Value, other: Value, at: Expr) -> None:
        """A value that is not another one, where that is a single one."""
        if isinstance(mine, frozenset) and isinstance(other, frozenset) and len(other) == 1:
            self._narrow(tree, mine - other, at)
        elif isinstance(mine, Interval) and isinstance(other, Interval) and other.low == other.high:
            low, high = mine.low + (mine.low == other.low), mine.high - (mine.high == other.low)
            self._narrow(tree, Interval(low, high), at)

    def _narrow(self, tree: Expr, value: Value, at: Expr) -> None:
        if isinstance(tree, n.Const) or value is None:
            return
        now = self.ranges.of(tree, self.known)
        if meet(now, value) != now:
            self._note(tree, meet(now, value), at)
            match tree, value:
                case n.Arith(op="+" | "-" as op, left=left, right=n.Const(value=by)), Interval(low, high):
                    by = by if op == "+" else -by
                    self._narrow(left, Interval(low - by, high - by), at)

    def _order(self, tree: n.Compare, op: str, at: Expr) -> None:
        """Note in which orders the two sides may be."""
        orders = orders_of(tree.left, tree.right, self.known) & ALLOWS[op]
        if orders:
            (reads, names), (more, others) = self.effects.depends(tree.left), self.effects.depends(tree.right)
            self._put(order_of(tree.left, tree.right), orders, (reads | more, names | others), at)

    def _note(self, tree: Expr, value: Value, at: Expr) -> None:
        self._put(tree, value, self.effects.depends(tree), at)

    def _put(self, tree: Expr, value: Value, depends: Depends, at: Expr) -> None:
        before = self.known.get(tree)
        origin = before.origin if before is not None else None
        self.known[tree] = Fact(value, *depends, origin or at)

    def origin(self, tree: Expr) -> Expr | None:
        """The condition that decides another one."""
        for part in tree.walk():
            keys = [part]
            if isinstance(part, n.Compare):
                keys = [order_of(part.left, part.right), order_of(part.right, part.left)]
            for key in keys:
                fact = self.known.get(key)
                if fact is not None and fact.origin is not None:
                    return fact.origin
        return None
