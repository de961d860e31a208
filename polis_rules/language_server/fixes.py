"""Quick fixes: what is suggested is put in, `was` is filled in, and a row gets the attributes that it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.authoring import flow
from polis_rules.composition import plain, reach
from polis_rules.diagnostics import Diagnostic, Span
from polis_rules.language_server.analysis import Analysis
from polis_rules.language_server.answers import told_finding
from polis_rules.language_server.patches import patched_paths
from polis_rules.language_server.places import line_of
from polis_rules.language_server.workbench import Workbench
from polis_rules.schema import TypeSpec
from polis_rules.semantics import Symbols
from polis_rules.source import Mapping, entries_at, node_at

FIRST = {
    "number": "0",
    "flag": "false",
    "text": '""',
    "formula": "0",
    "condition": "false",
    "set": "[]",
    "effects": "[]",
    "changes": "{}",
}
"""What an attribute of a type may be at first, for the author to go on from."""
MOST_SHOWN = 40
"""Of a text that is replaced or put in, a title shows so many letters."""


def fixes(bench: Workbench, path: Path, asked: lsp.Range) -> list[lsp.CodeAction]:
    """What would mend the findings that touch a range of a file, each with the finding that it mends."""
    target, text = bench.target(path), bench.text(path)
    if target is None:
        return []
    analysis, actions = bench.analysis(target), []
    for each in analysis.told:
        if each.span is None or analysis.files.get(each.span.file) != path:
            continue
        place = bench.range(each.span, text)
        if place.start.line > asked.end.line or place.end.line < asked.start.line:
            continue
        mended = [told_finding(bench, analysis, each, each.span)]
        for title, span, new in _ways(bench, path, analysis, each):
            edit = lsp.WorkspaceEdit(changes={path.as_uri(): [lsp.TextEdit(bench.range(span, text), new)]})
            actions.append(lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, mended, is_preferred=True, edit=edit))
    return actions


def mendable(bench: Workbench, analysis: Analysis, found: Iterable[Diagnostic]) -> list[tuple[Path, lsp.Diagnostic]]:
    """The findings for which there are fixes, each with its file."""
    known = []
    for each in found:
        path = analysis.files.get(each.span.file) if each.span is not None else None
        if path is not None and next(_ways(bench, path, analysis, each), None) is not None:
            known.append((path, told_finding(bench, analysis, each, each.span)))
    return known


def _ways(bench: Workbench, path: Path, analysis: Analysis, finding: Diagnostic) -> Iterator[tuple[str, Span, str]]:
    """What could be put where, and in words."""
    assert finding.span is not None
    if finding.suggestion is not None:
        yield _instead(bench, path, finding.span, finding.suggestion), finding.span, finding.suggestion
    elif finding.code in ("was-differs", "not-a-change"):
        yield from _was(bench, path, analysis, finding.span)
    elif finding.code == "missing-key":
        yield from _attributes(bench, path, analysis, finding.span)


def _instead(bench: Workbench, path: Path, span: Span, new: str) -> str:
    """In words, that a text is put in the place of what stands there now."""
    there = line_of(bench.text(path), span.line)[span.column - 1 :]
    if span.end_line == span.line:
        there = there[: span.end_column - span.column]
    return f"write `{_short(new)}`" + (f" instead of `{_short(there)}`" if there else "")


def _short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 3]}..."


def _was(bench: Workbench, path: Path, analysis: Analysis, place: Span) -> Iterator[tuple[str, Span, str]]:
    """The value that an overlay changes, as it is now."""
    tree, below = bench.tree(path), analysis.base
    for name, span, value in patched_paths(tree) if tree is not None else ():
        reached = reach(below.unsettled, name) if below is not None and below.unsettled is not None else None
        now = reached.value if reached is not None and not reached.rest else None
        if now is None or not isinstance(value, Mapping):
            continue
        written = flow(plain(now))
        was, to, here = value.get("was"), value.key("to"), (place.line, place.column)
        inside = was is not None and (was.span.line, was.span.column) == here
        if was is not None and (inside or (span.line, span.column) == here):
            yield _instead(bench, path, was.span, written), was.span, written
        elif was is None and to is not None and (span.line, span.column) == here:
            gap = ", " if value.span.line == value.span.end_line else "\n" + " " * (to.span.column - 1)
            yield f"add `{_short(f'was: {written}')}`", to.span.part(0, 0), f"was: {written}{gap}"


def _attributes(bench: Workbench, path: Path, analysis: Analysis, place: Span) -> Iterator[tuple[str, Span, str]]:
    """The attributes that a row lacks, each with a first value."""
    symbols = analysis.symbols
    for kind, rows in entries_at(bench.tree(path), "tables").items():
        declared = node_at(analysis.tree, "kinds", kind, "attributes")
        attributes = symbols.kinds[kind].attributes if symbols is not None and kind in symbols.kinds else {}
        for name, row in entries_at(rows).items():
            if (name.span.line, name.span.column) != (place.line, place.column) or not isinstance(row, Mapping):
                continue
            needed = [each for each in attributes if "default" not in entries_at(declared, each)]
            missing = [each for each in needed if row.get(each) is None]
            if missing and symbols is not None:
                lines = [f"{each}: {_first(attributes[each].spec, symbols)}" for each in missing]
                yield "add " + ", ".join(f"`{each}`" for each in missing), *_into(bench, path, row, lines)


def _first(spec: TypeSpec, symbols: Symbols) -> str:
    """A first value of a type."""
    if spec.kind == "range":
        return str(spec.low)
    if spec.kind != "ref" or spec.maybe:
        return FIRST.get(spec.kind, "none")
    return next(iter(symbols.kinds[spec.member_kind or ""].members), "")


def _into(bench: Workbench, path: Path, row: Mapping, lines: list[str]) -> tuple[Span, str]:
    """Where more lines of a row go, and how they are written there."""
    span = row.span
    if line_of(bench.text(path), span.line)[span.column - 1 : span.column] == "{":
        return span.part(1, 1), ", ".join(lines) + (", " if row.entries else "")
    return span.part(0, 0), "".join(f"{line}\n{' ' * (span.column - 1)}" for line in lines)
