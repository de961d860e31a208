"""Evaluate typed expressions by walking them: slow, plain, and independent of generated code.

Used for what is asked rarely: reasons for a refusal, scores, first values, views, and to check the generated code.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from polis_rules.interpreter.evaluator.explain_route import FoundRoute, cheapest
from polis_rules.interpreter.machine import Layout, route_graph
from polis_rules.semantics import ENDLESS, LONGEST_LIST, TypedRules, ir, packed, unpacked
from polis_rules.semantics.expressions import Expr, nodes as n

if TYPE_CHECKING:
    import networkx as nx

State = list[int]
Names = dict[str, int]

Crossing = tuple[tuple[str, ...], tuple[tuple[int, int], ...]]
"""The graphs that are open now, and the nodes that may be crossed now, with what each costs."""

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    **n.COMPARISONS,
}  # fmt: skip


class NothingThereError(Exception):
    """An expression has no value: it reads through a none, divides by nothing, or multiplies beyond numbers."""


class Evaluator:
    """Evaluates expressions of one ruleset; what is counted, `tally` takes by its site and hands on."""

    def __init__(
        self, rules: TypedRules, layout: Layout, tally: Callable[[int, int], int] = lambda site, value: value
    ) -> None:
        self.rules = rules
        self.symbols = rules.symbols
        self.layout = layout
        self.graphs: dict[tuple[str, ...], nx.DiGraph[int]] = {}
        self.sizes = cache(rules.symbols.sizes)
        self.kinds: dict[type[Expr], Callable[[Any, State, Names], int]] = {
            n.Const: lambda e, s, names: e.value,
            n.Var: lambda e, s, names: names[e.name],
            n.Load: self.load, n.Attr: self.attribute, n.Formula: self.formula, n.Arith: self.arithmetic,
            n.Compare: self.compare, n.Bool: self.junction, n.IfElse: self.if_else, n.MinMax: self.min_max,
            n.SetOf: self.set_of, n.SetOp: self.set_op, n.Contains: self.contains, n.Comp: self.comprehension,
            n.Call: self.call, n.Possible: self.possible, n.RouteExists: self.route, n.RouteCost: self.route,
            n.Not: lambda e, s, names: int(not self.value(e.item, s, names)),
            n.Abs: lambda e, s, names: abs(self.value(e.item, s, names)),
                        n.Order: lambda e, s, names: self.value(e.item, s, names),
            n.Counted: lambda e, s, names: tally(e.site, self.value(e.item, s, names)),
            n.Switched: lambda e, s, names: self.value(e.other if e.switch.on == e.number else e.item, s, names),
            n.Everyone: lambda e, s, names: (1 << self.symbols.count(e.type.kind)) - 1,
            n.Next: self.next, n.Nth: self.nth, n.Size: self.size, n.ListOf: self.list_of, n.Joined: self.joined,
            n.Item: self.item, n.Top: self.top, n.Located: self.located,
        }  # fmt: skip

    def value(self, tree: Expr, state: State, names: Names) -> int:
        """The value of an expression: a number, 0 or 1, a member's index (none is -1), a set's bits or a packed list.

        Raises NothingThereError where something is read through a none.
        """
        return self.kinds[type(tree)](tree, state, names)

    def recalled(self, tree: Expr, state: State, names: Names) -> int:
        """The same, of what is asked again and again: an evaluator may remember it."""
        return self.value(tree, state, names)

    def holds(self, tree: Expr, state: State, names: Names) -> bool:
        """Whether a condition holds; one that reads through a none does not."""
        try:
            return bool(self.value(tree, state, names))
        except NothingThereError:
            return False

    def flat(self, sizes: tuple[int, ...], args: tuple[Expr, ...], state: State, names: Names) -> int:
        """The flat index of some members."""
        flat = 0
        for size, arg in zip(sizes, args, strict=True):
            index = self.value(arg, state, names)
            if not 0 <= index < size:
                raise NothingThereError
            flat = flat * size + index
        return flat

    def load(self, tree: n.Load, state: State, names: Names) -> int:
        slot = self.slot(tree, state, names)
        if tree.type.base == "list":
            return packed(state[slot + 1 : slot + 1 + state[slot]], self.symbols.count(tree.type.kind))
        return state[slot]

    def slot(self, tree: n.Load, state: State, names: Names) -> int:
        """The slot that a state expression means."""
        variable = self.symbols.variable(tree.owner, tree.name)
        flat = self.flat(self.sizes(variable), tree.args, state, names)
        return self.layout.bases[tree.owner, tree.name] + flat * variable.width

    def attribute(self, tree: n.Attr, state: State, names: Names) -> int:
        attribute = self.symbols.kinds[tree.owner].attributes[tree.name]
        return attribute.values[self.flat(self.sizes(attribute), tree.args, state, names)]

    def formula(self, tree: n.Formula, state: State, names: Names) -> int:
        attribute = self.symbols.kinds[tree.owner].attributes[tree.name]
        member, *args = (self.value(arg, state, names) for arg in tree.args)
        return self.value(attribute.formulas[member], state, dict(zip(attribute.params, args, strict=True)))

    def arithmetic(self, tree: n.Arith, state: State, names: Names) -> int:
        left, right = self.value(tree.left, state, names), self.value(tree.right, state, names)
        if tree.op in ("//", "%") and right == 0:
            raise NothingThereError
        result = OPERATORS[tree.op](left, right)
        if tree.op == "*" and not -ENDLESS <= result <= ENDLESS:
            raise NothingThereError
        return result

    def compare(self, tree: n.Compare, state: State, names: Names) -> int:
        left, right = self.value(tree.left, state, names), self.value(tree.right, state, names)
        return int(OPERATORS[tree.op](left, right))

    def junction(self, tree: n.Bool, state: State, names: Names) -> int:
        values = (self.value(item, state, names) for item in tree.items)
        return int(all(values) if tree.op == "and" else any(values))

    def if_else(self, tree: n.IfElse, state: State, names: Names) -> int:
        return self.value(tree.then if self.value(tree.test, state, names) else tree.other, state, names)

    def min_max(self, tree: n.MinMax, state: State, names: Names) -> int:
        values = [self.value(item, state, names) for item in tree.items]
        return min(values) if tree.op == "min" else max(values)

    def set_of(self, tree: n.SetOf, state: State, names: Names) -> int:
        bits = 0
        for item in tree.items:
            bits |= 1 << self.value(item, state, names)
        return bits

    def set_op(self, tree: n.SetOp, state: State, names: Names) -> int:
        left, right = self.value(tree.left, state, names), self.value(tree.right, state, names)
        return left | right if tree.op == "|" else left & right if tree.op == "&" else left & ~right

    def contains(self, tree: n.Contains, state: State, names: Names) -> int:
        item = self.value(tree.item, state, names)
        if tree.group.type.base == "list":
            return int(item in self.listed(tree.group, state, names))
        return 0 if item < 0 else self.value(tree.group, state, names) >> item & 1

    def nth(self, tree: n.Nth, state: State, names: Names) -> int:
        place = self.value(tree.place, state, names)
        if not 0 <= place < self.symbols.count(tree.type.kind):
            raise NothingThereError
        return place

    def located(self, tree: n.Located, state: State, names: Names) -> int:
        flat = 0
        for part in tree.parts:
            place, count = self.value(part, state, names), self.symbols.count(part.type.kind or tree.type.kind)
            flat = flat * count + place if 0 <= place < count and flat >= 0 else -1
        return flat

    def next(self, tree: n.Next, state: State, names: Names) -> int:
        return (self.value(tree.item, state, names) + 1) % self.symbols.count(tree.item.type.kind)

    def call(self, tree: n.Call, state: State, names: Names) -> int:
        term = self.symbols.terms[tree.term]
        assert term.body is not None
        args = [self.value(arg, state, names) for arg in tree.args]
        return self.value(term.body, state, dict(zip(term.params, args, strict=True)))

    # -- lists ------------------------------------------------------------------------------------------------------

    def listed(self, group: Expr, state: State, names: Names) -> list[int]:
        """The members of a list, from its top."""
        return unpacked(self.value(group, state, names), self.symbols.count(group.type.kind))

    def size(self, tree: n.Size, state: State, names: Names) -> int:
        if isinstance(tree.group, n.Load) and tree.group.type.base == "list":
            return state[self.slot(tree.group, state, names)]
        if tree.group.type.base == "list":
            return len(self.listed(tree.group, state, names))
        return self.value(tree.group, state, names).bit_count()

    def list_of(self, tree: n.ListOf, state: State, names: Names) -> int:
        return packed([self.value(item, state, names) for item in tree.items], self.symbols.count(tree.type.kind))

    def joined(self, tree: n.Joined, state: State, names: Names) -> int:
        members = self.listed(tree.left, state, names) + self.listed(tree.right, state, names)
        return self.packed(members, self.symbols.count(tree.type.kind))

    def packed(self, members: list[int], count: int) -> int:
        """A list of several lists."""
        if len(members) > LONGEST_LIST:
            raise NothingThereError
        return packed(members, count)

    def top(self, tree: n.Top, state: State, names: Names) -> int:
        members, count = self.listed(tree.group, state, names), self.value(tree.count, state, names)
        return packed(members[:count], self.symbols.count(tree.type.kind))

    def item(self, tree: n.Item, state: State, names: Names) -> int:
        members, place = self.listed(tree.group, state, names), self.value(tree.place, state, names)
        return members[place] if -len(members) <= place < len(members) else -1

    # -- loops ------------------------------------------------------------------------------------------------------

    def members(self, domain: Expr, state: State, names: Names) -> Iterator[int]:
        """The members or numbers of a domain, in order."""
        if isinstance(domain, n.Numbers):
            yield from range(self.value(domain.low, state, names), self.value(domain.high, state, names))
            return
        if domain.type.base == "list":
            yield from self.listed(domain, state, names)
            return
        bits = self.value(domain, state, names)
        yield from (number for number in range(self.symbols.count(domain.type.kind)) if bits >> number & 1)

    def comprehension(self, tree: n.Comp, state: State, names: Names) -> int:
        inside = []
        if tree.func == "walk":
            return packed(self.walked(tree, state, names), self.symbols.count(tree.type.kind))
        if tree.func == "place":
            members = self.listed(tree.domain, state, names)
            tests = (tree.test is None or self.value(tree.test, state, {**names, tree.var: m}) for m in members)
            return next((place for place, holds in enumerate(tests) if holds), len(members))
        for number in self.members(tree.domain, state, names):
            inner = {**names, tree.var: number}
            if tree.test is None or self.recalled(tree.test, state, inner):
                inside.append((number, inner))
        if tree.func == "first":
            return inside[0][0] if inside else -1
        if tree.func == "count":
            return len(inside)
        values = [self.recalled(tree.body, state, inner) for _, inner in inside]
        match tree.func:
            case "any":
                return int(any(values))
            case "all":
                return int(all(values))
            case "sum":
                return sum(values)
            case "set":
                return sum(1 << value for value in set(values))
            case "list" if tree.body.type.base == "list":
                count = self.symbols.count(tree.type.kind)
                return self.packed([each for value in values for each in unpacked(value, count)], count)
            case "list":
                return packed(values, self.symbols.count(tree.type.kind))
        assert tree.default is not None
        default = self.value(tree.default, state, names)
        return min(values, default=default) if tree.func == "min" else max(values, default=default)

    def walked(self, tree: n.Comp, state: State, names: Names) -> list[int]:
        """The members that follow the first one, up to one that fails the test or was met before."""
        member = start = self.value(tree.domain, state, names)
        met: dict[int, None] = {}
        while True:
            member = self.value(tree.body, state, {**names, tree.var: member})
            inner = {**names, tree.var: member}
            if member < 0 or member == start or member in met:
                return [*met]
            if tree.test is not None and not self.value(tree.test, state, inner):
                return [*met]
            met[member] = None

    # -- actions, routes --------------------------------------------------------------------------------------------

    def possible(self, tree: n.Possible, state: State, names: Names) -> int:
        rule = self.rules.actions[self.value(tree.action, state, names)]
        inner = {"you": names["you"]}
        if not all(self.recalled(condition.test, state, inner) for condition in rule.conditions):
            return 0
        return int(rule.first is None or any(True for _ in self.allowed(rule.first, state, inner)))

    def candidates(self, step: ir.Choose, state: State, names: Names) -> Iterator[int]:
        """Everything that the first name of a choice goes over, allowed or not."""
        if step.source is not None:
            yield from self.members(step.source, state, names)
        elif step.low is not None and step.high is not None:
            yield from range(self.value(step.low, state, names), self.value(step.high, state, names) + 1)

    def allowed(self, step: ir.Choose, state: State, names: Names) -> Iterator[int]:
        """The candidates of a choice that meet its conditions."""
        for number in self.candidates(step, state, names):
            inner = {**names, step.var: number}
            if all(self.recalled(condition.test, state, inner) for condition in step.conditions):
                yield from self.joined_by(step.parts, number, state, inner)

    def joined_by(self, parts: tuple[ir.Part, ...], number: int, state: State, names: Names) -> Iterator[int]:
        """The options that begin so: with each member that further names may stand for beside those before."""
        if not parts:
            yield number
            return
        part, *rest = parts
        for member in self.members(part.source, state, names):
            inner = {**names, part.var: member}
            if all(self.recalled(condition.test, state, inner) for condition in part.conditions):
                yield from self.joined_by(tuple(rest), number * part.count + member, state, inner)

    def ends(self, tree: n.RouteQuestion, state: State, names: Names) -> tuple[tuple[int, ...], int, int]:
        """The arguments of a question about a route, and the nodes from which and to which it leads."""
        first = self.symbols.first_node
        start, goal = (first[end.type.kind] + self.value(end, state, names) for end in (tree.start, tree.goal))
        return tuple(self.value(arg, state, names) for arg in tree.args), start, goal

    def route(self, tree: n.RouteQuestion, state: State, names: Names) -> int:
        return self.find_route(tree, state, names).answer(tree)

    def find_route(self, tree: n.RouteQuestion, state: State, names: Names) -> FoundRoute:
        """The cheapest route that a question asks about; crossing costs what `costs` says."""
        args, start, goal = self.ends(tree, state, names)
        graphs, costs = self.crossing(tree.route, args, state)
        return cheapest(self.graph(graphs), start, goal, dict(costs))

    def crossing(self, name: str, args: tuple[int, ...], state: State) -> Crossing:
        """What may be crossed now by a route with these arguments."""
        route = self.symbols.routes[name]
        names = dict(zip(route.params, args, strict=True))
        opened = (graph for graph, test in route.also.items() if self.value(test, state, names))
        costs = []
        for kind, test in route.through.items():
            price = route.costs.get(kind)
            for member in range(self.symbols.count(kind)):
                inner = {**names, "space": member}
                if self.recalled(test, state, inner):
                    node = self.symbols.first_node[kind] + member
                    costs.append((node, 0 if price is None else self.recalled(price, state, inner)))
        return (*route.over, *opened), tuple(costs)

    def graph(self, names: tuple[str, ...]) -> nx.DiGraph[int]:
        """Several graphs in one, made once."""
        if names not in self.graphs:
            self.graphs[names] = route_graph(self.symbols, names)
        return self.graphs[names]
