"""A set-up that breaks what must always hold.

Why: an invariant that the scenario breaks stops the first game at its first decision.
Example: `no_crowd: all(p.units <= 3 for p in place)` and a scenario that puts 5 units in one place.
"""

from __future__ import annotations

from polis_rules.interpreter.evaluator import Evaluator
from polis_rules.validation.analysis import Subject


def check(subject: Subject) -> None:
    """Report `broken-invariant`. A phase before the first decision might still mend it."""
    related = (("the scenario", subject.document.scenario.scenario.span),)
    evaluator = Evaluator(subject.rules, subject.layout)
    for invariant in subject.rules.invariants:
        if not evaluator.holds(invariant.test, list(subject.first), {}):
            message = f"`{invariant.label}` does not hold in the set-up"
            subject.found.warning("broken-invariant", message, invariant.span, related=related, confidence="likely")
