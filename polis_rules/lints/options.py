"""Choices and draws that may have nothing to choose from, where that is an error in play.

Why: a choice without an option, or a draw from nothing, stops the game.
Example: `from: 1..you.coins` of coins that may be 0; `repeat: {times: 5}` around a draw from three cards.
What can be proved is reported as a warning; what only looks so, as a note.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics, RuleError
from polis_rules.expressions.nodes import Compare, Const, Everyone, Expr, Load, Var
from polis_rules.expressions.types import BOOL
from polis_rules.interpreter import ir
from polis_rules.interpreter.blocks import children
from polis_rules.lints import walking
from polis_rules.lints.effects import Key
from polis_rules.lints.facts import Facts
from polis_rules.lints.flow import Flow, Seen
from polis_rules.lints.subject import Subject
from polis_rules.schema.rules import ActionChoice
from polis_rules.schema.steps import Choose as WrittenChoose
from polis_rules.source import Text


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `no-option` and `short-draw`."""
    loops = {id(step.body[0]) for step in _choices(subject) if step.body}
    _Numbers(subject, diagnostics, loops).run()
    _Draws(subject, diagnostics).run()


def _choices(subject: Subject) -> list[ir.Choices]:
    return [step for _, step in walking.steps(subject.rules) if isinstance(step, ir.Choices)]


class _Numbers(Flow):
    """Choices of a number whose range may be empty."""

    def __init__(self, subject: Subject, diagnostics: Diagnostics, loops: set[int]) -> None:
        super().__init__(subject, _ignore)
        self.diagnostics = diagnostics
        self.loops = loops

    def choose(self, step: ir.Choose, facts: Facts) -> Facts:
        free = step.if_possible or step.ways or id(step) in self.loops
        if step.low is not None and step.high is not None and not free:
            some = facts.verdict(Compare(BOOL, "<=", step.low, step.high, "", ""))
            item = self.places.written(step)
            if isinstance(item, (ActionChoice, WrittenChoose)):
                self.report(step, some, item.from_)
        return super().choose(step, facts)

    def report(self, step: ir.Choose, some: bool | None, text: Text) -> None:
        if some is False:
            self.diagnostics.warning("no-option", "this range is always empty, so there is no option", text.span)
        elif some is None and isinstance(step.low, Const) and isinstance(step.high, Load):
            least = self.subject.ranges.number(step.high, {}).low
            if least < step.low.value:
                upper = text.partition("..")[2].strip()
                message = f"there is no option while {upper} is below {step.low.value}"
                hint = "ask for enough before, or add `if_possible: true`"
                self.diagnostics.note("no-option", message, text.span, hint, confidence="possible")


def _ignore(_seen: Seen) -> None:
    """The expressions on the way are of no interest."""


class _Draws:
    """Draws that are made more often, in one go, than there are members."""

    def __init__(self, subject: Subject, diagnostics: Diagnostics) -> None:
        self.subject = subject
        self.diagnostics = diagnostics

    def run(self) -> None:
        for procedure in self.subject.rules.procedures.values():
            self.steps(procedure.body, 1, procedure.body)

    def steps(self, steps: tuple[ir.Step, ...], times: int, loop: tuple[ir.Step, ...]) -> None:
        for step in steps:
            if isinstance(step, ir.Draw) and not step.if_possible and times > 1:
                self.draw(step, times, loop)
            again, body = times, loop
            if isinstance(step, ir.Times) and isinstance(step.times, Const):
                again, body = times * step.times.value, step.body if times == 1 else loop
            elif isinstance(step, ir.Each) and isinstance(step.domain, Everyone) and step.test is None:
                again = times * len(self.subject.symbols.kinds[step.domain.type.kind].members)
                body = step.body if times == 1 else loop
            elif isinstance(step, (ir.While, ir.Choices, ir.If)):
                again = 1
            for inner in children(step):
                self.steps(inner, again, body)

    def draw(self, step: ir.Draw, times: int, loop: tuple[ir.Step, ...]) -> None:
        """A draw that is done so often: are there so many at the start, each counted down when it is drawn?"""
        if (
            not isinstance(step.source, Everyone)
            or len(step.conditions) != 1
            or isinstance(self.subject.first, RuleError)
        ):
            return
        counter = _counter(step.conditions[0].test, step.var)
        if counter is None or counter not in _taken(loop, step.var):
            return
        base = self.subject.layout.bases[counter]
        size = self.subject.symbols.variable(*counter).size
        there = sum(max(value, 0) for value in self.subject.first[base : base + size])
        if there < times:
            message = f"this is drawn {times} times in one go, and there are {there} to begin with"
            hint = "draw fewer, or add `if_possible: true`"
            span = self.subject.places.key(step)
            self.diagnostics.warning("short-draw", message, span, hint, confidence="likely")


def _counter(test: Expr, name: str) -> Key | None:
    """The state that says how many of a card are left: of `x.left > 0`, or of `x.is_left`."""
    if isinstance(test, Compare) and test.op == ">" and isinstance(test.right, Const) and test.right.value == 0:
        test = test.left
    if isinstance(test, Load) and len(test.args) == 1 and isinstance(test.args[0], Var) and test.args[0].name == name:
        return test.owner, test.name
    return None


def _taken(steps: tuple[ir.Step, ...], name: str) -> set[Key]:
    """What is counted down, of the member with that name, among these steps."""
    found: set[Key] = set()
    for step in steps:
        load = step.source if isinstance(step, ir.Move) else step.target if isinstance(step, ir.Set) else None
        if load is not None and any(isinstance(arg, Var) and arg.name == name for arg in load.args):
            found.add((load.owner, load.name))
        for inner in children(step):
            found |= _taken(inner, name)
    return found
