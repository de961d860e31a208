"""Conditions that can never hold, that always hold, or that contradict what must hold beside or before them.

Why: such a condition forbids everything or nothing, so it does not say what its author meant.
Example: `you.coins > 3` beside `you.coins < 2`; `lap > 20` where laps are 0..20; `x == x`; `2 if x == 2 else x`.
What holds by the declared ranges alone counts; a term that only says 0, true, false or none is a switch for cards,
editions and variants, and proves nothing.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostic, Span
from polis_rules.semantics import ENDLESS, Interval, every_variable, ir
from polis_rules.semantics.expressions import Bool, Comp, Compare, Contains, Expr, IfElse, Not
from polis_rules.validation.analysis import Facts, Rule, Seen, Subject
from polis_rules.validation.analysis.walking import place


def check(subject: Subject) -> None:
    """Report `never-true`, `always-true`, `contradiction`, `said-twice` and `same-branches`."""
    first: dict[Span | None, Diagnostic] = {}
    for each in subject.found_by(_look):  # one text may be several rules
        first.setdefault(each.span, each)
    subject.found.items += first.values()


def _look(subject: Subject, rule: Rule) -> None:
    findings = Findings(subject, rule)
    for seen in subject.seen(rule):
        findings.see(seen)


class Findings:
    """Looks at every condition on the way through a rule."""

    def __init__(self, subject: Subject, rule: Rule) -> None:
        self.subject = subject
        self.rule = rule
        texts = (variable.first for variable in every_variable(subject.symbols))
        self.many = [text.span for text in texts if text is not None]
        """the places of what is asked of one index at a time wherever something is paid"""
        self.said: set[Span] = set()

    def see(self, seen: Seen) -> None:
        if seen.what in ("cost", "title", "invariant"):  # an invariant says what is hoped for, known already or not
            return
        if seen.what == "condition":
            self.repeated(seen)
        facts = seen.facts if seen.what in ("condition", "test", "while") else seen.facts.plain
        for tree in seen.tree.children() if seen.what == "place" else (seen.tree,):
            self.look(tree, facts, place(seen.tree))

    def repeated(self, seen: Seen) -> None:
        """Two labels of one list with one condition."""
        origin = seen.facts.origin(seen.tree)
        if origin is not None and origin == seen.tree and _beside(self.rule, seen, origin.span):
            self.report("said-twice", "this condition is repeated", place(seen.tree), "there", origin)

    def look(self, tree: Expr, facts: Facts, around: Span, positive: bool = True) -> None:
        """Look for the smallest part of an expression that always or never holds; `around` is the whole of it."""
        if tree.span is not None and not around.holds(tree.span):  # what a row in force makes of a term
            if any(each.holds(tree.span) for each in self.many):
                return
            facts, around = facts.plain, tree.span
        parts = facts.parts(tree)
        match tree:
            case Bool():
                for number, item in enumerate(tree.items):
                    if item in tree.items[:number]:
                        self.report("said-twice", "this condition is repeated", item.span or around)
            case Not():
                positive = not positive
            case IfElse(span=None):  # made by the compiler, of a term and a row that changes it
                parts = iter(((tree.then, facts), (tree.other, facts)))
            case IfElse() if tree.then == tree.other or _same_by_test(tree):
                message = "the value is the same whether the condition holds or not"
                self.report("same-branches", message, tree.span or around)
            case IfElse() | Comp():
                pass
            case _ if self.decided(tree, facts, around, positive):
                return
        for part, known in parts:
            self.look(part, known, around, positive if isinstance(tree, (Bool, Not)) else True)

    def decided(self, tree: Expr, facts: Facts, around: Span, positive: bool) -> bool:
        """Whether a condition without others side by side in it is decided by what is known; then it is reported."""
        plain = facts.plain
        at = tree.span or around
        asked = isinstance(tree, (Compare, Contains))
        verdict = plain.verdict(tree) if asked else None
        if verdict is not None:
            code = "always-true" if verdict else "never-true"
            words = "this always holds" if verdict else "this never holds"
            self.report(code, f"{words}{_because(tree, plain)}", at)
            return True
        known = asked or tree in facts.known
        if known and tree.type.base == "bool" and facts.verdict(tree) is (not positive):
            origin = facts.origin(tree)
            if origin is not None and origin is not tree:
                what = "what stands beside it" if around.holds(place(origin)) else "what holds here"
                message = f"this condition and {self.called(place(origin))} cannot both hold"
                self.report("contradiction", message, at, what, origin)
            return True
        return False

    def called(self, at: Span) -> str:
        """The label of the condition at a place, if it has one."""
        lists = (self.rule.conditions, *(each for step in self.rule.steps for each in _lists(step)))
        labels = (each.label for conditions in lists for each in conditions if at.holds(place(each.test)))
        return next((f"`{label}`" for label in labels), "an earlier one")

    def report(self, code: str, message: str, at: Span, what: str = "", other: Expr | None = None) -> None:
        if at not in self.said:
            self.said.add(at)
            related = ((what, place(other)),) if other is not None else ()
            self.subject.found.warning(code, message, at, related=related)


def _lists(step: ir.Step | None) -> list[tuple[ir.Condition, ...]]:
    """The lists of conditions of a choice or a draw."""
    if isinstance(step, ir.Choose):
        return [step.tests, step.leaving, *(way.conditions for way in step.ways)]
    return [step.conditions] if isinstance(step, ir.Draw) else []


def _beside(rule: Rule, seen: Seen, at: Span | None) -> bool:
    """Whether a place is one of the conditions in the same list."""
    lists = _lists(seen.step) or [rule.conditions]
    return any({at, seen.tree.span} <= {each.test.span for each in conditions} for conditions in lists)


def _same_by_test(tree: IfElse) -> bool:
    """Whether it says `2 if x == 2 else x`, which is x in any case."""
    test = tree.test
    if not isinstance(test, Compare) or test.op not in ("==", "!="):
        return False
    same, other = (tree.then, tree.other) if test.op == "==" else (tree.other, tree.then)
    return (same, other) in ((test.left, test.right), (test.right, test.left))


def _because(tree: Expr, facts: Facts) -> str:
    """The range of the left side, where that is the reason."""
    if not isinstance(tree, Compare):
        return ""
    if tree.left == tree.right:
        return ": both sides are the same"
    for side, text in ((tree.left, tree.left_text), (tree.right, tree.right_text)):
        value = facts.ranges.of(side, facts.known)
        if isinstance(value, Interval) and -ENDLESS < value.low < value.high < ENDLESS:
            return f": {text} is {value.low}..{value.high}"
    return ""
