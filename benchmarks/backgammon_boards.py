"""Do our backgammon and OpenSpiel's reach the same boards? Both walk the same random games.

    python benchmarks/backgammon_boards.py --positions 2000

In each position, with its throw, every way to play the whole throw is carried out in both engines, and the boards that
come of it are compared as sets. Then one of these boards is taken at random, and both go on from there. Two ways of
playing that lead to one board are one: OpenSpiel and we cut a turn into decisions differently.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import polis_rules
from polis_rules.interpreter.machine.layout import PC
from polis_rules.interpreter.machine.protocol import LEAVE

RULESET = Path(__file__).parent / "rulesets" / "backgammon"
DICE = re.compile(r"Dice: (\d)(\d)")
"""Where OpenSpiel writes a throw. Releases number the outcomes differently, so the number does not tell."""
BAR = 100
"""OpenSpiel's place for the checkers on the bar; 0 to 23 are the points, as black counts them."""

Dice = tuple[int, int]
Board = tuple[int, ...]
"""White's checkers on the bar and from the 24-point to the 1-point, then black's. What is missing is borne off."""


class Theirs:
    """A game of OpenSpiel's, at a throw or where all of a throw is still to be played."""

    def __init__(self, state: Any = None) -> None:
        self.state = import_module("pyspiel").load_game("backgammon").new_initial_state() if state is None else state

    def throw(self, rng: random.Random) -> Dice:
        """Throw; the smaller die and the larger."""
        outcomes, weights = zip(*self.state.chance_outcomes(), strict=True)
        self.state.apply_action(rng.choices(outcomes, weights)[0])
        written = DICE.search(str(self.state))
        assert written is not None
        one, other = sorted(map(int, written.groups()))
        return one, other

    def board(self) -> Board:
        white = [self.state.board(0, at) for at in (BAR, *range(24))]
        black = [self.state.board(1, at) for at in (BAR, *reversed(range(24)))]
        return (*white, *black)

    def reached(self) -> dict[Board, Theirs]:
        """The games after the whole throw, by their boards."""
        boards: dict[Board, Theirs] = {}
        waiting = [self.state]
        while waiting:
            state = waiting.pop()
            for action in state.legal_actions():
                after = state.child(action)
                if after.is_chance_node() or after.is_terminal():
                    there = Theirs(after)
                    boards[there.board()] = there
                else:  # a double is played in two halves
                    waiting.append(after)
        return boards


class Ours:
    """A game of our ruleset, likewise."""

    def __init__(self, program: Any, state: list[int] | None = None) -> None:
        self.program = program
        self.state: list[int] = program.new_state() if state is None else state
        layout = program.layout
        self.slots = [layout.slot("point", "checkers", (at, player)) for player in (0, 1) for at in range(25)]

    def throw(self, dice: Dice, mover: int) -> None:
        """Throw what OpenSpiel has thrown. In the opening white's die comes first, and the larger one begins."""
        smaller, larger = dice
        for pips in (larger, smaller) if mover == 0 else (smaller, larger):
            self.program.apply(self.state, pips)

    def board(self) -> Board:
        return tuple(self.state[slot] for slot in self.slots)

    def reached(self) -> dict[Board, Ours]:
        program = self.program
        boards: dict[Board, Ours] = {}
        seen: set[Board] = set()
        waiting = [self.state]
        while waiting:
            state = waiting.pop()
            if state[PC] == program.finished or program.is_chance[state[PC]]:
                there = Ours(program, state)
                boards[there.board()] = there
            elif (key := tuple(state)) not in seen:
                seen.add(key)
                for option in program.options(state) or [LEAVE]:
                    after = program.copy(state)
                    program.apply(after, option)
                    waiting.append(after)
        return boards


@dataclass
class Walk:
    """What a walk has seen."""

    positions: int = 0
    games: int = 0
    boards: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    difference: str = ""


def walk(positions: int, seed: int) -> Walk:
    """Compare so many positions, one random game after the other; stops at the first difference."""
    walked, rng = Walk(), random.Random(seed)
    program = polis_rules.load(RULESET).program()
    while not walked.difference and walked.positions < positions:
        walked.games += 1
        theirs, ours = Theirs(), Ours(program)
        while walked.positions < positions and not theirs.state.is_terminal():
            dice = theirs.throw(rng)
            before, mover = theirs.board(), theirs.state.current_player()
            ours.throw(dice, mover)
            there, here = theirs.reached(), ours.reached()
            walked.positions += 1
            walked.boards += len(there)
            walked.kinds.update(kinds(before, there, mover, dice))
            if there.keys() != here.keys():
                walked.difference = told(theirs, there.keys() - here.keys(), here.keys() - there.keys())
                return walked
            board = rng.choice(sorted(there))
            theirs, ours = there[board], here[board]
        if theirs.state.is_terminal() != (ours.state[PC] == program.finished):
            walked.difference = "only one of the two games is over"
    return walked


def kinds(before: Board, after: dict[Board, Theirs], mover: int, dice: Dice) -> Iterator[str]:
    """Which special rules a position asks about."""
    smaller, larger = dice
    own = slice(25 * mover, 25 * mover + 25)
    if smaller == larger:
        yield "doubles"
    if before[25 * mover]:
        yield "on the bar"
    if before in after:
        yield "nothing to play"
    if any(sum(board[own]) < sum(before[own]) for board in after):
        yield "bearing off"
    if any(board[25 * (1 - mover)] > before[25 * (1 - mover)] for board in after):
        yield "a blot to hit"
    if smaller < larger and sum(before[own]) == max(sum(board[own]) for board in after):
        played = {pips_of(before[own]) - pips_of(board[own]) for board in after}
        if played <= {smaller, larger}:
            yield f"only the {'larger' if larger in played else 'smaller'} die to play"


def pips_of(checkers: tuple[int, ...]) -> int:
    """How far a player's checkers have to go."""
    return sum((25 - at) * count for at, count in enumerate(checkers))


def told(theirs: Theirs, missing: set[Board], extra: set[Board]) -> str:
    """The difference for people."""
    lines = [str(theirs.state), f"boards that only OpenSpiel reaches: {len(missing)}, that only we reach: {len(extra)}"]
    return "\n".join(
        [*lines, *(f"  - {board}" for board in sorted(missing)), *(f"  + {board}" for board in sorted(extra))]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the boards that our backgammon and OpenSpiel's reach.")
    parser.add_argument("--positions", type=int, default=2000, help="how many positions, each with a throw (2000)")
    parser.add_argument("--seed", type=int, default=1, help="of the throws and of what is played (default 1)")
    arguments = parser.parse_args()
    try:
        walked = walk(arguments.positions, arguments.seed)
    except ImportError:
        sys.exit("OpenSpiel is not installed: pip install 'polis-rules[peers]'")
    print(f"{walked.positions} positions of {walked.games} games, {walked.boards} boards reached")
    print(", ".join(f"{name}: {count}" for name, count in sorted(walked.kinds.items())))
    print(walked.difference or "no difference")
    sys.exit(1 if walked.difference else 0)


if __name__ == "__main__":
    main()
