"""State that is changed and never asked for, or asked for and never changed.

Why: a value that is granted and never read has no effect; one that is read and never changes is no state.
Example: `set: {you.tired: true}`, and no condition ever says `.tired`.
Pieces that a supply counts are read by it, and a value that the scenario gives may stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polis_rules.composition import Composed
from polis_rules.diagnostics import Diagnostics, Related
from polis_rules.semantics import Variable, every_variable, ir
from polis_rules.semantics.expressions import Const, Expr, Load
from polis_rules.source import Mapping, read_file
from polis_rules.validation.analysis import Key, Subject, targets, walking


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unused-state`, `never-read` and `never-written`."""
    reads, writes = _reads(subject), _writes(subject)
    given = {(start.owner, start.name) for start in subject.rules.starts}
    given |= {(supply.reserve.owner, supply.reserve.name) for supply in subject.rules.supplies}
    for variable in every_variable(subject.symbols):
        key = (variable.owner, variable.name)
        at, shown = variable.span, ".".join(filter(None, key))
        if not subject.concerns(at):
            continue
        if key not in reads and key not in writes:
            diagnostics.warning("unused-state", f"no rule reads or changes `{shown}`", at)
        elif key not in reads:
            changed = (("changed here", walking.name_span(writes[key])),)
            diagnostics.warning("never-read", f"`{shown}` is changed, and no rule ever reads it", at, related=changed)
        elif (
            key not in given
            and (key not in writes or _stays(variable, key, subject))
            and key not in _given_elsewhere(subject.composed)
        ):
            message = f"no rule and no scenario ever changes `{shown}`"
            related: Related = ()
            if key in writes:
                related = (("it is so from the start", walking.name_span(writes[key])),)
            hint = "make it an attribute or a term if it is to stay as it is"
            diagnostics.warning("never-written", message, at, hint, related, confidence="likely")


def _given_elsewhere(composed: Composed) -> Iterator[Key]:
    """The state to which a scenario that was not chosen gives a first value."""
    for each in composed.other_scenarios:
        tree = each if isinstance(each, Mapping) else read_file(each, each.name, Diagnostics())
        start = tree.get("start") if tree is not None else None
        for name, value in start.entries.items() if isinstance(start, Mapping) else ():
            owner, _, own = name.rpartition(".")
            yield owner, own
            yield from ((str(name), str(inner)) for inner in (value.entries if isinstance(value, Mapping) else ()))


def _stays(variable: Variable, key: Key, subject: Subject) -> bool:
    """Whether state is only ever set to the plain value that it starts with."""
    if variable.start is not None:
        return False
    first = variable.low if variable.type.base != "int" or variable.low > 0 or variable.high < 0 else 0
    changes = [
        step.value if isinstance(step, ir.Set) else None
        for step in walking.steps(subject.rules)
        if key in {(load.owner, load.name) for load in targets(step)}
    ]
    return all(isinstance(value, Const) and value.value == first for value in changes)


def _writes(subject: Subject) -> dict[Key, ir.Step]:
    found: dict[Key, ir.Step] = {}
    for step in walking.steps(subject.rules):
        for load in targets(step):
            found.setdefault((load.owner, load.name), step)
    return found


def _reads(subject: Subject) -> set[Key]:
    """State that anything depends on. To count one up is to change it, not to ask for it."""
    found: set[Key] = set()
    for step in walking.steps(subject.rules):
        changed = targets(step)
        for tree in step.expressions():
            if not any(tree is load for load in changed):
                own = _keys(changed) if isinstance(step, ir.Set) else set()
                found |= _keys(tree.walk()) - own
            else:
                found |= _keys(part for arg in tree.children() for part in arg.walk())
        if isinstance(step, ir.Move):  # there must be enough of what is taken away
            found |= _keys((step.source,))
        elif isinstance(step, ir.Choose) or (isinstance(step, ir.Amount) and step.verb == "pay"):
            found |= _keys(changed)
    for tree in walking.expressions(subject.rules, inside_steps=False):
        found |= _keys(tree.walk())
    return found


def _keys(parts: Iterable[Expr]) -> set[Key]:
    return {(part.owner, part.name) for part in parts if isinstance(part, Load)}
