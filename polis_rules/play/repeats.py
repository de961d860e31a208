"""How often the question that waits is still asked, as far as trying tells: `at most 4 times`."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.game import Game
from polis_rules.interpreter.machine import FINISH, PC, SEED, WAY
from polis_rules.interpreter.runtime import State
from polis_rules.play.previews import ChanceError, HiddenReadError, Previews, Watched
from polis_rules.semantics import called_by, every_step, inside, ir

MOST_TRIES = 400
"""Of a question whose answers lead to more positions nothing is said."""


class Repeats:
    """Finds out for games of one program how many answers a question that is repeated still takes."""

    def __init__(self, previews: Previews) -> None:
        self.program = previews.program
        self.previews = previews
        self._repeated: dict[int, bool] = {}
        """of points, whether their question is repeated with nothing else between"""

    def left(self, game: Game) -> str:
        """How often it is asked with this time: `2 times`, or `at most 2 times` where that may also be less often.

        Empty where the question is asked once, where something else is asked or rolled between, where what is hidden
        decides, and where too much would have to be tried.
        """
        decision = game.decision
        if decision is None or not self._is_repeated(game.state[PC]):
            return ""
        state = Watched(game.state)
        state.hidden = set(self.program.views.hidden(game.state, game.players.index(decision.player)))
        state[SEED] = 0
        try:
            numbers = self._numbers(state if state.hidden else list(state))
        except (HiddenReadError, PolisError):
            return ""
        most = max(numbers, default=0)
        times = "once" if most == 1 else f"{most} times"
        return f"{'at most ' if len(numbers) > 1 else ''}{times}" if most else ""

    def _numbers(self, begin: State) -> set[int]:
        """How many answers there may be in all; none where that is too much to try."""
        program, here, who = self.program, begin[PC], self.program.decider(begin)
        asked = program.points[here].step
        by_ways = isinstance(asked, ir.Choose) and asked.source is None
        found: set[int] = set()
        level, made, tries = [begin], 0, 0
        while level:
            following: dict[tuple[int, ...], State] = {}
            for state in level:
                options = program.options(state)
                chosen = [option for option in options if (option >= WAY if by_ways else option < FINISH)]
                if len(chosen) < len(options):
                    found.add(made)
                tries += len(chosen)
                if tries > MOST_TRIES:
                    return set()
                for option in chosen:
                    try:
                        after = self.previews.passed_on(state[:], option)
                    except ChanceError:  # none comes before the last answer
                        found.add(made + 1)
                        continue
                    if after[PC] == here and program.decider(after) == who:
                        following[tuple(list.__iter__(after))] = after
                    else:
                        found.add(made + 1)
            level, made = list(following.values()), made + 1
        return found

    def _is_repeated(self, number: int) -> bool:
        """Whether a question stands in a loop in which the game waits at nothing else.

        Not one for a number, as which it would be read, nor in a loop over members, where each is about another one. Of
        named ways it is one only where all of them go on, until one has enough.
        """
        if number not in self._repeated:
            point = self.program.points[number]
            body = self.program.rules.procedures[point.procedure].body
            loop = next((loop for step, loop in _in_loops(body) if _is_same(step, point.step)), None)
            self._repeated[number] = (
                isinstance(point.step, ir.Choose)
                and point.step.low is None
                and loop is not None
                and not isinstance(loop, ir.Each)
                and (point.step.source is not None or _goes_on(loop))
                and all(
                    not step.waits or isinstance(step, ir.Choices | ir.Several) or _is_same(step, point.step)
                    for step in self._all_in(loop)
                )
            )
        return self._repeated[number]

    def _all_in(self, loop: ir.Step) -> Iterator[ir.Step]:
        """Every step of a loop, and of what it calls."""
        called, waiting = set[str](), every_step((loop,))
        while waiting:
            step = waiting.pop()
            yield step
            for path in set(called_by(step, self.program.rules.symbols)) - called:
                called.add(path)
                waiting += every_step(self.program.rules.procedures[path].body)


def _goes_on(loop: ir.Step) -> bool:
    """Whether a loop is left only where that is chosen, or nothing more can be."""
    return isinstance(loop, ir.Choices) and not any(isinstance(step, ir.Stop) for step in every_step((loop,)))


def _is_same(step: ir.Step, asked: ir.Step) -> bool:
    return (
        isinstance(step, ir.Choose)
        and isinstance(asked, ir.Choose)
        and (step.span, step.var) == (asked.span, asked.var)
    )


def _in_loops(steps: tuple[ir.Step, ...], loop: ir.Step | None = None) -> Iterator[tuple[ir.Step, ir.Step | None]]:
    """Every step with the innermost loop around it."""
    for step in steps:
        yield step, loop
        inner = step if isinstance(step, ir.While | ir.Times | ir.Choices | ir.Each) else loop
        for part in inside(step):
            yield from _in_loops(part, inner)
