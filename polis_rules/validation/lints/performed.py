"""Actions that are performed though nothing before makes sure that they are possible.

Why: `perform` does not ask what the action requires, so a player may be led where there is no option, which stops the
game.
Example: `choose: deed`, `from: action` without `possible(deed)`, and then `perform: deed`.
"""

from __future__ import annotations

from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Possible, Var
from polis_rules.validation.analysis import Subject, parts


def check(subject: Subject) -> None:
    """Report `unguarded-action`."""
    for steps in subject.lists:
        _performed(steps, subject)


def _performed(steps: tuple[ir.Step, ...], subject: Subject) -> None:
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
                subject.found.warning("unguarded-action", message, each.span, hint, confidence="likely")


def _action(step: ir.Step, subject: Subject) -> str:
    """The local name of the action that a step performs, directly or by a procedure; "" for all other steps."""
    if isinstance(step, ir.Perform) and isinstance(step.action, Var):
        return step.action.name
    if isinstance(step, ir.Do):
        procedure = subject.rules.procedures[step.procedure]
        inside = {_action(each, subject) for each in every_step(procedure.body) if isinstance(each, ir.Perform)}
        for name, arg in zip(procedure.params, step.args, strict=True):
            if name in inside and isinstance(arg, Var):
                return arg.name
    return ""
