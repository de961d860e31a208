"""Resolve graphs: edges between members, written one by one or read from attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polis_rules.diagnostics import Diagnostics, nearest
from polis_rules.semantics.packed_lists import members_in
from polis_rules.semantics.symbols import Attribute, Edge, Symbols
from polis_rules.source import Text

if TYPE_CHECKING:
    from polis_rules.schema import Document

Pair = tuple[tuple[str, str], tuple[str, str], bool, str]


def resolve_graphs(document: Document, symbols: Symbols, diagnostics: Diagnostics) -> None:
    """Fill `symbols.graphs` and number the members that stand in any graph."""
    graphs: dict[str, list[Pair]] = {}
    used: set[str] = set()
    for name, graph in document.graphs.items():
        sources = [_source(source, symbols, diagnostics) for source in graph.from_]
        known = [source for source in sources if source is not None]
        symbols.sources[str(name)] = [(source.owner, source.name) for source in known]
        for source in known:  # what is worked out later may join any of them
            if source.is_ is not None or any(_named(source, value, symbols) for value in source.values):
                used |= {source.owner, source.spec.member_kind or ""}
        graphs[str(name)] = []
        for edge, item in (graph.edges or {}).items():
            ends = _ends(edge, symbols, diagnostics)
            if ends is not None:
                graphs[str(name)].append((*ends, item.one_way, str(edge)))
                used |= {kind for kind, _ in ends}
    for kind in symbols.kinds.values():
        if kind.name in used:
            symbols.first_node[kind.name] = symbols.nodes
            symbols.nodes += len(kind.members)
    for title, pairs in graphs.items():
        edges = [(_node(symbols, a), _node(symbols, b), one_way, edge) for a, b, one_way, edge in pairs]
        symbols.graphs[title] = edges
    stated_edges(symbols)


def stated_edges(symbols: Symbols) -> None:
    """Fill the graphs whose edges attributes state, as far as these have values."""
    for name, sources in symbols.sources.items():
        if sources:
            stated = (_stated(symbols.kinds[owner].attributes[source], symbols) for owner, source in sources)
            symbols.graphs[name] = [edge for edges in stated for edge in edges]


def _stated(source: Attribute, symbols: Symbols) -> Iterator[Edge]:
    """The edges that one attribute states."""
    owner, named = symbols.kinds[source.owner], symbols.kinds[source.spec.member_kind or ""]
    each = len(source.values) // max(len(owner.members), 1)
    for at, value in enumerate(source.values):
        member = owner.members[at // each]
        for other in sorted(_named(source, value, symbols)):
            ends = (owner.name, member), (named.name, named.members[other])
            yield _node(symbols, ends[0]), _node(symbols, ends[1]), False, f"{member}-{named.members[other]}"


def _named(source: Attribute, value: int, symbols: Symbols) -> set[int]:
    """The members that one value of an attribute names."""
    return members_in(source.spec.kind, value, symbols.count(source.spec.member_kind or ""))


def _node(symbols: Symbols, member: tuple[str, str]) -> int:
    kind, name = member
    return symbols.first_node[kind] + symbols.kinds[kind].index[name]


def _ends(edge: Text, symbols: Symbols, diagnostics: Diagnostics) -> tuple[tuple[str, str], tuple[str, str]] | None:
    names: list[str] = edge.split("-")
    if len(names) != 2 or names[0] == names[1]:
        diagnostics.error("unknown-edge", f"an edge joins two different members: a-b, not `{edge}`", edge.span)
        return None
    ends = []
    for name, column in zip(names, (0, len(names[0]) + 1), strict=True):
        members = symbols.members_called(name)
        if len(members) != 1:
            at = edge.span.part(column, column + len(name))
            if members:
                hint = "write " + " or ".join(".".join(member) for member in members)
                diagnostics.error("unclear-member", f"`{name}` is more than one thing", at, hint)
            else:
                diagnostics.unknown("unknown-edge", f"there is no member `{name}`", at, name, symbols.owners)
        else:
            ends.append(members[0])
    return (ends[0], ends[1]) if len(ends) == 2 else None


def _source(source: Text, symbols: Symbols, diagnostics: Diagnostics) -> Attribute | None:
    """The attribute that states edges; None where it is wrong."""
    owner, _, name = source.partition(".")
    attribute = symbols.kinds[owner].attributes.get(name) if owner in symbols.kinds else None
    if (owner, name) in symbols.broken:
        return None
    if attribute is None or attribute.spec.member_kind is None:
        known = [f"{each.name}.{field}" for each in symbols.kinds.values() for field in each.attributes]
        message = f"`{source}` is no attribute that names members"
        suggestion = nearest(source, known) if attribute is None else None
        diagnostics.error("unknown-edge", message, source.span, "write kind.attribute", suggestion=suggestion)
        return None
    return attribute
