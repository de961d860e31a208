"""Find a route with networkx on the present position, and say which way it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polis_rules.semantics import Symbols
from polis_rules.semantics.expressions import NO_ROUTE, RouteCost, RouteExists

if TYPE_CHECKING:
    from polis_rules.interpreter.evaluator.evaluate import Evaluator


Crossing = tuple[tuple[str, ...], tuple[tuple[int, int], ...]]
"""The graphs that are open now, and the nodes that may be crossed now, with what each costs."""


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """A route: the nodes it visits in order (empty where there is none), and what crossing costs."""

    path: tuple[int, ...]
    cost: int

    def answer(self, tree: RouteExists | RouteCost) -> int:
        """What the question's expression yields."""
        return self.cost if isinstance(tree, RouteCost) else int(bool(self.path))

    def words(self, symbols: Symbols) -> str:
        """The visited members by title, e.g. `North - Middle - South`."""
        return " - ".join(node_title(symbols, node) for node in self.path)


def node_title(symbols: Symbols, node: int) -> str:
    """The title of the member with a node's number."""
    for kind, first in symbols.first_node.items():
        titles = symbols.kinds[kind].titles
        if 0 <= node - first < len(titles):
            return titles[node - first]
    raise IndexError(node)


def crossing(evaluator: Evaluator, name: str, args: tuple[int, ...], state: list[int]) -> Crossing:
    """What may be crossed now by a route with these arguments."""
    symbols = evaluator.symbols
    route = symbols.routes[name]
    given = dict(zip(route.params, args, strict=True))
    opened = (graph for graph, test in route.also.items() if evaluator.value(test, state, given))
    cost = []
    for kind, test in route.through.items():
        price = route.costs.get(kind)
        for member in range(evaluator.count(kind)):
            inner = {**given, "space": member}
            if evaluator.recalled(test, state, inner):
                node = symbols.first_node[kind] + member
                cost.append((node, 0 if price is None else evaluator.recalled(price, state, inner)))
    return (*route.over, *opened), tuple(cost)


def find_route(
    evaluator: Evaluator, tree: RouteExists | RouteCost, state: list[int], names: dict[str, int]
) -> FoundRoute:
    """The cheapest route that a question asks about, by Dijkstra's algorithm; crossing costs what `costs` says."""
    import networkx as nx

    args, start, goal = evaluator.ends(tree, state, names)
    graphs, crossed = crossing(evaluator, tree.route, args, state)
    graph, cost = evaluator.graph(graphs), dict(crossed)
    if start == goal:
        return _round_trip(graph, start, cost)
    for node in (start, goal):
        cost[node] = 0
    try:
        path = nx.dijkstra_path(graph, start, goal, weight=lambda _, to, __: cost.get(to))  # none cannot be crossed
    except nx.NetworkXNoPath:
        return FoundRoute((), NO_ROUTE)
    return FoundRoute(tuple(path), sum(cost[node] for node in path[1:-1]))


def _round_trip(graph: nx.DiGraph[int], start: int, cost: dict[int, int]) -> FoundRoute:
    """The cheapest way that leaves a node and comes back to it."""
    ways = [node for node in graph.successors(start) if node in cost and start in graph[node]]
    if not ways:
        return FoundRoute((), NO_ROUTE)
    best = min(ways, key=lambda node: (cost[node], node))
    return FoundRoute((start, best, start), cost[best])


if TYPE_CHECKING:
    import networkx as nx
