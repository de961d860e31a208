"""State that may be outside of its range while a choice is tried out."""

from __future__ import annotations

from polis_rules.semantics import TypedRules, called_by, every_step, ir
from polis_rules.semantics.expressions import Load


def changed_by_trials(rules: TypedRules) -> set[tuple[str, str]]:
    """The state that the steps of a choice with `leaving` move or set.

    What is paid is there before, and what is gained or lost stops at the ends of a range.
    """
    every = (step for each in rules.procedures.values() for step in every_step(each.body))
    waiting = [inner for step in every if isinstance(step, ir.Choose) and step.leaving for inner in every_step(step.do)]
    found: set[tuple[str, str]] = set()
    entered: set[str] = set()
    while waiting:
        step = waiting.pop()
        targets: tuple[Load, ...] = ()
        if isinstance(step, ir.Move):
            targets = (step.source, step.target)
        elif isinstance(step, ir.Set):
            targets = (step.target,)
        found |= {(target.owner, target.name) for target in targets}
        for path in {*called_by(step, rules.symbols)} - entered:
            entered.add(path)
            waiting += every_step(rules.procedures[path].body)
    return found
