"""State that is changed and never asked for, or asked for and never changed.

Why: a value that is granted and never read has no effect; one that is read and never changes is no state.
Example: `set: {you.tired: true}`, and no condition ever says `.tired`.
Pieces that a supply counts are read by it, and a value that the scenario gives may stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from polis_rules.composition import Composed
from polis_rules.diagnostics import Diagnostics, Related
from polis_rules.semantics import Variable, every_variable, ir
from polis_rules.semantics.expressions import Const
from polis_rules.source import entries_at, read_file
from polis_rules.validation.analysis import Key, Rule, Subject, keys, walking


def check(subject: Subject) -> None:
    """Report `unused-state`, `never-read` and `never-written`."""
    every = every_variable(subject.symbols)
    reads = _reads(subject).union(("", name) for each in every for name in each.begun.values())
    started = {(start.owner, start.name) for start in subject.rules.starts}
    started |= keys(each for supply in subject.rules.supplies for each in supply.reserve)
    for variable in every:
        key = (variable.owner, variable.name)
        at, shown, changes = variable.span, ".".join(filter(None, key)), subject.changes.get(key, [])
        first = walking.name_span(changes[0]) if changes else at
        if not subject.concerns(at) or variable.name in subject.rules.symbols.together:
            continue
        if key not in reads:
            if changes:
                message = f"`{shown}` is changed, and no rule ever reads it"
                subject.found.warning("never-read", message, at, related=(("changed here", first),))
            else:
                subject.found.warning("unused-state", f"no rule reads or changes `{shown}`", at)
        elif key not in started and _stays(variable, changes) and key not in _given_elsewhere(subject.composed):
            message = f"no rule and no scenario ever changes `{shown}`"
            related: Related = (("it is so from the start", first),) if changes else ()
            hint = "make it an attribute or a term if it is to stay as it is"
            subject.found.warning("never-written", message, at, hint, related, confidence="likely")


def _given_elsewhere(composed: Composed) -> Iterator[Key]:
    """The state to which a scenario that was not chosen gives a first value."""
    for each in composed.other_scenarios:
        tree = read_file(each, each.name, Diagnostics()) if isinstance(each, Path) else each
        for name, value in entries_at(tree, "start").items():
            yield "", name
            yield from ((name, state) for member in entries_at(value).values() for state in entries_at(member))


def _stays(variable: Variable, changes: list[ir.Step]) -> bool:
    """Whether state is only ever set to the plain value that it starts with, if at all."""
    first = variable.low if variable.type.base != "int" or variable.low > 0 or variable.high < 0 else 0
    values = [step.value if isinstance(step, ir.Set) else None for step in changes]
    plain = all(isinstance(value, Const) and value.value == first for value in values)
    return not changes or (variable.start is None and plain)


def _reads(subject: Subject) -> set[Key]:
    """State that anything depends on."""
    return set[Key]().union(*subject.in_each_rule(_reads_in))


def _reads_in(subject: Subject, rule: Rule) -> set[Key]:
    """State that a rule depends on by itself. To count one up is to change it, not to ask for it."""
    reads: set[Key] = set()
    for step in rule.steps:
        changed = step.targets()
        for tree in step.expressions():
            if any(tree is load for load in changed):
                reads |= keys(part for arg in tree.children() for part in arg.walk())
            else:
                reads |= keys(tree.walk()) - (keys(changed) if isinstance(step, ir.Set) else set())
        if isinstance(step, ir.Move):  # there must be enough of what is taken away
            reads |= keys((step.source,))
        elif isinstance(step, ir.Choose | ir.Banked) or (isinstance(step, ir.Amount) and step.verb == "pay"):
            reads |= keys(changed)
    trees = (*(tree for condition in rule.conditions for tree in condition.expressions()), *rule.outside)
    return reads.union(*(keys(tree.walk()) for tree in trees))
