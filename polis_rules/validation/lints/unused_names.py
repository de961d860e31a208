"""Names that a rule gives and never uses: values, results, choices, parameters.

Why: a die that decides nothing or a choice without consequence is most often a rule left unfinished.
Example: `roll: strength`, and no later step of the list says `strength`.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Var
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject, walking

WHAT = {ir.Let: "the value", ir.Roll: "the result", ir.Draw: "what is drawn as", ir.Choose: "what is chosen as"}


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unused-name` and `unused-parameter`."""
    for procedure in subject.rules.procedures.values():
        for steps in walking.lists(procedure.body):
            _names(steps, subject, diagnostics)
    _parameters(subject, diagnostics)


def used(steps: tuple[ir.Step, ...]) -> set[str]:
    """The local names that some steps use."""
    trees = (tree for step in every_step(steps) for tree in step.expressions())
    return {part.name for tree in trees for part in tree.walk() if isinstance(part, Var)}


def _names(steps: tuple[ir.Step, ...], subject: Subject, diagnostics: Diagnostics) -> None:
    for number, step in enumerate(steps):
        what = WHAT.get(type(step))
        name = str(getattr(step, "var", ""))
        if what is None or not name or name in used(steps[number + 1 :]):
            continue
        if isinstance(step, ir.Choose) and (step.ways or step.cost or step.leaving or name in used(step.do)):
            continue
        diagnostics.warning("unused-name", f"{what} `{name}` is never used", walking.name_span(step))


def _parameters(subject: Subject, diagnostics: Diagnostics) -> None:
    """Parameters of procedures, phases and routes. Terms may take some for those who alter them."""
    document = subject.document
    for name, item in (*document.procedures.items(), *document.phases.items()):
        path = f"phases.{name}" if name in document.phases else f"procedures.{name}"
        known = used(subject.rules.procedures[path].body)
        if subject.concerns(name.span):
            _unused(item.of, known, f"`{name}`", diagnostics)
    for name, route in document.routes.items():
        typed = subject.symbols.routes[name]
        trees = [tree for part in (typed.through, typed.costs, typed.also) for tree in part.values()]
        known = {part.name for tree in trees for part in tree.walk() if isinstance(part, Var)}
        _unused(route.of, known, f"the route `{name}`", diagnostics)


def _unused(of: dict[Text, Text], known: set[str], what: str, diagnostics: Diagnostics) -> None:
    for name in of:
        if name not in known:
            diagnostics.warning("unused-parameter", f"{what} never uses its parameter `{name}`", name.span)
