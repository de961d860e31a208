"""What typed steps are made of: conditions, amounts, named ways; and how whoever goes over steps takes them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any, Self

from polis_rules.diagnostics import Span
from polis_rules.semantics.expressions import Expr, Load
from polis_rules.semantics.record import Record
from polis_rules.source import spoken

Shown = tuple[tuple[str, Expr], ...]
"""The parts of a title in braces, with the expressions whose values stand there."""


class Condition(Record):
    """One labelled requirement: where it does not hold a player reads what it `says`."""

    label: str
    test: Expr
    text: str
    span: Span
    says: str = ""
    """empty where the label says it"""
    shown: Shown = ()

    @property
    def words(self) -> str:
        """What a player reads, with the names of values between braces."""
        return self.text if self.is_bare and self.label != "cost" else self.says or spoken(self.label)

    @property
    def is_bare(self) -> bool:
        """Whether it has neither a sentence nor a label of its own, only that of the key under which it stands."""
        return not self.says and self.label in ("where", "leaving", "requires", "cost")

    def expressions(self) -> Iterator[Expr]:
        """What is asked, and what is shown where it does not hold."""
        yield self.test
        yield from (tree for _, tree in self.shown)

    def rebuilt(self, change: Callable[[Expr], Expr]) -> Self:
        """The same requirement of other expressions."""
        shown = tuple((part, change(value)) for part, value in self.shown)
        return replace(self, test=change(self.test), shown=shown)


class Implied(Condition):
    """A requirement that nobody wrote: it follows from what a choice is for."""


STEPS, STATE = "tuple[Step, ...]", "Load"
"""The types of fields that hold steps, and the state that a step changes."""


@cache
def _fields(step: type[Step], kind: str) -> tuple[str, ...]:
    """The fields of a class of steps that have a type."""
    return tuple(each.name for each in fields(step) if each.type == kind)


class Step(Record):
    """Any step of an effect; `span` is where its verb stands. Its fields' types tell what it holds and changes."""

    waits = False
    """Whether the game waits or ends at it."""
    span: Span

    def children(self) -> Iterator[tuple[Step, ...]]:
        """The lists of steps that it goes through; what a decision leads to is not among them."""
        yield from (getattr(self, name) for name in _fields(type(self), STEPS) if name != "do")

    def targets(self) -> tuple[Load, ...]:
        """The state that it changes itself; what a way costs is paid when the way is taken."""
        return tuple(getattr(self, name) for name in _fields(type(self), STATE))

    def expressions(self) -> Iterator[Expr]:
        """The expressions that it holds itself, those of its conditions, named ways and costs among them."""
        for name in self.__dataclass_fields__:
            if name not in _fields(type(self), STEPS):
                yield from _expressions(getattr(self, name))

    def replace(
        self,
        expression: Callable[[Expr], Expr] = lambda tree: tree,
        condition: Callable[[Condition], Condition] = lambda each: each,
        steps: Callable[[tuple[Step, ...]], tuple[Step, ...]] = lambda steps: steps,
    ) -> Self:
        """The same step with other parts: its own expressions, its conditions and those of its ways, its steps.

        What only tells, of prices and of values in titles, stays.
        """

        def changed(value: Any) -> Any:
            match value:
                case Expr():
                    return expression(value)
                case (Expr(), *_):
                    return tuple(map(expression, value))
                case (Condition(), *_):
                    return tuple(map(condition, value))
                case (Part(), *_):
                    parts = [(each, expression(each.source), changed(each.conditions)) for each in value]
                    return tuple(replace(each, source=source, conditions=tests) for each, source, tests in parts)
                case (Way(), *_):
                    ways = [replace(way, conditions=changed(way.conditions), do=steps(way.do)) for way in value]
                    return tuple(ways)
            return value

        lists = _fields(type(self), STEPS)
        other: dict[str, Any] = {
            name: (steps if name in lists else changed)(getattr(self, name)) for name in self.__dataclass_fields__
        }
        return replace(self, **other)


def _expressions(value: object) -> Iterator[Expr]:
    """The expressions in a field of a step."""
    match value:
        case Expr():
            yield value
        case Condition():
            yield from value.expressions()
        case Part():
            yield from _expressions((value.source, value.conditions))
        case Way():
            yield from _expressions((value.conditions, value.cost, value.shown))
        case Amount():
            yield from (value.target, value.amount)
        case tuple():
            for part in value:
                yield from _expressions(part)


class Amount(Step):
    """Pay, gain or lose: `verb` of `amount` on a player's spendable state."""

    verb: str
    target: Load
    amount: Expr

    @property
    def parts(self) -> tuple[Amount, ...]:
        """The ways to pay it."""
        return (self,)


class Banked(Amount):
    """The same where what is paid and lost goes to a bank, and what is gained comes from there as far as it has any."""

    bank: Load


class Way(Record):
    """A named alternative of a decision."""

    id: str
    title: str
    conditions: tuple[Condition, ...]
    cost: tuple[Amount, ...]
    do: tuple[Step, ...]
    span: Span
    shown: Shown = ()
    says: str | None = None
    """how it is told that it was chosen; without it that is made of titles"""


class Part(Record):
    """One more name in a decision of several: a member of `source`, a kind of `count` members.

    Its source and conditions may speak of the names before it.
    """

    var: str
    source: Expr
    conditions: tuple[Condition, ...]
    count: int
