"""Choices of a member that may have no option, in the middle of a rule.

Why: a choice without an option stops the game, unless it says `if_possible: true` or has another way with `or`.
Example: `choose: town`, `from: town`, `where: town.owner == next(you)`, and nothing before asks whether there is one.
A condition before it, in the same rule or where this rule is done, that goes over the same members or depends on the
same state is taken for one that makes sure; the first choices of an action are asked for before it is offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Everyone, Expr, Possible
from polis_rules.validation.analysis import Subject, looks_for, walking

HIGH = 3
"""Through so many rules that call each other a condition is looked for."""


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `no-option`."""
    asked = _Asked(subject)
    for path, procedure in subject.rules.procedures.items():
        for step, before in _choices(procedure.body, ()) if path in subject.effects.reached else ():
            own = step.span == walking.name_span(step)  # of an action, which other checks look at
            if own or id(step) in subject.repeated or not _may_be_empty(step, subject):
                continue
            if not any(_makes_sure(tree, step, subject) for tree in (*before, *asked.before(path))):
                kind = step.source.type.kind if step.source is not None else ""
                message = f"nothing before makes sure that there is a {kind} to choose, and having none stops the game"
                hint = f"ask `any(... for x in {kind})` before, or add `if_possible: true`"
                diagnostics.warning("no-option", message, step.span, hint, confidence="possible")


def _may_be_empty(step: ir.Choose, subject: Subject) -> bool:
    if step.source is None or step.if_possible or step.ways:
        return False
    if step.source.type.kind == "action" and all(isinstance(each.test, Possible) for each in step.conditions):
        return all(each.conditions or each.cost or each.first is not None for each in subject.rules.actions)
    return bool(step.conditions) or not isinstance(step.source, Everyone)


def _makes_sure(tree: Expr, step: ir.Choose, subject: Subject) -> bool:
    """Whether a condition may be there for a choice's sake; whether an action is possible is a matter of its own."""
    if any(isinstance(part, Possible) for part in tree.walk()):
        return False
    state = frozenset(key for condition in step.conditions for key in subject.effects.reads(condition.test))
    return looks_for(tree, step, subject.symbols) or bool(subject.effects.reads(tree) & state)


def _choices(steps: tuple[ir.Step, ...], before: tuple[Expr, ...]) -> Iterator[tuple[ir.Choose, tuple[Expr, ...]]]:
    """Every choice, with the conditions that have been asked on the way to it."""
    for step in steps:
        if isinstance(step, ir.Choose):
            yield step, before
            for way in step.ways:
                yield from _choices(way.do, before + tuple(each.test for each in way.conditions))
        before = (*before, *walking.tests(step))
        for each in step.children():
            yield from _choices(each, before)


class _Asked:
    """What rules ask before they do another rule."""

    def __init__(self, subject: Subject) -> None:
        self.callers = subject.effects.callers
        self.required = {each.procedure: [part.test for part in each.conditions] for each in subject.rules.actions}
        self.tests = {
            path: [*self.required.get(path, ()), *chain.from_iterable(map(walking.tests, every_step(each.body)))]
            for path, each in subject.rules.procedures.items()
        }

    def before(self, path: str, high: int = HIGH) -> Iterator[Expr]:
        """The conditions of an action itself, and those of the rules that do this one."""
        yield from self.required.get(path, ())
        for caller in self.callers.get(path, ()) if high else ():
            yield from self.tests[caller]
            yield from self.before(caller, high - 1)
