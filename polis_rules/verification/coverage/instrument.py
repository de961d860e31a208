"""Put counters into typed rules: every requirement, condition, term and step tells when it is met."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from polis_rules.diagnostics import Span
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Counted, Expr
from polis_rules.verification.rewriter import Rewriter, label_of

What = Literal["requirement", "condition", "term", "effect"]


@dataclass(frozen=True, slots=True)
class Site:
    """One thing that is counted: what it is, the rule it belongs to, its label or verb, and where it stands."""

    what: What
    rule: str
    label: str
    span: Span
    yes_no: bool
    """whether it is a condition, which should come out both ways"""


@dataclass
class Instrument(Rewriter):
    """Makes counting rules. `sites` are the things counted; their numbers are those of `Program.tally`."""

    sites: list[Site] = field(default_factory=list)
    numbers: dict[tuple[What, Span, str], int] = field(default_factory=dict)

    def site(self, what: What, label: str, span: Span, yes_no: bool) -> int:
        """The number of a thing; one that was written once and stands in several places is counted once."""
        key = (what, span, label)
        if key not in self.numbers:
            self.numbers[key] = len(self.sites)
            self.sites.append(Site(what, self.rule, label, span, yes_no))
        return self.numbers[key]

    def counted(self, what: What, label: str, span: Span, tree: Expr) -> Expr:
        return Counted(tree.type, tree, self.site(what, label, span, tree.type.base == "bool"))

    def term(self, name: str, span: Span, body: Expr) -> Expr:
        return self.counted("term", name, span, body)

    def precondition(self, condition: ir.Condition) -> ir.Condition:
        test = self.counted("requirement", condition.label, condition.span, condition.test)
        return replace(condition, test=test)

    def steps(self, steps: tuple[ir.Step, ...], marked_first: bool = True) -> tuple[ir.Step, ...]:
        """Steps, each with a mark before it; `marked_first` is False where a list has to begin with a choice."""
        found: list[ir.Step] = []
        for number, step in enumerate(steps):
            mark = ir.Mark(step.span, self.site("effect", label_of(step), step.span, False))
            inside = self.step(step)
            found += [mark, inside] if number or marked_first else [inside, mark]
        return tuple(found)

    def step(self, step: ir.Step) -> ir.Step:
        """A step with counters in what it holds."""
        first = not isinstance(step, ir.Choices)
        made = step.replace(condition=self.precondition, steps=lambda steps: self.steps(steps, first))
        if isinstance(made, (ir.If, ir.While)):
            return replace(made, test=self.counted("condition", label_of(made), made.span, made.test))
        return made
