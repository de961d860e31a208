"""Route questions to Python: a table look-up by what may be crossed now."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from polis_rules.interpreter.compiler.python.module import Env, Function, Module, simple, unknown
from polis_rules.interpreter.compiler.python.numbers import Code, Piece, calculate, interval_of
from polis_rules.interpreter.compiler.python.pieces import union
from polis_rules.interpreter.compiler.python.writer import Writer
from polis_rules.interpreter.machine import CostTable, ReachTable, RouteMap, build_route_maps
from polis_rules.semantics import Interval, Symbols
from polis_rules.semantics.expressions import Attr, Expr, Load, RouteCost, RouteQuestion, Var

MOST_TABLED = 64
"""Where more spaces than this may be crossed, what may be crossed now is hardly ever the same twice: a search from
space to space, which asks only of those that it comes to, is quicker than a table."""


class RouteWriter(Writer):
    """Writes route questions."""

    def __init__(self, symbols: Symbols, module: Module, checks: bool) -> None:
        super().__init__(symbols, module)
        self.tables: dict[tuple[str, str], str] = {}
        module.writers["mask"] = lambda route, known: self.crossed(route, known, self.mask)
        module.writers["search"] = self.search
        module.writers["tolls"] = lambda route, known: self.crossed(route, known, self.costs)
        self.may_read_none = False
        self.checks_costs = checks

    @cached_property
    def maps(self) -> dict[str, RouteMap]:
        """The graphs of all routes."""
        return build_route_maps(self.symbols)

    def route(self, tree: RouteQuestion, env: Env) -> Code:
        """The code of `route_exists` or `cheapest_route`."""
        outer, self.may_read_none = self.may_read_none, any(self.may_be_none(arg, env) for arg in tree.args)
        try:
            return self.asked(tree, env)
        finally:
            self.may_read_none = outer

    def asked(self, tree: RouteQuestion, env: Env) -> Code:
        args = [self.emit(arg, env) for arg in tree.args]
        start, goal = self.node(tree.start, env), self.node(tree.goal, env)
        if isinstance(tree, RouteCost):
            return f"{self.answer(tree.route, 'costs', args, start)}[{goal}]"
        if isinstance(start, int) and not isinstance(goal, int):
            return f"({self.answer(tree.route, 'back', args, goal)} >> {start} & 1)"
        return f"({self.answer(tree.route, 'reach', args, start)} >> {goal} & 1)"

    def answer(self, route: str, what: str, args: list[Code], node: Code) -> str:
        """A look-up for one node: `reach` (all that it leads to, as bits), `back` (all that lead to it) or `costs`."""
        if what != "costs" and self.is_searched(route) and self.fixed(node):
            known = tuple(arg if isinstance(arg, int) else None for arg in args)
            name = self.module.function(("search", route, what, known), f"go_{route}")
            given = [str(arg) for arg, value in zip(args, known, strict=True) if value is None]
            found = f"{name}({', '.join(['s', str(node), *given])})"
            return self.hoist(found) if all(map(self.fixed, args)) else found
        kind = "tolls" if what == "costs" else "mask"
        crossed = self.once(route, kind, args) or self.key(route, kind, args)
        if what == "costs":
            entry = f"{self.table(route, what, args)}[({node}, *{crossed})]"
        else:
            bits = max(self.maps[route].nodes.bit_length(), 1)
            entry = f"{self.table(route, what, args)}[{crossed} << {bits} | {node}]"
        if not isinstance(node, int) and self.fixed(node) and self.fixed(crossed):
            return self.hoist(entry)
        return entry

    def is_searched(self, route: str) -> bool:
        """Whether a route leads through so many spaces that it is searched anew each time."""
        route_map = self.maps[route]
        into = self.module.into
        return len(route_map.inner) > MOST_TABLED and not (route_map.also or into.checks or into.compact)

    def search(self, route: str, what: str, known: tuple[int | None, ...]) -> Function:
        """The function that goes from space to space: all that one node leads to, or all that lead to it, as bits."""
        route_map, inner = self.maps[route], sum(1 << node for node in self.maps[route].inner)
        masks = (route_map.forward if what == "reach" else route_map.backward)[0]
        spaces = tuple(tuple(node for node in range(route_map.nodes) if (mask & inner) >> node & 1) for mask in masks)
        kinds = [kind for kind in self.symbols.first_node if kind in self.symbols.routes[route].through]
        params, (*before, test) = self.crossed(route, known, lambda route, env: self.tested(route, kinds, env))
        beyond, beside = self.module.constant("N", tuple(masks)), self.module.constant("N", spaces)
        return ["m", *params], [
            "if m < 0: return 0",  # a none, asked about before the check that there is one
            *before, f"n = {beyond}[m]; o = [m]; b = {{m}}", "for w in o:", f"    for v_space in {beside}[w]:",
            f"        if v_space not in b and {test}:",
            f"            b.add(v_space); o.append(v_space); n |= {beyond}[v_space]", "return n",
        ]  # fmt: skip

    def tested(self, route: str, kinds: list[str], env: Env) -> list[str]:
        """What has to be worked out first, and the condition of crossing the node `v_space`."""
        test: Code = 0
        with self.hoisting() as before:
            for kind in kinds:
                first = self.symbols.first_node[kind]
                member = Piece("v_space", Interval(0, self.maps[route].nodes - 1))
                through = self.condition(route, kind, calculate("-", member, first), env, "through")
                test = through if kind == kinds[0] else f"({test} if v_space < {first} else {through})"
        return [*before, str(test)]

    def node(self, member: Expr, env: Env) -> Code:
        """The number of a member among all nodes."""
        first = self.symbols.first_node[member.type.kind]
        code = self.emit(member, env)
        if isinstance(code, int):
            return code + first
        return f"({code} + {first})" if first else code

    def fixed(self, code: Code) -> bool:
        """Whether code depends on the state alone, not on a loop's name."""
        return isinstance(code, int) or (not self.may_read_none and not re.search(r"\bv_\w+", code))

    def may_be_none(self, arg: Expr, env: Env) -> bool:
        """Whether an argument may be none until some check, before which nothing may be worked out with it."""
        for part in arg.walk():
            if isinstance(part, Attr) and self.symbols.kinds[part.owner].attributes[part.name].spec.maybe:
                return True
            if isinstance(part, (Var, Load)) and part.type.base == "ref":
                within = interval_of(self.emit(part, env))
                if within is not None and within.low < 0:
                    return True
        return False

    def once(self, route: str, what: str, args: list[Code]) -> str | None:
        """The key of a table, worked out once for the present statement where that is possible."""
        key = self.key(route, what, args)
        return self.hoist(key) if self.fixed(key) else None

    def key(self, route: str, what: str, args: list[Code]) -> str:
        """A call of the function that says what may be crossed now (as bits), or what crossing costs."""
        known = tuple(arg if isinstance(arg, int) else None for arg in args)
        name = self.module.function((what, route, known), f"f_{route}")
        given = [str(arg) for arg, value in zip(args, known, strict=True) if value is None]
        return f"{name}({', '.join(['s', *given])})"

    def crossed(
        self, route: str, known: tuple[int | None, ...], lines: Callable[[str, Env], list[str]]
    ) -> tuple[list[str], list[str]]:
        """The function that `key` calls."""
        params = self.symbols.routes[route].params
        inner: Env = {
            name: self.perhaps(f"p_{name}", kind) if value is None else value
            for (name, kind), value in zip(params.items(), known, strict=True)
        }
        return unknown(inner), lines(route, inner)

    def inner(self, route: str) -> list[tuple[int, str, int]]:
        """The nodes that may be crossed: number, kind, member."""
        spaces = []
        for node in self.maps[route].inner:
            for kind, first in self.symbols.first_node.items():
                if 0 <= node - first < self.count(kind):
                    spaces.append((node, kind, node - first))
        return spaces

    def condition(self, route: str, kind: str, member: Code, env: Env, what: str) -> Code:
        symbol = self.symbols.routes[route]
        tree = (symbol.through if what == "through" else symbol.costs).get(kind)
        if tree is None:
            return 0
        return self.emit(tree, {**env, "space": member})

    def mask(self, route: str, env: Env) -> list[str]:
        parts: list[Code] = []
        with self.hoisting() as before:
            for node, kind, member in self.inner(route):
                test = self.condition(route, kind, member, env, "through")
                parts.append((1 << node if test else 0) if isinstance(test, int) else f"({1 << node} if {test} else 0)")
        return [*before, f"return {union(parts)}"]

    def costs(self, route: str, env: Env) -> list[str]:
        parts = []
        with self.hoisting() as before:
            for _, kind, member in self.inner(route):
                test = self.condition(route, kind, member, env, "through")
                cost = self.condition(route, kind, member, env, "costs")
                if self.checks_costs and (not isinstance(cost, int) or cost < 0):
                    cost = f"toll({cost})"
                if isinstance(test, int):
                    parts.append(str(cost if test else -1))
                else:
                    parts.append(f"({cost} if {test} else -1)")
        return [*before, f"return ({', '.join(parts)},)" if parts else "return ()"]

    def table(self, route: str, what: str, args: list[Code]) -> str:
        """The name of a table, chosen by which of the extra edges are open now."""
        graph_map = self.maps[route]
        symbol = self.symbols.routes[route]
        if (route, what) not in self.tables:
            self.tables[route, what] = self.module.constant("R", self.make(graph_map, what))
        name = self.tables[route, what]
        if not graph_map.also:
            return f"{name}[0]"
        env: Env = dict(zip(symbol.params, args, strict=True))
        parts = []
        for number, graph in enumerate(graph_map.also):
            test = self.emit(symbol.also[graph], env)
            parts.append(
                str(int(bool(test)) << number) if isinstance(test, int) else f"({1 << number} if {test} else 0)"
            )
        index = " | ".join(parts)
        return f"{name}[{self.hoist(index) if self.fixed(index) and not simple(index) else index}]"

    def make(self, route: RouteMap, what: str) -> list[object]:
        """The tables of one route, one for each combination of extra edges."""
        if what == "costs":
            return [CostTable(neighbours, route.inner) for neighbours in route.forward]
        return [ReachTable(neighbours) for neighbours in (route.forward if what == "reach" else route.backward)]
