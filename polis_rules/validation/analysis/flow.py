"""Go through the rules as play does, knowing at each place what the conditions before it have established."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from polis_rules.semantics import Interval, Members, Ranges, every_step, ir
from polis_rules.semantics.expressions import BOOL, GROUPS, INT, Bool, Call, Comp, Compare, Expr, Type, Var, substitute
from polis_rules.validation.analysis import walking
from polis_rules.validation.analysis.effects import Effects
from polis_rules.validation.analysis.facts import Facts
from polis_rules.validation.analysis.rule import Rule


class Seen(NamedTuple):
    """An expression on the way: `what` it is for, the step that it belongs to, and what is known there."""

    what: str
    """condition, cost (one that the compiler makes of a cost), test, while, value, place (state that changes), title,
    outside (of steps) or invariant"""
    step: ir.Step | None
    tree: Expr
    facts: Facts


See = Callable[[Seen], None]


class Flow:
    """One way through rules; `see` is told of every expression."""

    def __init__(self, effects: Effects, ranges: Ranges, see: See = lambda seen: None) -> None:
        self.effects = effects
        self.ranges = ranges
        self.see = see

    def rule(self, rule: Rule) -> None:
        """Go through a procedure, action or effect, or through what stands outside of steps."""
        facts = Facts(self.ranges, self.effects)
        if rule.procedure is not None:
            self.steps(rule.procedure.body, self.conditions(None, rule.conditions, facts))
        for tree in rule.outside:
            self.see(Seen("invariant" if rule.path == "invariants" else "outside", None, tree, facts))

    def steps(self, steps: tuple[ir.Step, ...], facts: Facts) -> Facts:
        """What is known after some steps."""
        for step in steps:
            facts = self.step(step, facts)
        return facts

    def step(self, step: ir.Step, facts: Facts) -> Facts:
        """What is known after a step."""
        changed = step.targets()
        for tree in walking.values(step):
            self.see(Seen("place" if any(tree is load for load in changed) else "value", step, tree, facts))
        match step:
            case ir.Choose():
                return self.choose(step, facts)
            case ir.Several():
                self.choose(step.choice, facts.without(step.var))
                facts = facts.without(step.var)
            case ir.Draw():
                return self.draw(step, facts)
            case ir.If():
                return self.if_(step, facts)
            case ir.While() | ir.Times() | ir.Choices() | ir.Each():
                return self.loop(step, facts)
            case ir.As():
                who = self.ranges.of(step.player, facts.plain.known)
                self.steps(step.body, facts.having(Var(step.player.type, "you"), who))
            case ir.Let():
                variable = Var(step.value.type, step.var)
                return facts.having(variable, self.ranges.of(step.value, facts.plain.known))
            case ir.Roll():
                return self.roll(step, facts)
            case ir.Set():
                return self.set(step, facts)
        return facts.forgetting(self.effects.list_writes((step,)))

    def member(self, source: Expr, tests: list[Expr], name: str, facts: Facts) -> tuple[Var, Members]:
        """The name of a member that is chosen, drawn or gone through, and which of its kind it may be."""
        return Var(Type("ref", source.type.kind), name), frozenset(range(self.ranges.symbols.count(source.type.kind)))

    def gathered(self, source: Expr, variable: Var, facts: Facts) -> Facts:
        """What is known besides of a member out of a set that gathers those of which a condition holds."""
        made = walking.explained(source, self.ranges.symbols) if isinstance(source, Call) else source
        if isinstance(made, Comp) and made.func == "set" and made.test is not None and is_itself(made):
            return facts.assuming(substitute(made.test, {made.var: variable}), True)
        return facts

    # -- decisions and chance ---------------------------------------------------------------------------------------

    def conditions(self, step: ir.Step | None, conditions: tuple[ir.Condition, ...], facts: Facts) -> Facts:
        """What is known where some conditions hold."""
        for condition in conditions:
            self.see(Seen("cost" if condition.label == "cost" else "condition", step, condition.test, facts))
            for _, tree in condition.shown:
                self.see(Seen("title", step, tree, facts))
            facts = facts.assuming(condition.test, True)
        return facts

    def choose(self, step: ir.Choose, facts: Facts) -> Facts:
        for _, tree in (*step.shown, *(each for way in step.ways for each in way.shown)):
            self.see(Seen("title", step, tree, facts))
        inner, after = facts, facts.without(step.var)
        if step.source is not None:
            variable, members = self.member(step.source, [each.test for each in step.conditions], step.var, facts)
            inner, after = facts.having(variable, members), self.perhaps(variable, members, facts)
            inner = self.gathered(step.source, variable, inner)
        elif step.low is not None and step.high is not None:
            low, high = (self.ranges.number(end, facts.known) for end in (step.low, step.high))
            inner = facts.having(Var(INT, step.var), Interval(low.low, max(low.low, high.high)))
        inner = self.conditions(step, step.conditions, inner)
        for part in step.parts:
            self.see(Seen("value", step, part.source, inner))
            tests = [each.test for each in part.conditions]
            after = self.perhaps(*self.member(part.source, tests, part.var, inner), after)
            inner = self.conditions(
                step, part.conditions, inner.having(*self.member(part.source, tests, part.var, inner))
            )
        self.conditions(step, step.leaving, self.steps(step.do, inner))
        paid = frozenset((load.owner, load.name) for load in step.targets())
        for way in step.ways:
            self.steps(way.do, self.conditions(step, way.conditions, facts).forgetting(paid))
        open_end = step.ways or step.if_possible
        return (after if open_end else inner).forgetting(self.effects.list_writes((step,)))

    def perhaps(self, variable: Var, members: Members, facts: Facts) -> Facts:
        """What is known where a name stands for one of these members or for none."""
        kind = Type("ref", variable.type.kind, True)
        return facts.without(variable.name).having(Var(kind, variable.name), members | {-1})

    def draw(self, step: ir.Draw, facts: Facts) -> Facts:
        variable, members = self.member(step.source, walking.tests(step), step.var, facts)
        inner = self.conditions(step, step.conditions, facts.having(variable, members))
        return self.perhaps(variable, members, facts) if step.if_possible else inner

    def roll(self, step: ir.Roll, facts: Facts) -> Facts:
        if step.test is not None:
            most = step.sides if isinstance(step.sides, int) else self.ranges.number(step.sides, facts.known).high
            self.see(Seen("condition", step, step.test, facts.having(Var(INT, "die"), Interval(1, max(most, 1)))))
        return facts.having(Var(INT, step.var), self.ranges.rolled(step, facts.known))

    # -- branches and loops -----------------------------------------------------------------------------------------

    def if_(self, step: ir.If, facts: Facts) -> Facts:
        self.see(Seen("test", step, step.test, facts))
        after = facts
        for steps, truth in ((step.then, True), (step.other, False)):
            self.steps(steps, facts.assuming(step.test, truth))
            if steps and isinstance(steps[-1], (ir.Stop, ir.End)):
                after = after.assuming(step.test, not truth)
        return self.after(after, (*step.then, *step.other))

    def after(self, facts: Facts, steps: tuple[ir.Step, ...]) -> Facts:
        """What is still known after steps that may or may not have been done."""
        return facts.forgetting(self.effects.list_writes(steps)).without(*bound(steps))

    def loop(self, step: ir.While | ir.Times | ir.Choices | ir.Each, facts: Facts) -> Facts:
        inner = facts = self.after(facts, step.body)
        if isinstance(step, ir.While):
            self.see(Seen("while", step, step.test, facts))
            inner = facts.assuming(step.test, True)
        elif isinstance(step, ir.Each):
            inner = asked = facts.having(*self.member(step.domain, walking.tests(step), step.var, facts))
            test = step.test  # asked before the steps of the loop, so that it says nothing inside it
            for tree in test.items if isinstance(test, Bool) and test.span is None else walking.tests(step):
                self.see(Seen("condition", step, tree, asked))
                asked = asked.assuming(tree, True)
        self.steps(step.body, inner)
        return facts

    def set(self, step: ir.Set, facts: Facts) -> Facts:
        changed = frozenset(((step.target.owner, step.target.name),))
        facts = facts.forgetting(changed)
        if step.value.type.base in GROUPS:
            return facts
        if any(self.effects.reads(tree) & changed for tree in (step.value, *step.target.args)):
            return facts
        equal = Compare(BOOL, "==", step.target, step.value, span=step.target.span)
        return facts.assuming(equal, True)


def is_itself(made: Comp) -> bool:
    """Whether what a comprehension gathers is what it goes over."""
    return isinstance(made.body, Var) and made.body.name == made.var


def bound(steps: tuple[ir.Step, ...]) -> set[str]:
    """The local names that steps give."""
    names = {str(getattr(step, "var", "")) for step in every_step(steps)}
    names.update(part.var for step in every_step(steps) if isinstance(step, ir.Choose) for part in step.parts)
    names.update("you" for step in every_step(steps) if isinstance(step, ir.As))
    return names - {""}
