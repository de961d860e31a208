"""Maps: members that no edge reaches, parts that nothing joins, edges and entries without effect.

Why: a forgotten edge is not seen until somebody wants to cross it.
Example: eleven of twelve spaces in a graph of roads and the twelfth in no graph; two halves of a map without a road
between them; `a-b` beside `b-a`; `through` for a kind that stands in no graph of the route.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.schema import Route
from polis_rules.semantics import reached
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject


def check(subject: Subject) -> None:
    """Report `isolated-member`, `cut-off`, `same-edge` and `idle-entry`."""
    _isolated(subject)
    _edges(subject)
    _parts(subject)
    for name, route in subject.document.routes.items():
        _entries(name, route, subject)


def _isolated(subject: Subject) -> None:
    """Members in no edge at all, of a kind whose others nearly all stand in one."""
    for kind in subject.symbols.first_node:
        members = [number for number, node in enumerate(subject.nodes) if node[0] == kind]
        lonely = [number for number in members if not subject.board[number]]
        for number in lonely if len(lonely) * 4 <= len(members) else ():
            key = subject.key(number)
            message = f"no edge of any graph leads to the {kind} `{key}`"
            subject.found.warning("isolated-member", message, key.span, confidence="likely")


def _edges(subject: Subject) -> None:
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
            subject.found.warning("same-edge", message, name.span, hint, (("the other one", other.span),))


def _entries(name: Text, route: Route, subject: Subject) -> None:
    """Kinds that are named and can never be crossed, and graphs that are open in any case."""
    graphs = {*route.over, *route.also}
    edges = [edge for graph in graphs for edge in subject.symbols.graphs[graph]]
    kinds = {subject.nodes[end][0] for edge in edges for end in edge[:2]}
    for kind in route.through:
        if kind not in kinds:
            message = f"no {kind} stands in a graph of `{name}`, so none is ever crossed"
            subject.found.warning("idle-entry", message, kind.span)
    for kind in route.costs:
        if kind in kinds and kind not in route.through:
            message = f"`{name}` never crosses any {kind}, so this is never paid"
            subject.found.warning("idle-entry", message, kind.span, f"name {kind} under `through` too")
    for graph in route.also:
        if graph in route.over:
            message = f"`{name}` leads over `{graph}` always, so this condition changes nothing"
            subject.found.warning("idle-entry", message, graph.span)


def _parts(subject: Subject) -> None:
    """All parts of a map but the largest, and of two that are equal the one that stands later in the table."""
    for part in _cut_off(subject):
        keys = [subject.key(number) for number in part]
        words = ", ".join(f"`{key}`" for key in keys)
        message = f"no edge leads from {words} to the other members of {subject.nodes[part[0]][0]}"
        subject.found.warning("cut-off", message, keys[0].span, confidence="likely")


def _cut_off(subject: Subject) -> Iterator[list[int]]:
    """The nodes of one kind in each smaller part of the map, where one part holds at least half of the kind."""
    parts: list[list[int]] = []
    for number, neighbours in subject.board.items():
        if neighbours and not any(number in part for part in parts):
            parts.append(reached(subject.board, [number]))
    for kind in subject.symbols.first_node:
        split = [sorted(number for number in part if subject.nodes[number][0] == kind) for part in parts]
        split = sorted((part for part in split if part), key=lambda part: (-len(part), part))
        if len(split) > 1 and len(split[0]) > 1 and len(split[0]) * 2 >= sum(map(len, split)):
            yield from split[1:]


def lonely(subject: Subject) -> Iterator[int]:
    """Nodes without any edge, and those that are cut off: what is wrong with them is reported here."""
    yield from (number for number, neighbours in subject.board.items() if not neighbours)
    for part in _cut_off(subject):
        yield from part
