"""What a check may look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polis_rules.compose import Composed
    from polis_rules.interpreter.rules import TypedRules
    from polis_rules.lints.effects import Effects
    from polis_rules.lints.places import Places
    from polis_rules.lints.ranges import Ranges
    from polis_rules.schema import Document
    from polis_rules.symbols import Symbols


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
    def places(self) -> Places:
        """Where each typed step and expression is written."""
        from polis_rules.lints.places import Places

        return Places(self.document, self.rules)

    @cached_property
    def effects(self) -> Effects:
        """What steps and expressions read and write, and which rules play ever comes to."""
        from polis_rules.lints.effects import Effects

        return Effects(self.rules)

    @cached_property
    def ranges(self) -> Ranges:
        """Between which values expressions lie."""
        from polis_rules.lints.ranges import Ranges

        return Ranges(self.symbols)
