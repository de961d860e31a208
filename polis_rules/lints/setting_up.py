"""A set-up that breaks what must always hold.

Why: an invariant that the scenario breaks stops the first game at its first decision.
Example: `no_crowd: all(p.units <= 3 for p in place)` and a scenario that puts 5 units in one place.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics, RuleError
from polis_rules.interpreter.evaluate import Evaluator
from polis_rules.interpreter.first import first_state
from polis_rules.interpreter.layout import lay_out
from polis_rules.lints.subject import Subject


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `broken-invariant`. A phase before the first decision might still mend it, so this is only likely."""
    rules = subject.rules
    layout = lay_out(rules.symbols)
    try:
        state = list(first_state(rules, layout))
    except RuleError:  # which is reported by whoever builds the first state
        return
    evaluator = Evaluator(rules, layout)
    for invariant in rules.invariants:
        if not evaluator.holds(invariant.test, state, {}):
            message = f"`{invariant.label}` does not hold in the set-up"
            related = (("the scenario", subject.document.scenario.scenario.span),)
            diagnostics.warning("broken-invariant", message, invariant.span, related=related, confidence="likely")
