"""Small changes to typed rules, one at a time: another number, another comparison, a step or a requirement less.

All changes within expressions and steps are built into one program, where a switch turns on one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, ir
from polis_rules.semantics.expressions import BOOL, Bool, Call, Compare, Const, Expr, Load, Not, Switch, Switched
from polis_rules.verification.rewriter import Rewriter, asked_of_each, label_of

T = TypeVar("T")
Path = tuple[str | int, ...]
What = Literal["number", "comparison", "condition", "effect"]

OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
"""What a comparison becomes."""

LEFT_OUT = (ir.Amount, ir.AnyOf, ir.Move, ir.Set, ir.Sort, ir.Do, ir.DoEffects, ir.Perform, ir.Stop, ir.End)
"""Steps that are left out: those that bind no name and hold no other steps."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. `number` is what the switch is set to; 0 where the rules have to be compiled anew, see `rebuilt`."""

    what: What
    rule: str
    span: Span
    change: str
    path: Path = ()
    """where rules have to be compiled anew: the attributes, keys and numbers that lead from them to what changes"""
    was: object = None
    becomes: object = None
    word: str = ""
    """a word by which cases that concern it may be known"""
    number: int = 0
    site: tuple[Span, str] | None = None
    """the counted thing (see `Instrument`) that is met before the change can matter"""


def turned(tree: Expr) -> tuple[str, Expr] | None:
    """A number or a comparison as it becomes another, after the change in words; None for anything else."""
    match tree:
        case Const() if tree.type.base == "int":
            return f"{tree.value} becomes {tree.value + 1}", replace(tree, value=tree.value + 1)
        case Compare():
            return f"{tree.op} becomes {OTHER[tree.op]}", replace(tree, op=OTHER[tree.op])
    return None


@dataclass
class Mutator(Rewriter):
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
    span: Span = field(default_factory=lambda: Span("", 1, 1, 1, 1))
    label: str = ""
    ordinal: int = 0
    counted: bool = True
    """whether what stands here is counted by `Instrument`"""
    made: dict[int, tuple[object, Any]] = field(default_factory=dict)
    """what has been changed already, by identity: a thing that stands in two places is one thing"""

    def rules(self, rules: TypedRules) -> TypedRules:
        """The rules with all changes built in, and all of them turned off."""
        changed = super().rules(rules)
        score, ties = (
            {name: self.scored(name, rules.spans[name], tree) for name, tree in trees.items()}
            for trees in (rules.score, rules.tie_break)
        )
        return replace(changed, score=score, tie_break=ties)

    def term(self, name: str, span: Span, body: Expr) -> Expr:
        self.at(span, name)
        return self.expression(body)

    def scored(self, name: str, span: Span, tree: Expr) -> Expr:
        self.rule = "score"
        self.at(span, name, counted=False)
        return self.expression(tree)

    def at(self, span: Span, label: str, counted: bool = True) -> None:
        """What follows stands here."""
        self.span, self.label, self.ordinal, self.counted = span, label, 0, counted

    def once(self, thing: T, change: Callable[[T], T]) -> T:
        """What has been made of a thing, or is made of it now."""
        if id(thing) not in self.made:
            self.made[id(thing)] = (thing, change(thing))
        copy: T = self.made[id(thing)][1]
        return copy

    def number(self, what: What, change: str) -> int:
        """The number of the next change at this place."""
        key = (what, self.span, self.label, self.ordinal)
        self.ordinal += 1
        if key not in self.numbers:
            number = self.numbers[key] = len(self.mutants) + 1
            site = (self.span, self.label) if self.counted else None
            self.mutants.append(Mutant(what, self.rule, self.span, change, number=number, site=site))
        return self.numbers[key]

    # -- expressions ------------------------------------------------------------------------------------------------

    def expression(self, tree: Expr) -> Expr:
        """An expression with every number and comparison in it changeable."""
        return self.once(tree, self._expression)

    def _expression(self, tree: Expr) -> Expr:
        inner = tree.rebuilt(self.expression)
        if (change := turned(inner)) is None:
            return inner
        words, other = change
        what: What = "number" if isinstance(inner, Const) else "comparison"
        return self.switched(inner, other, self.number(what, f"{words} in {self.words}"))

    @property
    def words(self) -> str:
        return self.label.replace("_", " ")

    def switched(self, tree: Expr, other: Expr, number: int) -> Expr:
        return Switched(tree.type, tree, other, number, self.switch)

    def condition(self, condition: ir.Condition) -> ir.Condition:
        """A condition whose test can change, and which can be left out."""
        return self.once(condition, lambda condition: self._condition(condition, droppable=True))

    def precondition(self, condition: ir.Condition) -> ir.Condition:
        return self.once(condition, lambda condition: self._condition(condition, droppable=False))

    def _condition(self, condition: ir.Condition, droppable: bool) -> ir.Condition:
        self.at(condition.span, condition.label)
        test = self.expression(condition.test)
        if droppable:
            test = self.switched(test, Const(BOOL, 1), self.number("condition", f"{self.words} is not asked"))
        return replace(condition, test=test)

    # -- steps ------------------------------------------------------------------------------------------------------

    def steps(self, steps: tuple[ir.Step, ...]) -> tuple[ir.Step, ...]:
        return tuple(self.step(step) for step in steps)

    def step(self, step: ir.Step) -> ir.Step:
        """A step with everything in it changeable, and the step itself where it can be left out."""
        return self.once(step, self._step)

    def _step(self, step: ir.Step) -> ir.Step:
        self.at(step.span, label_of(step))
        if isinstance(step, ir.Remember | ir.Forget | ir.Note | ir.Cover | ir.Tell):
            return step
        if isinstance(step, ir.Several):
            return asked_of_each(step, self.condition)
        if isinstance(step, ir.Generated):  # nobody wrote what is inside
            kept = self.switched(Const(BOOL, 1), Const(BOOL, 0), self.number("effect", f"{self.words} is left out"))
            return ir.If(step.span, kept, (step,), ())
        written = step.targets()  # these places stay as they are
        inner = step.replace(lambda tree: tree if any(tree is each for each in written) else self.expression(tree))
        if isinstance(inner, (ir.If, ir.While)):
            inner = replace(inner, test=self.reversible(inner.test))
        removal = self.number("effect", f"{self.words} is left out") if isinstance(step, LEFT_OUT) else 0
        inner = inner.replace(condition=self.condition, steps=self.steps)
        if not removal:
            return inner
        kept = self.switched(Const(BOOL, 1), Const(BOOL, 0), removal)
        return ir.If(step.span, kept, (inner,), ())

    def reversible(self, test: Expr) -> Expr:
        """A test without a comparison of its own, which can be turned round."""
        inner = test.item if isinstance(test, Not) else test
        if not isinstance(inner, (Call, Load, Bool)):
            return test
        return self.switched(test, Not(BOOL, test), self.number("condition", f"{self.words} is turned round"))
