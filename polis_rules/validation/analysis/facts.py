"""What conditions that hold say about the values in them, until something changes these."""

from __future__ import annotations

from polis_rules.semantics import ALLOWS, ENDLESS, Fact, Interval, Ranges, Value, join, meet, order_of, orders_of
from polis_rules.semantics.expressions import Arith, Bool, Comp, Compare, Const, Contains, Expr, Not, SetOf, Var
from polis_rules.validation.analysis.effects import Depends, Effects, Key

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


class Facts:
    """What is known at one place of the rules. Facts are never changed, only extended and forgotten."""

    def __init__(self, ranges: Ranges, effects: Effects, known: dict[Expr, Fact] | None = None) -> None:
        self.ranges = ranges
        self.effects = effects
        self.known: dict[Expr, Fact] = known or {}

    def verdict(self, tree: Expr) -> bool | None:
        """Whether a condition always or never holds here; None when it may be either."""
        return self.ranges.verdict(tree, self.known)

    def having(self, variable: Var, value: Value) -> Facts:
        """These facts with a local name that has a new value."""
        names = frozenset((variable.name,))
        known = {**self.without(variable.name).known, variable: Fact(value, frozenset(), names)}
        return Facts(self.ranges, self.effects, known)

    def inside(self, loop: Comp) -> Facts:
        """These facts and the name of a loop inside an expression."""
        return self.having(*self.ranges.inside(loop, self.known))

    def without(self, name: str) -> Facts:
        """These facts without those about a local name."""
        return self._without([tree for tree, fact in self.known.items() if name in fact.names])

    def forgetting(self, changed: frozenset[Key]) -> Facts:
        """These facts without those that depend on state which may have changed."""
        return self._without([tree for tree, fact in self.known.items() if fact.reads & changed]) if changed else self

    def _without(self, dropped: list[Expr]) -> Facts:
        known = dict(self.known) if dropped else self.known
        for tree in dropped:
            del known[tree]
        return Facts(self.ranges, self.effects, known)

    def plain(self) -> Facts:
        """Only what local names are by what they were chosen from, without what conditions say."""
        known = {tree: fact for tree, fact in self.known.items() if fact.origin is None}
        return Facts(self.ranges, self.effects, known)

    # -- conditions that hold ---------------------------------------------------------------------------------------

    def assuming(self, tree: Expr, truth: bool) -> Facts:
        """These facts and what follows from a condition that holds, or from one that does not.

        A condition that contradicts them adds nothing: one contradiction is enough.
        """
        if self.verdict(tree) is (not truth):
            return self
        found = Facts(self.ranges, self.effects, dict(self.known))
        found._assume(tree, truth, tree)
        return found

    def _assume(self, tree: Expr, truth: bool, at: Expr) -> None:
        match tree:
            case Not():
                self._assume(tree.item, not truth, at)
            case Bool():
                self._junction(tree, truth, at)
            case Compare():
                self._compare(tree, truth, at)
            case Const():
                pass
            case _:
                self._note(tree, Interval(int(truth), int(truth)), at)
                if truth and isinstance(tree, Contains):
                    self._inside(tree, at)

    def _junction(self, tree: Bool, truth: bool, at: Expr) -> None:
        if (tree.op == "and") is truth:
            for item in tree.items:
                if self.verdict(item) is not (not truth):
                    self._assume(item, truth, at)
            return
        self._note(tree, Interval(int(truth), int(truth)), at)
        open_items = [item for item in tree.items if self.verdict(item) is not (not truth)]
        if len(open_items) == 1:
            self._assume(open_items[0], truth, at)

    def _inside(self, tree: Contains, at: Expr) -> None:
        """A member of a set is one of those that may be in it, and not none."""
        members = self.ranges.of_type(tree.item.type.sure())
        if isinstance(tree.group, SetOf):
            members = meet(members, join(*(self.ranges.of(item, self.known) for item in tree.group.items)))
        self._narrow(tree.item, members, at)

    def _compare(self, tree: Compare, truth: bool, at: Expr) -> None:
        op = tree.op if truth else OPPOSITE[tree.op]
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
        if isinstance(tree, Const) or value is None:
            return
        now = self.ranges.of(tree, self.known)
        if meet(now, value) != now:
            self._note(tree, meet(now, value), at)
            if isinstance(tree, Arith) and isinstance(tree.right, Const) and isinstance(value, Interval):
                self._unshift(tree, tree.right.value, value, at)

    def _unshift(self, tree: Arith, by: int, value: Interval, at: Expr) -> None:
        if tree.op in ("+", "-"):
            by = by if tree.op == "+" else -by
            self._narrow(tree.left, Interval(value.low - by, value.high - by), at)

    def _order(self, tree: Compare, op: str, at: Expr) -> None:
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
            if isinstance(part, Compare):
                keys = [order_of(part.left, part.right), order_of(part.right, part.left)]
            for key in keys:
                fact = self.known.get(key)
                if fact is not None and fact.origin is not None:
                    return fact.origin
        return None
