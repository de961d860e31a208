"""Bills: what has to be paid at once, with what, and what may be paid now so that the rest can still be paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, permutations, product

from polis_rules.diagnostics import Span
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import BOOL, FALSE, INT, TRUE, Expr, conjunction, nodes as n, number
from polis_rules.source import Text

UNIT = "UNITS"
"""A local name for so many of something; ids of rulesets are lower case."""


@dataclass(frozen=True, slots=True)
class Purse:
    """Something to pay with: `rate` of it for one that is needed. `others` of its part may be the same state."""

    load: n.Load
    rate: int
    key: str
    others: tuple[n.Load, ...] = ()

    @property
    def repeated(self) -> Expr:
        """Whether it is the same state as another purse of its part, which then counts instead."""
        tests = [n.Compare(BOOL, "==", self.load.args[-1], each.args[-1]) for each in self.others]
        return FALSE if not tests else tests[0] if len(tests) == 1 else n.Bool(BOOL, "or", tuple(tests))

    def price(self, needed: Expr) -> Expr:
        """How much of it is paid for so much that is needed."""
        if self.rate == 1:
            return needed
        if isinstance(needed, n.Const):
            return number(needed.value * self.rate).at(needed.span)
        return n.Arith(INT, "*", needed, number(self.rate), span=needed.span)

    def covers(self, spent: Expr | None = None) -> Expr:
        """How much of what is needed it can pay, after so much has been spent of it."""
        have = self.load if spent is None else minus(self.load, spent)
        have = have if self.rate == 1 else n.Arith(INT, "//", have, number(self.rate))
        return have if not self.others else n.IfElse(INT, self.repeated, number(0), have)


@dataclass(frozen=True, slots=True)
class Part:
    """One entry of a cost: so much is needed, to be paid with any of some purses."""

    key: Text
    text: Text
    amount: Expr
    purses: tuple[Purse, ...]
    written: tuple[Expr, int]
    """the amount as it is written, and how many of the purses are"""

    @property
    def open(self) -> bool:
        """Whether there is more than one way to pay it."""
        return len(self.purses) > 1


def repeated(purse: Purse, part: Part) -> ir.Condition:
    """That a purse is not the same state as another one of its part."""
    return ir.Condition("cost", n.Not(BOOL, purse.repeated), f"{purse.key} is another one", part.key.span)


def with_others(purses: Sequence[Purse]) -> tuple[Purse, ...]:
    """The same purses, each knowing which of the others may be the same state.

    What is only known in play gives way to what is written out, and otherwise to what stands after it.
    """
    every = range(len(purses))

    def gives_way(at: int, to: int) -> bool:
        one, other = purses[at].load, purses[to].load
        return _may_be(one, other) and not _known(one) and (_known(other) or to > at)

    return tuple(
        replace(purse, others=tuple(purses[to].load for to in every if to != at and gives_way(at, to)))
        for at, purse in enumerate(purses)
    )


def _known(load: n.Load) -> bool:
    return isinstance(load.args[-1], n.Const)


def _may_be(one: n.Load, other: n.Load) -> bool:
    """Whether two different purses may turn out to be the same state."""
    if (one.name, len(one.args)) != (other.name, len(other.args)) or one == other or len(one.args) < 2:
        return False
    return not (_known(one) and _known(other))


# -- whether all of it can be paid ------------------------------------------------------------------------------------

Spent = dict[n.Load, Expr]
"""What has been spent already of some state."""


def tangled(parts: Sequence[Part]) -> Part | None:
    """A part that is paid with the same as others in a way that nothing simple can check beforehand.

    So it is where they have it at different rates, or may have it without saying so.
    """
    rates_matter = any(len(held) > 1 for held in _shared_sets(parts))
    for part, other in permutations(parts, 2):
        for one, each in product(part.purses, other.purses):
            if one.load == each.load:
                if one.others != each.others or (rates_matter and one.rate != each.rate):
                    return part
            elif _may_be(one.load, each.load) and each.load not in _loads(part) and one.load not in _loads(other):
                return part
    return None


def payable(parts: Sequence[Part], spent: Spent | None = None) -> list[ir.Condition]:
    """What must hold so that all parts can be paid at once (Hall's theorem on what several of them may be paid with).

    What only one part may be paid with is used up for it first. Then for any purses that several parts share, the parts
    that nothing else can pay must not lack more than these hold.
    """
    spent = spent or {}
    shared = _shared(parts)
    conditions = []
    for part in parts:
        if not any(purse.load in shared for purse in part.purses):
            have = plus([purse.covers(spent.get(purse.load)) for purse in part.purses])
            conditions.append(_condition([part], have, part.amount, " or ".join(_keys([part])), str(part.text)))
    for held in _shared_sets(parts):
        bound = [part for part in parts if (loads := _loads(part) & shared) and loads <= held]
        purses = {purse.load: purse for part in bound for purse in part.purses if purse.load in held}
        lacks = [(_lacking(part, shared, spent), part) for part in bound]
        if len(held) == 1:  # parts may have it at different rates
            (load,) = held
            have = replace(purses[load], rate=1).covers(spent.get(load))
            needed = plus([_purse(part, load).price(lack) for lack, part in lacks])
        else:
            have = plus([purse.covers(spent.get(load)) for load, purse in purses.items()])
            needed = plus([lack for lack, _ in lacks])
        left = " or ".join(dict.fromkeys(purse.key for purse in purses.values()))
        plain = all(_loads(part) <= held for part in bound)
        told = " + ".join(part.text for part in bound) if plain else f"what {' and '.join(_keys(bound))} lack"
        conditions.append(_condition(bound, have, needed, left, told))
    return conditions


def _condition(parts: Sequence[Part], have: Expr, needed: Expr, left: str, right: str) -> ir.Condition:
    at = parts[0].key.span
    text = " and ".join(f"{part.key} >= {part.text}" for part in parts)
    test = n.Compare(BOOL, ">=", have, needed, f"your {left}", right, span=at)
    return ir.Condition("cost", test, text, parts[0].text.span)  # the amount: a variant may have changed it alone


def _keys(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(purse.key for part in parts for purse in part.purses))


def _loads(part: Part) -> frozenset[n.Load]:
    return frozenset(purse.load for purse in part.purses)


def _purse(part: Part, load: n.Load) -> Purse:
    return next(purse for purse in part.purses if purse.load == load)


def _shared(parts: Sequence[Part]) -> frozenset[n.Load]:
    """The state with which more than one part may be paid."""
    return frozenset().union(*(_loads(one) & _loads(other) for one, other in combinations(parts, 2)))


def _shared_sets(parts: Sequence[Part]) -> list[frozenset[n.Load]]:
    """What some parts share with others, each part alone and any together."""
    shared = _shared(parts)
    sets: dict[frozenset[n.Load], None] = {}
    for each in (_loads(part) & shared for part in parts):
        if each:
            sets |= dict.fromkeys([each, *(each | other for other in sets)])
    return list(sets)


def _lacking(part: Part, shared: frozenset[n.Load], spent: Spent) -> Expr:
    """What is needed of a part beyond what it alone can use."""
    own = [purse.covers(spent.get(purse.load)) for purse in part.purses if purse.load not in shared]
    return part.amount if not own else n.MinMax(INT, "max", (number(0), minus(part.amount, plus(own))))


# -- how a part is paid that can be paid in several ways --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asking:
    """What the steps of a payment need besides: who pays, the path of the decision, and how things are called."""

    at: Span
    who: Expr | None
    path: Callable[[], str]
    local: Callable[[str], str]
    """gives a local name to this rule"""
    pay: Callable[[n.Load, Expr], ir.Amount]
    called: Callable[[Purse], tuple[str, ir.Shown]]


def alternatives(part: Part, rest: Sequence[Part]) -> Iterator[tuple[Purse, tuple[ir.Condition, ...]]]:
    """Each purse that can pay a part alone, one after the other, and what must hold so that the rest can be paid."""
    for purse in part.purses:
        alone = payable([replace(part, purses=(replace(purse, others=()),))])
        after = payable(rest, {purse.load: purse.price(part.amount)})
        yield purse, (*([repeated(purse, part)] if purse.others else ()), *alone, *after)


def settle(part: Part, rest: Sequence[Part], ask: Asking) -> tuple[ir.Step, ...]:
    """The steps by which a part is paid: the player is asked as long as there is more than one way."""
    if part.amount == number(1):
        return _settle_one(part, rest, ask)
    needed, steps = n.Var(INT, ask.local("NEEDED")), list[ir.Step]()
    steps.append(ir.Let(ask.at, needed.name, part.amount))
    for at, purse in enumerate(part.purses[:-1]):
        low, high, paid = (n.Var(INT, ask.local(f"{what}_{at}")) for what in ("LEAST", "MOST", "PAID"))
        units = n.Var(INT, UNIT)
        others = replace(part, amount=minus(needed, units), purses=part.purses[at + 1 :])
        possible = conjunction([each.test for each in payable([others, *rest], {purse.load: purse.price(units)})])
        every = n.Numbers(INT, number(0), plus([n.MinMax(INT, "min", (needed, purse.covers())), number(1)]))
        for end, word in ((low, "min"), (high, "max")):
            steps.append(ir.Let(ask.at, end.name, n.Comp(INT, word, UNIT, every, possible, units, number(0))))
        steps.append(_ask(part.purses[at:], low, high, paid, ask))
        steps.append(ask.pay(purse.load, purse.price(paid)))
        steps.append(ir.Let(ask.at, needed.name, minus(needed, paid)))
    last = part.purses[-1]
    return (*steps, ask.pay(last.load, last.price(needed)))


def _ask(purses: Sequence[Purse], low: n.Var, high: n.Var, paid: n.Var, ask: Asking) -> ir.Step:
    """How much is paid with the first of some purses."""
    (name, shown), *others = map(ask.called, purses)
    rest = " or ".join(other for other, _ in others)
    title = f"How much {name}? The rest is paid with {rest}"
    told = (*shown, *(each for _, more in others for each in more))
    choose = ir.Choose(ask.at, ask.path(), title, paid.name, ask.who, None, low, high, shown=told)
    return ir.If(ask.at, n.Compare(BOOL, "<", low, high), (choose,), (ir.Let(ask.at, paid.name, low),))


def _settle_one(part: Part, rest: Sequence[Part], ask: Asking) -> tuple[ir.Step, ...]:
    """The same of a single one: each way is an option; if there is one way only it is taken."""
    ways, tests = [], []
    for purse, conditions in alternatives(part, rest):
        name, shown = ask.called(purse)
        cost = ask.pay(purse.load, number(purse.rate))
        ways.append(ir.Way(slug(purse.key), name, conditions, (cost,), (), ask.at, shown))
        tests.append(conjunction([each.test for each in conditions]) or TRUE)
    choose = ir.Choose(ask.at, ask.path(), "Pay with what?", "", ask.who, ways=tuple(ways))
    several = plus([n.IfElse(INT, test, number(1), number(0)) for test in tests])
    only: tuple[ir.Step, ...] = ()
    for way, test in zip(reversed(ways), reversed(tests), strict=True):
        only = (ir.If(ask.at, test, way.cost, only),)
    return (ir.If(ask.at, n.Compare(BOOL, ">", several, number(1)), (choose,), only),)


# -- numbers ----------------------------------------------------------------------------------------------------------


def slug(key: str) -> str:
    """The words of a key as an id.

    >>> slug("wanted(box)")
    'wanted_box'
    """
    return "_".join("".join(letter if letter.isalnum() else " " for letter in key).split())


def plus(items: Sequence[Expr]) -> Expr:
    return reduce(lambda one, other: n.Arith(INT, "+", one, other), items)


def minus(one: Expr, other: Expr) -> Expr:
    if isinstance(one, n.Const) and isinstance(other, n.Const):
        return number(one.value - other.value)
    return n.Arith(INT, "-", one, other)
