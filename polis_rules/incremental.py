"""Compiles again only what a change can reach: rules whose text is the same, among the same names, are kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from polis_rules import pipeline
from polis_rules.diagnostics import Span
from polis_rules.pipeline import Build
from polis_rules.schema import Action, Document, Procedure
from polis_rules.semantics import RuleContext, RulesChecker, Symbols, WriteSets, ir
from polis_rules.source import Mapping, Node, Sequence, Text, Trees

NAMED = ("kinds", "state", "tables", "graphs", "routes", "terms", "supplies", "endings")
"""The sections that rules speak of: when one of them changes, every rule is looked at again."""

MOST = 12
"""How many rulesets are remembered: variants and scenarios are some of their own."""


@dataclass
class Unit:
    """What the check of one rule has made."""

    node: Node
    at: Span
    lists: list[list[Any]]
    procedure: ir.Procedure
    place: RuleContext | None


@dataclass
class Names:
    """What the rules of a ruleset speak of, without an error in it, and the rules that were checked with that."""

    sections: list[Node | None]
    signatures: Hashable
    writes: dict[str, set[str]]
    symbols: Symbols
    resolved: list[Any]
    """The references that the resolver has noted."""
    meanings: list[Any] | None = None
    """The state of the checker after everything was checked that rules speak of."""
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

    def remember(self, build: Build, resolved: list[Any]) -> Names:
        """Keep the names of a ruleset in which nothing was wrong so far."""
        assert build.document is not None and build.symbols is not None
        writes = WriteSets(build.document).known
        known = Names(_sections(build), _signatures(build.document), writes, build.symbols, resolved)
        self.names = [*self.names[1 - MOST :], known]
        return known


def build(build: Build, memory: Memory) -> Build:
    """Run the stages of the compiler, but what is remembered is not done again. The findings are the same."""
    names: list[Names | None] = [None]

    def check_tables(build: Build) -> None:
        names[0] = memory.of(build)
        if names[0] is None:
            pipeline.check_tables(build)

    def resolve(build: Build) -> None:
        noted = build.references.found if build.references is not None else []
        if (known := names[0]) is not None:
            build.symbols = known.symbols
            noted += known.resolved
            return
        pipeline.resolve(build)
        if not build.diagnostics.items and build.gone is None:
            names[0] = memory.remember(build, list(noted))

    def typecheck(build: Build) -> None:
        if (known := names[0]) is None:
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

    def _lists(self) -> list[list[Any]]:
        """Everything that checks add to."""
        return [self.expressions.made, self.references.found, self.rules.supplies, self.rules.actions]

    def meanings(self) -> None:
        if self.names.meanings is not None:
            lists, spans, counted, procedures, places = self.names.meanings
            for each, kept in zip(self._lists(), lists, strict=True):
                each.extend(kept)
            self.rules.spans |= spans
            self.steps.counted |= counted
            self.rules.procedures |= procedures
            self.places |= places
            return
        marks, findings = [len(each) for each in self._lists()], len(self.diagnostics.items)
        super().meanings()
        if len(self.diagnostics.items) == findings:
            lists = [each[mark:] for each, mark in zip(self._lists(), marks, strict=True)]
            rules = self.rules
            self.names.meanings = [
                lists, dict(rules.spans), dict(self.steps.counted), dict(rules.procedures), dict(self.places)
            ]  # fmt: skip

    def procedure(self, path: str, name: Text, item: Procedure) -> None:
        self.once(path, name, lambda: super(_Checker, self).procedure(path, name, item))

    def action(self, path: str, name: Text, action: Action) -> None:
        self.once(path, name, lambda: super(_Checker, self).action(path, name, action))

    def once(self, path: str, name: Text, check: Callable[[], None]) -> None:
        """Check a rule, or take what came of it when it was the same."""
        section = self.tree.get(path.partition(".")[0])
        node = section.get(name) if isinstance(section, Mapping) else None
        unit = self.names.units.get(path)
        if unit is not None and unit.node is node and unit.at == name.span:
            self.diagnostics.extend(unit.lists[-1])
            for each, kept in zip(self._lists(), unit.lists, strict=False):
                each.extend(kept)
            self.rules.procedures[path] = unit.procedure
            if unit.place is not None:
                self.places[path] = unit.place
            return
        lists = [*self._lists(), self.diagnostics.items]
        marks = [len(each) for each in lists]
        check()
        made = [each[mark:] for each, mark in zip(lists, marks, strict=True)]
        if node is not None and self.names.meanings is not None:
            self.names.units[path] = Unit(node, name.span, made, self.rules.procedures[path], self.places.get(path))


def _sections(build: Build) -> list[Node | None]:
    assert build.composed is not None
    return [build.composed.tree.get(name) for name in NAMED]


def _signatures(document: Document) -> Hashable:
    """What rules must know of each other."""
    actions = tuple((str(name), str(item.title or "")) for name, item in document.actions.items())
    called = {**document.procedures, **document.phases}
    return (
        actions,
        tuple(map(str, document.procedures)),
        tuple(map(str, document.phases)),
        tuple(
            (str(name), tuple((str(key), str(kind)) for key, kind in item.of.items())) for name, item in called.items()
        ),
    )


def _same(one: Node | None, other: Node | None) -> bool:
    """Whether two trees are the same at the same places; parts that were kept are the same nodes."""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return (
            len(one.entries) == len(other.entries)
            and all(map(_same, one.entries, other.entries))
            and all(map(_same, one.entries.values(), other.entries.values()))
        )
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one.items) == len(other.items) and all(map(_same, one.items, other.items))
    return isinstance(one, Text) and isinstance(other, Text) and one == other and one.span == other.span
