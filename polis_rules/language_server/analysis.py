"""Compiles a target as its files stand in the editor, and keeps everything that is found on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Mapping as Dict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.composition import Composed
from polis_rules.diagnostics import Diagnostic, RulesetError, Span
from polis_rules.language_server.casefiles import read_case_files
from polis_rules.language_server.index import Index
from polis_rules.language_server.patches import note_patches
from polis_rules.language_server.recording import Offered, RecordingRules
from polis_rules.language_server.targets import Target
from polis_rules.language_server.walk import Walk
from polis_rules.pipeline import Build, run
from polis_rules.source import Mapping, Node, Sequence, Text, desk
from polis_rules.validation import judged, lint

if TYPE_CHECKING:
    from polis_rules.schema import Document
    from polis_rules.semantics import Symbols, TypedRules

__all__ = ["Analysis", "analyse", "linted"]


@dataclass(slots=True)
class Analysis:
    """A target and all that is known about it; what a broken file hides is missing."""

    target: Target
    build: Build = field(default_factory=lambda: Build(""))
    """What the stages of the compiler made of it."""
    findings: list[Diagnostic] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    """The path of each file that was read, by its name in messages."""
    index: Index = field(default_factory=lambda: Index({}))
    offered: Offered = field(default_factory=dict)
    """What could stand in the place of the probe."""
    base: Analysis | None = None
    """What lies below an edition or a variant."""

    @property
    def sources(self) -> dict[str, str]:
        return self.build.diagnostics.sources

    @property
    def composed(self) -> Composed | None:
        return self.build.composed

    @property
    def document(self) -> Document | None:
        """Not when entries are left out of it because their shape is wrong."""
        return self.build.document if self.build.gone is None else None

    @property
    def symbols(self) -> Symbols | None:
        """Not when those of some entries are missing."""
        return self.build.symbols if self.build.gone is None else None

    @property
    def rules(self) -> TypedRules | None:
        """Only when nothing is wrong."""
        return self.build.rules

    def shown(self, path: Path) -> str | None:
        """The name of a file in messages."""
        return next((name for name, each in self.files.items() if each == path), None)


def analyse(target: Target, unsaved: Dict[Path, str], base: Analysis | None = None) -> Analysis:
    """Compile a target. Never raises for what its files say."""
    build = Build(target.folder, target.scenario, target.variants)
    found = Analysis(target, build, base=base)
    index = Index({})

    def check(build: Build) -> TypedRules:
        assert build.composed is not None and build.document is not None and build.symbols is not None
        index.sources = build.composed.sources
        owners = _Owners(build.composed.tree, build.symbols)
        checker = RecordingRules(build.document, build.symbols, build.diagnostics, index, owners)
        rules = checker.run()
        found.offered = checker.offered
        return rules

    with desk(unsaved) as opened:
        build.checker = check
        run(build)
        if found.symbols is not None and found.composed is not None:
            found.index = index
            Walk(found.composed.tree, found.symbols, index).run()
            note_patches(found.composed, index, base)
        if target.cases:
            with suppress(RulesetError):  # there are too many errors
                read_case_files(target.folder, found.symbols, found.index, build.diagnostics, unsaved)
    found.files = opened.read
    found.findings = build.findings
    return found


def linted(analysis: Analysis) -> list[Diagnostic]:
    """The findings of an analysis and those of the checks beyond types, without what comments silence."""
    lint(analysis.build)
    return judged(analysis.build)


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
