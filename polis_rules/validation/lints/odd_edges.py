"""Edges that join other things than all the others of their graph: a landing that does not lie at the water.

Why: what may be crossed depends on the flags of a space, so an edge to the wrong sort of space leads nowhere.
Example: `landings: {from: town.landings}`, a route over it that crosses `space.is_wet`, and a town of ten with one
that is dry; `hill-lake` among nine edges between lakes.
Only flags that a route over the graph asks about count, and only where the odd ones are at most one in eight. A space
of another sort that several edges lead to belongs to the map, as the lakes on a board of hexes do.
"""

from __future__ import annotations

from collections import Counter

from polis_rules.diagnostics import Span
from polis_rules.semantics import Symbols, rows_of, value_of
from polis_rules.semantics.expressions import Attr
from polis_rules.source import Sequence, Text, at
from polis_rules.validation.analysis import Subject, parts

Flags = frozenset[tuple[str, str]]
"""Kind and name of attributes."""

Sort = tuple[str, tuple[int, ...]]
"""A kind, and the flags of one of its members."""

SHARE = 8


def check(subject: Subject) -> None:
    """Report `odd-edge`."""
    symbols = subject.symbols
    for name, edges in symbols.graphs.items():
        flags = _asked(name, symbols)
        sorts = [tuple(sorted(_sort(end, flags, subject) for end in edge[:2])) for edge in edges]
        usual, count = Counter(sorts).most_common(1)[0] if sorts else ((), 0)
        if count == len(sorts) or (len(sorts) - count) * SHARE > len(sorts):
            continue
        joined = Counter(end for edge in edges for end in edge[:2])
        for edge, sort in zip(edges, sorts, strict=True):
            odd = [end for end in edge[:2] if _sort(end, flags, subject) not in usual]
            if sort != usual and all(joined[end] == 1 for end in odd):
                ends = [subject.key(end) for end in edge[:2]]
                flag = ", ".join(f"`{attribute}`" for _, attribute in sorted(flags)) or "kind"
                message = f"`{ends[0]}` and `{ends[1]}` differ in {flag} from what all other edges of `{name}` join"
                subject.found.warning("odd-edge", message, _place(name, edge[3], subject), confidence="likely")


def _asked(graph: str, symbols: Symbols) -> Flags:
    """The flags that decide whether the routes over a graph may cross a space."""
    routes = (route for route in symbols.routes.values() if graph in (*route.over, *route.also))
    asked = (part for route in routes for tree in route.through.values() for part in parts(tree, symbols))
    flags = (part for part in asked if isinstance(part, Attr) and part.type.base == "bool" and len(part.args) == 1)
    return frozenset((part.owner, part.name) for part in flags)


def _sort(number: int, flags: Flags, subject: Subject) -> Sort:
    kind, place = subject.nodes[number]
    attributes = subject.symbols.kinds[kind].attributes
    return kind, tuple(attributes[name].values[place] for owner, name in sorted(flags) if owner == kind)


def _place(name: str, edge: str, subject: Subject) -> Span:
    """Where an edge is written: its own entry, or the name in the row that states it."""
    graph = at(subject.document.graphs, name)
    if not graph.from_:
        return next(key.span for key in graph.edges or {} if key == edge)
    member, _, other = edge.partition("-")
    for source in graph.from_:
        kind, _, attribute = source.partition(".")
        rows = (row for key, row in rows_of(subject.document, kind).items() if key == member)
        for value in (value_of(row, attribute) for row in rows):
            for item in value.items if isinstance(value, Sequence) else (value,):
                if isinstance(item, Text) and item == other:
                    return item.span
    return graph.from_[0].span
