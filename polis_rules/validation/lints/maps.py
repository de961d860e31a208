"""Maps: members that no edge reaches, parts that nothing joins, edges and entries without effect.

Why: a forgotten edge is not seen until somebody wants to cross it.
Example: eleven of twelve spaces in a graph of roads and the twelfth in no graph; two halves of a map without a road
between them; `a-b` beside `b-a`; `through` for a kind that stands in no graph of the route.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import Route, Symbols
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `isolated-member`, `cut-off`, `same-edge` and `idle-entry`."""
    _isolated(subject, diagnostics)
    _edges(subject, diagnostics)
    _parts(subject, diagnostics)
    for name, route in subject.document.routes.items():
        typed = subject.symbols.routes[name]
        _entries(name, route.through, route.costs, typed, subject, diagnostics)
        for graph in route.also:
            if graph in typed.over:
                message = f"`{name}` leads over `{graph}` always, so this condition changes nothing"
                diagnostics.warning("idle-entry", message, graph.span)


def node(symbols: Symbols, number: int) -> tuple[str, int]:
    """The kind and the place of a node."""
    kind = max((first, name) for name, first in symbols.first_node.items() if first <= number)[1]
    return kind, number - symbols.first_node[kind]


def _key(subject: Subject, kind: str, place: int) -> Text:
    tables = {str(name): rows for name, rows in subject.document.tables.items()}
    return list(tables[kind])[place]


def _isolated(subject: Subject, diagnostics: Diagnostics) -> None:
    """Members in no edge at all, of a kind whose others nearly all stand in one."""
    symbols = subject.symbols
    joined = {node for graph in symbols.graphs.values() for edge in graph.edges for node in edge[:2]}
    for kind, first in symbols.first_node.items():
        members = range(len(symbols.kinds[kind].members))
        lonely = [place for place in members if first + place not in joined]
        if lonely and len(lonely) * 4 <= len(members):
            for place in lonely:
                key = _key(subject, kind, place)
                message = f"no edge of any graph leads to the {kind} `{key}`"
                diagnostics.warning("isolated-member", message, key.span, confidence="likely")


def _edges(subject: Subject, diagnostics: Diagnostics) -> None:
    """Edges that are written twice."""
    for graph in subject.document.graphs.values():
        seen: dict[frozenset[str], tuple[Text, bool]] = {}
        for name, edge in (graph.edges or {}).items():
            ends = frozenset(name.split("-"))
            if ends not in seen:
                seen[ends] = (name, edge.one_way)
                continue
            other, one_way = seen[ends]
            both = edge.one_way and one_way
            message = "two edges of one way make one of both ways" if both else "this edge is written twice"
            hint = f"write {other} without one_way, and leave this out" if both else "an edge leads both ways by itself"
            diagnostics.warning("same-edge", message, name.span, hint, (("the other one", other.span),))


def _graphs(route: Route) -> Iterator[str]:
    yield from route.over
    yield from (graph for graph in route.also if graph not in route.over)


def _entries(
    name: Text,
    through: dict[Text, Text],
    costs: dict[Text, Text],
    route: Route,
    subject: Subject,
    diagnostics: Diagnostics,
) -> None:
    """Kinds that are named and can never be crossed."""
    symbols = subject.symbols
    edges = [edge for graph in _graphs(route) for edge in symbols.graphs[graph].edges]
    kinds = {node(symbols, end)[0] for edge in edges for end in edge[:2]}
    for kind in through:
        if kind not in kinds:
            message = f"no {kind} stands in a graph of `{name}`, so none is ever crossed"
            diagnostics.warning("idle-entry", message, kind.span)
    crossed = {str(kind) for kind in through}
    for kind in costs:
        if kind in kinds and kind not in crossed:
            hint = f"name {kind} under `through` too"
            diagnostics.warning(
                "idle-entry", f"`{name}` never crosses a {kind}, so this is never paid", kind.span, hint
            )


def _parts(subject: Subject, diagnostics: Diagnostics) -> None:
    """All parts of a map but the largest, and of two that are equal the one that stands later in the table."""
    symbols = subject.symbols
    for part in _cut_off(subject):
        kind, _ = node(symbols, part[0])
        keys = [_key(subject, kind, number - symbols.first_node[kind]) for number in part]
        words = ", ".join(f"`{key}`" for key in keys)
        message = f"no edge leads from {words} to the other members of {kind}"
        diagnostics.warning("cut-off", message, keys[0].span, confidence="likely")


def _cut_off(subject: Subject) -> Iterator[list[int]]:
    """The nodes of one kind in each smaller part of the map, where one part holds at least half of the kind."""
    symbols = subject.symbols
    edges = [(start, goal) for graph in symbols.graphs.values() for start, goal, _, _ in graph.edges]
    joined = {end for edge in edges for end in edge}
    parts = _components(range(symbols.nodes), edges)
    for kind, first in symbols.first_node.items():
        mine = range(first, first + len(symbols.kinds[kind].members))
        split = [sorted(number for number in part if number in mine and number in joined) for part in parts]
        split = sorted((part for part in split if part), key=lambda part: (-len(part), part))
        if len(split) > 1 and len(split[0]) > 1 and len(split[0]) * 2 >= sum(map(len, split)):
            yield from split[1:]


def lonely(subject: Subject) -> Iterator[int]:
    """Nodes without any edge, and those that are cut off: what is wrong with them is reported here."""
    symbols = subject.symbols
    joined = {end for graph in symbols.graphs.values() for edge in graph.edges for end in edge[:2]}
    yield from (number for number in range(symbols.nodes) if number not in joined)
    for part in _cut_off(subject):
        yield from part


def _components(nodes: range, edges: list[tuple[int, int]]) -> list[list[int]]:
    """The parts that some edges make of some nodes."""
    group = {node: [node] for node in nodes}
    for start, goal in edges:
        if group[start] is not group[goal]:
            joined = group[start] + group[goal]
            group.update(dict.fromkeys(joined, joined))
    return list({id(part): part for part in group.values()}.values())
