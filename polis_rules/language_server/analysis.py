"""Compiles a target as its files stand in the editor, and keeps everything that is found on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Mapping as Dict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.composition import Composed, compose
from polis_rules.diagnostics import Diagnostic, Diagnostics, RulesetError, Span, silence
from polis_rules.language_server.casefiles import read_case_files
from polis_rules.language_server.index import Index
from polis_rules.language_server.patches import note_patches
from polis_rules.language_server.recording import Offered, RecordingRules
from polis_rules.language_server.targets import Target
from polis_rules.language_server.walk import Walk
from polis_rules.schema import build, check_tables
from polis_rules.semantics import Symbols, resolve
from polis_rules.source import Mapping, Node, Sequence, Text, desk
from polis_rules.validation import checks
from polis_rules.validation.analysis import Subject

if TYPE_CHECKING:
    from polis_rules.schema import Document
    from polis_rules.semantics import TypedRules

__all__ = ["Analysis", "analyse", "linted"]


@dataclass(slots=True)
class Analysis:
    """A target and all that is known about it; what a broken file hides is missing."""

    target: Target
    findings: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    """The path of each file that was read, by its name in messages."""
    composed: Composed | None = None
    document: Document | None = None
    symbols: Symbols | None = None
    rules: TypedRules | None = None
    """Only when nothing is wrong."""
    index: Index = field(default_factory=lambda: Index({}))
    offered: Offered = field(default_factory=dict)
    """What could stand in the place of the probe."""
    base: Analysis | None = None
    """What lies below an edition or a variant."""

    def shown(self, path: Path) -> str | None:
        """The name of a file in messages."""
        return next((name for name, each in self.files.items() if each == path), None)


def analyse(target: Target, unsaved: Dict[Path, str], base: Analysis | None = None) -> Analysis:
    """Compile a target. Never raises for what its files say."""
    found = Analysis(target, base=base)
    diagnostics = Diagnostics()
    with desk(unsaved) as opened:
        try:
            found.composed = compose(target.folder, target.scenario, target.variants)
            diagnostics.sources = found.composed.sources
        except RulesetError as error:
            diagnostics = Diagnostics(list(error.diagnostics), error.sources)
        try:
            if found.composed is not None:
                _build(found, found.composed, diagnostics)
            if target.cases:
                read_case_files(target.folder, found.symbols, found.index, diagnostics, unsaved)
        except RulesetError as error:  # there are too many errors
            diagnostics.items += error.diagnostics
    found.files = opened.read
    found.sources = diagnostics.sources
    found.findings = list(dict.fromkeys(diagnostics.items))
    return found


def linted(analysis: Analysis) -> list[Diagnostic]:
    """The findings of an analysis and those of the checks beyond types, without what comments silence."""
    found = Diagnostics(list(analysis.findings), analysis.sources)
    composed, document, symbols, rules = analysis.composed, analysis.document, analysis.symbols, analysis.rules
    if composed is None or document is None or symbols is None or rules is None:
        return silence(list(dict.fromkeys(found.items)), analysis.sources, lambda span: False)
    subject = Subject(composed, document, symbols, rules)
    for _, check in checks():
        with suppress(Exception):  # `polis validate` reports a broken check; here the other findings matter
            check(subject, found)
    return silence(list(dict.fromkeys(found.items)), analysis.sources, subject.concerns)


def _build(found: Analysis, composed: Composed, diagnostics: Diagnostics) -> None:
    found.document = build(composed.tree, diagnostics)
    if found.document is None:
        return
    check_tables(found.document, diagnostics)
    found.symbols = resolve(found.document, diagnostics)
    found.index = Index(composed.sources)
    owners = _Owners(composed.tree, found.symbols)
    checker = RecordingRules(found.document, found.symbols, diagnostics, found.index, owners)
    rules = checker.run()
    found.offered = checker.offered
    Walk(composed.tree, found.symbols, found.index).run()
    note_patches(composed, found.index, found.base)
    if not diagnostics.has_errors:
        found.rules = rules


class _Owners:
    """Finds the rule that a place belongs to, and so the symbol of a local name used there."""

    def __init__(self, tree: Mapping, symbols: Symbols) -> None:
        self.symbols = symbols
        self.places: dict[tuple[str, int], list[tuple[int, tuple[str, ...]]]] = {}
        for path, text in _texts(tree, ()):
            span = text.span
            self.places.setdefault((span.file, span.line), []).append((span.column, path))
        for each in self.places.values():
            each.sort()

    def __call__(self, span: Span, name: str) -> str:
        there = self.places.get((span.file, span.line), [])
        at = bisect_right(there, span.column, key=lambda each: each[0]) - 1
        return f"{self.owner(there[at][1] if at >= 0 else (), name)}#{name}"

    def owner(self, path: tuple[str, ...], name: str) -> str:
        """The rule at a path that declares a local name."""
        if path[:1] == ("tables",) and len(path) > 3:
            attribute = self.symbols.kinds[path[1]].attributes.get(path[3]) if path[1] in self.symbols.kinds else None
            if attribute is not None and attribute.spec.kind == "changes":
                return f"terms.{path[-1]}"
            if attribute is not None and name in attribute.params:
                return f"kinds.{path[1]}.attributes.{path[3]}"
        return ".".join(path[: 4 if path[:1] in (("tables",), ("kinds",)) else 2])


def _texts(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Text]]:
    """Every key and value of a tree with its path; entries of lists have the path of their list."""
    if isinstance(node, Text):
        yield path, node
    elif isinstance(node, Mapping):
        for key, inner in node.entries.items():
            yield (*path, str(key)), key
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item, path)
