"""Between which values an expression lies, by the declared ranges and what is known at its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from polis_rules.semantics.expressions import BOOL, INT, NO_ROUTE, Expr, Type, nodes as n
from polis_rules.semantics.intervals import (
    ANY,
    ENDLESS,
    FLAG,
    Interval,
    Members,
    Value,
    arithmetic,
    compared,
    join,
    meet,
)
from polis_rules.semantics.ir import Roll
from polis_rules.semantics.lines import longest_walk
from polis_rules.semantics.packed_lists import unpacked
from polis_rules.semantics.symbols import Symbols, every_variable


class Fact(NamedTuple):
    """What is known of one expression at some place."""

    value: Value
    reads: frozenset[tuple[str, str]] = frozenset()
    """the state that it depends on: kind ("" for the game) and name"""
    names: frozenset[str] = frozenset()
    """the local names that it depends on"""
    origin: Expr | None = None
    """the condition that says so; None where it follows from what a local name stands for"""


ONE = Interval(1, 1)

MOST_ROUNDS = 4
"""How often it is asked what comparisons say together."""

MOST_LISTED, LITTLE = 1000, 20
"""How many members a list is taken to hold, at most and where no list of its kind is state."""

Known = Mapping[Expr, Fact]
"""What is known of some expressions, on top of their types: local names, and what a condition has established."""


class Ranges:
    """Works out ranges for one ruleset. Terms that are there to be altered (`is_switch`) may be anything of their type,
    but with `switches` only what they say."""

    def __init__(self, symbols: Symbols, switches: bool = False) -> None:
        self.symbols = symbols
        self.switches = switches
        self._called: dict[tuple[str, tuple[Value, ...]], Value] = {}
        self._most: dict[tuple[object, ...], int] = {}

    def holding(self, tests: Iterable[Expr]) -> Known:
        """What follows from comparisons of numbers that hold."""
        compares = [test for test in tests if isinstance(test, n.Compare)]
        known: dict[Expr, Fact] = {}
        for _ in compares[:MOST_ROUNDS]:  # one may say more when another is known
            found: dict[Expr, Value] = {}
            for test in compares:
                for tree, value in self._compared(test, known):
                    found[tree] = meet(found.get(tree), value)
            known = {tree: Fact(value) for tree, value in found.items()}
        return known

    def _compared(self, test: n.Compare, known: Known) -> Iterator[tuple[Expr, Interval]]:
        """What a comparison that holds says of its sides, and of the difference that is not below 0."""
        ends = (test.left, test.right) if test.op[0] in ">=!" else (test.right, test.left)
        (more, less), (high, low) = ends, (self.number(end, known) for end in ends)
        if test.op == "!=":
            for end, mine, other in ((more, high, low), (less, low, high)):
                if other.low == other.high:
                    yield end, Interval(mine.low + (mine.low == other.low), mine.high - (mine.high == other.low))
            return
        gap = ONE if test.op in ("<", ">") else Interval(0, 0)
        yield more, Interval(arithmetic("+", low, gap).low, low.high if test.op == "==" else ENDLESS)
        yield less, Interval(high.low if test.op == "==" else -ENDLESS, arithmetic("-", high, gap).high)
        yield n.Arith(INT, "-", more, less), Interval(gap.low, ENDLESS)

    def rolled(self, step: Roll, known: Known) -> Interval:
        """What may come out of dice."""
        dice, sides = (
            Interval(each, each) if isinstance(each, int) else self.number(each, known)
            for each in (step.dice, step.sides)
        )
        most = max(dice.high, 0) * (1 if step.test is not None else max(sides.high, 1))
        return Interval(0 if step.test is not None else max(dice.low, 0), most)

    def of_type(self, kind: Type) -> Value:
        """What a type allows."""
        if kind.base == "int":
            return ANY
        if kind.base == "bool":
            return FLAG
        if kind.base == "ref":
            return frozenset(range(-1 if kind.maybe else 0, self.symbols.count(kind.kind)))
        return frozenset((-1,)) if kind.base == "none" else None

    def of(self, tree: Expr, known: Known) -> Value:
        """What an expression may be."""
        value = self._of(tree, known)
        fact = known.get(tree) if known else None
        return value if fact is None else meet(value, fact.value)

    def number(self, tree: Expr, known: Known) -> Interval:
        """The range of a number or flag."""
        value = self.of(tree, known)
        return value if isinstance(value, Interval) else ANY

    def _of(self, tree: Expr, known: Known) -> Value:
        match tree:
            case n.Const():
                return self._constant(tree)
            case n.Load():
                variable = self.symbols.variable(tree.owner, tree.name)
                bounded = variable.type.base == "int" and variable.bounded
                return Interval(variable.low, variable.high) if bounded else self.of_type(tree.type)
            case n.Attr():
                spec = self.symbols.kinds[tree.owner].attributes[tree.name].spec
                if spec.low is not None and spec.high is not None:
                    return Interval(spec.low, spec.high)
            case n.Arith():
                return arithmetic(tree.op, self.number(tree.left, known), self.number(tree.right, known))
            case n.MinMax():
                parts = [self.number(item, known) for item in tree.items]
                pick = min if tree.op == "min" else max
                return Interval(pick(part.low for part in parts), pick(part.high for part in parts))
            case n.Abs():
                inner = self.number(tree.item, known)
                low = 0 if inner.low <= 0 <= inner.high else min(abs(inner.low), abs(inner.high))
                return Interval(low, max(abs(inner.low), abs(inner.high)))
            case n.IfElse():
                return join(self.of(tree.then, known), self.of(tree.other, known))
            case n.Call():
                return self._call(tree, known)
            case n.Formula():
                formulas = self.symbols.kinds[tree.owner].attributes[tree.name].formulas.values()
                return join(*(self.of(formula, {}) for formula in formulas)) if formulas else self.of_type(tree.type)
            case n.Compare() | n.Bool() | n.Not() | n.Contains():
                verdict = self.verdict(tree, known)
                return FLAG if verdict is None else Interval(int(verdict), int(verdict))
            case n.Comp():
                return self._over(tree, known)
            case n.Size():
                return Interval(0, self._size(tree.group, known).high)
            case n.Order():
                return Interval(0, max(self.symbols.count(tree.item.type.kind) - 1, 0))
            case n.Next() | n.Nth():
                return self.of_type(tree.type.sure())
            case n.RouteCost():
                costs = self.symbols.routes[tree.route].costs.values()
                least = min((self.number(cost, {}).low for cost in costs), default=0)
                return Interval(0, NO_ROUTE) if least >= 0 else Interval(least, ANY.high)
        return self.of_type(tree.type)

    def _constant(self, tree: n.Const) -> Value:
        if tree.type.base in ("int", "bool"):
            return Interval(tree.value, tree.value)
        return frozenset((tree.value,)) if tree.type.base in ("ref", "none") else None

    def _call(self, tree: n.Call, known: Known) -> Value:
        term = self.symbols.terms[tree.term]
        if term.body is None or (is_switch(term.body) and not self.switches):
            return self.of_type(tree.type)
        args = tuple(self.of(arg, known) for arg in tree.args)
        key = (tree.term, args)
        if key not in self._called:
            names: dict[Expr, Fact] = {
                n.Var(kind, name): Fact(value) for (name, kind), value in zip(term.params.items(), args, strict=True)
            }
            self._called[key] = self.of(term.body, names)
        return self._called[key]

    def most_listed(self, tree: Expr, given: Mapping[str, int] | None = None) -> int:
        """How many members a list may hold at most, where names of lists hold at most what is `given`."""
        match tree:
            case n.Load():
                return self.symbols.variable(tree.owner, tree.name).at_most
            case n.Attr():
                values = self.symbols.kinds[tree.owner].attributes[tree.name].values
                return max((len(unpacked(value, self.symbols.count(tree.type.kind))) for value in values), default=0)
            case n.Var():  # whatever the caller gives: most likely a list that is state
                every = (each for each in every_variable(self.symbols) if each.type == tree.type)
                most = max((each.at_most for each in every), default=LITTLE)
                return most if given is None else given.get(tree.name, most)
            case n.ListOf():
                return len(tree.items)
            case n.Joined():
                return min(self.most_listed(tree.left, given) + self.most_listed(tree.right, given), ENDLESS)
            case n.IfElse():
                return max(self.most_listed(tree.then, given), self.most_listed(tree.other, given))
            case n.Comp(func="list") if tree.body.type.base == "list":
                rounds = self.most_listed(replace(tree, body=n.TRUE), given)
                return min(rounds * self.most_listed(tree.body, given), ENDLESS)
            case n.Comp(domain=n.Numbers() as domain):
                return min(self._size(domain, {}).high, MOST_LISTED)
            case n.Comp(func="walk"):
                return longest_walk(tree, self.symbols)
            case n.Comp():
                listed = tree.domain.type.base == "list"
                return self.most_listed(tree.domain, given) if listed else self.symbols.count(tree.domain.type.kind)
            case n.Call():
                return self._most_of_term(tree, given)
            case n.Top():
                return self.most_listed(tree.group, given)
            case n.Counted() | n.Switched():
                return self.most_listed(tree.item, given)
        return MOST_LISTED

    def _most_of_term(self, tree: n.Call, given: Mapping[str, int] | None) -> int:
        term = self.symbols.terms[tree.term]
        args = zip(term.params, tree.args, strict=True)
        sizes = {name: self.most_listed(arg, given) for name, arg in args if arg.type.base == "list"}
        key = (tree.term, *sizes.values())
        if key not in self._most:
            self._most[key] = 0 if term.body is None else self.most_listed(term.body, sizes)
        return self._most[key]

    def _size(self, domain: Expr, known: Known) -> Interval:
        """How many members a loop may go over."""
        if domain.type.base == "list":
            return Interval(0, self.most_listed(domain))
        match domain:
            case n.Everyone():
                return Interval(self.symbols.count(domain.type.kind), self.symbols.count(domain.type.kind))
            case n.SetOf():
                return Interval(min(len(domain.items), 1), len(domain.items))
            case n.Numbers():
                low, high = self.number(domain.low, known), self.number(domain.high, known)
                span = arithmetic("-", high, low)
                return Interval(max(span.low, 0), max(span.high, 0))
        return Interval(0, self.symbols.count(domain.type.kind))

    def inside(self, tree: n.Comp, known: Known) -> tuple[n.Var, Value]:
        """The name of a loop, and what it may be."""
        if isinstance(tree.domain, n.Numbers):
            low, last = (
                self.number(tree.domain.low, known).low,
                arithmetic("-", self.number(tree.domain.high, known), ONE),
            )
            return n.Var(tree.domain.type, tree.var), Interval(low, max(low, last.high))
        kind = Type("ref", tree.domain.type.kind)
        return n.Var(kind, tree.var), self.of_type(kind)

    def _over(self, tree: n.Comp, known: Known) -> Value:
        variable, value = self.inside(tree, known)
        inner: dict[Expr, Fact] = {part: fact for part, fact in known.items() if tree.var not in fact.names}
        inner[variable] = Fact(value)
        size = self._size(tree.domain, known)
        least = size.low if tree.test is None else 0
        if tree.func == "count":
            return Interval(least, size.high)
        if tree.func == "place":
            return Interval(0, size.high)
        if tree.func in ("any", "all"):
            verdict = self.verdict(tree.body, inner)
            if verdict is None or (verdict is (tree.func == "any") and least == 0):
                return FLAG
            return Interval(int(verdict), int(verdict))
        if tree.func not in ("sum", "min", "max"):
            return self.of_type(tree.type)
        body = self.number(tree.body, inner)
        if tree.func == "sum":
            ends = [times * each for times in (least, size.high) for each in body]
            total = Interval(min(ends), max(ends))
            return meet(total, ANY) if {*ANY} & {*body, size.high} else total
        return body if tree.default is None else join(body, self.of(tree.default, known))

    # -- conditions -------------------------------------------------------------------------------------------------

    def verdict(self, tree: Expr, known: Known) -> bool | None:
        """Whether a condition always (True) or never (False) holds; None when it may be either."""
        fact = known.get(tree) if known and not isinstance(tree, n.Compare) else None
        if fact is not None and isinstance(fact.value, Interval) and fact.value.low == fact.value.high:
            return bool(fact.value.low)
        match tree:
            case n.Not():
                inner = self.verdict(tree.item, known)
                return None if inner is None else not inner
            case n.Bool():
                return self._junction(tree, known)
            case n.Compare():
                return self._compare(tree, known)
            case n.Contains(_, item, n.SetOf(_, items)):
                group = join(*(self.of(each, known) for each in items))
                mine = self.of(item, known)
                apart = isinstance(mine, frozenset) and isinstance(group, frozenset) and not mine & group
                return False if apart else None
            case n.Contains():
                return None
        value = self.of(tree, known)
        return bool(value.low) if isinstance(value, Interval) and value.low == value.high else None

    def _junction(self, tree: n.Bool, known: Known) -> bool | None:
        verdicts = [self.verdict(item, known) for item in tree.items]
        decisive = tree.op == "or"
        if decisive in verdicts:
            return decisive
        return (not decisive) if all(each is (not decisive) for each in verdicts) else None

    def _compare(self, tree: n.Compare, known: Known) -> bool | None:
        if tree.left == tree.right:
            return tree.op in ("==", "<=", ">=")
        orders = orders_of(tree.left, tree.right, known)
        if orders <= ALLOWS[tree.op]:
            return True
        if not orders & ALLOWS[tree.op]:
            return False
        left, right = self.of(tree.left, known), self.of(tree.right, known)
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            same = None if left & right else False
            if len(left) == 1 and left == right:
                same = True
            return same if tree.op == "==" or same is None else not same
        if isinstance(left, Interval) and isinstance(right, Interval):
            return compared(tree.op, left, right)
        return None


class RowRanges(Ranges):
    """Ranges in which an attribute is what those rows say that may be meant, not what its type allows."""

    def _of(self, tree: Expr, known: Known) -> Value:
        if isinstance(tree, n.Attr) and tree.type.base in ("int", "bool", "ref") and (values := self.rows(tree, known)):
            return frozenset(values) if tree.type.base == "ref" else Interval(min(values), max(values))
        return super()._of(tree, known)

    def meant(self, index: Expr, known: Known, size: int) -> list[int]:
        """Which of so many members an index may stand for."""
        members = self.of(index, known)
        return [each for each in range(size) if not isinstance(members, frozenset) or each in members]

    def rows(self, tree: n.Attr, known: Known) -> list[int]:
        """The values of an attribute in the rows that its arguments may mean."""
        attribute = self.symbols.kinds[tree.owner].attributes[tree.name]
        sizes = self.symbols.sizes(attribute)
        if not attribute.values or len(sizes) != len(tree.args):
            return []
        flat = [0]
        for size, arg in zip(sizes, tree.args, strict=True):
            flat = [at * size + index for at in flat for index in self.meant(arg, known, size)]
        return [attribute.values[at] for at in flat]


LESS, SAME, MORE = -1, 0, 1
ALLOWS: dict[str, Members] = {
    "<": frozenset((LESS,)),
    "<=": frozenset((LESS, SAME)),
    ">": frozenset((MORE,)),
    ">=": frozenset((MORE, SAME)),
    "==": frozenset((SAME,)),
    "!=": frozenset((LESS, MORE)),
}
"""Which of the three orders of two values a comparison allows."""


def order_of(left: Expr, right: Expr) -> n.Compare:
    """The key under which is kept in which orders two values may be."""
    return n.Compare(BOOL, "order", left, right)


def orders_of(left: Expr, right: Expr, known: Known) -> Members:
    """The orders in which two values may be."""
    if known:
        fact = known.get(order_of(left, right))
        if fact is not None and isinstance(fact.value, frozenset):
            return fact.value
        fact = known.get(order_of(right, left))
        if fact is not None and isinstance(fact.value, frozenset):
            return frozenset(-each for each in fact.value)
    return frozenset((LESS, SAME, MORE))


def is_switch(body: Expr) -> bool:
    """Whether a term is only there to be altered by cards, editions and variants: it says 0, true, false or none."""
    return isinstance(body, n.Const) and (body.type.base != "int" or body.value == 0)
