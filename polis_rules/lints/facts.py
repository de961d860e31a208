"""What conditions that hold say about the values in them, until something changes these."""

from __future__ import annotations

from dataclasses import replace

from polis_rules.expressions.nodes import Arith, Bool, Compare, Const, Contains, Expr, Not, SetOf, Var
from polis_rules.expressions.types import BOOL
from polis_rules.lints.effects import Effects, Key, mentions
from polis_rules.lints.ranges import ENDLESS, Ranges, Value, join, meet
from polis_rules.lints.ranges import Span as Numbers
from polis_rules.source import Span

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
ALLOWS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=", "!=": "<>"}
"""Which of the three orders of two values a comparison allows."""


class Facts:
    """What is known at one place of the rules. Facts are never changed, only extended and forgotten."""

    def __init__(
        self,
        ranges: Ranges,
        effects: Effects,
        known: dict[Expr, Value] | None = None,
        origins: dict[Expr, Span] | None = None,
    ) -> None:
        self.ranges = ranges
        self.effects = effects
        self.known: dict[Expr, Value] = known or {}
        self.origins: dict[Expr, Span] = origins or {}
        """where the condition stands that a fact comes from"""

    def copy(self) -> Facts:
        return Facts(self.ranges, self.effects, dict(self.known), dict(self.origins))

    def verdict(self, tree: Expr) -> bool | None:
        """Whether a condition always or never holds here; None when it may be either."""
        return self.ranges.verdict(tree, self.known)

    def having(self, variable: Expr, value: Value) -> Facts:
        """These facts with a local name that has a new value."""
        found = self.without(str(getattr(variable, "name", "")))
        found.known[variable] = value
        return found

    def without(self, name: str) -> Facts:
        """These facts without those about a local name."""
        return self._keep({fact for fact in self.known if not mentions(fact, name)})

    def forgetting(self, changed: frozenset[Key]) -> Facts:
        """These facts without those that depend on state which may have changed."""
        if not changed:
            return self
        return self._keep({fact for fact in self.known if not self.effects.reads(fact) & changed})

    def plain(self) -> Facts:
        """Only what local names are by what they were chosen from, without what conditions say."""
        return self._keep({fact for fact in self.known if fact not in self.origins})

    def _keep(self, kept: set[Expr]) -> Facts:
        known = {fact: value for fact, value in self.known.items() if fact in kept}
        origins = {fact: place for fact, place in self.origins.items() if fact in kept}
        return Facts(self.ranges, self.effects, known, origins)

    # -- conditions that hold ---------------------------------------------------------------------------------------

    def assuming(self, tree: Expr, truth: bool, at: Span) -> Facts:
        """These facts and what follows from a condition that holds, or from one that does not."""
        found = self.copy()
        found._assume(tree, truth, at)
        return found

    def _assume(self, tree: Expr, truth: bool, at: Span) -> None:
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
                self._note(tree, Numbers(int(truth), int(truth)), at)
                if truth and isinstance(tree, Contains):
                    self._inside(tree, at)

    def _junction(self, tree: Bool, truth: bool, at: Span) -> None:
        if (tree.op == "and") is truth:
            for item in tree.items:
                self._assume(item, truth, at)
            return
        self._note(tree, Numbers(int(truth), int(truth)), at)
        open_items = [item for item in tree.items if self.verdict(item) is not (not truth)]
        if len(open_items) == 1:
            self._assume(open_items[0], truth, at)

    def _inside(self, tree: Contains, at: Span) -> None:
        """A member of a set is one of those that may be in it, and not none."""
        members = self.ranges.of_type(tree.item.type.sure())
        if isinstance(tree.group, SetOf):
            members = meet(members, join(*(self.ranges.of(item, self.known) for item in tree.group.items)))
        self._narrow(tree.item, members, at)

    def _compare(self, tree: Compare, truth: bool, at: Span) -> None:
        op = tree.op if truth else OPPOSITE[tree.op]
        self._order(tree.left, tree.right, ALLOWS[op], at)
        left, right = (self.ranges.of(side, self.known) for side in (tree.left, tree.right))
        if op == "==":
            self._narrow(tree.left, right, at)
            self._narrow(tree.right, left, at)
        elif op == "!=":
            self._exclude(tree.left, left, right, at)
            self._exclude(tree.right, right, left, at)
        elif isinstance(left, Numbers) and isinstance(right, Numbers):
            lower, upper, low, high = tree.left, tree.right, left, right
            if op in (">", ">="):
                lower, upper, low, high = upper, lower, high, low
            gap = 0 if "=" in op else 1
            self._narrow(lower, Numbers(-ENDLESS, high.high - gap), at)
            self._narrow(upper, Numbers(low.low + gap, ENDLESS), at)

    def _exclude(self, tree: Expr, mine: Value, other: Value, at: Span) -> None:
        """A value that is not another one, where that is a single one."""
        if isinstance(mine, frozenset) and isinstance(other, frozenset) and len(other) == 1:
            self._narrow(tree, mine - other, at)
        elif isinstance(mine, Numbers) and isinstance(other, Numbers) and other.low == other.high:
            low, high = mine.low + (mine.low == other.low), mine.high - (mine.high == other.low)
            self._narrow(tree, Numbers(low, high), at)

    def _narrow(self, tree: Expr, value: Value, at: Span) -> None:
        if isinstance(tree, Const) or value is None:
            return
        now = self.ranges.of(tree, self.known)
        if meet(now, value) != now:
            self._note(tree, meet(now, value), at)
            if isinstance(tree, Arith) and isinstance(tree.right, Const) and isinstance(value, Numbers):
                self._unshift(tree, tree.right.value, value, at)

    def _unshift(self, tree: Arith, by: int, value: Numbers, at: Span) -> None:
        if tree.op in ("+", "-"):
            by = by if tree.op == "+" else -by
            self._narrow(tree.left, Numbers(value.low - by, value.high - by), at)

    def _order(self, left: Expr, right: Expr, allowed: str, at: Span) -> None:
        """Note which comparisons of two values hold, given which of the three orders are left."""
        left_over = "".join(
            order for order in allowed if self.known.get(_plain(_OF[order], left, right)) != Numbers(0, 0)
        )
        if not left_over:
            return
        for op, fits in ALLOWS.items():
            truth = None
            if set(left_over) <= set(fits):
                truth = 1
            elif not set(left_over) & set(fits):
                truth = 0
            if truth is not None:
                self._note(_plain(op, left, right), Numbers(truth, truth), at)
                self._note(_plain(TURNED[op], right, left), Numbers(truth, truth), at)

    def _note(self, tree: Expr, value: Value, at: Span) -> None:
        self.known[tree] = value
        self.origins.setdefault(tree, at)

    def origin(self, tree: Expr) -> Span | None:
        """Where the condition stands that decides another one."""
        for part in tree.walk():
            if isinstance(part, Compare):
                part = replace(part, left_text="", right_text="")
            if part in self.origins:
                return self.origins[part]
        return None


_OF = {"<": "<", "=": "==", ">": ">"}


def _plain(op: str, left: Expr, right: Expr) -> Compare:
    """A comparison without its texts, which do not matter for what it says."""
    return Compare(BOOL, op, left, right, "", "")
