"""The game report: one line for each thing that happened, and who may read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from polis_rules.interpreter.evaluator import State, only_counting, untold_to
from polis_rules.interpreter.game.options import Options
from polis_rules.interpreter.machine import Announce, Event

Bookmark = tuple[int, list[str]]
"""How many lines there were, and which phases had begun."""


class Line(NamedTuple):
    """A line, the bits of the players who may not read it, and what some players read instead of it."""

    text: str
    hidden: int = 0
    instead: Mapping[int, str] = {}


class Report:
    """Gathers the lines of one game."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._phases: list[str] = []
        """the phases that have begun; empty once their titles have been told"""

    def mark(self) -> Bookmark:
        """Where the report stands, to come back to."""
        return len(self._lines), self._phases

    def cut(self, mark: Bookmark) -> None:
        """Forget what came after a mark."""
        del self._lines[mark[0] :]
        self._phases = mark[1]

    def lines(self, viewer: int | None) -> list[str]:
        """The lines that one player (or, for None, everybody together) may read."""
        if viewer is None:
            return [line.text for line in self._lines]
        return [line.instead.get(viewer, line.text) for line in self._lines if not line.hidden >> viewer & 1]

    def begun(self) -> list[str]:
        """The titles, as lines, of the phases that have begun and in which nothing has happened yet."""
        return [f"-- {title} --" for title in self._phases if title]

    def say(self, line: Line) -> None:
        """Add a line, after the titles of the phases that have begun; nothing where its text is empty."""
        if line.text:
            self._lines.extend(map(Line, self.begun()))
            self._phases = [""] * len(self._phases)
            self._lines.append(line)

    def hide(self, number: int, hidden: int) -> None:
        """Keep a line from some players."""
        self._lines[number] = self._lines[number]._replace(hidden=hidden)

    def take(self, options: Options, state: State, events: list[Event]) -> None:
        """Note what the program says has happened."""
        for site, *values in events:
            step = options.program.compiled.sites[site]
            if isinstance(step, Announce):
                # The title of a phase is told with the first thing that happens in it, if anything does.
                self._phases = [*self._phases, step.title] if step.title else self._phases[:-1]
                continue
            text = options.wording.happened(step, tuple(values))
            if text is not None:
                told = options.wording.targets(step, tuple(values))
                counting = only_counting(options.evaluator, step, told, state)
                number = options.wording.happened(step, tuple(values), counted=True) or ""
                instead = {viewer: number for viewer in range(counting.bit_length()) if counting >> viewer & 1}
                self.say(Line(text, untold_to(options.evaluator, step, told, state), instead))
