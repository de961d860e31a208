"""Typed expression trees: what the type checker makes of an expression's text.

Every node is frozen and compares by structure, so that a node can be a key: "this very expression is not none".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Self

from polis_rules.diagnostics import Span
from polis_rules.semantics.expressions.types import BOOL, INT, Type
from polis_rules.semantics.intervals import NO_ROUTE as NO_ROUTE
from polis_rules.semantics.record import Record


@cache
def _names(node: type[Expr]) -> tuple[str, ...]:
    """The fields of a class of expressions that hold expressions."""
    return tuple(each.name for each in fields(node) if "Expr" in str(each.type))


class Expr(Record):
    """Any typed expression; `type` is what it yields."""

    type: Type
    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)
    """the characters it was made of; None where nobody wrote it"""

    def children(self) -> list[Expr]:
        """The expressions directly inside this one."""
        parts: list[Expr] = []
        for name in _names(type(self)):
            value = getattr(self, name)
            if isinstance(value, tuple):
                parts += value
            elif value is not None:
                parts.append(value)
        return parts

    def walk(self) -> Iterator[Expr]:
        """This expression and all inside it, outermost first."""
        waiting: list[Expr] = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting += reversed(part.children())

    def rebuilt(self, change: Callable[[Expr], Expr]) -> Self:
        """The same expression with other parts; itself where none is another."""
        changed: dict[str, Any] = {}
        for name in _names(type(self)):
            value = getattr(self, name)
            if isinstance(value, Expr):
                new: Any = change(value)
            elif isinstance(value, tuple) and value and isinstance(value[0], Expr):
                new = tuple(change(part) for part in value)
                new = value if all(map(operator.is_, new, value)) else new
            else:
                continue
            if new is not value:
                changed[name] = new
        return replace(self, **changed) if changed else self

    def at(self, span: Span | None) -> Self:
        """The same expression, written at another place."""
        return replace(self, span=span)


class Const(Expr):
    """A number, a flag (0 or 1), a member's index (none is -1), a set's bits or a packed list."""

    value: int


class Var(Expr):
    """A local name: a choice, a parameter, a loop's member, `you`, `it`, `viewer`."""

    name: str


class Owned(Expr):
    """What is kept of a member, or of the game, by the kind that declares it ("" for the game) and by its name."""

    owner: str
    name: str
    args: tuple[Expr, ...]


class Load(Owned):
    """The value of a state variable; `args` are the member and the indexes."""


class Attr(Owned):
    """A fixed attribute of a member; `args` are the member and the indexes."""


class Formula(Owned):
    """A row's own expression, chosen by the member in `args[0]`; the other arguments are its parameters."""


class Arith(Expr):
    """`+ - * // %` on numbers."""

    op: str
    left: Expr
    right: Expr


class Compare(Expr):
    """A comparison; the texts of both sides, where somebody wrote them, explain a refusal."""

    op: str
    left: Expr
    right: Expr
    left_text: str = ""
    right_text: str = ""


class Bool(Expr):
    """`and` / `or` of several conditions."""

    op: str
    items: tuple[Expr, ...]


class Not(Expr):
    """The opposite of a condition."""

    item: Expr


class IfElse(Expr):
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr


class MinMax(Expr):
    """`min` or `max` of given numbers."""

    op: str
    items: tuple[Expr, ...]


class Abs(Expr):
    """A number without its sign."""

    item: Expr


class SetOf(Expr):
    """A set written member by member."""

    items: tuple[Expr, ...]


class SetOp(Expr):
    """`|`, `&` or `-` of two sets."""

    op: str
    left: Expr
    right: Expr


class Contains(Expr):
    """Whether a member is in a set or a list."""

    item: Expr
    group: Expr


class Size(Expr):
    """How many members a set or a list has."""

    group: Expr


class ListOf(Expr):
    """A list written member by member."""

    items: tuple[Expr, ...]


class Joined(Expr):
    """The members of one list, then those of another."""

    left: Expr
    right: Expr


class Top(Expr):
    """So many members from the top of a list; only what the language itself says of lists asks for it."""

    group: Expr
    count: Expr


class Item(Expr):
    """The member of a list at a place, from 0 at its top or from -1 at its bottom; none beyond its ends."""

    group: Expr
    place: Expr


class Everyone(Expr):
    """All members of a kind, as a set."""


class Numbers(Expr):
    """The whole numbers from `low` up to, not including, `high`."""

    low: Expr
    high: Expr


class Comp(Expr):
    """`any all count sum min max first set list place` over the members of a domain for which `test` holds.

    A list is gone through in its order. `place` is the first place in it where `test` holds. `walk` begins at the one
    member that is its domain, goes on to what `body` is for it, and so on as long as `test` holds.
    """

    func: str
    var: str
    domain: Expr
    test: Expr | None
    body: Expr
    default: Expr | None = None


class Next(Expr):
    """The following member in table order, after the last the first."""

    item: Expr


class Order(Expr):
    """A member's place in its table, from 0."""

    item: Expr


class Nth(Expr):
    """The member of a kind at a place."""

    place: Expr


class Located(Expr):
    """The member of a kind at a place, from 0, or the one that has these parts; none where there is none."""

    parts: tuple[Expr, ...]


class Call(Expr):
    """A term, with its arguments."""

    term: str
    args: tuple[Expr, ...]


class Possible(Expr):
    """Whether an action can be begun now."""

    action: Expr


class RouteQuestion(Expr):
    """A question about a route from `start` to `goal`."""

    route: str
    args: tuple[Expr, ...]
    start: Expr
    goal: Expr


class RouteExists(RouteQuestion):
    """Whether there is one."""


class RouteCost(RouteQuestion):
    """What the cheapest one costs; 9999 where there is none."""


class Counted(Expr):
    """The same as `item`; how often it is asked and what it yields is counted under the number `site`."""

    item: Expr
    site: int


@dataclass(slots=True)
class Switch:
    """Which of the changes that are built into expressions holds; 0 is none of them."""

    on: int = 0


class Switched(Expr):
    """The same as `item`, or as `other` while the switch stands on `number`."""

    item: Expr
    other: Expr
    number: int
    switch: Switch = field(compare=False)


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""What each comparison asks of two numbers."""

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
"""By a comparison the one that holds where it does not."""

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
"""By a comparison the one that says the same with its sides exchanged."""

TRUE = Const(BOOL, 1)
FALSE = Const(BOOL, 0)


def number(value: int) -> Const:
    """A constant number."""
    return Const(INT, value)


def conjunction(tests: Sequence[Expr]) -> Expr | None:
    """One test for several conditions; None where there are none."""
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else Bool(BOOL, "and", tuple(tests))


def free_names(tree: Expr) -> set[str]:
    """The local names from outside that an expression reads.

    >>> numbers = Numbers(INT, number(0), Var(INT, "high"))
    >>> sorted(free_names(Comp(INT, "sum", "n", numbers, None, Arith(INT, "+", Var(INT, "n"), Var(INT, "more")))))
    ['high', 'more']
    """
    if isinstance(tree, Var):
        return {tree.name}
    names = {"you"} if isinstance(tree, Possible) else set()
    if isinstance(tree, Comp):
        inside = free_names(tree.body) | (free_names(tree.test) if tree.test is not None else set())
        names |= inside - {tree.var}
        return names.union(free_names(tree.domain), free_names(tree.default) if tree.default is not None else ())
    return names.union(*(free_names(child) for child in tree.children()))


def substitute(tree: Expr, values: dict[str, Expr]) -> Expr:
    """The same tree with local names replaced.

    >>> substitute(Var(INT, "n"), {"n": number(3)}).value
    3
    """
    if isinstance(tree, Var):
        value = values.get(tree.name, tree)
        return value if value.span else value.at(tree.span)
    return tree.rebuilt(lambda part: substitute(part, values))
