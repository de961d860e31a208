"""What generated code tells while it runs: kept, or forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polis_rules.interpreter.machine import Event


class Unheard:
    """Takes what generated code tells where nobody asks for it."""

    def append(self, event: Event) -> None:
        """Forget it."""


class Tally:
    """How often counted expressions and marks were met: by site, how often, how often with 0, the least, the most."""

    def __init__(self) -> None:
        self.rows: dict[int, list[int]] = {}

    def __call__(self, site: int, value: int) -> int:
        row = self.rows.get(site)
        if row is None:
            self.rows[site] = [1, 0 if value else 1, value, value]
            return value
        row[0] += 1
        if not value:
            row[1] += 1
        if value < row[2]:
            row[2] = value
        elif value > row[3]:
            row[3] = value
        return value

    @contextmanager
    def meanwhile(self) -> Iterator[dict[int, list[int]]]:
        """What is counted meanwhile, which does not count afterwards."""
        kept, self.rows = self.rows, {}
        try:
            yield self.rows
        finally:
            self.rows = kept
