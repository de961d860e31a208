"""Find a route with networkx, and say which way it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polis_rules.semantics import Symbols
from polis_rules.semantics.expressions import NO_ROUTE, RouteCost, RouteQuestion

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """A route: the nodes it visits in order (empty where there is none), and what crossing costs."""

    path: tuple[int, ...]
    cost: int

    def answer(self, tree: RouteQuestion) -> int:
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


def cheapest(graph: nx.DiGraph[int], start: int, goal: int, costs: dict[int, int]) -> FoundRoute:
    """The cheapest route over what may be crossed, by Dijkstra's algorithm; its ends cost nothing."""
    import networkx as nx

    if start == goal:
        return _round_trip(graph, start, costs)
    costs = {**costs, start: 0, goal: 0}
    try:
        path = nx.dijkstra_path(graph, start, goal, weight=lambda _, to, __: costs.get(to))  # none cannot be crossed
    except nx.NetworkXNoPath:
        return FoundRoute((), NO_ROUTE)
    return FoundRoute(tuple(path), sum(costs[node] for node in path[1:-1]))


def _round_trip(graph: nx.DiGraph[int], start: int, cost: dict[int, int]) -> FoundRoute:
    """The cheapest way that leaves a node and comes back to it."""
    ways = [node for node in graph.successors(start) if node in cost and start in graph[node]]
    if not ways:
        return FoundRoute((), NO_ROUTE)
    best = min(ways, key=lambda node: (cost[node], node))
    return FoundRoute((start, best, start), cost[best])
