"""Small changes to typed rules, one at a time: another number, another comparison, a step or a requirement less.

All changes within expressions and steps are built into one program, where a switch turns on one of them.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import BOOL, Bool, Call, Compare, Const, Expr, Load, Not, Switch, Switched
from polis_rules.verification.coverage import label_of

What = Literal["number", "comparison", "condition", "effect"]

OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
"""What a comparison becomes."""

LEFT_OUT = (ir.Amount, ir.Move, ir.Set, ir.Do, ir.DoEffects, ir.Perform, ir.Stop, ir.End)
"""Steps that are left out: those that bind no name and hold no other steps."""

CHANGES = (ir.Amount, ir.Move, ir.Set)
"""Steps with places that are written to, which stay as they are."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. `number` is what the switch is set to, 0 where the rules have to be compiled anew."""

    what: What
    rule: str
    span: Span
    change: str
    number: int = 0
    site: tuple[Span, str] | None = None
    """the counted thing (see `Instrument`) that is met before the change can matter"""


@dataclass(slots=True)
class Mutator:
    """Builds every change into typed rules. The same change of the same rule has the same number in all scenarios.

    >>> from polis_rules import load
    >>> mutator = Mutator()
    >>> changed = mutator.rules(load("yucata").rules())
    >>> mutator.mutants[1].number
    2
    """

    switch: Switch = field(default_factory=Switch)
    mutants: list[Mutant] = field(default_factory=list)
    numbers: dict[tuple[str, Span, str, int], int] = field(default_factory=dict)
    rule: str = ""
    span: Span = field(default_factory=lambda: Span("", 1, 1, 1, 1))
    label: str = ""
    ordinal: int = 0
    counted: bool = True
    """whether what stands here is counted by `Instrument`"""
    made: dict[int, tuple[object, object]] = field(default_factory=dict)
    """what has been changed already, by identity: a thing that stands in two places is one thing"""

    def rules(self, rules: TypedRules) -> TypedRules:
        """The rules with all changes built in, and all of them turned off."""
        symbols = copy.copy(rules.symbols)
        symbols.terms = {}
        for name, term in rules.symbols.terms.items():
            assert term.body is not None
            self.at(f"terms.{name}", term.text.span, name)
            symbols.terms[name] = replace(term, body=self.expression(term.body))
        procedures = {}
        for path, procedure in rules.procedures.items():
            self.rule = path
            procedures[path] = replace(procedure, body=self.steps(procedure.body))
        actions = []
        for action in rules.actions:
            self.rule = f"actions.{action.id}"
            first = None if action.first is None else self.step(action.first)
            conditions = tuple(self.condition(each, droppable=False) for each in action.conditions)
            actions.append(replace(action, conditions=conditions, first=first))
        score = {name: self.scored(rules, name, tree) for name, tree in rules.score.items()}
        ties = {name: self.scored(rules, name, tree) for name, tree in rules.tie_break.items()}
        return replace(rules, symbols=symbols, procedures=procedures, actions=actions, score=score, tie_break=ties)

    def scored(self, rules: TypedRules, name: str, tree: Expr) -> Expr:
        self.at("score", rules.spans[name], name, counted=False)
        return self.expression(tree)

    def at(self, rule: str, span: Span, label: str, counted: bool = True) -> None:
        """What follows stands here."""
        self.rule, self.span, self.label, self.ordinal, self.counted = rule, span, label, 0, counted

    def number(self, what: What, change: str) -> int:
        """The number of the next change at this place."""
        key = (what, self.span, self.label, self.ordinal)
        self.ordinal += 1
        if key not in self.numbers:
            self.numbers[key] = len(self.mutants) + 1
            site = (self.span, self.label) if self.counted else None
            self.mutants.append(Mutant(what, self.rule, self.span, change, len(self.mutants) + 1, site))
        return self.numbers[key]

    # -- expressions ------------------------------------------------------------------------------------------------

    def expression(self, tree: Expr) -> Expr:
        """An expression with every number and comparison in it changeable."""
        if id(tree) not in self.made:
            self.made[id(tree)] = (tree, self._expression(tree))
        found = self.made[id(tree)][1]
        assert isinstance(found, Expr)
        return found

    def _expression(self, tree: Expr) -> Expr:
        if isinstance(tree, Const):
            if tree.type.base != "int":
                return tree
            number = self.number("number", f"{tree.value} becomes {tree.value + 1} in {self.words}")
            return self.switched(tree, replace(tree, value=tree.value + 1), number)
        made = tree.rebuilt(self.expression)
        if isinstance(made, Compare):
            other = OTHER[made.op]
            number = self.number("comparison", f"{made.op} becomes {other} in {self.words}")
            return self.switched(made, replace(made, op=other), number)
        return made

    @property
    def words(self) -> str:
        return self.label.replace("_", " ")

    def switched(self, tree: Expr, other: Expr, number: int) -> Expr:
        return Switched(tree.type, tree, other, number, self.switch)

    def condition(self, condition: ir.Condition, droppable: bool = True) -> ir.Condition:
        """A condition whose test can change, and which can be left out where no comparison in it could."""
        if id(condition) in self.made:
            found = self.made[id(condition)][1]
            assert isinstance(found, ir.Condition)
            return found
        self.at(self.rule, condition.span, condition.label)
        test = self.expression(condition.test)
        if droppable:
            number = self.number("condition", f"{self.words} is not asked")
            test = self.switched(test, Const(BOOL, 1), number)
        made = replace(condition, test=test)
        self.made[id(condition)] = (condition, made)
        return made

    # -- steps ------------------------------------------------------------------------------------------------------

    def steps(self, steps: tuple[ir.Step, ...]) -> tuple[ir.Step, ...]:
        return tuple(self.step(step) for step in steps)

    def step(self, step: ir.Step) -> Any:
        """A step with everything in it changeable, and the step itself where it can be left out."""
        if id(step) not in self.made:
            self.made[id(step)] = (step, self._step(step))
        return self.made[id(step)][1]

    def _step(self, step: ir.Step) -> ir.Step:
        self.at(self.rule, step.span, label_of(step))
        written = [getattr(step, name, None) for name in ("source", "target")] if isinstance(step, CHANGES) else []
        made = step.replace(lambda tree: tree if any(tree is each for each in written) else self.expression(tree))
        if isinstance(made, (ir.If, ir.While)):
            made = replace(made, test=self.turned(made.test))
        removal = self.number("effect", f"{self.words} is left out") if isinstance(step, LEFT_OUT) else 0
        made = made.replace(condition=self.condition, steps=self.steps)
        if not removal:
            return made
        kept = self.switched(Const(BOOL, 1), Const(BOOL, 0), removal)
        return ir.If(step.span, kept, (made,), ())

    def turned(self, test: Expr) -> Expr:
        """A test without a comparison of its own, which can be turned round."""
        inner = test.item if isinstance(test, Not) else test
        if not isinstance(inner, (Call, Load, Bool)):
            return test
        return self.switched(test, Not(BOOL, test), self.number("condition", f"{self.words} is turned round"))
