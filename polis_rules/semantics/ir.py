"""The typed rules: what stands between the checked ruleset and any backend. No names are looked up after this."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from polis_rules.diagnostics import Span
from polis_rules.semantics.expressions import Expr, Load, Type
from polis_rules.semantics.step_parts import (
    Amount as Amount,
    Banked as Banked,
    Condition as Condition,
    Implied as Implied,
    Part as Part,
    Shown as Shown,
    Step as Step,
    Way as Way,
)

MOST_TOGETHER = 100_000
"""Over how many combinations of members a choice of several names may go."""


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
    says: str | None = None
    """how it is told what was chosen, where no way was; without it that is as the procedure says"""

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


class While(Step):
    """Repeat as long as a condition holds."""

    test: Expr
    body: tuple[Step, ...]


class Times(Step):
    """Repeat a number of times."""

    times: Expr
    body: tuple[Step, ...]


class Choices(Step):
    """Repeat as long as the first choice of the body has an option; `finish` may be chosen after `at_least` times."""

    waits = True

    at_least: int
    finish: str
    body: tuple[Step, ...]


class Each(Step):
    """For each member for which the conditions hold when the loop begins, in table order or that of a list, or from
    `starting` around."""

    var: str
    domain: Expr
    test: Expr | None
    starting: Expr | None
    body: tuple[Step, ...]


class Together(Each):
    """The same for players who act at the same time. While they do, the flag `path` is set."""

    path: str


class If(Step):
    """A condition and two lists of steps."""

    test: Expr
    then: tuple[Step, ...]
    other: tuple[Step, ...]


class Move(Step):
    """Pieces go from one counter to another."""

    amount: Expr
    source: Load
    target: Load


class MoveMembers(Move):
    """Members of a list go to another one, on top or `under` it, or one of them goes to or comes from a counter.

    `amount` is the member, of which the first one goes, or how many go from the top.
    """

    under: bool = False
    quiet: bool = False
    """whether it is part of something else, which is told instead"""


class Sort(Step):
    """A list is put in order of a number for each member (`it`): the least on top, equal ones as they were."""

    target: Load
    by: Expr


class Generated(Step):
    """A step that stands for several ones, which nobody wrote: those of `body`."""

    body: tuple[Step, ...]


class AnyOf(Generated):
    """Something is paid in one of several ways, or partly in each: the steps of `body` ask how and pay it."""

    parts: tuple[Amount, ...]
    """what each way would cost alone"""
    named: tuple[Amount, ...]
    """those that are written down, with what is written"""


Payment = Amount | AnyOf


class Shuffle(Generated):
    """A list is put in an order that chance decides: the steps of `body` draw what comes on top, and so on."""

    target: Load
    stream: str


class Restore(Generated):
    """All values of some state are set to its first ones."""

    owner: str
    name: str


class Remember(Restore):
    """What the rule remembers from here on takes its first value; `var` is its name in the rule."""

    var: str


class Forget(Restore):
    """What the rule remembered is as it was before; nobody wrote that."""


class Shuffled(Step):
    """That a list has been shuffled, to be told."""

    target: Load


class Set(Step):
    """A state variable takes a value."""

    target: Load
    value: Expr


class Note(Generated):
    """A local name gets what choices have to differ from; nobody wrote that. It stands where the game waits."""

    waits = True


class Cover(Set):
    """Players begin to act together, or all have finished: nobody wrote that."""


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


class Give(Set):
    """A procedure gets its answer."""


class Let(Step):
    """A local name for a value."""

    var: str
    value: Expr


class Do(Step):
    """A procedure with its arguments."""

    procedure: str
    args: tuple[Expr, ...]


class DoEffects(Step):
    """The effects that a member carries: one of several procedures, by the members in `index`."""

    owner: str
    name: str
    index: tuple[Expr, ...]
    args: tuple[Expr, ...]


class Perform(Step):
    """An action as a whole."""

    waits = True

    action: Expr


class As(Step):
    """Somebody else is `you` for some steps."""

    player: Expr
    body: tuple[Step, ...]


class Stop(Step):
    """Leave the innermost repeat or each."""


class Mark(Step):
    """Being reached is counted under the number `site`."""

    site: int


class Tell(Step):
    """How it is told what the steps from here do, up to the next one that `says` nothing (None): no rule."""

    says: str | None
    """with expressions in braces; empty where they are not told"""
    shown: Shown = ()
    of_roll: bool = False
    """whether it is told so what the roll before it gave: nothing stands up to the next one then"""


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
    says: str | None = None
    """how it is told what is chosen in it, with names in braces; without it that is made of titles"""


IN_BRACES = re.compile(r"\{([^{}:]+)(?:: *([^{}]+))?\}")
"""A name in how it is told that something was done; in `{origin: pieces}` with a word for how many were chosen."""

PAIR = re.compile(r"(.+) or (.+)")
"""Two words in how it is told that state has another value, such as `{rises or drops}`: the first is for more."""


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
    says: str | None = None
    """how it is told that it was done, with names in braces; without it that is made of titles"""
