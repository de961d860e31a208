"""Make other typed rules of typed rules, for what counts what is met or changes what is said."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import Expr

VERBS: dict[type[ir.Step], str] = {
    ir.Choose: "choose", ir.Roll: "roll", ir.Draw: "draw", ir.While: "repeat", ir.Times: "repeat", ir.Choices: "repeat",
    ir.Each: "each", ir.If: "if", ir.Move: "move", ir.Set: "set", ir.Let: "let", ir.Do: "do", ir.DoEffects: "do",
    ir.Perform: "perform", ir.As: "as", ir.Stop: "stop", ir.End: "end", ir.MoveMembers: "move", ir.Sort: "sort",
    ir.Shuffle: "shuffle", ir.Shuffled: "shuffle", ir.Restore: "lasts", ir.Remember: "let", ir.Forget: "let",
    ir.Give: "give", ir.Note: "repeat", ir.Several: "choose", ir.AnyOf: "pay", ir.Together: "together",
    ir.Cover: "together", ir.Tell: "says",
}  # fmt: skip


def label_of(step: ir.Step) -> str:
    """The verb of a step, as it is written."""
    return step.verb if isinstance(step, ir.Amount) else VERBS[type(step)]


def asked_of_each(step: ir.Several, change: Callable[[ir.Condition], ir.Condition]) -> ir.Several:
    """A choice of several members with other conditions in place of those that an author has written."""

    def inside(steps: tuple[ir.Step, ...]) -> tuple[ir.Step, ...]:
        return tuple(each.replace(condition=written, steps=inside) for each in steps)

    def written(condition: ir.Condition) -> ir.Condition:
        return condition if isinstance(condition, ir.Implied) else change(condition)

    return replace(step, body=inside(step.body))


class Rewriter(ABC):
    """Goes through all terms, procedures and actions. `rule` is the path of the one that is being rewritten."""

    rule: str = ""

    def rules(self, rules: TypedRules) -> TypedRules:
        """The rewritten rules; the given ones stay as they are."""
        terms, procedures, actions = {}, {}, []
        for name, term in rules.symbols.terms.items():
            self.rule = f"terms.{name}"
            assert term.body is not None
            terms[name] = replace(term, body=self.term(name, term.text.span, term.body))
        for path, procedure in rules.procedures.items():
            self.rule = path
            procedures[path] = replace(procedure, body=self.steps(procedure.body))
        for action in rules.actions:
            self.rule = f"actions.{action.id}"
            first = None if action.first is None else self.step(action.first)
            conditions = tuple(map(self.precondition, action.conditions))
            actions.append(replace(action, conditions=conditions, first=first))
        symbols = replace(rules.symbols, terms=terms)
        return replace(rules, symbols=symbols, procedures=procedures, actions=actions)

    @abstractmethod
    def term(self, name: str, span: Span, body: Expr) -> Expr:
        """Another body for a term that stands at `span`."""

    @abstractmethod
    def steps(self, steps: tuple[ir.Step, ...]) -> tuple[ir.Step, ...]:
        """Other steps."""

    @abstractmethod
    def step(self, step: ir.Step) -> Any:
        """Another step of the same sort."""

    @abstractmethod
    def precondition(self, condition: ir.Condition) -> ir.Condition:
        """Another condition of an action."""
