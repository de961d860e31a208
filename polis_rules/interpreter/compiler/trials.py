"""State that may be outside of its range while a choice is tried out."""

from __future__ import annotations

from polis_rules.semantics import TypedRules, called_by, every_step, ir, reached


def changed_by_trials(rules: TypedRules) -> set[tuple[str, str]]:
    """The state that the steps of a choice with `leaving` change other than by paying.

    What is paid is there before, and what is gained or lost stops at the ends of a range.
    """
    every = (step for each in rules.procedures.values() for step in every_step(each.body))
    tried = [inner for step in every if isinstance(step, ir.Choose) and step.leaving for inner in every_step(step.do)]
    inside = {path: every_step(procedure.body) for path, procedure in rules.procedures.items()}
    calls = {
        path: [name for step in steps for name in called_by(step, rules.symbols)] for path, steps in inside.items()
    }
    entered = reached(calls, [name for step in tried for name in called_by(step, rules.symbols)])
    changed: set[tuple[str, str]] = set()
    for step in [*tried, *(step for path in entered for step in inside[path])]:
        if not isinstance(step, ir.Amount):
            changed.update((load.owner, load.name) for load in step.targets())
    return changed
