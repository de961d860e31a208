"""What a check may look at, and where it reports what it finds."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TypeVar

from polis_rules.composition import Composed
from polis_rules.diagnostics import Diagnostic, Diagnostics, Span
from polis_rules.interpreter.evaluator import first_state
from polis_rules.interpreter.machine import Layout, lay_out
from polis_rules.schema import Document
from polis_rules.semantics import Ranges, Symbols, TypedRules, ir, rows_of
from polis_rules.source import Mapping, Text, read_text
from polis_rules.validation.analysis.effects import Effects, Key, keys
from polis_rules.validation.analysis.flow import Flow, Seen
from polis_rules.validation.analysis.keeping import Kept
from polis_rules.validation.analysis.rule import Rule

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Subject:
    """A ruleset that has passed the compiler: its composed tree, its document, its symbols and its typed rules.

    What several checks work out is worked out once and kept here.
    """

    composed: Composed
    document: Document
    symbols: Symbols
    rules: TypedRules
    found: Diagnostics = field(default_factory=Diagnostics)
    """Where checks report."""
    kept: Kept = field(default_factory=Kept)
    """What was found out about the same ruleset before it was edited."""
    _seen: dict[str, list[Seen]] = field(default_factory=dict)

    @cached_property
    def _topmost(self) -> tuple[str, ...]:
        """How the files begin that have the last word: those of variants and scenarios that alter rules, if any."""
        layers = ("scenario ", "variant ")
        origins = (origin for touched in self.composed.origins.values() for origin in touched)
        laid = {origin.span.file for origin in origins if origin.layer.startswith(layers)}
        folder = self.composed.manifest.span.file.rpartition("/")[0]
        return tuple(sorted(laid)) or (f"{folder}/" if folder else "",)

    @cached_property
    def variants(self) -> dict[str, Mapping]:
        """What the file of each variant says, by its name in messages."""
        origins = (origin for touched in self.composed.origins.values() for origin in touched)
        files = {origin.span.file for origin in origins if origin.layer.startswith("variant ")}
        trees = ((file, read_text(self.composed.sources[file], file, Diagnostics())) for file in sorted(files))
        return {file: tree for file, tree in trees if tree is not None}

    def concerns(self, span: Span) -> bool:
        """Whether what is unused there is a mistake: what an edition, scenario or variant leaves unused is none."""
        return span.file.startswith(self._topmost)

    def unused(self, names: Iterable[Text], used: Container[str]) -> Iterator[Text]:
        """The names that nothing uses, where that is a mistake."""
        return (name for name in names if name not in used and self.concerns(name.span))

    def in_each_rule(self, work: Callable[..., T], *beside: object) -> Iterator[T]:
        """What some work finds in each rule, given this subject, the rule, and what stands `beside`.

        It is done again only where the rule, the symbols, what effects say of the rule, or an object `beside` is
        another one; it must look at nothing else.
        """
        for rule in self.effects.units.values():
            yield self._kept(work, rule, partial(work, self, rule, *beside), beside)

    def report(self, look: Callable[..., None], *beside: object) -> None:
        """Report what a look reports in each rule."""
        self.found.items += self.found_by(look, *beside)

    def found_by(self, look: Callable[..., None], *beside: object) -> list[Diagnostic]:
        """What a look reports in each rule; here it is not reported yet."""

        def findings(rule: Rule) -> list[Diagnostic]:
            known = len(self.found.items)
            look(self, rule, *beside)
            new = self.found.items[known:]
            del self.found.items[known:]
            return new

        rules = self.effects.units.values()
        return [each for rule in rules for each in self._kept(look, rule, partial(findings, rule), beside)]

    def _kept(self, what: Callable[..., object], rule: Rule, work: Callable[[], T], beside: tuple[object, ...]) -> T:
        basis = (rule, self.symbols, self.effects.around(rule.path), *beside)
        return self.kept.of((what, rule.path), basis, work)

    @cached_property
    def steps(self) -> tuple[ir.Step, ...]:
        """Every step of every procedure, phase, action and carried effect, however deep."""
        return tuple(step for rule in self.effects.units.values() for step in rule.steps)

    @cached_property
    def lists(self) -> tuple[tuple[ir.Step, ...], ...]:
        """Every list of steps, however deep."""
        return tuple(steps for rule in self.effects.units.values() for steps in rule.lists)

    @cached_property
    def changes(self) -> dict[Key, list[ir.Step]]:
        """By the state that they themselves change: steps."""
        changes: dict[Key, list[ir.Step]] = {}
        for step in self.steps:
            for key in keys(step.targets()):
                changes.setdefault(key, []).append(step)
        return changes

    def seen(self, rule: Rule) -> list[Seen]:
        """Every expression on the way through a rule, with what is known there."""
        if rule.path not in self._seen:
            self._seen[rule.path] = []
            Flow(self.effects, self.ranges, self._seen[rule.path].append).rule(rule)
        return self._seen[rule.path]

    @cached_property
    def effects(self) -> Effects:
        """What steps and expressions read and write, and which rules play ever comes to."""
        return Effects(self.rules, self.kept)

    @cached_property
    def nodes(self) -> tuple[tuple[str, int], ...]:
        """The kind and the place in its table of each member that may stand in a graph, by its number among all."""
        kinds = self.symbols.first_node
        return tuple((kind, place) for kind in kinds for place in range(self.symbols.count(kind)))

    @cached_property
    def board(self) -> dict[int, set[int]]:
        """For the number of each member those that an edge of any graph joins it to."""
        neighbours: dict[int, set[int]] = {number: set() for number in range(self.symbols.nodes)}
        for edges in self.symbols.graphs.values():
            for start, goal, _, _ in edges:
                neighbours[start].add(goal)
                neighbours[goal].add(start)
        return neighbours

    def key(self, number: int) -> Text:
        """The member with a number, as its row is written."""
        kind, place = self.nodes[number]
        return list(rows_of(self.document, kind))[place]

    @cached_property
    def layout(self) -> Layout:
        """Where each value of the state has its slot."""
        return lay_out(self.symbols)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The state before the first step."""
        return first_state(self.rules, self.layout)

    def first_values(self, key: Key) -> tuple[int, ...]:
        """What all values of some state are at first."""
        base = self.layout.bases[key]
        return self.first[base : base + self.symbols.variable(*key).size]

    @cached_property
    def ranges(self) -> Ranges:
        """Between which values expressions lie."""
        return self.kept.of(Ranges, (self.symbols,), partial(Ranges, self.symbols))
