"""The rules that cases are played by, compiled once, and every name that a case may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product

from polis_rules.cases.positions import reserves
from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.evaluator import Evaluator, StateValue, Wording, state_values, state_with
from polis_rules.interpreter.game import Game
from polis_rules.interpreter.machine import ChancePoint, DecisionPoint
from polis_rules.interpreter.runtime import State
from polis_rules.ruleset import Ruleset
from polis_rules.semantics import Ranges, Start, every_step, ir, requirements

MOST_SUM = 10_000
"""Dice whose number is not plain may be said in cases to come to this at most."""


class Stage:
    """One ruleset with its scenario and variants, ready for any number of cases; for few of them, with compact code."""

    def __init__(self, ruleset: Ruleset, few: bool = False) -> None:
        self.ruleset = ruleset
        self.program = ruleset.program(checks=True, trace=True, compact=few)
        self.rules = self.program.rules
        self.symbols = self.rules.symbols
        self.evaluator = Evaluator(self.rules, self.program.layout)
        self.wording = Wording(self.symbols)
        self.streams = self._streams()
        self.labels = self._labels()
        self.choices = set(self._choices())
        self.sound = self._sound()
        """the invariants that hold when a game of the scenario itself begins: cases must not break them"""

    def game(self, starts: Sequence[Start]) -> Game:
        """A game that begins with these first values over those of the scenario. Raises RuleError."""
        first = state_with(self.evaluator, self.program.compiled.first, starts, counted=True)
        return Game(self.program, chance="manual", first=first)

    @cached_property
    def places(self) -> list[StateValue]:
        """Every value of the declared state."""
        return list(state_values(self.symbols, self.program.layout))

    @cached_property
    def free(self) -> list[StateValue]:
        """Those that a case may give: all but what rules remember and what is left in reserves."""
        named = [place for place in self.places if place.variable.name not in self.symbols.memory]
        return [place for place in named if (place.variable.owner, place.variable.name) not in self.reserves]

    @cached_property
    def reserves(self) -> set[tuple[str, str]]:
        """The state that has what is left of supplies."""
        return reserves(self.rules)

    def _sound(self) -> list[tuple[str, Callable[[State], bool], Span]]:
        """What must always hold and does as the game starts, in words, as a test and where it is written."""
        try:
            state = self.program.new_state()
        except RuleError:  # a case may give what the scenario lacks
            return []
        written = [*(each.span for each in self.rules.invariants), *(each.span for each in self.rules.supplies)]
        always = zip(self.program.invariants, written, strict=True)
        return [(text, holds, span) for (text, holds), span in always if holds(state)]

    def _streams(self) -> dict[str, dict[str, str]]:
        """For each stream of chance everything that it could give: id -> title, in lower case."""
        streams: dict[str, dict[str, str]] = {}
        for point in self.program.points:
            if isinstance(point, DecisionPoint):
                continue
            step = point.step
            outcomes = streams.setdefault(step.stream, {})
            if isinstance(step, ir.Roll):
                ends = Ranges(self.symbols, switches=True).rolled(step, {})
                numbers = range(ends.low, min(ends.high, MOST_SUM) + 1)
                outcomes |= {str(number): str(number) for number in numbers}
            else:
                kind = self.symbols.kinds[step.source.type.kind]
                outcomes |= {id: title.lower() for id, title in zip(kind.members, kind.titles, strict=True)}
        return streams

    def _choices(self) -> Iterator[str]:
        """Every id and title that an option of some decision may have, but for numbers."""
        yield "finish"
        for point in self.program.points:
            if isinstance(point, ChancePoint):
                continue
            yield point.finish.lower()
            for way in point.step.ways:
                yield from (way.id, way.title.lower())
            kinds = [self.symbols.kinds[source.type.kind] for _, source in point.step.chosen if source is not None]
            if kinds:
                yield from map(" ".join, product(*(kind.members for kind in kinds)))
                yield from map("; ".join, product(*([title.lower() for title in kind.titles] for kind in kinds)))

    def _labels(self) -> set[str]:
        """The labels of all requirements."""
        bodies = (procedure.body for procedure in self.rules.procedures.values())
        labels = {each.label for body in bodies for step in every_step(body) for each in requirements(step)}
        return labels | {each.label for action in self.rules.actions for each in action.conditions}
