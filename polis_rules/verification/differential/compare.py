"""Play the compiled engine and the reference engine side by side, and compare options, answers and states.

`polis differential` is the command.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from polis_rules.interpreter.machine import ENDING, PC, WINNER
from polis_rules.interpreter.runtime import Program, State
from polis_rules.ruleset import Origin, Ruleset, load
from polis_rules.verification.declared import declared
from polis_rules.verification.differential.reference_engine import ReferenceEngine
from polis_rules.verification.workers import in_processes

AT_ONCE = 50
"""How many games a process plays before it tells what came of them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the two engines part: the game's seed, the number of the point, what each says."""

    seed: int
    point: int
    what: str

    def __str__(self) -> str:
        return f"seed {self.seed}, point {self.point}: {self.what}"


@dataclass(frozen=True, slots=True)
class Compared:
    """How many games, and points where the game waits, were compared, and the first difference."""

    games: int = 0
    points: int = 0
    difference: Difference | None = None

    def __add__(self, other: Compared) -> Compared:
        return Compared(self.games + other.games, self.points + other.points, self.difference or other.difference)


class Pair:
    """Both engines with one ruleset.

    >>> pair = Pair(load("yucata"))
    >>> pair.play(seed=7).difference is None
    True
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.program: Program = ruleset.program()
        self.reference = ReferenceEngine(ruleset.rules())
        self.declared = declared(self.program)
        self.players = range(len(ruleset.players))

    def play(self, seed: int) -> Compared:
        """Play one random game in both, up to the first difference."""
        program, reference, rng = self.program, self.reference, Random(seed)
        state, points, last = program.new_state(seed), 0, None
        reference.restart(seed)
        for points, (options, option) in enumerate(program.steps(state, lambda _, options: rng.choice(options)), 1):
            if last is not None:  # the compiled engine goes first: it notices what does not end
                reference.answer(last)
            last = option
            if what := self.differs(state, program.options(state) if options is None else options, option):
                return Compared(1, points, Difference(seed, points, what))
        if last is not None:
            reference.answer(last)
        what = self.differs_at_the_end(state)
        return Compared(1, points, Difference(seed, points, what) if what else None)

    def differs(self, state: State, options: list[int], option: int) -> str:
        """In what the engines differ where the game waits; empty when in nothing. `option` is what comes of it."""
        question = self.reference.question
        if question is None:
            return "the game of the reference engine is over"
        if state[self.declared] != self.reference.state[self.declared]:
            return f"another state before {question.step.span}"
        if tuple(options) != question.options:
            return f"{options} against {question.options} at {question.step.span}"
        if self.program.is_chance[state[PC]]:
            return "" if option == question.answer else f"chance gives {option} against {question.answer}"
        if options and self.program.decider(state) != question.player:
            return f"another player decides at {question.step.span}"
        return ""

    def differs_at_the_end(self, state: State) -> str:
        """The same for a game that is over: the ending, the winner, the scores."""
        program, reference = self.program, self.reference
        ending = list(program.rules.endings)[state[ENDING]]
        if reference.question is not None or reference.ending != ending:
            return f"ended by {ending} against {reference.ending}"
        if state[self.declared] != reference.state[self.declared]:
            return "another state at the end"
        if reference.winner is not None and reference.winner != state[WINNER]:
            return "another winner"
        scores = [(program.score(state, player), reference.score(player)) for player in self.players]
        return "" if all(one == other for one, other in scores) else f"scores {scores}"


def compare(
    origin: Origin, games: int, first: int = 0, jobs: int = 1, progress: Callable[[int], None] = lambda number: None
) -> Compared:
    """Play games with the seeds from `first`, up to about the first difference; with Ctrl-C up to there.

    `progress` is told how many games are compared. Raises RulesetError.

    >>> compare(("yucata", None, ()), games=1).games
    1
    """
    tasks = [(origin, seed, min(AT_ONCE, first + games - seed)) for seed in range(first, first + games, AT_ONCE)]
    found = Compared()
    with suppress(KeyboardInterrupt), closing(in_processes(_work, tasks, jobs)) as results:
        for compared in results:
            found += compared
            progress(found.games)
            if found.difference is not None:
                break
    return found


def _work(task: tuple[Origin, int, int]) -> Compared:
    origin, first, games = task
    pair, total = _pair(origin), Compared()
    for seed in range(first, first + games):
        total += pair.play(seed)
        if total.difference is not None:
            break
    return total


@lru_cache(maxsize=2)
def _pair(origin: Origin) -> Pair:
    return Pair(load(*origin))
