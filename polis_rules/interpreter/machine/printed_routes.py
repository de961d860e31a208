"""Where routes lead by what is printed: whoever travels, and whatever stands in the way now."""

from __future__ import annotations

import networkx as nx

from polis_rules.interpreter.machine.routes import route_graph
from polis_rules.semantics import Route, RowRanges, Symbols
from polis_rules.semantics.expressions import Const, Type, substitute


def printed_steps(symbols: Symbols, route: Route) -> dict[int, dict[int, int]]:
    """By each node those to which a route leads from there, with the least number of steps."""
    graph = route_graph(symbols, (*route.over, *route.also))
    crossed = _crossed(symbols, route)
    crossing: nx.DiGraph[int] = nx.DiGraph([edge for edge in graph.edges if edge[0] in crossed])
    steps = {}
    for start in graph:
        crossing.add_edges_from(graph.edges(start))
        crossing.add_node(start)
        steps[start] = nx.single_source_shortest_path_length(crossing, start)
        if start not in crossed:
            crossing.remove_edges_from(list(graph.edges(start)))
    return steps


def _crossed(symbols: Symbols, route: Route) -> set[int]:
    """The nodes that a route may cross: those of which no fixed attribute forbids it."""
    ranges = RowRanges(symbols)
    return {
        symbols.first_node[kind] + member
        for kind, test in route.through.items()
        if kind in symbols.first_node
        for member in range(ranges.symbols.count(kind))
        if ranges.verdict(substitute(test, {"space": Const(Type("ref", kind), member)}), {}) is not False
    }
