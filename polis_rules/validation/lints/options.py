"""Choices of a number that may have nothing to choose from, where that is an error in play.

Why: a choice without an option stops the game.
Example: `from: 1..you.coins` of coins that may be 0.
What can be proved is reported as a warning; what only looks so, as a note.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import BOOL, Compare, Const, Expr, Load
from polis_rules.validation.analysis import Facts, Flow, Subject, walking


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `no-option`."""
    _Numbers(subject, diagnostics).run()


class _Numbers(Flow):
    """Choices of a number whose range may be empty."""

    def __init__(self, subject: Subject, diagnostics: Diagnostics) -> None:
        super().__init__(subject)
        self.diagnostics = diagnostics
        steps = walking.steps(subject.rules)
        self.loops = {id(step.body[0]) for step in steps if isinstance(step, ir.Choices) and step.body}

    def choose(self, step: ir.Choose, facts: Facts) -> Facts:
        free = step.if_possible or step.ways or id(step) in self.loops
        if step.low is not None and step.high is not None and not free:
            self.look(step.low, step.high, facts)
        return super().choose(step, facts)

    def look(self, low: Expr, high: Expr, facts: Facts) -> None:
        some = facts.verdict(Compare(BOOL, "<=", low, high, "", ""))
        at = walking.place(low).to(walking.place(high))
        if some is False:
            self.diagnostics.warning("no-option", "this range is always empty, so there is no option", at)
        elif some is None and isinstance(low, Const) and isinstance(high, Load) and self.least(high) < low.value:
            message = f"there is no option while `{high.name}` is below {low.value}"
            hint = "ask for enough before, or add `if_possible: true`"
            self.diagnostics.note("no-option", message, at, hint, confidence="possible")

    def least(self, tree: Expr) -> int:
        return self.subject.ranges.number(tree, {}).low
