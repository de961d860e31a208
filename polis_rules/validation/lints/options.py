"""Choices of a number that may have nothing to choose from, where that is an error in play.

Why: a choice without an option stops the game.
Example: `from: 1..you.coins` of coins that may be 0.
What can be proved is reported as a warning; what only looks so, as a note.
"""

from __future__ import annotations

from polis_rules.semantics import ir
from polis_rules.semantics.expressions import BOOL, Compare, Const, Load
from polis_rules.validation.analysis import Rule, Subject, walking


def check(subject: Subject) -> None:
    """Report `no-option`."""
    subject.report(_look)


def _look(subject: Subject, rule: Rule) -> None:
    for seen in subject.seen(rule):
        step = seen.step
        if not isinstance(step, ir.Choose) or seen.tree is not step.low or step.high is None:
            continue
        low, high, at = step.low, step.high, walking.place(step.low).to(walking.place(step.high))
        some = seen.facts.verdict(Compare(BOOL, "<=", low, high))
        if some or step.if_possible or step.ways or any(step is each for each in rule.repeated):
            continue
        if some is False:
            subject.found.warning("no-option", "this range is always empty, so there is no option", at)
        elif isinstance(low, Const) and isinstance(high, Load) and subject.ranges.number(high, {}).low < low.value:
            message = f"there is no option while `{high.name}` is below {low.value}"
            hint = "ask for enough before, or add `if_possible: true`"
            subject.found.warning("no-option", message, at, hint, confidence="possible", severity="note")
