"""Choices of a member that may have no option.

Why: a choice without an option stops the game, unless it says `if_possible: true` or has another way with `or`. When
an action is offered, only its first choice has been asked for.
Example: `choose: town`, `from: town`, `where: town.owner == next(you)`, and nothing before asks whether there is one;
an action with `choose: {wonder: ..., site: ...}` where no condition says that the wonder has a site anywhere.
A condition before it, in the same rule or where this rule is done, that goes over the same members or depends on the
same state is taken for one that makes sure; of a choice of an action, only one that goes over the same members.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Comp, Const, Everyone, Expr, Possible, Type, Var, substitute
from polis_rules.validation.analysis import MemberRanges, Rule, Subject, looks_for, walking

HIGH = 3
"""Through so many rules that call each other a condition is looked for."""


def check(subject: Subject) -> None:
    """Report `no-option` and `unguarded-choice`."""
    for rule in subject.effects.units.values():
        body = rule.procedure.body if rule.procedure is not None else ()
        for step, before in _choices(body, tuple(each.test for each in rule.conditions)):
            if step.span == walking.name_span(step):
                _of_action(step, before, rule, subject)
            elif rule.path in subject.effects.reached and not any(step is each for each in rule.repeated):
                _within(step, before, rule, subject)


def _of_action(step: ir.Choose, before: tuple[Expr, ...], rule: Rule, subject: Subject) -> None:
    """A choice that belongs to an action itself, after its first."""
    if step.source is None or not step.conditions or rule.action is None or step is rule.action.first:
        return
    if not any(looks_for(tree, step, subject.symbols) for tree in before):
        kind = step.source.type.kind
        message = f"no condition before makes sure that any {kind} can be chosen here"
        hint = f"ask `any(... for x in {kind})` of an earlier choice, or under `requires`"
        subject.found.warning("unguarded-choice", message, step.span, hint, confidence="possible", severity="note")


def _within(step: ir.Choose, before: tuple[Expr, ...], rule: Rule, subject: Subject) -> None:
    """A choice in the middle of a rule."""
    if step.source is None or not _may_be_empty(step, step.source, subject):
        return
    if not any(_makes_sure(tree, step, subject) for tree in (*before, *_before(rule.path, subject))):
        kind = step.source.type.kind
        message = f"nothing before makes sure that any {kind} can be chosen; a choice without an option stops the game"
        listed = isinstance(step.source, Comp) and step.source.domain.type.base == "list"
        asked = "len(...) > 0" if listed else f"any(... for x in {kind})"
        hint = f"ask `{asked}` before, or add `if_possible: true`"
        subject.found.warning("no-option", message, step.span, hint, confidence="possible")


def _choices(steps: tuple[ir.Step, ...], before: tuple[Expr, ...]) -> Iterator[tuple[ir.Choose, tuple[Expr, ...]]]:
    """Every choice, with the conditions that have been asked on the way to it."""
    for step in steps:
        if isinstance(step, ir.Several):
            if step.least:
                yield _of_first(step), before
            continue
        if isinstance(step, ir.Choose):
            yield step, before
            for way in step.ways:
                yield from _choices(way.do, before + tuple(each.test for each in way.conditions))
        before = (*before, *walking.tests(step))
        for each in step.children():
            yield from _choices(each, before)


def _of_first(step: ir.Several) -> ir.Choose:
    """The choice of the first of several members, which no condition compares with others."""
    tests = step.choice.conditions
    alone = [each for each in tests if not any(isinstance(p, Var) and p.name == step.var for p in each.test.walk())]
    return replace(step.choice, conditions=tuple(alone))


def _may_be_empty(step: ir.Choose, source: Expr, subject: Subject) -> bool:
    if step.if_possible or step.ways:
        return False
    if source.type.kind == "action" and all(isinstance(each.test, Possible) for each in step.conditions):
        return all(each.conditions or each.cost or each.first is not None for each in subject.rules.actions)
    if step.parts:
        return bool(step.tests) or not all(isinstance(each, Everyone) for _, each in step.chosen)
    return not isinstance(source, Everyone) or not _always_one(step, source.type.kind, subject)


def _always_one(step: ir.Choose, kind: str, subject: Subject) -> bool:
    """Whether some member meets all conditions by what the tables and graphs say, which nothing in play changes."""
    ranges = MemberRanges(subject.symbols)
    members = (Const(Type("ref", kind), member) for member in range(ranges.symbols.count(kind)))
    tests = [condition.test for condition in step.conditions]
    return any(all(ranges.verdict(substitute(test, {step.var: one}), {}) for test in tests) for one in members)


def _makes_sure(tree: Expr, step: ir.Choose, subject: Subject) -> bool:
    """Whether a condition may be there for a choice's sake; whether an action is possible is a matter of its own."""
    if any(isinstance(part, Possible) for part in tree.walk()):
        return False
    state = frozenset(key for condition in step.tests for key in subject.effects.reads(condition.test))
    return looks_for(tree, step, subject.symbols) or bool(subject.effects.reads(tree) & state)


def _before(path: str, subject: Subject, high: int = HIGH) -> Iterator[Expr]:
    """The conditions in the rules that do a rule."""
    for caller in subject.effects.callers.get(path, ()) if high else ():
        rule = subject.effects.units[caller]
        yield from (condition.test for condition in rule.conditions)
        yield from (tree for step in rule.steps for tree in walking.tests(step))
        yield from _before(caller, subject, high - 1)
