"""What a check may look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from polis_rules.composition import Composed
from polis_rules.diagnostics import Span
from polis_rules.interpreter.evaluator import first_state
from polis_rules.interpreter.machine import Layout, lay_out
from polis_rules.schema import Document
from polis_rules.semantics import Ranges, Symbols, TypedRules
from polis_rules.validation.analysis.effects import Effects


@dataclass(frozen=True, eq=False)
class Subject:
    """A ruleset that has passed the compiler: its composed tree, its document, its symbols and its typed rules.

    What several checks work out is worked out once and kept here.
    """

    composed: Composed
    document: Document
    symbols: Symbols
    rules: TypedRules

    @cached_property
    def _topmost(self) -> tuple[str, ...]:
        """How the files begin that have the last word: those of variants and scenarios that alter rules, if any."""
        layers = ("scenario ", "variant ")
        origins = (origin for touched in self.composed.origins.values() for origin in touched)
        laid = {origin.span.file for origin in origins if origin.layer.startswith(layers)}
        folder = self.composed.manifest.span.file.rpartition("/")[0]
        return tuple(sorted(laid)) or (f"{folder}/" if folder else "",)

    def concerns(self, span: Span) -> bool:
        """Whether what is unused there is a mistake: what an edition, scenario or variant leaves unused is none."""
        return span.file.startswith(self._topmost)

    @cached_property
    def effects(self) -> Effects:
        """What steps and expressions read and write, and which rules play ever comes to."""
        return Effects(self.rules)

    @cached_property
    def layout(self) -> Layout:
        """Where each value of the state has its slot."""
        return lay_out(self.symbols)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The state before the first step."""
        return first_state(self.rules, self.layout)

    @cached_property
    def ranges(self) -> Ranges:
        """Between which values expressions lie."""
        return Ranges(self.symbols)
