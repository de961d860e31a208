"""Document symbols: the ids of a file, one inside the other."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from polis_rules.composition import OPERATIONS
from polis_rules.diagnostics import Span
from polis_rules.source import Mapping, Node, Text

SORTS = {
    "kinds": lsp.SymbolKind.Class,
    "attributes": lsp.SymbolKind.Property,
    "state": lsp.SymbolKind.Variable,
    "tables": lsp.SymbolKind.Enum,
    "graphs": lsp.SymbolKind.Struct,
    "routes": lsp.SymbolKind.Interface,
    "terms": lsp.SymbolKind.Constant,
    "supplies": lsp.SymbolKind.Array,
    "invariants": lsp.SymbolKind.Boolean,
    "actions": lsp.SymbolKind.Method,
    "procedures": lsp.SymbolKind.Function,
    "phases": lsp.SymbolKind.Event,
    "cases": lsp.SymbolKind.Event,
    "score": lsp.SymbolKind.Number,
}
DEEPER = {"kinds": 2, "tables": 1, "graphs": 0}
"""How many levels of ids lie below the ids of a section; in other sections there is none."""


def outline(tree: Mapping, range_of: Callable[[Span], lsp.Range]) -> list[lsp.DocumentSymbol]:
    """The sections of a file and the ids in them."""
    return [_symbol(key, value, str(key), 1 + DEEPER.get(str(key), 0), range_of) for key, value in tree.entries.items()]


def _symbol(
    key: Text, value: Node, section: str, levels: int, range_of: Callable[[Span], lsp.Range]
) -> lsp.DocumentSymbol:
    own = key.span
    whole = Span(own.file, own.line, own.column, *_end(own, value.span))
    title = value.get("title") if isinstance(value, Mapping) else None
    children = []
    if levels and isinstance(value, Mapping) and (section in SORTS or section in OPERATIONS or key in SORTS):
        for name, inner in value.entries.items():
            below = str(name) if name in ("attributes", "state") else section
            if section != "kinds" or levels != 2 or name in ("attributes", "state"):
                children.append(_symbol(name, inner, below, levels - 1 + (below != section), range_of))
    return lsp.DocumentSymbol(
        name=str(key),
        kind=SORTS.get(section, lsp.SymbolKind.Key),
        range=range_of(whole),
        selection_range=range_of(own),
        detail=str(title) if isinstance(title, Text) else None,
        children=children,
    )


def _end(own: Span, value: Span) -> tuple[int, int]:
    """The later of two ends."""
    return max((own.end_line, own.end_column), (value.end_line, value.end_column))
