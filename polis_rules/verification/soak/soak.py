"""Play many games, and after every decision and chance ask whether all that must hold does hold."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate, product
from pathlib import Path

from polis_rules.cases import CaseFileError
from polis_rules.composition import SEATS, compose, split_choices, with_choices
from polis_rules.diagnostics import PolisError, RuleError, RulesetError, some
from polis_rules.interpreter.game import Game, LogEntry, decisions
from polis_rules.interpreter.machine import LONGEST_GAME
from polis_rules.interpreter.runtime import State
from polis_rules.interpreter.runtime.native import RANGES, Seats, Wanted
from polis_rules.play import bots, transcript
from polis_rules.ruleset import Ruleset, load
from polis_rules.verification.shrink import NoFailureError, Shrunk, shrink
from polis_rules.verification.soak.cross_process import Moves, Replays, replay_in_other_process, try_python, write_games
from polis_rules.verification.soak.soak_checks import Checks, one_option
from polis_rules.verification.workers import in_processes

CHECK_EVERY = 100
"""One game of so many of each scenario is checked in full, which takes up to so many times as long as a fast one."""

LONG, STRIDE = 200, 8
"""Of a game that is checked in full the first so many decisions are, and one of so many after them, other ones from
game to game: each check goes through all that has happened before."""

AT_ONCE = 10
"""How many games a process plays before it tells what came of them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. The scenarios take turns, and so do all seatings of the bots; seeds count up."""

    ruleset: str | Path
    scenarios: tuple[str, ...]
    variants: tuple[str | Path, ...] = ()
    games: int = 500
    seed: int = 0
    players: tuple[str, ...] = ("random",)
    """names of bots"""
    check_every: int = CHECK_EVERY
    native: Wanted | None = None
    """what plays fast games between random bots in place of Python"""

    def scenario(self, number: int) -> str:
        """What the game of a number is played from."""
        return self.scenarios[number % len(self.scenarios)]

    def seats(self, number: int, players: int) -> tuple[str, ...]:
        """Which bots play it."""
        seatings = list(product(self.players, repeat=players))
        return seatings[number // len(self.scenarios) % len(seatings)]

    def is_checked(self, number: int) -> bool:
        """Whether it is checked in full: one of so many, and not always the same seating."""
        groups, place = divmod(number // len(self.scenarios), self.check_every)
        return place == groups % self.check_every


def in_turns(plan: Plan) -> list[Plan]:
    """The same games, some for each number of players that may sit; all in one where that is settled.

    >>> [each.games for each in in_turns(Plan("yucata", ("standard",), games=3))]
    [3]
    """
    seats = compose(plan.ruleset, plan.scenarios[0], plan.variants).settings.get(SEATS)
    if seats is None or len(seats.numbers) < 2 or SEATS in split_choices(plan.variants)[1]:
        return [plan]
    choices = [with_choices(plan.variants, {SEATS: number}) for number in seats.numbers]
    laid_over = [each for each in choices if all(_fits(plan.ruleset, scenario, each) for scenario in plan.scenarios)]
    games = [plan.games // len(laid_over) + (place < plan.games % len(laid_over)) for place in range(len(laid_over))]
    seeds = accumulate(games, initial=plan.seed)
    parts = zip(laid_over, games, seeds, strict=False)
    return [replace(plan, variants=each, games=count, seed=seed) for each, count, seed in parts if count]


def _fits(ruleset: str | Path, scenario: str, variants: tuple[str | Path, ...]) -> bool:
    """Whether a scenario leaves a choice open."""
    try:
        compose(ruleset, scenario, variants)
    except RulesetError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Failure:
    """A game in which something did not hold: how it was played up to there, and what was wrong."""

    scenario: str
    seed: int
    seats: tuple[str, ...]
    message: str
    log: tuple[LogEntry, ...]
    """Every decision and outcome, with the decision that fails at the end; empty where playing again does not fail."""
    broken_rule: bool = False
    """whether a rule of the game fails, and not a check of this module"""


@dataclass(frozen=True, slots=True)
class Soaked:
    """What was played and found."""

    games: int = 0
    checked: int = 0
    decisions: int = 0
    chances: int = 0
    worlds: int = 0
    """how often something hidden was exchanged, to see whether a player could tell"""
    secrets: bool = False
    """whether the games checked in full have something that not everybody may see"""
    failure: Failure | None = None
    replays: tuple[Replays, ...] = ()
    stopped: bool = False
    """whether Ctrl-C has ended it early"""

    def __add__(self, other: Soaked) -> Soaked:
        added = ("games", "checked", "decisions", "chances", "worlds", "replays")
        sums = {name: getattr(self, name) + getattr(other, name) for name in added}
        either = {name: getattr(self, name) or getattr(other, name) for name in ("secrets", "failure", "stopped")}
        return Soaked(**sums, **either)

    @property
    def ok(self) -> bool:
        """Whether everything held."""
        return self.failure is None and not any(each.differing for each in self.replays)


Written = str | Moves
"""A game that is to be replayed elsewhere: the transcript of one that was checked in full, the moves of a fast one."""


class ScenarioSoak:
    """Plays games of one ruleset and scenario, and tells what was found and how each sound game can be replayed.

    >>> table = ScenarioSoak(load("yucata"))
    >>> found, written = table.fast(7, ("random", "random"))
    >>> found.decisions > 0, len(written)
    (True, 1)
    """

    def __init__(self, ruleset: Ruleset, native: Wanted | None = None) -> None:
        self.ruleset = ruleset
        self.program = ruleset.program(checks=True, trace=True)
        self.checks = Checks(self.program)
        self.native: Seats | None = None
        if native is not None and (found := ruleset.program(checks=True, native=native).native) is not None:
            self.native = Seats(found)

    def fast(self, seed: int, seats: Sequence[str]) -> tuple[Soaked, list[Written]]:
        """Play a game as fast as may be, and ask for ranges, payments, invariants and supplies at every point."""
        program = self.program
        game = (
            self.native.play(seed, RANGES, LONGEST_GAME) if self.native is not None and {*seats} == {"random"} else None
        )
        if game is not None:
            ends = Moves(self.ruleset.scenario, seed, game.taken, program.position(game.state))
            chances = sum(program.is_chance[point] for point in game.points)
            return Soaked(1, 0, game.decisions, chances), [ends]
        moves: list[int] = []
        decisions = chances = 0
        try:
            state = program.new_state(seed)
            for options, option in program.steps(state, bots.chooser(program, seats, seed), LONGEST_GAME):
                self.ask(state)
                chances += options is None
                decisions += bool(options)
                moves.append(option)
            self.ask(state)
        except PolisError as error:
            failure = None
            if len(moves) < LONGEST_GAME:  # what has no end is not played again, and cannot be made small
                failure, _ = self.slowly(seed, seats, all_checks=False)
            failure = failure or Failure(self.ruleset.scenario, seed, tuple(seats), str(error), (), broken_rule=True)
            return Soaked(1, 0, decisions, chances, failure=failure), []
        return Soaked(1, 0, decisions, chances), [Moves(self.ruleset.scenario, seed, moves, program.position(state))]

    def ask(self, state: State) -> None:
        """Raise RuleError where something that must hold does not."""
        self.program.check(state)
        if not self.checks.in_range(state):
            raise RuleError(str(self.checks.out_of_range(state)), None)

    def checked(self, seed: int, seats: Sequence[str]) -> tuple[Soaked, list[Written]]:
        """Play a game as people do, with every check after every decision; at the end take all of it back and forth."""
        before = self.checks.worlds
        failure, game = self.slowly(seed, seats, all_checks=True)
        log = game.log if game is not None else ()
        made = decisions(log)
        secrets = bool(self.checks.secret)
        result = Soaked(1, 1, made, len(log) - made, self.checks.worlds - before, secrets, failure)
        return result, [self.written(game, seats)] if game is not None and failure is None else []

    def slowly(self, seed: int, seats: Sequence[str], all_checks: bool) -> tuple[Failure | None, Game | None]:
        """Play a game up to its end or to the first failure."""
        failed = partial(Failure, self.ruleset.scenario, seed, tuple(seats))
        players = dict(zip(self.ruleset.players, bots.seated(seats, seed), strict=True))
        game: Game | None = None
        log: tuple[LogEntry, ...] = ()
        positions: list[State] = []
        try:
            game = Game(self.program, seed)
            while True:
                decision = game.decision
                positions.append(game.state[:])
                tried = (("decision", decision.player, one_option(game)),) if decision is not None else ()
                log = (*game.log, *tried)  # what the checks do, should that fail
                now = len(positions) <= LONG or (len(positions) + seed) % STRIDE == 0 or decision is None
                full = all_checks and now
                wrong = self.checks.wrong(game) if full else self.checks.out_of_range(game.state)
                if decision is None and wrong is None and full:
                    wrong = self.back_and_forth(game, positions, seats)
                if wrong is not None:
                    return failed(wrong, game.log), game
                if decision is None:
                    return None, game
                option = players[decision.player].choose(game)
                log = (*game.log, ("decision", decision.player, option.id))
                game.apply(option)
                if len(positions) == LONGEST_GAME:
                    log = ()
                    raise self.program.too_long(positions[-1], LONGEST_GAME)
        except PolisError as error:
            return failed(str(error), log, broken_rule=True), game

    def back_and_forth(self, game: Game, positions: list[State], seats: Sequence[str]) -> str | None:
        """Whether a finished game goes back by the positions that it came by, and comes out the same from its log."""
        other = game.copy()
        for number in reversed(range(len(positions))):
            if other.state != positions[number]:
                return f"undo from the end leads to another position after {some(number, 'decision')}"
            other.undo()
        again = transcript.replay(transcript.parse(self.written(game, seats)), self.ruleset)
        if again.divergence is not None:
            return f"the game replayed from its log comes out in another way: {again.divergence.message}"
        return None

    def written(self, game: Game, seats: Sequence[str]) -> str:
        """A game as a transcript."""
        seated = dict(zip(self.ruleset.players, seats, strict=True))
        return transcript.dump(transcript.record(self.ruleset, game, seated))


def soak(
    plan: Plan, jobs: int = 1, pythons: Sequence[Path] = (), progress: Callable[[int], None] = lambda number: None
) -> Soaked:
    """Play the games of a plan, up to about the first failure; with Ctrl-C up to there.

    Then all of them are replayed in another process, with another hash seed, and in each of `pythons`.
    Raises RulesetError, UnknownBotError, and CrossProcessError when an interpreter cannot replay anything.

    >>> soak(Plan("yucata", ("standard",), games=3)).games
    3
    """
    _scenario_soak.cache_clear()
    for scenario in plan.scenarios:
        _scenario_soak(plan.ruleset, scenario, plan.variants, plan.native)
    for name in plan.players:
        bots.make(name, 0)
    for python in pythons:
        try_python(python, plan.ruleset, plan.variants)
    tasks = [(plan, begin, min(begin + AT_ONCE, plan.games)) for begin in range(0, plan.games, AT_ONCE)]
    total = Soaked()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games"
        try:
            with closing(in_processes(_work, tasks, jobs)) as batches:
                for batch, games in batches:
                    total += batch
                    write_games(file, games)
                    progress(total.games)
                    if total.failure is not None:
                        break
            for each in (None, *pythons) if file.stat().st_size else ():
                total += Soaked(replays=(replay_in_other_process(each, file, plan.ruleset, plan.variants),))
        except KeyboardInterrupt:
            total += Soaked(stopped=True)
    return total


def save(
    plan: Plan, failure: Failure, folder: Path, progress: Callable[[str], None] = lambda text: None
) -> tuple[list[Path], Shrunk | None]:
    """Write a failing game into a folder as a transcript, and made small, as a case; the paths, and the small game.

    A small game that cannot be a case is a transcript only. Raises OSError when it cannot be written.
    """
    ruleset = load(plan.ruleset, failure.scenario, plan.variants)
    name = f"{ruleset.name}_{failure.scenario}_{failure.seed}".replace("-", "_")
    folder.mkdir(parents=True, exist_ok=True)
    seats = dict(zip(ruleset.players, failure.seats, strict=True))
    try:
        begin = transcript.record(ruleset, ruleset.start(failure.seed, chance="manual"), seats)
    except RuleError:
        return [], None  # the game cannot even begin
    whole = folder / f"{name}_whole.jsonl"
    transcript.write(whole, replace(begin, entries=failure.log, chance="seed"))
    wrong = Checks(ruleset.program(checks=True, trace=True)).wrong

    def check(game: Game) -> str | None:
        return wrong(game) if game.chance is None else None  # a case cannot end where the game waits for chance

    try:
        small = shrink(ruleset, failure.log, None if failure.broken_rule else check, progress, failure.seed)
    except NoFailureError:
        return [whole], None
    try:
        return [whole, *small.save(folder, name)], small
    except CaseFileError:
        return [whole, folder / f"{name}.jsonl"], small


def _work(task: tuple[Plan, int, int]) -> tuple[Soaked, list[Written]]:
    plan, begin, end = task
    total, written = Soaked(), []
    for number in range(begin, end):
        table = _scenario_soak(plan.ruleset, plan.scenario(number), plan.variants, plan.native)
        play = table.checked if plan.is_checked(number) else table.fast
        try:
            batch, games = play(plan.seed + number, plan.seats(number, len(table.ruleset.players)))
        except Exception as error:
            error.add_note(f"This came of {plan.scenario(number)} with seed {plan.seed + number}.")
            raise
        total += batch
        written += games
        if total.failure is not None:
            break
    return total, written


@lru_cache(maxsize=16)
def _scenario_soak(
    ruleset: str | Path, scenario: str, variants: tuple[str | Path, ...], native: Wanted | None
) -> ScenarioSoak:
    return ScenarioSoak(load(ruleset, scenario, variants), native)
