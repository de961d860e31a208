"""The typed rules: what stands between the checked ruleset and any backend. No names are looked up after this."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from polis_rules.diagnostics import Span
from polis_rules.semantics.expressions import Expr, Load, Type
from polis_rules.source import spoken

MOST_NUMBERS = 10_000
"""How many numbers a choice may go over."""
MOST_TOGETHER = 100_000
"""Over how many combinations of members a choice of several names may go."""


Shown = tuple[tuple[str, Expr], ...]
"""The parts of a title in braces, with the expressions whose values stand there."""


@dataclass(frozen=True, slots=True)
class Condition:
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
        return self.says or spoken(self.label)


@dataclass(frozen=True, slots=True)
class Implied(Condition):
    """A requirement that nobody wrote: it follows from what a choice is for."""


STEPS, STATE = "tuple[Step, ...]", "Load"
"""The types of fields that hold steps, and the state that a step changes."""


def _fields(step: Step, kind: str) -> tuple[str, ...]:
    """The fields of a step that have a type."""
    key = type(step), kind
    if key not in _FIELDS:
        _FIELDS[key] = tuple(each.name for each in fields(step) if each.type == kind)
    return _FIELDS[key]


_FIELDS: dict[tuple[type[Step], str], tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Step:
    """Any step of an effect; `span` is where its verb stands. Its fields' types tell what it holds and changes."""

    waits = False
    """Whether the game waits or ends at it."""
    span: Span

    def children(self) -> Iterator[tuple[Step, ...]]:
        """The lists of steps that it goes through; what a decision leads to is not among them."""
        yield from (getattr(self, name) for name in _fields(self, STEPS) if name != "do")

    def targets(self) -> tuple[Load, ...]:
        """The state that it changes itself; what a way costs is paid when the way is taken."""
        return tuple(getattr(self, name) for name in _fields(self, STATE))

    def expressions(self) -> Iterator[Expr]:
        """The expressions that it holds itself, those of its conditions, named ways and costs among them."""
        for name in self.__dataclass_fields__:
            if name not in _fields(self, STEPS):
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

        lists = _fields(self, STEPS)
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
            yield value.test
            yield from (tree for _, tree in value.shown)
        case Part():
            yield from _expressions((value.source, value.conditions))
        case Way():
            yield from _expressions((value.conditions, value.cost, value.shown))
        case Amount():
            yield from (value.target, value.amount)
        case tuple():
            for part in value:
                yield from _expressions(part)


@dataclass(frozen=True, slots=True)
class Amount(Step):
    """Pay, gain or lose: `verb` of `amount` on a player's spendable state."""

    verb: str
    target: Load
    amount: Expr

    @property
    def parts(self) -> tuple[Amount, ...]:
        """The ways to pay it."""
        return (self,)


@dataclass(frozen=True, slots=True)
class Banked(Amount):
    """The same where what is paid and lost goes to a bank, and what is gained comes from there as far as it has any."""

    bank: Load


@dataclass(frozen=True, slots=True)
class Way:
    """A named alternative of a decision."""

    id: str
    title: str
    conditions: tuple[Condition, ...]
    cost: tuple[Amount, ...]
    do: tuple[Step, ...]
    span: Span
    shown: Shown = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One more name in a decision of several: a member of `source`, a kind of `count` members.

    Its source and conditions may speak of the names before it.
    """

    var: str
    source: Expr
    conditions: tuple[Condition, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Choose(Step):
    """A decision: a member, a number, one of several named ways, or several members at once.

    `source` is None where only ways exist. `low` and `high` hold the ends where numbers are chosen.
    `parts` are the names after the first; an option is then the number that `split` takes apart.
    `do` (which may not wait) is done at once with a chosen member; `leaving` must hold after it.
    """

    waits = True

    path: str
    title: str
    var: str
    who: Expr | None = None
    source: Expr | None = None
    low: Expr | None = None
    high: Expr | None = None
    conditions: tuple[Condition, ...] = ()
    ways: tuple[Way, ...] = ()
    do: tuple[Step, ...] = ()
    leaving: tuple[Condition, ...] = ()
    if_possible: bool = False
    secret: bool = False
    """whether the other players do not see what is chosen"""
    cost: tuple[Payment, ...] = ()
    """what is paid for the choice after it, for people who want to know before"""
    shown: Shown = ()
    parts: tuple[Part, ...] = ()

    def targets(self) -> tuple[Load, ...]:
        return tuple(load for way in self.ways for part in way.cost for load in part.targets())

    @property
    def chosen(self) -> tuple[tuple[str, Expr | None], ...]:
        """The names of what is chosen, each with the set that it is chosen from; None for a number."""
        return (*([(self.var, self.source)] if self.var else ()), *((part.var, part.source) for part in self.parts))

    @property
    def tests(self) -> tuple[Condition, ...]:
        """The conditions of all that is chosen."""
        return (*self.conditions, *(each for part in self.parts for each in part.conditions))

    def asking(self, more: tuple[Condition, ...]) -> Choose:
        """The same decision with more conditions of all that is chosen."""
        if not self.parts:
            return replace(self, conditions=self.conditions + more)
        last = replace(self.parts[-1], conditions=self.parts[-1].conditions + more)
        return replace(self, parts=(*self.parts[:-1], last))

    def split(self, number: int) -> dict[str, int]:
        """What each name stands for where an option is chosen, or where none is (-1)."""
        values: list[int] = []
        for part in reversed(self.parts):
            number, value = divmod(number, part.count) if number >= 0 else (-1, -1)
            values.insert(0, value)
        return dict(zip((name for name, _ in self.chosen), (number, *values), strict=False))


@dataclass(frozen=True, slots=True)
class Roll(Step):
    """Chance: the sum of `dice` dice of `sides` sides, or how many of them pass a `test` as `die`."""

    waits = True

    path: str
    var: str
    dice: int | Expr
    sides: int | Expr
    stream: str
    test: Expr | None = None
    seen_by: Expr | None = None
    """which players, as `viewer`, see what comes out; None where all do"""

    @property
    def plain(self) -> bool:
        """Whether so many dice are rolled every time, and their sum counts."""
        return self.test is None and isinstance(self.dice, int) and isinstance(self.sides, int)


@dataclass(frozen=True, slots=True)
class Draw(Step):
    """Chance: one member of `source`, each as likely as `weight` says."""

    waits = True

    path: str
    var: str
    source: Expr
    conditions: tuple[Condition, ...]
    weight: Expr | None
    stream: str
    if_possible: bool
    seen_by: Expr | None = None
    """which players, as `viewer`, see what comes out; None where all do"""


@dataclass(frozen=True, slots=True)
class While(Step):
    """Repeat as long as a condition holds."""

    test: Expr
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Times(Step):
    """Repeat a number of times."""

    times: Expr
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Choices(Step):
    """Repeat as long as the first choice of the body has an option; `finish` may be chosen after `at_least` times."""

    waits = True

    at_least: int
    finish: str
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Each(Step):
    """For each member for which the conditions hold when the loop begins, in table order or that of a list, or from
    `starting` around."""

    var: str
    domain: Expr
    test: Expr | None
    starting: Expr | None
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Together(Each):
    """The same for players who act at the same time. While they do, the flag `path` is set."""

    path: str


@dataclass(frozen=True, slots=True)
class If(Step):
    """A condition and two lists of steps."""

    test: Expr
    then: tuple[Step, ...]
    other: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Move(Step):
    """Pieces go from one counter to another."""

    amount: Expr
    source: Load
    target: Load


@dataclass(frozen=True, slots=True)
class MoveMembers(Move):
    """Members of a list go to another one, on top or `under` it, or one of them goes to or comes from a counter.

    `amount` is the member, of which the first one goes, or how many go from the top.
    """

    under: bool = False
    quiet: bool = False
    """whether it is part of something else, which is told instead"""


@dataclass(frozen=True, slots=True)
class Sort(Step):
    """A list is put in order of a number for each member (`it`): the least on top, equal ones as they were."""

    target: Load
    by: Expr


@dataclass(frozen=True, slots=True)
class Generated(Step):
    """A step that stands for several ones, which nobody wrote: those of `body`."""

    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Generated):
    """Something is paid in one of several ways, or partly in each: the steps of `body` ask how and pay it."""

    parts: tuple[Amount, ...]
    """what each way would cost alone"""
    named: tuple[Amount, ...]
    """those that are written down, with what is written"""


Payment = Amount | AnyOf


@dataclass(frozen=True, slots=True)
class Shuffle(Generated):
    """A list is put in an order that chance decides: the steps of `body` draw what comes on top, and so on."""

    target: Load
    stream: str


@dataclass(frozen=True, slots=True)
class Restore(Generated):
    """All values of some state are set to its first ones."""

    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class Remember(Restore):
    """What the rule remembers from here on takes its first value; `var` is its name in the rule."""

    var: str


@dataclass(frozen=True, slots=True)
class Forget(Restore):
    """What the rule remembered is as it was before; nobody wrote that."""


@dataclass(frozen=True, slots=True)
class Shuffled(Step):
    """That a list has been shuffled, to be told."""

    target: Load


@dataclass(frozen=True, slots=True)
class Set(Step):
    """A state variable takes a value."""

    target: Load
    value: Expr


@dataclass(frozen=True, slots=True)
class Note(Generated):
    """A local name gets what choices have to differ from; nobody wrote that. It stands where the game waits."""

    waits = True


@dataclass(frozen=True, slots=True)
class Cover(Set):
    """Players begin to act together, or all have finished: nobody wrote that."""


@dataclass(frozen=True, slots=True)
class Several(Generated):
    """A set of members is chosen one by one: the steps of `body` ask for them, which nobody wrote.

    `choice` is that of one member, with what the author asks of each.
    """

    waits = True

    var: str
    least: int
    most: int
    finish: str
    choice: Choose


@dataclass(frozen=True, slots=True)
class Give(Set):
    """A procedure gets its answer."""


@dataclass(frozen=True, slots=True)
class Let(Step):
    """A local name for a value."""

    var: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Do(Step):
    """A procedure with its arguments."""

    procedure: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DoEffects(Step):
    """The effects that a member carries: one of several procedures, by the members in `index`."""

    owner: str
    name: str
    index: tuple[Expr, ...]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Perform(Step):
    """An action as a whole."""

    waits = True

    action: Expr


@dataclass(frozen=True, slots=True)
class As(Step):
    """Somebody else is `you` for some steps."""

    player: Expr
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Stop(Step):
    """Leave the innermost repeat or each."""


@dataclass(frozen=True, slots=True)
class Mark(Step):
    """Being reached is counted under the number `site`."""

    site: int


@dataclass(frozen=True, slots=True)
class End(Step):
    """The game ends. `winner` is None where the score decides."""

    waits = True

    ending: str
    winner: Expr | None


@dataclass(slots=True)
class Procedure:
    """Steps with a name: a procedure, a phase, an action or the effects of a row."""

    path: str
    title: str
    params: dict[str, Type]
    body: tuple[Step, ...]
    span: Span
    locals: dict[str, Type] = field(default_factory=dict)
    announce: bool = False
    """whether entering it is a line of the report"""


@dataclass(slots=True)
class ActionRule:
    """An action: when it is possible, and the procedure that performs it."""

    id: str
    title: str
    conditions: tuple[Condition, ...]
    """what must hold before anything is chosen, costs included"""
    cost: tuple[Payment, ...]
    first: Choose | None
    procedure: str
    span: Span
