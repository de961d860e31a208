"""Conditions that never or always hold as long as the invariants do.

Why: by its declared range a state may go further than the game ever lets it; an invariant says how far it does go.
Example: `size: 77` and `p.units[red] + p.units[blue] >= size`, where the invariant `all(p.units[q] <= 5 for p in place
for q in player)` keeps it below 11; `while: day <= 4` beside the invariant `day <= 4`.
Invariants are held against the game where it waits, so only conditions of choices and of `while` are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Span
from polis_rules.semantics import ENDLESS, Interval, Known, Ranges, RowRanges, Value, ir, meet
from polis_rules.semantics.expressions import Bool, Comp, Compare, Contains, Everyone, Expr, Load, Var
from polis_rules.validation.analysis import Facts, Flow, Key, Rule, Seen, Subject
from polis_rules.validation.analysis.walking import place
from polis_rules.validation.lints.conditions import Findings

Bounds = dict[Key, tuple[int, ir.Condition]]


def check(subject: Subject) -> None:
    """Report `never-true` and `always-true`."""
    bounds = subject.kept.same(_bounds, _bounds(subject))
    if bounds:
        subject.report(_look, bounds)


def _look(subject: Subject, rule: Rule, bounds: Bounds) -> None:
    if rule.procedure is not None and not bounds.keys().isdisjoint(subject.effects.reads_in(rule.path)):
        within = _Within(subject, rule, bounds)
        Flow(subject.effects, _Held(subject, bounds), within.see).rule(rule)


def _bounds(subject: Subject) -> Bounds:
    """The state that an invariant keeps at or below a number, wherever it is kept."""
    rows, bounds = RowRanges(subject.symbols), Bounds()
    for invariant in subject.rules.invariants:
        for load, most in _at_most(invariant.test, frozenset(), rows):
            key = (load.owner, load.name)
            if most < bounds.get(key, (ENDLESS, invariant))[0]:
                bounds[key] = most, invariant
    return bounds


def _at_most(tree: Expr, over: frozenset[str], rows: Ranges) -> Iterator[tuple[Load, int]]:
    """State that is kept below something for every one of the members that are gone `over`, and the most it may be."""
    match tree:
        case Bool(op="and"):
            for item in tree.items:
                yield from _at_most(item, over, rows)
        case Comp(func="all", domain=Everyone(), test=None):
            yield from _at_most(tree.body, over | {tree.var}, rows)
        case Compare(op="<" | "<=" | "==", left=Load() as load):
            names = [arg.name for arg in load.args if isinstance(arg, Var) and arg.name in over]
            if len(set(names)) == len(load.args) and load.type.base == "int":
                yield load, rows.number(tree.right, {}).high - (tree.op == "<")


class _Held(Ranges):
    """Ranges of state as far as the invariants let it go."""

    def __init__(self, subject: Subject, bounds: Bounds) -> None:
        super().__init__(subject.symbols)
        self.bounds = bounds

    def _of(self, tree: Expr, known: Known) -> Value:
        value = super()._of(tree, known)
        if isinstance(tree, Load) and (tree.owner, tree.name) in self.bounds:
            return meet(value, Interval(-ENDLESS, self.bounds[tree.owner, tree.name][0]))
        return value


class _Within(Findings):
    """Finds what the invariants decide and the declared ranges do not."""

    def __init__(self, subject: Subject, rule: Rule, bounds: Bounds) -> None:
        super().__init__(subject, rule)
        self.bounds = bounds

    def see(self, seen: Seen) -> None:
        if seen.what in ("while", "condition"):
            self.look(seen.tree, seen.facts, place(seen.tree))

    def decided(self, tree: Expr, facts: Facts, around: Span, positive: bool) -> bool:
        plain = facts.plain
        verdict = plain.verdict(tree) if isinstance(tree, (Compare, Contains)) else None
        by = next((self.bounds[key] for key in self.bounds if key in self.subject.effects.reads(tree)), None)
        if verdict is not None and by is not None and self.subject.ranges.verdict(tree, plain.known) is None:
            most, invariant = by
            code, word = ("always-true", "always") if verdict else ("never-true", "never")
            message = f"this {word} holds while `{invariant.label}` does: that is at most {most}"
            related = (("the invariant", invariant.span),)
            self.subject.found.warning(code, message, tree.span or around, related=related, confidence="likely")
        return True

    def report(self, code: str, message: str, at: Span, what: str = "", other: Expr | None = None) -> None:
        """What does not come of invariants is found without them."""
