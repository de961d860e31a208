"""Document symbols: the ids of a file, one inside the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.composition import OPERATIONS
from polis_rules.language_server.workbench import Workbench
from polis_rules.source import Mapping, Node, Text, entries_at


@dataclass(frozen=True, slots=True)
class Sort:
    """How an editor shows what a section declares; None where it does not."""

    word: str
    symbol: lsp.SymbolKind | None = None
    """In outlines."""
    token: lsp.SemanticTokenTypes | None = None
    """In colours."""


SORTS = {
    "kinds": Sort("kind", lsp.SymbolKind.Class, lsp.SemanticTokenTypes.Class),
    "attributes": Sort("attribute", lsp.SymbolKind.Property, lsp.SemanticTokenTypes.Property),
    "state": Sort("state", lsp.SymbolKind.Variable, lsp.SemanticTokenTypes.Variable),
    "tables": Sort("member", lsp.SymbolKind.Enum, lsp.SemanticTokenTypes.EnumMember),
    "graphs": Sort("graph", lsp.SymbolKind.Struct),
    "routes": Sort("route", lsp.SymbolKind.Interface),
    "terms": Sort("term", lsp.SymbolKind.Constant, lsp.SemanticTokenTypes.Macro),
    "supplies": Sort("supply", lsp.SymbolKind.Array),
    "invariants": Sort("invariant", lsp.SymbolKind.Boolean),
    "actions": Sort("action", lsp.SymbolKind.Method, lsp.SemanticTokenTypes.Method),
    "procedures": Sort("procedure", lsp.SymbolKind.Function, lsp.SemanticTokenTypes.Function),
    "phases": Sort("phase", lsp.SymbolKind.Event, lsp.SemanticTokenTypes.Event),
    "cases": Sort("case", lsp.SymbolKind.Event),
    "score": Sort("score", lsp.SymbolKind.Number),
    "advice": Sort("advice", lsp.SymbolKind.Number),
    "endings": Sort("ending"),
    "manifest": Sort("source"),
    "libraries": Sort("library"),
    "#": Sort("local name", token=lsp.SemanticTokenTypes.Parameter),
}
"""Everything that is declared, by its section; `#` is a local name."""

OUTLINED = {section: each.symbol for section, each in SORTS.items() if each.symbol is not None}
DEEPER = {"kinds": 2, "tables": 1, "graphs": 0}
"""How many levels of ids lie below the ids of a section; in other sections there is none."""


def outline(bench: Workbench, path: Path) -> list[lsp.DocumentSymbol]:
    """The sections of a file and the ids in them."""
    text, sections = bench.text(path), entries_at(bench.tree(path))
    return [_symbol(bench, text, key, value, key, 1 + DEEPER.get(key, 0)) for key, value in sections.items()]


def _symbol(bench: Workbench, text: str, key: Text, value: Node, section: str, levels: int) -> lsp.DocumentSymbol:
    title = value.get("title") if isinstance(value, Mapping) else None
    children = []
    if levels and isinstance(value, Mapping) and (section in OUTLINED or section in OPERATIONS or key in OUTLINED):
        for name, inner in value.entries.items():
            below = name if name in ("attributes", "state") else section
            if section != "kinds" or levels != 2 or name in ("attributes", "state"):
                children.append(_symbol(bench, text, name, inner, below, levels - 1 + (below != section)))
    return lsp.DocumentSymbol(
        name=str(key),
        kind=OUTLINED.get(section, lsp.SymbolKind.Key),
        range=bench.range(key.span.to(value.span), text),
        selection_range=bench.range(key.span, text),
        detail=str(title) if isinstance(title, Text) else None,
        children=children,
    )
