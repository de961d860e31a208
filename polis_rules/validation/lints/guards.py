"""Choices and actions that nothing before them makes sure of.

Why: the second choice of an action is not asked for when the action is offered, and `perform` does not ask what the
action requires: a player may be led where there is no option, which stops the game.
Example: an action with `choose: {tile: ..., site: ...}` where no condition says that the tile has a site anywhere;
`choose: deed`, `from: action` without `possible(deed)`, and then `perform: deed`.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Possible, Var
from polis_rules.validation.analysis import Subject, looks_for, parts, walking


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unguarded-choice` and `unguarded-action`."""
    for action in subject.rules.actions:
        _choices(action, subject, diagnostics)
    for steps in subject.lists:
        _performed(steps, subject, diagnostics)


def _choices(action: ir.ActionRule, subject: Subject, diagnostics: Diagnostics) -> None:
    """Every choice of an action after the first, unless something before it looks for such an option."""
    looked = [condition.test for condition in action.conditions]
    for step in subject.rules.procedures[action.procedure].body:
        if not isinstance(step, ir.Choose) or step.span != walking.name_span(step):  # a step of what it does
            continue
        open_choice = step is not action.first and step.source is not None and bool(step.conditions)
        if open_choice and not any(looks_for(tree, step, subject.symbols) for tree in looked):
            kind = step.source.type.kind if step.source is not None else ""
            message = f"no condition before makes sure that there is a {kind} to choose here"
            hint = f"ask `any(... for x in {kind})` of an earlier choice, or under `requires`"
            diagnostics.warning("unguarded-choice", message, step.span, hint, confidence="possible", severity="note")
        looked += [condition.test for condition in step.conditions]


def _performed(steps: tuple[ir.Step, ...], subject: Subject, diagnostics: Diagnostics) -> None:
    """Actions that are chosen and performed without having been possible."""
    asked: dict[str, bool] = {}
    for step in steps:
        if isinstance(step, ir.Choose) and step.source is not None and step.source.type.kind == "action":
            trees = (part for each in step.conditions for part in parts(each.test, subject.symbols))
            asked[step.var] = any(isinstance(part, Possible) for part in trees)
        for each in every_step((step,)):
            name = _action(each, subject)
            if asked.get(name) is False:
                message = f"`{name}` may be chosen though it is not possible"
                hint = f"choose it `where: possible({name})`"
                diagnostics.warning("unguarded-action", message, each.span, hint, confidence="likely")


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
