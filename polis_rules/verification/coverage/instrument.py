"""Put counters into typed rules: every requirement, condition, term and step tells when it is met."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import Const, Counted, Expr
from polis_rules.verification.coverage.reach import Key, Reach
from polis_rules.verification.rewriter import Rewriter, asked_of_each, label_of

Met = Literal["met", "never", "always", "never true"]


@dataclass(frozen=True, slots=True)
class Count:
    """How often one thing was met: `times` in all, `no` of them false or 0; `low` and `high` are the values' ends.

    `what` is requirement, condition, term, effect, row or ending; `label` its label, verb or id.
    """

    what: str
    rule: str
    label: str
    span: Span
    yes_no: bool = False
    """whether it is a condition that should come out both ways; one that constants decide comes out one way"""
    times: int = 0
    no: int = 0
    low: int = 0
    high: int = 0
    reason: str = ""
    """why games do not meet it, where a comment says so"""
    told_in: str = ""
    """the file with that comment"""
    ruled_out: bool = False
    """whether constants keep all games from it"""

    @property
    def met(self) -> Met:
        """Whether games met it, and a condition both ways."""
        if not self.times:
            return "never"
        if self.yes_no and not self.no:
            return "always"
        return "never true" if self.yes_no and self.no == self.times else "met"

    @property
    def standing(self) -> Literal["met", "explained", "unmet"]:
        """Whether games met it, or else a comment or a constant says why not."""
        if self.met == "met":
            return "met"
        return "explained" if self.reason or self.ruled_out else "unmet"


@dataclass
class Instrument(Rewriter):
    """Makes counting rules. `sites` are the things to be counted; their numbers are those of `Program.tally`."""

    sites: list[Count] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)

    def rules(self, rules: TypedRules) -> TypedRules:
        self.reach = Reach(rules)
        return super().rules(rules)

    def site(self, what: str, label: str, span: Span, yes_no: bool) -> int:
        """The number of a thing; one that was written once and stands in several places is counted once."""
        key = (what, span, label)
        if key not in self.numbers:
            self.numbers[key] = len(self.sites)
            self.sites.append(Count(what, self.rule, label, span, ruled_out=key not in self.reach.keys))
        number = self.numbers[key]
        self.sites[number] = replace(self.sites[number], yes_no=yes_no or self.sites[number].yes_no)
        return number

    def counted(self, what: str, label: str, span: Span, tree: Expr) -> Expr:
        yes_no = tree.type.base == "bool" and self.reach.verdict(tree) is None
        return Counted(tree.type, tree, self.site(what, label, span, yes_no))

    def term(self, name: str, span: Span, body: Expr) -> Expr:
        if body.type.base == "list" or isinstance(body, Const):  # a list is no number to be noted
            return body
        return self.counted("term", name, span, body)

    def precondition(self, condition: ir.Condition) -> ir.Condition:
        test = self.counted("requirement", condition.label, condition.span, condition.test)
        return replace(condition, test=test)

    def steps(self, steps: tuple[ir.Step, ...], marked_first: bool = True) -> tuple[ir.Step, ...]:
        """Steps, each with a mark before it; `marked_first` is False where a list has to begin with a choice."""
        marked: list[ir.Step] = []
        for number, step in enumerate(steps):
            if isinstance(step, ir.Forget | ir.Note | ir.Cover | ir.Tell):  # which nobody wrote
                marked.append(step)
                continue
            mark = ir.Mark(step.span, self.site("effect", label_of(step), step.span, False))
            inside = self.step(step)
            marked += [mark, inside] if number or marked_first else [inside, mark]
        return tuple(marked)

    def step(self, step: ir.Step) -> ir.Step:
        """A step with counters in what it holds."""
        if isinstance(step, ir.Several):
            return asked_of_each(step, self.precondition)
        if isinstance(step, ir.Generated):  # nobody wrote what is inside
            return step
        first = not isinstance(step, ir.Choices)
        inside = step.replace(condition=self.precondition, steps=lambda steps: self.steps(steps, first))
        if isinstance(inside, (ir.If, ir.While)):
            return replace(inside, test=self.counted("condition", label_of(inside), inside.span, inside.test))
        return inside
