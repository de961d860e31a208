"""Compiles again only what a change can reach: of texts, names and rules that are the same, what is known is kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from polis_rules import pipeline
from polis_rules.pipeline import STAGES, Build, Stage
from polis_rules.schema import Document, Known, Sound, check_tables as check_rows
from polis_rules.semantics import Reference, References, Symbols, Units, memories
from polis_rules.source import Mapping, Node, Trees, kept

NAMED = ("kinds", "state", "tables", "graphs", "routes", "terms", "supplies", "endings")
"""The sections that declare what rules speak of."""

MOST = 12
"""How many rulesets are remembered: variants and scenarios are some of their own."""


@dataclass(slots=True)
class Names:
    """What the names of a ruleset mean, without an error in it. Symbols stay the same object while this is so."""

    sections: list[Node | None]
    signatures: object
    symbols: Symbols
    resolved: list[Reference]
    """The references that the resolver has noted."""


@dataclass
class Memory:
    """What is known of texts and rulesets that were compiled before."""

    trees: Trees = field(default_factory=dict)
    tree: Mapping | None = None
    """The tree of the ruleset that was compiled last."""
    names: list[Names] = field(default_factory=list)
    entries: Known = field(default_factory=dict)
    tables: Sound = field(default_factory=dict)
    units: Units = field(default_factory=Units)

    def of(self, build: Build) -> Names | None:
        """What is remembered of a ruleset with the very same names."""
        if build.document is None or build.composed is None or build.gone is not None:
            return None
        sections, signatures = _sections(build), _signatures(build.document)
        for known in self.names:
            if all(map(_same, sections, known.sections)) and signatures == known.signatures:
                self.names.remove(known)
                self.names.append(known)
                return known
        return None

    def remember(self, build: Build, resolved: list[Reference]) -> None:
        """Keep the names of a ruleset in which nothing was wrong so far."""
        assert build.document is not None and build.symbols is not None
        known = Names(_sections(build), _signatures(build.document), build.symbols, resolved)
        self.names = [*self.names[1 - MOST :], known]


def build(build: Build, memory: Memory) -> Build:
    """Run the stages of the compiler, but what is remembered is not done again. The findings are the same."""
    known: Names | None = None

    def compose(build: Build) -> None:
        """What composing has made anew, such as rules with the citation of their file, is the same node again too."""
        pipeline.compose(build)
        assert build.composed is not None
        if memory.tree is not None and isinstance(same := kept(build.composed.tree, memory.tree), Mapping):
            build.composed = replace(build.composed, tree=same)
        memory.tree = build.composed.tree

    def check_tables(build: Build) -> None:
        nonlocal known
        known = memory.of(build)
        if known is None and build.document is not None:
            check_rows(build.document, build.diagnostics, memory.tables)

    def resolve(build: Build) -> None:
        assert build.composed is not None
        memory.units.begin(build.composed.tree if build.gone is None else None)
        wanted = build.references
        if known is not None:
            build.symbols = known.symbols
            if wanted is not None:
                wanted.found += known.resolved
            return
        build.references = References()  # also for a build that wants none: the next one of these rules may
        pipeline.resolve(build)
        if not build.diagnostics.items and build.gone is None:
            memory.remember(build, build.references.found)
        if wanted is not None:
            wanted.found += build.references.found
        build.references = wanted

    build.entries, build.units = memory.entries, memory.units
    instead: dict[Stage, Stage] = {
        pipeline.compose: compose,
        pipeline.check_tables: check_tables,
        pipeline.resolve: resolve,
    }
    return pipeline.run(build, (instead.get(stage, stage) for stage in STAGES))


def _sections(build: Build) -> list[Node | None]:
    assert build.composed is not None
    return [build.composed.tree.get(name) for name in NAMED]


def _signatures(document: Document) -> object:
    """What rules must know of each other."""
    called = [*document.procedures.items(), *document.phases.items()]
    return (
        [(name, item.title or "") for name, item in document.actions.items()],
        len(document.procedures),
        [(name, [*item.of.items()], item.gives and (item.gives, item.gives.span, name.span)) for name, item in called],
        [*memories(document)],
    )


def _same(one: Node | None, other: Node | None) -> bool:
    """Whether two trees are the same at the same places; parts that were kept are the same nodes."""
    return one is other or (one is not None and other is not None and kept(one, other) is other)
