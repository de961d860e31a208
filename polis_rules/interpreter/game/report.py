"""The game report: one line for each thing that happened, and who may read it."""

from __future__ import annotations

from polis_rules.interpreter.compiler import Announce
from polis_rules.interpreter.evaluator import Evaluator, State, Wording, may_see, spoken
from polis_rules.interpreter.game.decision import Decision, LogEntry, Option
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import ir

Mark = tuple[int, list[str]]
"""How many lines there were, and which phases had begun."""

Line = tuple[str, int]
"""A line, and the bits of the players who may not read it."""


class Report:
    """Gathers the lines of one game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.wording = Wording(program.rules.symbols)
        self.evaluator = Evaluator(program.rules, program.layout)
        self.players = len(program.rules.symbols.kinds["player"].members)
        self._lines: list[Line] = []
        self._phases: list[str] = []
        """the phases that have begun; empty once their titles have been told"""

    def mark(self) -> Mark:
        """Where the report stands, to come back to."""
        return len(self._lines), self._phases

    def copy(self) -> Report:
        other = object.__new__(Report)
        other.__dict__.update(self.__dict__)
        other._lines = self._lines[:]
        return other

    def cut(self, mark: Mark) -> None:
        """Forget what came after a mark."""
        del self._lines[mark[0] :]
        self._phases = mark[1]

    def lines(self, viewer: int | None) -> list[str]:
        """The lines that one player (or, for None, everybody together) may read."""
        if viewer is None:
            return [line[0] for line in self._lines]
        return [text for text, hidden in self._lines if not hidden >> viewer & 1]

    def decided(self, decision: Decision, option: Option, way: str) -> str:
        """The line about a decision; `way` is the route that it takes, if any."""
        cost = f" ({option.cost})" if option.cost else ""
        prompt = decision.prompt.rstrip("?:. ")
        return f"{decision.player_title}: {prompt} - {option.title}{cost}{f' by {way}' if way else ''}"

    def came_out(self, step: ir.Roll | ir.Draw, outcome: str) -> str:
        """The line about dice; a draw tells nothing by itself, what is done with it does."""
        return f"  {spoken(step.var)}: {outcome} on {step.dice}d{step.sides}" if isinstance(step, ir.Roll) else ""

    def begin(self, state: State, entry: LogEntry, line: str) -> None:
        """Note a decision or a chance outcome, before it is carried out."""
        if not line:
            return
        hidden = 0
        step = self.program.points[state[0]].step
        if isinstance(step, ir.Choose) and step.secret:
            chooser = self.program.rules.symbols.kinds["player"].index[entry[1]]
            hidden = ((1 << self.players) - 1) & ~(1 << chooser)
        self._say(line, hidden)

    def take(self, state: State) -> None:
        """Note what the program says has happened."""
        for site, *values in self.program.events:
            step = self.program.compiled.sites[site]
            if isinstance(step, Announce):
                self._announce(step)
                continue
            text = self.wording.happened(step, tuple(values))
            if text is not None:
                self._say(text, self.hidden(step, tuple(values), state))
        self.program.events.clear()

    def _say(self, text: str, hidden: int) -> None:
        self._lines.extend((f"-- {title} --", 0) for title in self._phases if title)
        self._phases = [""] * len(self._phases)
        self._lines.append((text, hidden))

    def _announce(self, step: Announce) -> None:
        """A phase begins or ends. Its title is told with the first thing that happens in it, if anything does."""
        if step.title:
            self._phases = [*self._phases, step.title]
        else:
            self._phases = self._phases[:-1]

    def hidden(self, step: ir.Step, values: tuple[int, ...], state: State) -> int:
        """The players who may not know of a change."""
        bits = 0
        for target, indexes in self.wording.targets(step, values):
            variable = self.program.rules.symbols.variable(target.owner, target.name)
            if variable.seen_expr is None:
                continue
            for viewer in range(self.players):
                if not may_see(self.evaluator, variable, state, indexes, viewer):
                    bits |= 1 << viewer
        return bits
