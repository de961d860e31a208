"""Compiles a target as its files stand in the editor, and keeps everything that is found on the way."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.cases import check_changed
from polis_rules.diagnostics import Diagnostic, RulesetError, silence
from polis_rules.incremental import build
from polis_rules.language_server.casefiles import EditorMemory, read_case_files
from polis_rules.language_server.index import Index
from polis_rules.language_server.patches import Patched, note_patches, note_sources
from polis_rules.language_server.targets import Target
from polis_rules.pipeline import Build
from polis_rules.semantics import References
from polis_rules.source import Mapping, edited
from polis_rules.validation import Combination, found_only_with, judged, lint, other_values, settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polis_rules.schema import Document
    from polis_rules.semantics import Symbols


@dataclass
class Analysis:
    """A target and all that is known about it; what a broken file hides is missing."""

    target: Target
    build: Build
    """What the stages of the compiler made of it."""
    memory: EditorMemory
    findings: list[Diagnostic] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    """The path of each file that was read, by its name in messages."""
    base: Analysis | None = None
    """What lies below an edition or a variant."""
    cases: dict[str, Mapping] = field(default_factory=dict)
    """The trees of the files of cases, by their names in messages."""
    unsaved: Dict[Path, str] = field(default_factory=dict)
    """The texts that were not on the disk."""
    otherwise: list[Diagnostic] = field(default_factory=list)
    """What the compiler has found so far only with other values of settings, once for each place."""
    _indexes: dict[str | None, Index] = field(default_factory=dict)

    @property
    def sources(self) -> dict[str, str]:
        return self.build.diagnostics.sources

    @property
    def tree(self) -> Mapping | None:
        """The ruleset as it was composed."""
        return self.build.composed.tree if self.build.composed is not None else None

    @property
    def unsettled(self) -> Mapping | None:
        """What overlays may patch of it: the same with its settings, and with what these leave out."""
        return self.build.composed.unsettled if self.build.composed is not None else None

    @property
    def document(self) -> Document | None:
        """Not when entries are left out of it because their shape is wrong."""
        return self.build.document if self.build.gone is None else None

    @property
    def symbols(self) -> Symbols | None:
        """Not when those of some entries are missing."""
        return self.build.symbols if self.build.gone is None else None

    @property
    def index(self) -> Index:
        """Which place means what."""
        return self.index_of(None)

    def index_of(self, word: str | None) -> Index:
        """Which place means what, of all symbols or of those with one id: where few are asked for, that is quicker."""
        if word not in self._indexes:
            self._indexes[word] = self._index_of(word)
        return self._indexes[word]

    def _index_of(self, word: str | None) -> Index:
        composed = self.build.composed
        if composed is None or self.symbols is None:
            return Index({})
        assert self.build.references is not None
        libraries = [(file, use.prefix) for use in composed.uses for file in (use.file, use.place.file)]
        others = self._with_other_values()
        found = [each for one in (self.build, *others) if one.references for each in one.references.found]
        index = Index(self.sources, word, list(dict.fromkeys(found)), libraries)
        named = [self.symbols, *_with_more_names(self.symbols, others)]
        for each in dict.fromkeys(each for one in named for each in self.memory.references(self.cases, one, word)):
            index.add(each)
        note_sources(composed, index)
        note_patches(composed, index, self.patched(word, index), self.memory.trees)
        return index

    def patched(self, word: str | None = None, index: Index | None = None) -> list[Patched]:
        """What overlays patch, each with which place means what there: the rules below, then what layers have made.

        The later ones hold what another variant or this very file adds.
        """
        both = ((self.base, None), (self, index))
        return [
            Patched(each.build.composed.unsettled, known or each.index_of(word))
            for each, known in both
            if each is not None and each.build.composed is not None
        ]

    def _with_other_values(self) -> list[Build]:
        """The same with other values of settings: some places, and what cases name, are there only with these."""
        folder, scenario, variants = self.target.folder, self.target.scenario, self.target.variants
        choices = list(other_values(self.build))
        with edited(self.unsaved, self.memory.trees) if choices else nullcontext():
            return [build(Build(folder, scenario, (*variants, each), References()), self.memory) for each in choices]

    @cached_property
    def compiled(self) -> list[Diagnostic]:
        """What the compiler has found, without what comments silence."""
        return silence(self.findings, self.sources, lambda span: False)

    @cached_property
    def judged(self) -> list[Diagnostic]:
        """The same with the findings of the checks beyond types, which say nothing about cases."""
        if self.target.cases:
            return self.compiled
        with edited(self.unsaved, self.memory.trees):  # a check may read scenarios that are not played
            if self.target.variants and not self.build.diagnostics.has_errors:
                check_changed(self.target.folder, self.target.variants, self.build.diagnostics)
            lint(self.build, kept=self.memory.checked[self.target])
            return settled(judged(self.build), self.build, partial(build, memory=self.memory))

    @property
    def told(self) -> list[Diagnostic]:
        """All that is to be told of it so far."""
        return [*self.judged, *self.otherwise]

    @cached_property
    def _choices(self) -> list[str]:
        """The other values of its settings with which nobody has looked yet."""
        return [] if self.target.cases or self.build.diagnostics.has_errors else list(other_values(self.build))

    def look_further(self) -> bool | None:
        """Let the compiler look with one more value of a setting, for what those of now leave out.

        Whether it has found anything new; None when all were looked at.
        """
        if not self._choices:
            return None
        each = Combination(self.target.folder, self.target.scenario, (*self.target.variants, self._choices.pop(0)))
        with edited(self.unsaved, self.memory.trees):
            found = found_only_with(each, judged(build(Build(*each), self.memory)), self.compiled)
        known = {(old.code, old.span) for old in self.otherwise}
        new = [finding for finding in found if (finding.code, finding.span) not in known]
        self.otherwise += new
        return bool(new)

    def shown(self, path: Path) -> str | None:
        """The name of a file in messages."""
        return next((name for name, each in self.files.items() if each == path), None)


def _with_more_names(known: Symbols, others: list[Build]) -> Iterator[Symbols]:
    """Those that have names that are not known before."""
    names = known.names()
    for each in others:
        if each.symbols is not None and not each.symbols.names() <= names:
            names |= each.symbols.names()
            yield each.symbols


def analyse(
    target: Target,
    unsaved: Dict[Path, str],
    memory: EditorMemory,
    base: Analysis | None = None,
    references: References | None = None,
    word: str | None = None,
) -> Analysis:
    """Compile a target, noting what its places mean. Never raises for what its files say.

    With a word, cases are not checked, and only those files of them are read that hold it.
    """
    built = Build(target.folder, target.scenario, target.variants, references=references or References())
    analysis = Analysis(target, built, memory, base=base, unsaved={**unsaved})
    with edited(unsaved, memory.trees) as opened:
        build(built, memory)
        if target.cases:
            with suppress(RulesetError):  # there are too many errors
                analysis.cases = read_case_files(target.folder, built.diagnostics, unsaved, memory, word)
    analysis.files = opened.read
    analysis.findings = built.findings
    return analysis
