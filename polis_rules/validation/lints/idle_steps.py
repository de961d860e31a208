"""Steps that change nothing, or that play never comes to.

Why: whoever wrote them expected something to happen.
Example: a step after `stop`; `set: {round: round}`; `gain: {coins: 0}`; a value that is set twice in a row; an `if`
with the same steps on both sides; a `repeat` whose condition no step inside it can change; `while: not day.last` where
no row of the table of days is the last.
"""

from __future__ import annotations

import re
from itertools import pairwise

from polis_rules.semantics import RowRanges, called_by, every_step, inside, ir
from polis_rules.semantics.expressions import Const, Expr, Var
from polis_rules.validation.analysis import Key, Subject, bound, keys, walking


def check(subject: Subject) -> None:
    """Report `unreachable-step`, `no-effect`, `overwritten`, `same-branches` and `endless-repeat`."""
    ending = _Ending(subject)
    for steps in subject.lists:
        _after_the_end(steps, ending, subject)
        for number, step in enumerate(steps):
            _no_effect(step, subject)
            _overwritten(step, steps[number + 1 :], subject)
            if isinstance(step, ir.If) and step.then and _alike(step.then) == _alike(step.other):
                subject.found.warning("same-branches", "the same happens whether this holds or not", step.span)
            if isinstance(step, ir.While):
                _endless(step, ending, subject)


class _Ending:
    """Which steps nothing can follow: `stop`, `end`, and what always comes to an `end`."""

    def __init__(self, subject: Subject) -> None:
        self.rules = subject.rules
        self.effects = subject.effects
        self.known: dict[str, bool] = {}

    def ends(self, step: ir.Step, stops: bool = False) -> bool:
        """Whether the game is over after this step; or, with `stops`, whether nothing after it is done."""
        match step:
            case ir.End():
                return True
            case ir.Stop():
                return stops
            case ir.Do():
                if step.procedure not in self.known:
                    body = self.rules.procedures[step.procedure].body
                    self.known[step.procedure] = any(self.ends(each) for each in body)
                return self.known[step.procedure]
            case ir.If():
                return all(any(self.ends(each, stops) for each in steps) for steps in (step.then, step.other))
            case ir.As():
                return any(self.ends(each) for each in step.body)
        return False

    def may_leave(self, steps: tuple[ir.Step, ...], loops: int = 0) -> bool:
        """Whether some step inside a loop may leave it or end the game."""
        for step in steps:
            if isinstance(step, ir.End) or (isinstance(step, ir.Stop) and not loops):
                return True
            called = self.effects.from_there(called_by(step, self.rules.symbols))
            bodies = (self.rules.procedures[path].body for path in called)
            if any(isinstance(each, ir.End) for body in bodies for each in every_step(body)):
                return True
            inner = loops + isinstance(step, (ir.While, ir.Times, ir.Choices, ir.Each))
            if any(self.may_leave(each, inner) for each in inside(step)):
                return True
        return False


def _after_the_end(steps: tuple[ir.Step, ...], ending: _Ending, subject: Subject) -> None:
    for step, following in pairwise(steps):
        if ending.ends(step, stops=True) and not isinstance(following, ir.Forget):
            message = "play never comes to this step"
            subject.found.warning("unreachable-step", message, following.span, related=(("it ends here", step.span),))
            return


def _no_effect(step: ir.Step, subject: Subject) -> None:
    at: Expr
    match step:
        case ir.Set() if step.value == step.target:
            at, message = step.value, "this is set to what it is already"
        case ir.Move() if step.source == step.target and not isinstance(step, ir.MoveMembers):
            at, message = step.amount, "this moves from a place to itself"
        case ir.Amount(amount=Const(value=0) as at) | ir.Move(amount=Const(value=0) as at) if at.type.base == "int":
            message = "this is none at all, so nothing happens"
        case ir.Times(times=Const(value=0) as at):
            message = "this is none at all, so nothing happens"
        case _:
            return
    subject.found.warning("no-effect", message, walking.place(at))


def _overwritten(step: ir.Step, rest: tuple[ir.Step, ...], subject: Subject) -> None:
    """A value that is set again before anything could have asked for it."""
    if not isinstance(step, ir.Set):
        return

    def asked(*trees: Expr) -> frozenset[Key]:
        return frozenset[Key]().union(*map(subject.effects.reads, trees))

    for later in rest:
        if not isinstance(later, ir.Set) or keys((step.target,)) & asked(later.value, *later.target.args):
            return
        if later.target == step.target:
            related = (("set again here", walking.name_span(later)),)
            message = "this value is never asked for: it is set again at once"
            subject.found.warning("overwritten", message, walking.name_span(step), related=related)
            return
        if keys((later.target,)) & asked(*step.target.args):
            return


def _endless(step: ir.While, ending: _Ending, subject: Subject) -> None:
    """A `while` that nothing inside changes and that nothing inside leaves."""
    names = {part.name for part in step.test.walk() if isinstance(part, Var)}
    changed = subject.effects.list_writes(step.body) & subject.effects.reads(step.test)
    always = subject.ranges.verdict(step.test, {})
    if always and not ending.may_leave(step.body):
        message = "this always holds, and no step inside says `stop` or ends the game: the repeat never ends"
        subject.found.warning("endless-repeat", message, walking.place(step.test))
    elif any(isinstance(each, (ir.Stop, ir.End)) for each in every_step(step.body)) or always:
        return
    elif not changed and not names & bound(step.body) and not isinstance(step.test, Const):
        message = "no step inside changes this condition, so the repeat has no round or never ends"
        subject.found.warning("endless-repeat", message, walking.place(step.test))
    elif RowRanges(subject.symbols).verdict(step.test, {}):
        message = "this holds for all rows of its table: the repeat goes on until something else ends the game"
        subject.found.warning("endless-repeat", message, walking.place(step.test), confidence="likely")


def _alike(steps: tuple[ir.Step, ...]) -> str:
    """Steps without their places, to compare them."""
    return re.sub(r"Span\(.*?\)|path='.*?'", "", repr(steps))
