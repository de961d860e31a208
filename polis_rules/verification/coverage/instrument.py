"""Put counters into typed rules: every requirement, condition, term and step tells when it is met."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import Counted, Expr

What = Literal["requirement", "condition", "term", "effect"]

VERBS: dict[type[ir.Step], str] = {
    ir.Choose: "choose", ir.Roll: "roll", ir.Draw: "draw", ir.While: "repeat", ir.Times: "repeat", ir.Choices: "repeat",
    ir.Each: "each", ir.If: "if", ir.Move: "move", ir.Set: "set", ir.Let: "let", ir.Do: "do", ir.DoEffects: "do",
    ir.Perform: "perform", ir.As: "as", ir.Stop: "stop", ir.End: "end",
}  # fmt: skip


def label_of(step: ir.Step) -> str:
    """The verb of a step, as it is written."""
    return step.verb if isinstance(step, ir.Amount) else VERBS[type(step)]


@dataclass(frozen=True, slots=True)
class Site:
    """One thing that is counted: what it is, the rule it belongs to, its label or verb, and where it stands."""

    what: What
    rule: str
    label: str
    span: Span
    yes_no: bool
    """whether it is a condition, which should come out both ways"""


@dataclass(slots=True)
class Instrument:
    """Makes counting rules. `sites` are the things counted; their numbers are those of `Program.tally`."""

    sites: list[Site] = field(default_factory=list)
    numbers: dict[tuple[What, Span, str], int] = field(default_factory=dict)
    rule: str = ""

    def rules(self, rules: TypedRules) -> TypedRules:
        """The same rules with counters; the given ones stay as they are."""
        symbols = copy.copy(rules.symbols)
        symbols.terms = {}
        for name, term in rules.symbols.terms.items():
            assert term.body is not None
            self.rule = f"terms.{name}"
            number = self.site("term", name, term.text.span, term.body.type.base == "bool")
            symbols.terms[name] = replace(term, body=Counted(term.body.type, term.body, number))
        procedures = {}
        for path, procedure in rules.procedures.items():
            self.rule = path
            procedures[path] = replace(procedure, body=self.steps(procedure.body))
        return replace(
            rules, symbols=symbols, procedures=procedures, actions=[self.action(each) for each in rules.actions]
        )

    def site(self, what: What, label: str, span: Span, yes_no: bool) -> int:
        """The number of a thing; one that was written once and stands in several places is counted once."""
        key = (what, span, label)
        if key not in self.numbers:
            self.numbers[key] = len(self.sites)
            self.sites.append(Site(what, self.rule, label, span, yes_no))
        return self.numbers[key]

    def action(self, action: ir.ActionRule) -> ir.ActionRule:
        self.rule = f"actions.{action.id}"
        first = None if action.first is None else cast(ir.Choose, self.inside(action.first))
        return replace(action, conditions=tuple(map(self.condition, action.conditions)), first=first)

    def condition(self, each: ir.Condition) -> ir.Condition:
        return replace(each, test=self.counted("requirement", each.label, each.span, each.test))

    def counted(self, what: What, label: str, span: Span, test: Expr) -> Expr:
        return Counted(test.type, test, self.site(what, label, span, True))

    # -- steps ------------------------------------------------------------------------------------------------------

    def steps(self, steps: tuple[ir.Step, ...], marked_first: bool = True) -> tuple[ir.Step, ...]:
        """Steps, each with a mark before it; `marked_first` is False where a list has to begin with a choice."""
        found: list[ir.Step] = []
        for number, step in enumerate(steps):
            mark = self.mark(step)
            if number or marked_first:
                found += [mark, self.inside(step)]
            else:
                found += [self.inside(step), mark]
        return tuple(found)

    def mark(self, step: ir.Step) -> ir.Mark:
        return ir.Mark(step.span, self.site("effect", label_of(step), step.span, False))

    def inside(self, step: ir.Step) -> ir.Step:
        """A step with counters in what it holds."""
        first = not isinstance(step, ir.Choices)
        made = step.replace(condition=self.condition, steps=lambda steps: self.steps(steps, first))
        if isinstance(made, (ir.If, ir.While)):
            return replace(made, test=self.counted("condition", VERBS[type(made)], made.span, made.test))
        return made
