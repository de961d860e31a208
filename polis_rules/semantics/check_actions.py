"""Typecheck actions: each becomes a procedure."""

from __future__ import annotations

import re

from polis_rules.schema import document as declared
from polis_rules.semantics import ir
from polis_rules.semantics.bills import payable
from polis_rules.semantics.check_steps import OptionSource, StepChecker
from polis_rules.semantics.expressions import BROKEN, Scope
from polis_rules.semantics.related_choices import lead
from polis_rules.semantics.told import told_of_choices, told_so
from polis_rules.semantics.traversal import PLAYER
from polis_rules.source import Text, spoken


def typed_action(steps: StepChecker, name: Text, action: declared.Action) -> tuple[ir.Procedure, ir.ActionRule]:
    """An action as a procedure: pay, choose, pay what depends on a choice, do."""
    scope = Scope().having(you=PLAYER)
    required, scope = steps.conditions(action.requires, scope)
    words = [str(word) for word in action.choose]
    late = {key: text for key, text in action.cost.items() if _needs(key, text, words)}
    now = {key: text for key, text in action.cost.items() if key not in late}
    together = bool(late) and steps.opens(action.cost)
    if together:  # nothing is paid before it is known what the rest will be
        late, now = action.cost, {}
    bill = steps.bill(now, scope)
    required += tuple(payable(bill))
    upfront = steps.settled(bill)
    scope = steps.paid(bill, scope)
    body: list[ir.Step] = list(upfront)
    for number, (variable, choice) in enumerate(action.choose.items(), 1):
        outer = scope
        source = steps.option_source(choice.from_, scope) or OptionSource(BROKEN, None)
        scope = steps.chosen(variable, source, scope)
        conditions, scope = steps.conditions(choice.where, scope)
        now = {key: text for key, text in late.items() if not _needs(key, text, words[number:])}
        now = now if not together or len(now) == len(late) else {}
        late = {key: text for key, text in late.items() if key not in now}
        bill = steps.bill(now, scope)
        cost = steps.settled(bill)
        title, shown = steps.title(choice.title, f"Choose {spoken(variable)}", outer)
        conditions += tuple(payable(bill))
        scope = steps.paid(bill, scope)
        at = f"{steps.rule.path}.{variable}"
        step = ir.Choose(variable.span, at, title, variable, None, *source.over, conditions, cost=cost, shown=shown)
        steps.leading[at] = choice.leads_to
        body += [step, *cost]
    body = lead(steps, [*body, *steps.check(action.do, scope), *steps.forgotten()])
    first = next((step for step in body if isinstance(step, ir.Choose)), None) if words else None
    title = steps.symbols.kinds["action"].titles[steps.symbols.kinds["action"].index[name]]
    procedure = ir.Procedure(steps.rule.path, title, {}, tuple(body), name.span, steps.rule.locals)
    told_of_choices(steps.diagnostics, steps.expressions.references, steps.rule.says, procedure)
    says = told_so(steps.diagnostics, steps.expressions.references, action.says, procedure)
    return procedure, ir.ActionRule(str(name), title, required, upfront, first, steps.rule.path, name.span, says)


def _needs(key: Text, text: Text, words: list[str]) -> bool:
    """Whether a cost names one of the choices."""
    return any(re.search(rf"\b{word}\b", f"{key} {text}") for word in words)
