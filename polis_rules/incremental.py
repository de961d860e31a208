"""Compiles again only what a change can reach: rules whose text is the same, among the same names, are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from polis_rules import pipeline
from polis_rules.diagnostics import Span
from polis_rules.pipeline import Build
from polis_rules.schema import Action, Document, Procedure
from polis_rules.semantics import Reference, RulesChecker, Symbols, WriteSets
from polis_rules.source import Node, Text, Trees, kept, node_at

NAMED = ("kinds", "state", "tables", "graphs", "routes", "terms", "supplies", "endings")
"""The sections that rules speak of: when one of them changes, every rule is looked at again."""

MOST = 12
"""How many rulesets are remembered: variants and scenarios are some of their own."""


Added = list[list[Any]]
"""What a check has added to each of the lists and dictionaries that checks add to."""


@dataclass
class Unit:
    """What the check of one rule has made."""

    node: Node
    at: Span
    added: Added


@dataclass
class Names:
    """What the rules of a ruleset speak of, without an error in it, and the rules that were checked with that."""

    sections: list[Node | None]
    signatures: object
    writes: dict[str, set[str]]
    symbols: Symbols
    resolved: list[Reference]
    """The references that the resolver has noted."""
    meanings: Added | None = None
    """What the check has made of everything that rules speak of."""
    units: dict[str, Unit] = field(default_factory=dict)


class Memory:
    """What is known of texts and rulesets that were compiled before."""

    def __init__(self) -> None:
        self.trees: Trees = {}
        self.names: list[Names] = []

    def of(self, build: Build) -> Names | None:
        """What is remembered of the names of a ruleset that has the very same ones."""
        if build.document is None or build.composed is None or build.gone is not None:
            return None
        sections, signatures = _sections(build), _signatures(build.document)
        for known in self.names:
            same = all(map(_same, sections, known.sections)) and signatures == known.signatures
            if same and known.writes == WriteSets(build.document).known:
                self.names.remove(known)
                self.names.append(known)
                return known
        return None

    def remember(self, build: Build, resolved: list[Reference]) -> Names:
        """Keep the names of a ruleset in which nothing was wrong so far."""
        assert build.document is not None and build.symbols is not None
        writes = WriteSets(build.document).known
        known = Names(_sections(build), _signatures(build.document), writes, build.symbols, resolved)
        self.names = [*self.names[1 - MOST :], known]
        return known


def build(build: Build, memory: Memory) -> Build:
    """Run the stages of the compiler, but what is remembered is not done again. The findings are the same."""
    known: Names | None = None

    def check_tables(build: Build) -> None:
        nonlocal known
        known = memory.of(build)
        if known is None:
            pipeline.check_tables(build)

    def resolve(build: Build) -> None:
        nonlocal known
        noted = build.references.found if build.references is not None else []
        if known is not None:
            build.symbols = known.symbols
            noted += known.resolved
            return
        pipeline.resolve(build)
        if not build.diagnostics.items and build.gone is None:
            known = memory.remember(build, list(noted))

    def typecheck(build: Build) -> None:
        if known is None:
            pipeline.typecheck(build)
            return
        pipeline.take_rules(build, _Checker(build, known).run())
        if known.meanings is None:
            memory.names.remove(known)

    return pipeline.run(
        build, (pipeline.compose, pipeline.read_shape, check_tables, resolve, typecheck, pipeline.set_up)
    )


class _Checker(RulesChecker):
    """Typechecks a document; rules that were checked before are taken from there."""

    def __init__(self, build: Build, names: Names) -> None:
        assert build.document is not None and build.symbols is not None and build.composed is not None
        super().__init__(build.document, build.symbols, build.diagnostics, build.references)
        self.tree = build.composed.tree
        self.names = names

    def _results(self) -> list[list[Any] | dict[Any, Any]]:
        """Everything that checks add to."""
        made, noted, findings = self.expressions.made, self.references.found, self.diagnostics.items
        rules = self.rules
        return [
            made, noted, findings, rules.supplies, rules.actions,
            rules.spans, rules.procedures, self.steps.counted,
        ]  # fmt: skip

    def _added_by(self, check: Callable[[], None]) -> Added:
        """Do a check; what it has added."""
        marks = [len(each) for each in self._results()]
        check()
        results = zip(self._results(), marks, strict=True)
        return [list(islice(each.items() if isinstance(each, dict) else each, mark, None)) for each, mark in results]

    def _add(self, added: Added) -> None:
        for each, new in zip(self._results(), added, strict=True):
            if isinstance(each, dict):
                each.update(new)
            else:
                each.extend(new)

    def meanings(self) -> None:
        if self.names.meanings is not None:
            self._add(self.names.meanings)
            return
        findings = len(self.diagnostics.items)
        added = self._added_by(super().meanings)
        if len(self.diagnostics.items) == findings:
            self.names.meanings = added

    def procedure(self, path: str, name: Text, item: Procedure) -> None:
        self.once(path, name, lambda: super(_Checker, self).procedure(path, name, item))

    def action(self, path: str, name: Text, action: Action) -> None:
        self.once(path, name, lambda: super(_Checker, self).action(path, name, action))

    def once(self, path: str, name: Text, check: Callable[[], None]) -> None:
        """Check a rule, or take what came of it when it was the same."""
        node = node_at(self.tree, path.partition(".")[0], name)
        unit = self.names.units.get(path)
        if unit is not None and unit.node is node and unit.at == name.span:
            self._add(unit.added)
            return
        added = self._added_by(check)
        if node is not None and self.names.meanings is not None:
            self.names.units[path] = Unit(node, name.span, added)


def _sections(build: Build) -> list[Node | None]:
    assert build.composed is not None
    return [build.composed.tree.get(name) for name in NAMED]


def _signatures(document: Document) -> object:
    """What rules must know of each other."""
    called = [*document.procedures.items(), *document.phases.items()]
    return (
        [(name, item.title or "") for name, item in document.actions.items()],
        len(document.procedures),
        [(name, [*item.of.items()]) for name, item in called],
    )


def _same(one: Node | None, other: Node | None) -> bool:
    """Whether two trees are the same at the same places; parts that were kept are the same nodes."""
    return one is other or (one is not None and other is not None and kept(one, other) is other)
