"""Check how the report tells what happened: every name in braces is one that will be known then."""

from __future__ import annotations

from collections.abc import Iterable

from polis_rules.diagnostics import Diagnostics, Span, quote
from polis_rules.semantics import ir
from polis_rules.semantics.references import NOT_NOTED, References
from polis_rules.semantics.symbols import Variable
from polis_rules.semantics.traversal import every_step
from polis_rules.semantics.typed_rules import TypedRules
from polis_rules.source import Text, is_id

TOLD = ("you", "paid", "gained")
"""Who did it, what was paid and what was gained: of whatever is told."""

VALUES = ("old", "new")
"""What state was and is now."""


MADE = "no choice, roll or draw of this rule"
"""What a name is not that cannot be told."""


def told_so(diagnostics: Diagnostics, references: References, says: Text | None, procedure: ir.Procedure) -> str | None:
    """How it is told what was done in a procedure; names in braces that it does not have are reported."""
    made, what = _made(procedure), MADE
    if is_told_whole(procedure, says):
        what = "no roll of this rule, and no kind whose state it changes"
        for step in every_step(procedure.body):
            if isinstance(step, ir.Tell) and step.says is not None:
                message, hint = "the rule says itself how all of this is told", "leave one of the two out"
                diagnostics.error("unfit-keys", message, step.span, hint)
            if isinstance(step, (ir.Set, ir.Move)):
                made.append(step.target.owner)
            if isinstance(step, ir.Move):
                made.append(step.source.owner)
    return _checked(diagnostics, says, made, what, references)


def told_of_choices(
    diagnostics: Diagnostics, references: References, texts: Iterable[Text], procedure: ir.Procedure
) -> None:
    """Report names in braces, in how the choices of a procedure are told, that it does not have."""
    for says in texts:
        _checked(diagnostics, says, _made(procedure), MADE, references)


def _made(procedure: ir.Procedure) -> list[str]:
    """The names of what is chosen, rolled and drawn in a procedure, and of what is told of every one."""
    made = list(TOLD)
    for step in every_step(procedure.body):
        if isinstance(step, ir.Choose):
            made += [step.var, *(name for name, _ in step.chosen)]
        elif isinstance(step, (ir.Roll, ir.Draw)):
            made.append(step.var)
    return made


def is_told_whole(rule: ir.Procedure, says: str | None) -> bool:
    """Whether nothing is chosen in a rule, and it says how all of it is told."""
    return says is not None and not any(isinstance(step, ir.Choose) for step in every_step(rule.body))


def told_of_way(diagnostics: Diagnostics, says: Text | None) -> str | None:
    """How it is told that a way was chosen."""
    return _checked(diagnostics, says, TOLD, "nothing that is known of a way")


def told_of_state(diagnostics: Diagnostics, says: Text | None, variable: Variable) -> str | None:
    """How it is told that state has another value."""
    names = [*variable.spoken_names, *VALUES]
    if says and variable.type.base not in ("bool", "int", "ref"):
        message = f"nothing is told of {quote(variable.name)}: only flags, numbers and members of a kind become others"
        diagnostics.error("unfit-keys", message, says.span, hint="remove `says`")
    return _checked(diagnostics, says, names, "nothing that is known of this state")


def rules_of_steps(rules: TypedRules) -> dict[Span, str]:
    """Of each step, by its place, the path of the rule to which it belongs."""
    return {step.span: path for path, rule in rules.procedures.items() for step in every_step(rule.body)}


def _checked(
    diagnostics: Diagnostics, says: Text | None, known: Iterable[str], what: str, references: References = NOT_NOTED
) -> str | None:
    """A sentence, if there is one; names in braces that are not known are reported, as those which do not go there."""
    if says is None:
        return None
    names = list(dict.fromkeys(filter(is_id, known)))
    for part in ir.IN_BRACES.finditer(says):
        name = says.part(*part.span(1))
        is_pair = VALUES[0] in names and ir.PAIR.fullmatch(name) is not None
        if is_pair and part[2] is None:
            continue
        if name not in names or (part[2] and (name in TOLD or VALUES[0] in names)):
            diagnostics.unknown("unknown-name", f"{quote(name)} is {what}", name.span, name, names)
        elif name not in TOLD:
            references.local(str(name), name.span)
    return str(says)
