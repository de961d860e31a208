"""Go through the rules as play does, knowing at each place what the conditions before it have established."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polis_rules.semantics import Interval, Ranges, Value, every_step, ir
from polis_rules.semantics.expressions import BOOL, INT, Bool, Compare, Expr, Type, Var
from polis_rules.validation.analysis import walking
from polis_rules.validation.analysis.effects import Effects
from polis_rules.validation.analysis.facts import Facts
from polis_rules.validation.analysis.subject import Subject


@dataclass(frozen=True, slots=True)
class Seen:
    """An expression on the way: `what` it is for, the step that it belongs to, and what is known there."""

    what: str
    """condition, test, while, value, place (state that changes) or invariant"""
    step: ir.Step | None
    tree: Expr
    facts: Facts


See = Callable[[Seen], None]


class Flow:
    """One way through all rules of a subject; `see` is told of every expression."""

    def __init__(self, subject: Subject, see: See = lambda seen: None, ranges: Ranges | None = None) -> None:
        self.subject = subject
        self.see = see
        self.effects: Effects = subject.effects
        self.ranges: Ranges = ranges or subject.ranges

    def run(self) -> None:
        """Go through every procedure, action and effect, then through what stands outside of steps."""
        self.rules()
        nothing = Facts(self.ranges, self.effects)
        for tree in walking.outside(self.subject.rules):
            self.see(Seen("condition", None, tree, nothing))
        for invariant in self.subject.rules.invariants:
            self.see(Seen("invariant", None, invariant.test, nothing))

    def rules(self, wanted: Callable[[ir.Procedure], bool] = lambda procedure: True) -> None:
        """Go through every procedure, action and effect, or those that are wanted."""
        actions = {action.procedure: action for action in self.subject.rules.actions}
        for path, procedure in self.subject.rules.procedures.items():
            if not wanted(procedure):
                continue
            facts = Facts(self.ranges, self.effects)
            if path in actions:
                facts = self.conditions(None, actions[path].conditions, facts)
            self.steps(procedure.body, facts)

    def steps(self, steps: tuple[ir.Step, ...], facts: Facts) -> Facts:
        """What is known after some steps."""
        for step in steps:
            facts = self.step(step, facts)
        return facts

    def step(self, step: ir.Step, facts: Facts) -> Facts:
        """What is known after a step."""
        changed = walking.targets(step)
        for tree in walking.values(step):
            self.see(Seen("place" if any(tree is load for load in changed) else "value", step, tree, facts))
        match step:
            case ir.Choose():
                return self.choose(step, facts)
            case ir.Draw():
                return self.draw(step, facts)
            case ir.If():
                return self.if_(step, facts)
            case ir.While() | ir.Times() | ir.Choices() | ir.Each():
                return self.loop(step, facts)
            case ir.As():
                self.steps(step.body, facts.without("you"))
            case ir.Let():
                variable = Var(step.value.type, step.var)
                return facts.having(variable, self.ranges.of(step.value, facts.plain().known))
            case ir.Roll():
                return facts.having(Var(INT, step.var), Interval(step.dice, step.dice * step.sides))
            case ir.Set():
                return self.set(step, facts)
        return facts.forgetting(self.effects.step_writes(step))

    # -- decisions and chance ---------------------------------------------------------------------------------------

    def conditions(self, step: ir.Step | None, conditions: tuple[ir.Condition, ...], facts: Facts) -> Facts:
        """What is known where some conditions hold."""
        for condition in conditions:
            if condition.label != "cost":
                self.see(Seen("condition", step, condition.test, facts))
            facts = facts.assuming(condition.test, True)
        return facts

    def choose(self, step: ir.Choose, facts: Facts) -> Facts:
        inner, value = facts, None
        if step.var:
            variable, value = self.chosen(step, facts)
            inner = facts.having(variable, value)
        inner = self.conditions(step, step.conditions, inner)
        done = self.steps(step.do, inner)
        self.conditions(step, step.leaving, done)
        for way in step.ways:
            taken = self.conditions(step, way.conditions, facts)
            paid = frozenset((load.owner, load.name) for load in walking.targets(step))
            self.steps(way.do, taken.forgetting(paid))
        changed = self.effects.step_writes(step)
        if step.ways or step.if_possible:
            after = facts.without(step.var) if step.var else facts
            if step.source is not None:
                perhaps = Var(Type("ref", step.source.type.kind, True), step.var)
                members = value if isinstance(value, frozenset) else frozenset[int]()
                after = after.having(perhaps, members | {-1})
            return after.forgetting(changed)
        return inner.forgetting(changed)

    def chosen(self, step: ir.Choose, facts: Facts) -> tuple[Var, Value]:
        """The name of what is chosen, and what it may be."""
        if step.source is not None:
            variable = Var(Type("ref", step.source.type.kind), step.var)
            return variable, self.ranges.of_type(variable.type)
        value: Value = None
        if step.low is not None and step.high is not None:
            low, high = (self.ranges.number(end, facts.known) for end in (step.low, step.high))
            value = Interval(low.low, max(low.low, high.high))
        return Var(INT, step.var), value

    def draw(self, step: ir.Draw, facts: Facts) -> Facts:
        variable = Var(Type("ref", step.source.type.kind), step.var)
        inner = self.conditions(step, step.conditions, facts.having(variable, self.ranges.of_type(variable.type)))
        if not step.if_possible:
            return inner
        perhaps = Var(Type("ref", step.source.type.kind, True), step.var)
        return facts.having(perhaps, self.ranges.of_type(perhaps.type))

    # -- branches and loops -----------------------------------------------------------------------------------------

    def if_(self, step: ir.If, facts: Facts) -> Facts:
        self.see(Seen("test", step, step.test, facts))
        self.steps(step.then, facts.assuming(step.test, True))
        self.steps(step.other, facts.assuming(step.test, False))
        after = facts
        for steps, truth in ((step.then, False), (step.other, True)):
            if steps and isinstance(steps[-1], (ir.Stop, ir.End)):
                after = after.assuming(step.test, truth)
        return self.after(after, (*step.then, *step.other))

    def after(self, facts: Facts, steps: tuple[ir.Step, ...]) -> Facts:
        """What is still known after steps that may or may not have been done."""
        facts = facts.forgetting(self.effects.list_writes(steps))
        for name in bound(steps):
            facts = facts.without(name)
        return facts

    def loop(self, step: ir.While | ir.Times | ir.Choices | ir.Each, facts: Facts) -> Facts:
        facts = self.after(facts, step.body)
        inner = facts
        if isinstance(step, ir.While):
            self.see(Seen("while", step, step.test, facts))
            inner = facts.assuming(step.test, True)
        elif isinstance(step, ir.Each):
            inner = facts.having(*self.each(step, facts))
            self.each_where(step, inner)
        self.steps(step.body, inner)
        return facts

    def each(self, step: ir.Each, facts: Facts) -> tuple[Var, Value]:
        """The name of what an `each` goes through, and what it may be."""
        variable = Var(Type("ref", step.domain.type.kind), step.var)
        return variable, self.ranges.of_type(variable.type)

    def each_where(self, step: ir.Each, facts: Facts) -> None:
        """The conditions of an `each`: they are asked before its steps, so they say nothing inside it."""
        test = step.test
        for tree in test.items if isinstance(test, Bool) and test.span is None else (test,):
            if tree is not None:
                self.see(Seen("condition", step, tree, facts))
                facts = facts.assuming(tree, True)

    def set(self, step: ir.Set, facts: Facts) -> Facts:
        changed = frozenset(((step.target.owner, step.target.name),))
        facts = facts.forgetting(changed)
        if step.value.type.base == "set":
            return facts
        if any(self.effects.reads(tree) & changed for tree in (step.value, *step.target.args)):
            return facts
        equal = Compare(BOOL, "==", step.target, step.value, "", "", span=step.target.span)
        return facts.assuming(equal, True)


def bound(steps: tuple[ir.Step, ...]) -> set[str]:
    """The local names that steps give."""
    found = {str(getattr(step, "var", "")) for step in every_step(steps)}
    found.update("you" for step in every_step(steps) if isinstance(step, ir.As))
    return found - {""}
