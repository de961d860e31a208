"""The game report: one line for each thing that happened, and who may read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from polis_rules.interpreter.evaluator import Evaluator, State, Wording, unseen_by
from polis_rules.interpreter.machine import Announce, Event
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import ir

Mark = tuple[int, list[str]]
"""How many lines there were, and which phases had begun."""


class Line(NamedTuple):
    """A line, the bits of the players who may not read it, and what some players read instead of it."""

    text: str
    hidden: int = 0
    instead: Mapping[int, str] = {}


Kept = tuple[Sequence[Line], Sequence[str]]
"""The lines of a report, and the phases that have begun."""


class Report:
    """Gathers the lines of one game."""

    def __init__(self, program: Program, evaluator: Evaluator, kept: Kept = ((), ())) -> None:
        self.program = program
        self.wording = Wording(program.rules.symbols)
        self.evaluator = evaluator
        self._lines: list[Line] = list(kept[0])
        self._phases: list[str] = list(kept[1])
        """the phases that have begun; empty once their titles have been told"""

    def mark(self) -> Mark:
        """Where the report stands, to come back to."""
        return len(self._lines), self._phases

    def kept(self) -> Kept:
        """What another report needs to go on from here."""
        return self._lines, self._phases

    def cut(self, mark: Mark) -> None:
        """Forget what came after a mark."""
        del self._lines[mark[0] :]
        self._phases = mark[1]

    def lines(self, viewer: int | None) -> list[str]:
        """The lines that one player (or, for None, everybody together) may read."""
        if viewer is None:
            return [line.text for line in self._lines]
        return [line.instead.get(viewer, line.text) for line in self._lines if not line.hidden >> viewer & 1]

    def say(self, line: Line) -> None:
        """Add a line, after the titles of the phases that have begun; nothing where its text is empty."""
        if line.text:
            self._lines.extend(Line(f"-- {title} --") for title in self._phases if title)
            self._phases = [""] * len(self._phases)
            self._lines.append(line)

    def hide(self, number: int, hidden: int) -> None:
        """Keep a line from some players."""
        self._lines[number] = self._lines[number]._replace(hidden=hidden)

    def take(self, state: State, events: list[Event]) -> None:
        """Note what the program says has happened."""
        for site, *values in events:
            step = self.program.compiled.sites[site]
            if isinstance(step, Announce):
                # The title of a phase is told with the first thing that happens in it, if anything does.
                self._phases = [*self._phases, step.title] if step.title else self._phases[:-1]
                continue
            text = self.wording.happened(step, tuple(values))
            if text is not None:
                self.say(Line(text, self.hidden(step, tuple(values), state)))

    def hidden(self, step: ir.Step, values: tuple[int, ...], state: State) -> int:
        """The players who may not know of a change."""
        bits = 0
        for target, indexes in self.wording.targets(step, values):
            bits |= unseen_by(self.evaluator, target, state, indexes)
        return bits
