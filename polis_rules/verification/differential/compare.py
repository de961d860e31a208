"""Play the compiled engine and the reference engine side by side, native code too if it is asked for, and compare
options, answers and states.

`polis differential` is the command.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.machine import ENDING, PC, WINNER, Choices
from polis_rules.interpreter.runtime import LimitError, Program, State
from polis_rules.interpreter.runtime.native import Wanted
from polis_rules.ruleset import Origin, Ruleset, load
from polis_rules.verification.declared import declared
from polis_rules.verification.differential.native_follower import NativeFollower
from polis_rules.verification.differential.reference_engine import FAILURES, GivenUpError, ReferenceEngine
from polis_rules.verification.workers import in_processes

AT_ONCE = 10
"""How many games a process plays before it tells what came of them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two engines part: the game's seed, the number of the point, what each says."""

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
    """Both engines with one ruleset, and native code of a kind if that is wanted and can be had.

    >>> pair = Pair(load("yucata"))
    >>> pair.play(seed=7).difference is None
    True
    """

    def __init__(self, ruleset: Ruleset, native: Wanted | None = None) -> None:
        self.program: Program = ruleset.program() if native is None else ruleset.program(native=native)
        found = self.program.native
        self.native = NativeFollower(self.program, found) if found is not None else None
        self.reference = ReferenceEngine(ruleset.rules(), seed=None)
        self.declared = declared(self.program)
        self.players = range(len(ruleset.players))

    def play(self, seed: int) -> Compared:
        """Play one random game in both, up to the first difference. Raises RuleError where a rule fails in both."""
        program, choices = self.program, Choices(seed)
        points, decisions, last, followed = 0, 0, None, False

        def choose(_: State, options: list[int]) -> int:
            return options[int(choices.random() * len(options)) if len(options) > 1 else 0]

        try:
            state = program.new_state(seed)
            for points, (options, option) in enumerate(program.steps(state, choose), 1):
                what, followed = self.follow(seed, last), True  # the compiled engine goes first
                decisions += bool(options)
                options = program.options(state) if options is None else options
                if what := what or self.differs(state, options, option):
                    return Compared(1, points, Difference(seed, points, what))
                last, followed = option, False
            what, followed = self.follow(seed, last), True
            what = what or self.differs_at_the_end(state)
            if not what and self.native is not None:
                what = self.native.differs_at_the_end(state, decisions)
        except GivenUpError:
            raise
        except RuleError as error:
            if self.native is not None and not self.native.fails_too(seed):
                what = f"native code does not fail: {error}"
            elif followed or _noticed_by_one(error) or self.follow(seed, last):
                raise
            else:
                what = f"only the compiled engine fails: {error}"
        return Compared(1, points, Difference(seed, points, what) if what else None)

    def follow(self, seed: int, last: int | None) -> str:
        """Let the other engines do what the compiled one has done: begin, or else answer; why one cannot."""
        before = self.reference.question if last is not None else None
        try:
            if last is None:
                self.reference.restart(seed)
            else:
                self.reference.answer(last)
        except FAILURES as error:
            place = f"after {before.step.span}" if before is not None else "where the game begins"
            return f"only the reference engine fails, {place}: {_named(error)}"
        return self.native.follow(seed, last) if self.native is not None else ""

    def differs(self, state: State, options: list[int], option: int) -> str:
        """In what the engines differ where the game waits; empty when in nothing. `option` is what comes of it."""
        question = self.reference.question
        if question is None:
            return "the game of the reference engine is over"
        if state[self.declared] != self.reference.state[self.declared]:
            return f"another state before {question.step.span}"
        if tuple(options) != question.options:
            return f"{options} against {question.options} at {question.step.span}"
        if self.native is not None and (what := self.native.differs(state, options, option)):
            return f"{what} at {question.step.span}"
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
        return next(filter(None, (self.differs_in_score(state, player) for player in self.players)), "")

    def differs_in_score(self, state: State, player: int) -> str:
        """The same for the score of a player. Raises RuleError where it fails in both."""
        failure = ""
        try:
            told = self.reference.score(player)
        except FAILURES as error:
            failure = f"only the reference engine fails in the score: {_named(error)}"
        try:
            score = self.program.score(state, player)
        except RuleError as error:
            if failure or _noticed_by_one(error):
                raise
            return f"only the compiled engine fails in the score: {error}"
        return failure or ("" if score == told else f"scores {score} against {told}")


def _named(error: Exception) -> str:
    return f"{type(error).__name__} {error}".rstrip()


def _noticed_by_one(error: RuleError) -> bool:
    """Whether only the compiled engine looks for this: what does not end, or a limit that it sets."""
    return error.__context__ is None or isinstance(error.__context__, LimitError)


def compare(
    origin: Origin,
    games: int,
    first: int = 0,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda number: None,
    native: Wanted | None = None,
) -> Compared:
    """Play games with the seeds from `first`, up to about the first difference; with Ctrl-C up to there.

    `native` code is a third engine where it can be had. `progress` is told how many games are compared. Raises
    RulesetError, RuleError where a rule fails in all engines, NativeMissingError.

    >>> compare(("yucata", None, ()), games=1).games
    1
    """
    tasks = [
        (origin, native, seed, min(AT_ONCE, first + games - seed)) for seed in range(first, first + games, AT_ONCE)
    ]
    total = Compared()
    with suppress(KeyboardInterrupt), closing(in_processes(_work, tasks, jobs)) as results:
        for compared in results:
            total += compared
            progress(total.games)
            if total.difference is not None:
                break
    return total


def _work(task: tuple[Origin, Wanted | None, int, int]) -> Compared:
    origin, native, first, games = task
    pair, total = _pair(origin, native), Compared()
    for seed in range(first, first + games):
        total += pair.play(seed)
        if total.difference is not None:
            break
    return total


@lru_cache(maxsize=2)
def _pair(origin: Origin, native: Wanted | None) -> Pair:
    return Pair(load(*origin), native)
