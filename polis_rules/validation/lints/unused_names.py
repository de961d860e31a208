"""Names that a rule gives and never uses: values, results, choices, parameters.

Why: a die that decides nothing or a choice without consequence is most often a rule left unfinished.
Example: `roll: strength`, and no later step of the list says `strength`.
"""

from __future__ import annotations

from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Var
from polis_rules.validation.analysis import Rule, Subject

WHAT = {
    ir.Let: "the value",
    ir.Roll: "the result",
    ir.Draw: "what is drawn as",
    ir.Choose: "what is chosen as",
    ir.Several: "what is chosen as",
}


def check(subject: Subject) -> None:
    """Report `unused-name` and `unused-parameter`."""
    subject.report(_names)
    _parameters(subject)


def _names(subject: Subject, rule: Rule) -> None:
    for steps in rule.lists:
        for number, step in enumerate(steps):
            for name in (
                [name for name, _ in step.chosen] if isinstance(step, ir.Choose) else [getattr(step, "var", "")]
            ):
                _name(step, name, steps[number + 1 :], subject)


def used(steps: tuple[ir.Step, ...]) -> set[str]:
    """The local names that some steps use."""
    trees = (tree for step in every_step(steps) for tree in step.expressions())
    return {part.name for tree in trees for part in tree.walk() if isinstance(part, Var)}


def _name(step: ir.Step, name: str, rest: tuple[ir.Step, ...], subject: Subject) -> None:
    """A name that a step gives and the rest of its list never uses."""
    what = WHAT.get(type(step))
    matters = isinstance(step, ir.Choose) and (step.ways or step.cost or step.leaving or name in used(step.do))
    if what is not None and name and not matters and name not in used(rest):
        subject.found.warning("unused-name", f"{what} `{name}` is never used", getattr(name, "span", step.span))


def _parameters(subject: Subject) -> None:
    """Parameters of procedures, phases and routes. Terms may take some for those who alter them."""
    document = subject.document
    declared = [(f"procedures.{name}", f"`{name}`", name, item.of) for name, item in document.procedures.items()]
    declared += [(f"phases.{name}", f"`{name}`", name, item.of) for name, item in document.phases.items()]
    declared = [each for each in declared if subject.concerns(each[2].span)]
    declared += [(f"route {name}", f"the route `{name}`", name, item.of) for name, item in document.routes.items()]
    for path, what, _, of in declared:
        known = {part.name for part in subject.effects.units[path].parts if isinstance(part, Var)}
        for name in (name for name in of if name not in known):
            subject.found.warning("unused-parameter", f"{what} never uses its parameter `{name}`", name.span)
