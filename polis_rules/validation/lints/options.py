"""Choices of a number that may have nothing to choose from, where that is an error in play.

Why: a choice without an option stops the game.
Example: `from: 1..you.coins` of coins that may be 0.
What can be proved is reported as a warning; what only looks so, as a note.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import ActionChoice
from polis_rules.schema import Choose as WrittenChoose
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import BOOL, Compare, Const, Load
from polis_rules.source import Text
from polis_rules.validation.analysis import Facts, Flow, Seen, Subject, walking


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `no-option`."""
    loops = {id(step.body[0]) for step in _choices(subject) if step.body}
    _Numbers(subject, diagnostics, loops).run()


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
