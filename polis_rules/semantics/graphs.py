"""Resolve graphs: edges between members, written one by one or read from an attribute."""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics, nearest
from polis_rules.schema import Document
from polis_rules.semantics.packed_lists import members_in
from polis_rules.semantics.symbols import Symbols
from polis_rules.source import Text

Pair = tuple[tuple[str, str], tuple[str, str], bool, str]


def resolve_graphs(document: Document, symbols: Symbols, diagnostics: Diagnostics) -> None:
    """Fill `symbols.graphs` and number the members that stand in any graph."""
    graphs: dict[str, list[Pair]] = {}
    for name, graph in document.graphs.items():
        if graph.from_ is not None:
            graphs[str(name)] = _derived(graph.from_, symbols, diagnostics)
            continue
        pairs = []
        for edge, item in (graph.edges or {}).items():
            ends = _ends(edge, symbols, diagnostics)
            if ends is not None:
                pairs.append((*ends, item.one_way, str(edge)))
        graphs[str(name)] = pairs
    used = {kind for pairs in graphs.values() for pair in pairs for kind in (pair[0][0], pair[1][0])}
    for kind in symbols.kinds.values():
        if kind.name in used:
            symbols.first_node[kind.name] = symbols.nodes
            symbols.nodes += len(kind.members)
    for title, pairs in graphs.items():
        edges = [(_node(symbols, a), _node(symbols, b), one_way, edge) for a, b, one_way, edge in pairs]
        symbols.graphs[title] = edges


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


def _derived(source: Text, symbols: Symbols, diagnostics: Diagnostics) -> list[Pair]:
    owner, _, name = source.partition(".")
    attribute = symbols.kinds[owner].attributes.get(name) if owner in symbols.kinds else None
    if (owner, name) in symbols.broken:
        return []
    named = attribute.spec.member_kind if attribute is not None and not attribute.per else None
    if attribute is None or named is None:
        known = [f"{each.name}.{field}" for each in symbols.kinds.values() for field in each.attributes]
        message = f"`{source}` is no attribute that names members"
        suggestion = nearest(source, known) if attribute is None else None
        diagnostics.error("unknown-edge", message, source.span, "write kind.attribute", suggestion=suggestion)
        return []
    pairs: list[Pair] = []
    for member, value in zip(symbols.kinds[owner].members, attribute.values, strict=True):
        every = symbols.kinds[named].members
        ends = [every[at] for at in sorted(members_in(attribute.spec.kind, value, len(every)))]
        pairs += [((owner, member), (named, end), False, f"{member}-{end}") for end in ends]
    return pairs
