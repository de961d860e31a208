"""Answers to an editor's questions about a place, in the protocol's own types."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import attrs
from lsprotocol import types as lsp

from polis_rules.cases import FOLDER, INHERITED
from polis_rules.diagnostics import Diagnostic, Diagnostics, Span, explanations
from polis_rules.language_server.analysis import Analysis
from polis_rules.language_server.hover import told, told_path
from polis_rules.language_server.patches import leading, parts, patched_paths
from polis_rules.language_server.places import locate, within
from polis_rules.language_server.shapes import rule_path
from polis_rules.language_server.targets import Target, role_of
from polis_rules.language_server.workbench import Workbench
from polis_rules.pipeline import Build
from polis_rules.schema import SECTIONS
from polis_rules.source import read_text

SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


def findings(bench: Workbench, analysis: Analysis, so_far: bool = False) -> dict[Path, list[lsp.Diagnostic]]:
    """The findings of an analysis by file; what lies in files that are not its own is told in its main file.

    With `so_far` only the compiler is asked, which is quick.
    """
    target = analysis.target
    by_file: dict[Path, list[lsp.Diagnostic]] = {}
    for each in analysis.compiled if so_far else analysis.told:
        path = analysis.files.get(each.span.file) if each.span is not None else None
        if path is not None and target.owns(path):
            by_file.setdefault(path, []).append(told_finding(bench, analysis, each, each.span))
        elif each.severity == "error":
            by_file.setdefault(_shown_in(target, path), []).append(told_finding(bench, analysis, each, None))
    return by_file


def look_further(bench: Workbench, path: Path) -> bool | None:
    """Look at what a file belongs to with one more value of a setting; whether anything new was found, None when all
    were looked at. The findings hold it from then on."""
    target = bench.target(path)
    return bench.analysis(target).look_further() if target is not None else None


def moved(earlier: list[lsp.Diagnostic], old: str, new: str) -> list[lsp.Diagnostic]:
    """Those findings whose lines stand before or after all that was changed in a text, at their places in the new one.

    >>> at = lsp.Range(lsp.Position(1, 0), lsp.Position(1, 2))
    >>> moved([lsp.Diagnostic(at, "odd")], "a\\nb", "new\\na\\nb")[0].range.start.line
    2
    """
    before, after = old.split("\n"), new.split("\n")
    shorter = min(len(before), len(after))
    same = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    below = next((n for n in range(shorter - same) if before[~n] != after[~n]), shorter - same)
    kept = []
    for each in earlier:
        first, last = each.range.start, each.range.end
        if last.line < same:
            kept.append(each)
        elif first.line >= len(before) - below:
            down = len(after) - len(before)
            there = lsp.Range(
                lsp.Position(first.line + down, first.character), lsp.Position(last.line + down, last.character)
            )
            kept.append(attrs.evolve(each, range=there))
    return kept


def _shown_in(target: Target, path: Path | None) -> Path:
    """Where a finding is told that stands in a file of somebody else: a case that is inherited, where it is read."""
    inherited = target.folder / FOLDER / INHERITED
    return inherited if target.cases and path is not None and path.parent.name == FOLDER else target.main


def findings_alone(bench: Workbench, path: Path) -> list[lsp.Diagnostic]:
    """What is wrong with a file that no ruleset reads: whether it is YAML as the language has it."""
    diagnostics = Diagnostics()
    read_text(bench.text(path), path.name, diagnostics)
    nothing = Analysis(Target(path.parent), Build(path.parent, diagnostics=diagnostics), bench.memory)
    return [told_finding(bench, nothing, each, each.span) for each in diagnostics.items]


def told_finding(bench: Workbench, analysis: Analysis, each: Diagnostic, span: Span | None) -> lsp.Diagnostic:
    """A finding as the editor is told of it, at a place of a file, or at none."""
    text = analysis.sources.get(span.file, "") if span is not None else ""
    elsewhere = f" ({each.span})" if span is None and each.span is not None else ""
    related = [
        lsp.DiagnosticRelatedInformation(location(bench, analysis, place), message)
        for message, place in each.related
        if place.file in analysis.files
    ]
    explanation = explanations().get(each.code)
    return lsp.Diagnostic(
        range=bench.range(span, text),
        severity=SEVERITY[each.severity],
        code=each.code,
        source="polis",
        message=each.message + elsewhere + (f"\n{each.advice}" if each.advice else ""),
        related_information=related or None,
        data=explanation.meaning if explanation else None,
    )


def location(bench: Workbench, analysis: Analysis, span: Span) -> lsp.Location:
    """A place of an analysis as the editor counts."""
    text = analysis.sources.get(span.file, "")
    return lsp.Location(analysis.files[span.file].as_uri(), bench.range(span, text))


def hover(bench: Workbench, path: Path, place: lsp.Position) -> lsp.Hover | None:
    """What stands at a place: a name, a rule, or a key of the language."""
    text = bench.text(path)
    line, at = place.line + 1, bench.column(path, place)
    here = bench.at(path, place)
    if here is not None and (name := here[1]) is not None:
        return _hover(told(here[0], name.symbol), bench.range(name.span, text))
    tree = bench.tree(path)
    where = locate(tree, lambda text: within(text.span, line, at)) if tree is not None else None
    if where is None:
        return None
    role, target = role_of(path, text), bench.target(path)
    rule = [str(each) for each in rule_path(role, where.path)]
    parts = told_path(here[0], rule) if here is not None else []
    described = bench.shapes(target).description(role, tree, where.path) if where.on_key else ""
    words = "\n\n".join(each for each in (*parts, described) if each)
    return _hover(words, bench.range(where.text.span, text)) if words else None


def unreadable(bench: Workbench, path: Path) -> Diagnostic | None:
    """Why a file cannot be read as it stands now: places in it cannot be compared with the tree of before."""
    diagnostics = Diagnostics()
    if read_text(bench.text(path), path.name, diagnostics) is not None:
        return None
    return next((each for each in diagnostics.items if each.severity == "error"), None)


def path_at(bench: Workbench, path: Path, place: lsp.Position) -> str:
    """The path in the composed rules of what stands at a place, as far as it has names; empty where nothing does."""
    text, tree = bench.text(path), bench.tree(path)
    line, at = place.line + 1, bench.column(path, place)
    where = locate(tree, lambda text: within(text.span, line, at)) if tree is not None else None
    if where is None:
        return ""
    role = role_of(path, text)
    rule = rule_path(role, where.path)
    if role == "variant" and rule[:1] and rule[0] not in (*SECTIONS, "scenario"):
        return ""  # what a variant says of itself, such as its title
    return ".".join(str(each) for each in takewhile(lambda key: isinstance(key, str), rule))


def _hover(words: str, where: lsp.Range) -> lsp.Hover:
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, words), where)


def definition(bench: Workbench, path: Path, place: lsp.Position) -> list[lsp.Location]:
    """Where the name at a place is declared; from the path of an overlay, what it patches."""
    below, name = bench.at(path, place) or (None, None)
    while below is not None and name is not None:
        spans = (span for span in below.index.declarations(name.symbol) if span.file in below.files)
        if places := [location(bench, below, span) for span in spans]:
            return places
        below = below.base
    return _patched(bench, path, place)


def _patched(bench: Workbench, path: Path, place: lsp.Position) -> list[lsp.Location]:
    """Where that stands in the rules which a part of an overlay's path leads to: a key that is no name too."""
    analysis, tree = bench.about(path), bench.tree(path)
    line, column = place.line + 1, bench.column(path, place)
    for walked, span, _ in patched_paths(tree) if analysis is not None and tree is not None else ():
        if analysis is not None and within(span, line, column):
            there = leading(analysis.patched(), walked)
            keys = (key for _, key, part in parts(walked, span, there.tree) if within(part, line, column))
            return [location(bench, of, key.span) for key in keys for of in _reading(analysis, key.span.file)]
    return []


def _reading(analysis: Analysis, file: str) -> list[Analysis]:
    """The analysis, or else the one below it, that has read a file."""
    return [each for each in (analysis, analysis.base) if each is not None and file in each.files][:1]


def references(bench: Workbench, path: Path, place: lsp.Position) -> list[lsp.Location]:
    """Every place of the name at a place, its declaration too, in all files of the ruleset and what is built on it."""
    analysis, name = bench.at(path, place) or (None, None)
    if analysis is None or name is None:
        return []
    return [location(bench, where, each.span) for where, each in bench.everywhere(analysis.target, name.symbol)]
