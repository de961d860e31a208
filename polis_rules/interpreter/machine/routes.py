"""Routes: networkx builds, checks and explains them; tables answer the running game."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from polis_rules.semantics import NO_ROUTE

if TYPE_CHECKING:
    import networkx as nx

    from polis_rules.semantics import Symbols

MOST_ENTRIES = 200_000
"""How many answers a table keeps before it is emptied."""


class RouteMap:
    """The plain data that the running game needs of one route.

    `forward[k]` and `backward[k]` are neighbour bitmasks by node, where bit i of k says whether the i-th graph of
    `also` is open; `inner` are the nodes that may be crossed at all.
    """

    def __init__(self, name: str, nodes: int, also: tuple[str, ...], inner: tuple[int, ...]) -> None:
        self.name, self.nodes, self.also, self.inner = name, nodes, also, inner
        self.forward: list[list[int]] = []
        self.backward: list[list[int]] = []


def build_route_maps(symbols: Symbols) -> dict[str, RouteMap]:
    """One map for each route of the ruleset."""
    maps = {}
    for route in symbols.routes.values():
        also = tuple(route.also)
        every = route_graph(symbols, (*route.over, *also))
        crossable = {
            symbols.first_node[kind] + number
            for kind in route.through
            if kind in symbols.first_node
            for number in range(symbols.count(kind))
        }
        inner = tuple(sorted(node for node in crossable if every.degree(node) > 1))
        route_map = RouteMap(route.name, symbols.nodes, also, inner)
        for opened in range(1 << len(also)):
            graph = route_graph(symbols, (*route.over, *(also[i] for i in range(len(also)) if opened >> i & 1)))
            route_map.forward.append([_bits(graph.successors(node)) for node in range(symbols.nodes)])
            route_map.backward.append([_bits(graph.predecessors(node)) for node in range(symbols.nodes)])
        maps[route.name] = route_map
    return maps


def route_graph(symbols: Symbols, names: tuple[str, ...]) -> nx.DiGraph[int]:
    """The directed graph of several graphs' edges, over the numbers of all members that stand in graphs."""
    try:
        import networkx as nx
    except KeyboardInterrupt:  # a part of it stays, which could not be imported again to tell how the game stood
        for name in [each for each in sys.modules if each.partition(".")[0] == "networkx"]:
            del sys.modules[name]
        raise

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(symbols.nodes))
    for name in names:
        for start, goal, one_way, edge in symbols.graphs.get(name, ()):
            graph.add_edge(start, goal, edge=edge)
            if not one_way:
                graph.add_edge(goal, start, edge=edge)
    return graph


def _bits(nodes: Iterable[int]) -> int:
    """Some nodes as bits."""
    return sum(1 << node for node in nodes)


class ReachTable(dict[int, int]):
    """Answers `table[passable << bits | node]`: the nodes that a route from `node` leads to, as bits.

    Between start and goal only passable nodes are crossed. Answers are worked out when first asked for.
    """

    def __init__(self, neighbours: list[int]) -> None:
        super().__init__()
        self.neighbours = neighbours
        self.bits = max(len(neighbours).bit_length(), 1)

    def __reduce__(self) -> tuple[type[ReachTable], tuple[list[int]]]:
        return ReachTable, (self.neighbours,)  # without the answers

    def __missing__(self, key: int) -> int:
        passable, node = key >> self.bits, key & ((1 << self.bits) - 1)
        if node >= len(self.neighbours):  # a none, asked about before the check that there is one: nobody reads this
            return 0
        reached = self.neighbours[node]
        crossed = 0
        waiting = reached & passable
        while waiting:
            bit = waiting & -waiting
            crossed |= bit
            reached |= self.neighbours[bit.bit_length() - 1]
            waiting = reached & passable & ~crossed
        if len(self) >= MOST_ENTRIES:
            self.clear()
        self[key] = reached
        return reached


class CostTable(dict[tuple[int, ...], list[int]]):
    """Answers `table[node, cost, cost, ...]`: what the cheapest route from `node` to each node costs.

    The costs are those of the inner nodes in order; -1 for one that cannot be crossed now.
    """

    def __init__(self, neighbours: list[int], inner: tuple[int, ...]) -> None:
        super().__init__()
        self.neighbours = neighbours
        self.inner = inner

    def __reduce__(self) -> tuple[type[CostTable], tuple[list[int], tuple[int, ...]]]:
        return CostTable, (self.neighbours, self.inner)  # without the answers

    def __missing__(self, key: tuple[int, ...]) -> list[int]:
        costs = dict(zip(self.inner, key[1:], strict=True))
        cheapest = [NO_ROUTE] * len(self.neighbours)
        done = 0
        queue = [(0, key[0])] if key[0] >= 0 else []  # asked of a none, beside a condition that makes it worthless
        while queue:
            spent, node = heappop(queue)
            if done >> node & 1:
                continue
            done |= 1 << node
            goals = self.neighbours[node]
            while goals:
                bit = goals & -goals
                goals ^= bit
                goal = bit.bit_length() - 1
                if spent < cheapest[goal]:
                    cheapest[goal] = spent
                    if costs.get(goal, -1) >= 0:
                        heappush(queue, (spent + costs[goal], goal))
        if len(self) >= MOST_ENTRIES:
            self.clear()
        self[key] = cheapest
        return cheapest
