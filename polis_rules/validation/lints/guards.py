"""Choices and actions that nothing before them makes sure of.

Why: the second choice of an action is not asked for when the action is offered, and `perform` does not ask what the
action requires: a player may be led where there is no option, which stops the game.
Example: an action with `choose: {tile: ..., site: ...}` where no condition says that the tile has a site anywhere;
`choose: deed`, `from: action` without `possible(deed)`, and then `perform: deed`.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import ActionChoice
from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Call, Comp, Contains, Expr, Possible, RouteExists, Size, Var
from polis_rules.validation.analysis import Subject
from polis_rules.validation.lints.unused_names import lists


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unguarded-choice` and `unguarded-action`."""
    for action in subject.rules.actions:
        _choices(action, subject, diagnostics)
    for procedure in subject.rules.procedures.values():
        for steps in lists(procedure.body):
            _performed(steps, subject, diagnostics)


def _choices(action: ir.ActionRule, subject: Subject, diagnostics: Diagnostics) -> None:
    """Every choice of an action after the first, unless something before it looks for such an option."""
    looked = [condition.test for condition in action.conditions]
    for step in subject.rules.procedures[action.procedure].body:
        if not isinstance(step, ir.Choose) or not isinstance(subject.places.written(step), ActionChoice):
            continue
        open_choice = step is not action.first and step.source is not None and bool(step.conditions)
        if open_choice and not any(looks_for(tree, step, subject) for tree in looked):
            kind = step.source.type.kind if step.source is not None else ""
            message = f"no condition before makes sure that there is a {kind} to choose here"
            hint = f"ask `any(... for x in {kind})` of an earlier choice, or under `requires`"
            diagnostics.note("unguarded-choice", message, step.span, hint, confidence="possible")
        looked += [condition.test for condition in step.conditions]


def looks_for(tree: Expr, step: ir.Choose, subject: Subject, deep: int = 8) -> bool:
    """Whether a condition goes over the kind of a choice, or asks for a set or a way: it may be meant for it."""
    kind = step.source.type.kind if step.source is not None else ""
    for part in tree.walk():
        if isinstance(part, Comp) and part.domain.type.kind == kind:
            return True
        if isinstance(part, (Size, RouteExists)) or (isinstance(part, Contains) and part.item.type.kind == kind):
            return True
        if isinstance(part, Call) and deep:
            body = subject.symbols.terms[part.term].body
            if body is not None and looks_for(body, step, subject, deep - 1):
                return True
    return False


def _performed(steps: tuple[ir.Step, ...], subject: Subject, diagnostics: Diagnostics) -> None:
    """Actions that are chosen and performed without having been possible."""
    asked: dict[str, bool] = {}
    for step in steps:
        if isinstance(step, ir.Choose) and step.source is not None and step.source.type.kind == "action":
            asked[step.var] = any(_asks(condition.test, subject) for condition in step.conditions)
        for each in every_step((step,)):
            name = _action(each, subject)
            if asked.get(name) is False:
                message = f"`{name}` may be chosen though it is not possible"
                hint = f"choose it `where: possible({name})`"
                diagnostics.warning("unguarded-action", message, each.span, hint, confidence="likely")


def _asks(tree: Expr, subject: Subject) -> bool:
    """Whether a condition asks what is possible, by itself or in a term."""
    for part in tree.walk():
        body = subject.symbols.terms[part.term].body if isinstance(part, Call) else None
        if isinstance(part, Possible) or (body is not None and _asks(body, subject)):
            return True
    return False


def _action(step: ir.Step, subject: Subject) -> str:
    """The local name of the action that a step performs, directly or by a procedure; "" for all other steps."""
    if isinstance(step, ir.Perform) and isinstance(step.action, Var):
        return step.action.name
    if isinstance(step, ir.Do):
        procedure = subject.rules.procedures[step.procedure]
        inside = {_action(each, subject) for each in every_step(procedure.body) if isinstance(each, ir.Perform)}
        for name, given in zip(procedure.params, step.args, strict=True):
            if name in inside and isinstance(given, Var):
                return given.name
    return ""
