"""What the editor has open, and what is known about it: analyses are kept until a file of theirs changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.composition import file_bytes
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.language_server.analysis import Analysis, analyse
from polis_rules.language_server.casefiles import EditorMemory
from polis_rules.language_server.index import is_local, name_of
from polis_rules.language_server.places import UTF16, column, line_of, range_of
from polis_rules.language_server.shapes import Shapes
from polis_rules.language_server.targets import Target, bases, dependents, role_of, target_of
from polis_rules.semantics import Reference, References
from polis_rules.source import Mapping, read_text


class Workbench:
    """The open texts and the analyses of what they belong to."""

    def __init__(self) -> None:
        self.texts: dict[Path, str] = {}
        self.memory = EditorMemory()
        self.codec = UTF16
        """How the editor counts letters."""
        self._analyses: dict[Target, Analysis] = {}
        self._good: dict[Target, Analysis] = {}
        self._trees: dict[Path, Mapping] = {}
        self._shapes: dict[Target | None, Shapes] = {}

    # -- texts ------------------------------------------------------------------------------------------------------

    def change(self, path: Path, text: str | None) -> None:
        """A file has another text in the editor, or (None) is no longer open."""
        before = self.texts.pop(path, None)
        if text is not None:
            self.texts[path] = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        if text is None or before is None or {role_of(path, before), role_of(path, text)} != {"variant"}:
            self._analyses.clear()
        else:  # what lies below a variant does not change with it
            self._analyses = {
                each: found
                for each, found in self._analyses.items()
                if not each.cases and path not in found.files.values()
            }

    def forget(self) -> None:
        """Something may have changed on the disk."""
        self.memory.runners.clear()
        self._analyses.clear()

    def text(self, path: Path) -> str:
        """A file as it stands in the editor, or else on the disk; empty when it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        return (file_bytes(path) or b"").decode("utf-8", "replace").replace("\r\n", "\n")

    def tree(self, path: Path) -> Mapping | None:
        """The tree of a file; the last one that could be read when it is broken now."""
        tree = read_text(self.text(path), path.name, Diagnostics())
        if tree is not None:
            self._trees[path] = tree
        return self._trees.get(path)

    def column(self, path: Path, place: lsp.Position) -> int:
        """The column, from 1, of a place of a file that the editor names."""
        return column(line_of(self.text(path), place.line + 1), place.character, self.codec)

    def range(self, span: Span | None, text: str) -> lsp.Range:
        """A place of a text as the editor counts."""
        return range_of(span, text, self.codec)

    # -- analyses ---------------------------------------------------------------------------------------------------

    def target(self, path: Path) -> Target | None:
        """What a file belongs to."""
        return target_of(path, self.texts)

    def analysis(self, target: Target) -> Analysis:
        """What is known about a target now."""
        if target not in self._analyses:
            analysis = analyse(target, self.texts, self.memory, self._base(target))
            self._analyses[target] = analysis
            if analysis.symbols is not None:
                self._good[target] = analysis
                self._shapes.pop(target, None)
        return self._analyses[target]

    def known(self, target: Target) -> Analysis:
        """What is known about a target now, or was known before its files were broken."""
        now = self.analysis(target)
        return now if now.symbols is not None else self._good.get(target, now)

    def probe(self, target: Target, path: Path, text: str, references: References) -> Analysis:
        """What would be known if a file had another text."""
        return analyse(target, {**self.texts, path: text}, self.memory, self._base(target), references)

    def shapes(self, target: Target | None) -> Shapes:
        """The schemas of a target's files."""
        if target not in self._shapes:
            document = self.known(target).document if target is not None else None
            self._shapes[target] = Shapes(document)
        return self._shapes[target]

    def _base(self, target: Target) -> Analysis | None:
        """The analysis of what lies below an overlay: for a variant that asks for others, the rules with these."""
        if target.variants or target.scenario:
            return self.analysis(Target(target.folder, variants=target.variants[1:]))
        below = bases(target.folder, self.texts)
        return self.analysis(Target(below[0])) if below else None

    # -- symbols ----------------------------------------------------------------------------------------------------

    def about(self, path: Path) -> Analysis | None:
        """What is, or was, known about what a file belongs to; None for a file of no ruleset."""
        target = self.target(path)
        return self.known(target) if target is not None else None

    def at(self, path: Path, place: lsp.Position) -> tuple[Analysis, Reference | None] | None:
        """What stands at a place of a file, and the analysis that knows it; None for a file of no ruleset."""
        analysis, line = self.about(path), place.line + 1
        if analysis is None:
            return None
        shown = analysis.shown(path)
        reference = analysis.index.at(shown, line, self.column(path, place)) if shown is not None else None
        if reference is not None:  # a broken file is known as it was; what has moved since is not found
            text = line_of(self.text(path), line)[reference.span.column - 1 : reference.span.end_column - 1]
            name = name_of(reference.symbol)
            reference = reference if text == name or (text and name.endswith(f"_{text}")) else None
        return analysis, reference

    def _about(self, target: Target, word: str) -> Analysis:
        """What is known about a target; of cases only those in files that hold a word."""
        if target.cases and target not in self._analyses:
            analysis = analyse(target, self.texts, self.memory, word=word)
            if analysis.symbols is not None:
                return analysis
        return self.known(target)

    def everywhere(self, target: Target, symbol: str) -> Iterator[tuple[Analysis, Reference]]:
        """Every place of a symbol, in the ruleset and in everything near it that is built on it; each once."""
        seen = set()
        rule = symbol.partition("#")[0].partition("@")[0]
        words = {name_of(symbol), name_of(rule)} if is_local(symbol) else {name_of(symbol)}
        for each in (target, *dependents(target, self.texts, words, self.text)):
            analysis = self._about(each, name_of(symbol))
            for occurrence in analysis.index_of(name_of(symbol)).of(symbol):
                place = (analysis.files.get(occurrence.span.file), occurrence.span.line, occurrence.span.column)
                if place[0] is not None and place not in seen:
                    seen.add(place)
                    yield analysis, occurrence
