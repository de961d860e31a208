"""Smaller abilities: folding, formatting, names in colour, hints, signatures, symbols of the workspace."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.authoring.formatting import format_text
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.language_server.analysis import Analysis
from polis_rules.language_server.answers import location
from polis_rules.language_server.index import is_local, name_of
from polis_rules.language_server.outline import SORTS
from polis_rules.language_server.places import line_of
from polis_rules.language_server.workbench import Workbench
from polis_rules.schema import prose_keys, prose_sections
from polis_rules.semantics import FUNCTIONS
from polis_rules.source import Text, entries_at, walk

TOKENS = {section: each.token for section, each in SORTS.items() if each.token is not None}
"""How names are coloured."""

LEGEND = lsp.SemanticTokensLegend([each.value for each in TOKENS.values()], [])


def folding(bench: Workbench, path: Path) -> list[lsp.FoldingRange]:
    """Everything that stands below a key and goes over several lines."""
    tree, ranges = bench.tree(path), []
    for way, value in walk(tree) if tree is not None else ():
        key = way[-1] if way else None
        if isinstance(key, Text) and value.span.end_line > key.span.line:
            ranges.append(lsp.FoldingRange(key.span.line - 1, value.span.end_line - 1))
    return ranges


def formatting(bench: Workbench, path: Path) -> list[lsp.TextEdit]:
    """The whole file in canonical form; nothing when it cannot be read."""
    text = bench.text(path)
    formatted = format_text(text, path.name, Diagnostics())
    if formatted is None or formatted == text:
        return []
    lines = text.split("\n")
    return [lsp.TextEdit(bench.range(Span(path.name, 1, 1, len(lines), len(lines[-1]) + 1), text), formatted)]


def tokens(bench: Workbench, path: Path) -> lsp.SemanticTokens:
    """The names of a file, each with its sort, as numbers: lines and columns from the one before."""
    analysis, text = bench.about(path), bench.text(path)
    data: list[int] = []
    if analysis is None:
        return lsp.SemanticTokens(data)
    sorts = list(TOKENS)
    shown, line, character = analysis.shown(path) or "", 0, 0
    for number, written in enumerate(text.split("\n"), 1):
        for each in sorted(analysis.index.on(shown, number), key=lambda name: name.span.column):
            sort, span = _sort(each.symbol), each.span
            if sort not in sorts or written[span.column - 1 : span.end_column - 1] != name_of(each.symbol):
                continue  # the file has changed since
            place = bench.range(span, text)
            begin, width = place.start.character, place.end.character - place.start.character
            data += [number - 1 - line, begin - (character if number - 1 == line else 0), width, sorts.index(sort), 0]
            line, character = number - 1, begin
    return lsp.SemanticTokens(data)


def _sort(symbol: str) -> str:
    if is_local(symbol):
        return "#"
    parts = symbol.split(".")
    return parts[2] if parts[0] == "kinds" and len(parts) > 3 else parts[0]


def prose(bench: Workbench, path: Path) -> tuple[list[str], list[str]]:
    """The keys that hold words for people and names, not expressions; and those at the top of a file below which
    nothing else stands. An attribute is one of the first if its type says so wherever it is declared."""
    analysis = bench.about(path)
    symbols = analysis.symbols if analysis is not None else None
    kinds = symbols.kinds.values() if symbols is not None else ()
    attributes = [(name, each.spec.kind) for kind in kinds for name, each in kind.attributes.items()]
    texts = {name for name, sort in attributes if sort == "text"} - {
        name for name, sort in attributes if sort != "text"
    }
    return sorted(prose_keys() | texts), sorted(prose_sections())


def hints(bench: Workbench, path: Path, shown: lsp.Range) -> list[lsp.InlayHint]:
    """What the bare numbers in tables are: the type of their attribute."""
    analysis, text = bench.about(path), bench.text(path)
    inlays: list[lsp.InlayHint] = []
    if analysis is None or analysis.symbols is None:
        return inlays
    for kind, rows in entries_at(bench.tree(path), "tables").items():
        known = analysis.symbols.kinds.get(kind)
        for key, value in chain(*(entries_at(row).items() for row in entries_at(rows).values())):
            attribute = known.attributes.get(key) if known is not None else None
            spec = attribute.spec if attribute is not None else None
            inside = shown.start.line <= value.span.line - 1 <= shown.end.line
            if (
                inside
                and attribute is not None
                and spec is not None
                and spec.kind in ("range", "number")
                and str(value).isdigit()
            ):
                words = f"{spec.low}..{spec.high}" if spec.kind == "range" else "number"
                words += f" {attribute.unit}" if attribute.unit else ""
                place = bench.range(value.span, text).end
                inlays.append(lsp.InlayHint(place, words, lsp.InlayHintKind.Type, padding_left=True))
    return inlays


def signature(bench: Workbench, path: Path, place: lsp.Position) -> lsp.SignatureHelp | None:
    """What the call around a place takes: a term, a procedure, a phase, a formula or a function of the language."""
    before = line_of(bench.text(path), place.line + 1)[: bench.column(path, place) - 1]
    opened: list[tuple[int, int]] = []  # each bracket that is open, and the commas in it so far
    for at, letter in enumerate(before):
        if letter in "([{":
            opened.append((at, 0))
        elif letter in ")]}":
            opened = opened[:-1]
        elif letter == "," and opened:
            opened[-1] = (opened[-1][0], opened[-1][1] + 1)
    name = re.search(r"(\w+)\($", before[: opened[-1][0] + 1]) if opened else None
    return _signature(bench, path, name[1], opened[-1][1]) if name else None


def _signature(bench: Workbench, path: Path, name: str, number: int) -> lsp.SignatureHelp | None:
    params = FUNCTIONS[name].split(", ") if name in FUNCTIONS else _params(name, bench.about(path))
    if params is None:
        return None
    parts = [lsp.ParameterInformation(each) for each in params]
    label = f"{name}({', '.join(params)})"
    return lsp.SignatureHelp([lsp.SignatureInformation(label, parameters=parts)], 0, number)


def _params(name: str, analysis: Analysis | None) -> list[str] | None:
    """What a term, a route, a formula, a procedure or a phase takes; None where there is none of that name."""
    if analysis is not None and (symbols := analysis.symbols) is not None:
        formulas = [kind.attributes[name] for kind in symbols.kinds.values() if name in kind.attributes]
        for each in (symbols.terms.get(name), symbols.routes.get(name), *formulas):
            if each is not None and each.params:
                return [f"{key}: {kind}" for key, kind in each.params.items()]
    if analysis is not None and (document := analysis.document) is not None:
        for called, item in (*document.phases.items(), *document.procedures.items()):
            if called == name:
                return [f"{key}: {kind}" for key, kind in item.of.items()]
    return None


def workspace_symbols(bench: Workbench, query: str) -> list[lsp.WorkspaceSymbol]:
    """Every declaration, in the rulesets of the open files, whose name holds the letters that are asked for."""
    symbols: dict[tuple[str, str], lsp.WorkspaceSymbol] = {}
    for target in {target for path in bench.texts if (target := bench.target(path)) is not None}:
        analysis = bench.known(target)
        for symbol in analysis.index.by_symbol:
            if is_local(symbol) or query.lower() not in name_of(symbol):
                continue
            for span in analysis.index.declarations(symbol):
                if span.file in analysis.files:
                    where = location(bench, analysis, span)
                    owner, kind = symbol.rpartition(".")[0], lsp.SymbolKind.Constant
                    symbols[symbol, where.uri] = lsp.WorkspaceSymbol(where, name_of(symbol), kind, container_name=owner)
    return list(symbols.values())
