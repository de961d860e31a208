"""Who is measured: our engine and its peers, each playing whole games with uniformly random choices."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import polis_rules


@dataclass(frozen=True, slots=True)
class Sample:
    """What one run saw. A decision with a single option is forced; chance is no decision."""

    seconds: float
    games: int
    decisions: int
    forced: int
    options: int
    throws: int = 0
    """throws of the dice, in backgammon"""


class Contender(Protocol):
    """Something that plays whole games, copies positions and can be started in a fresh process."""

    name: str
    version: str
    startup: str
    """Python source that goes from nothing imported to a first position."""

    def play(self, seed: int) -> tuple[int, ...]:
        """Play one game; return decisions, forced ones, options over all decisions, and in backgammon throws."""

    def copier(self) -> Callable[[], object]:
        """A call without arguments that copies one position from the middle of a game."""


def sample(contender: Contender, seconds: float, seed: int) -> Sample:
    """Play whole games until `seconds` (above 0) of CPU time are over; game n of a run uses seed `seed + n`."""
    totals = [0, 0, 0, 0]
    games = 0
    begin = time.process_time()
    elapsed = 0.0
    while elapsed < seconds:
        for at, count in enumerate(contender.play(seed + games)):
            totals[at] += count
        games += 1
        elapsed = time.process_time() - begin
    return Sample(elapsed, games, *totals)


def copy_microseconds(contender: Contender, seconds: float) -> float:
    """Mean CPU time of one copy, copying for about `seconds`."""
    copy = contender.copier()
    copies = 0
    begin = time.process_time()
    elapsed = 0.0
    while elapsed < seconds:
        for _ in range(100):
            copy()
        copies += 100
        elapsed = time.process_time() - begin
    return elapsed / copies * 1e6


class Ours:
    """A ruleset, compiled without checks."""

    name = "polis-rules"

    def __init__(self, name: str = "yucata") -> None:
        ruleset = polis_rules.load(name)
        self.startup = f"import polis_rules; polis_rules.load({name!r}).program(checks=False).new_state(seed=1)"
        self.version = f"{ruleset.name} {ruleset.hash[:12]}"
        self.program = ruleset.program(checks=False)

    def play(self, seed: int) -> tuple[int, ...]:
        playout = self.program.playout(self.program.new_state(seed=seed), random.Random(seed))
        return playout.decisions, playout.forced, playout.options_total

    def copier(self) -> Callable[[], object]:
        # Every position has the same number of slots, so the first one costs what any other does.
        program, state = self.program, self.program.new_state(seed=1)
        return lambda: program.copy(state)


class OurGames(Ours):
    """The same of yucata as `Game`, which checks every change and has words for all that happens; nobody reads them."""

    name = "polis-rules, Game"

    def __init__(self) -> None:
        super().__init__()
        self.loaded = polis_rules.load("yucata")
        self.startup = "import polis_rules; polis_rules.load('yucata').start(seed=1).decision"

    def play(self, seed: int) -> tuple[int, ...]:
        decisions = forced = options = 0
        game, chance = self.loaded.start(seed=seed), random.Random(seed).random
        while (decision := game.decision) is not None:
            count = len(decision.options)
            game.apply(decision.options[int(chance() * count) if count > 1 else 0])
            decisions += 1
            forced += count == 1
            options += count
        return decisions, forced, options

    def copier(self) -> Callable[[], object]:
        return self.loaded.start(seed=1).copy


class OurBackgammon(Ours):
    """The ruleset `backgammon` beside this file, to be held against OpenSpiel's."""

    name = "polis-rules, backgammon"

    def __init__(self) -> None:
        super().__init__(str(Path(__file__).parent / "rulesets" / "backgammon"))

    def play(self, seed: int) -> tuple[int, ...]:
        state = self.program.new_state(seed=seed)
        playout = self.program.playout(state, random.Random(seed))
        throws = state[self.program.layout.stream("dice")] // 2
        return playout.decisions, playout.forced, playout.options_total, throws


class Catanatron:
    """Catan for four of catanatron's own random players; turns are capped by catanatron itself."""

    name = "catanatron"
    startup = "from catanatron import Color, Game, RandomPlayer; Game([RandomPlayer(c) for c in Color], seed=1)"

    def __init__(self) -> None:
        self.package = import_module("catanatron")
        self.version = version("catanatron")

    def play(self, seed: int) -> tuple[int, ...]:
        decisions = forced = options = 0
        game = self._game(seed)
        limit = import_module("catanatron.game").TURNS_LIMIT
        # The loop of Game.play, without the two copies of the whole game that it makes for observers.
        while game.winning_color() is None and game.state.num_turns < limit:
            number = len(playable(game))
            decisions += 1
            forced += number == 1
            options += number
            game.play_tick()
        return decisions, forced, options

    def copier(self) -> Callable[[], object]:
        game = self._game(1)
        for _ in range(200):
            game.play_tick()
        copy: Callable[[], object] = game.copy
        return copy

    def _game(self, seed: int) -> Any:
        players = [self.package.RandomPlayer(color) for color in self.package.Color]
        return self.package.Game(players, seed=seed + 1)  # seed 0 would mean: take any


def playable(game: Any) -> list[Any]:
    """The playable actions of a catanatron game, wherever the installed release keeps them."""
    actions: list[Any] = game.playable_actions if hasattr(game, "playable_actions") else game.state.playable_actions
    return actions


class Chess:
    """Chess from the start position until the game is over without anybody claiming a draw."""

    name = "python-chess"
    startup = "import chess; chess.Board()"

    def __init__(self) -> None:
        self.package = import_module("chess")
        self.version = version("chess")

    def play(self, seed: int) -> tuple[int, ...]:
        decisions = forced = options = 0
        chance = random.Random(seed).random
        board = self.package.Board()
        # Board.is_game_over would generate the moves a second time; these are its other questions, asked only where
        # the moves since the last capture or pawn's move leave their answer open.
        while not (
            board.halfmove_clock >= 150
            or (board.halfmove_clock == 0 and board.is_insufficient_material())
            or (board.halfmove_clock >= 16 and board.is_fivefold_repetition())
        ):
            moves = list(board.legal_moves)
            if not moves:
                break
            decisions += 1
            forced += len(moves) == 1
            options += len(moves)
            board.push(moves[int(chance() * len(moves))])
        return decisions, forced, options

    def copier(self) -> Callable[[], object]:
        board, chance = self.package.Board(), random.Random(1)
        for _ in range(60):
            board.push(chance.choice(list(board.legal_moves)))
        return lambda: board.copy(stack=False)


def drawn(outcomes: list[tuple[int, float]], left: float) -> int:
    """One of OpenSpiel's outcomes, whose weights add up to 1, by a number from 0 to 1."""
    for outcome, likely in outcomes:
        left -= likely
        if left < 0:
            return outcome
    return outcomes[-1][0]


class Backgammon:
    """OpenSpiel's backgammon; the dice are chance nodes and no decisions."""

    name = "open-spiel, backgammon"
    startup = "import pyspiel; pyspiel.load_game('backgammon').new_initial_state()"

    def __init__(self) -> None:
        self.game = import_module("pyspiel").load_game("backgammon")
        self.version = version("open-spiel")

    def play(self, seed: int) -> tuple[int, ...]:
        decisions = forced = options = throws = 0
        rng = random.Random(seed)
        state = self.game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                self._roll(state, rng)
                throws += 1
                continue
            actions = state.legal_actions()
            decisions += 1
            forced += len(actions) == 1
            options += len(actions)
            state.apply_action(actions[int(rng.random() * len(actions))])
        return decisions, forced, options, throws

    def copier(self) -> Callable[[], object]:
        state, rng = self.game.new_initial_state(), random.Random(1)
        for _ in range(80):
            if state.is_chance_node():
                self._roll(state, rng)
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        copy: Callable[[], object] = state.clone
        return copy

    def _roll(self, state: Any, rng: random.Random) -> None:
        state.apply_action(drawn(state.chance_outcomes(), rng.random()))


PEERS: tuple[type[Catanatron] | type[Chess] | type[Backgammon], ...] = (Catanatron, Chess, Backgammon)
LIKE_FOR_LIKE = (OurBackgammon.name, Backgammon.name)
"""Two contenders that play one game by equal rules; `backgammon_boards.py` shows that they are equal."""
