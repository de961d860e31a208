"""Play the compiled engine and the naive one side by side: the same options, answers and states, decision by decision.

python -m polis_rules.proof.side_by_side mygame --games 10000
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from random import Random

from polis_rules.interpreter.layout import ENDING, PC, WINNER, every_variable
from polis_rules.interpreter.program import Program
from polis_rules.interpreter.protocol import LEAVE
from polis_rules.proof.naive import NaiveGame
from polis_rules.ruleset import Ruleset, load


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the two engines part: the game's seed, the number of the point, what each says."""

    seed: int
    point: int
    what: str


def compare_game(naive: NaiveGame, program: Program, seed: int) -> tuple[int, Difference | None]:
    """Play one random game in both; how many points it had, and the first difference."""
    layout = program.layout
    variables = every_variable(program.rules.symbols)
    low = min(layout.bases.values())
    high = max(layout.bases[variable.owner, variable.name] + variable.size for variable in variables)
    naive.restart(seed)
    state, rng = program.new_state(seed), Random(seed)
    points = 0
    while state[PC] != program.finished:
        points += 1
        question = naive.question
        if question is None:
            return points, Difference(seed, points, "the naive game is over")
        if state[low:high] != naive.state[low:high]:
            return points, Difference(seed, points, f"another state before {question.step.span}")
        options = program.options(state)
        if tuple(options) != question.options:
            return points, Difference(seed, points, f"{options} against {question.options} at {question.step.span}")
        if program.is_chance[state[PC]]:
            answer = program.outcome(state)
            if answer != question.answer:
                return points, Difference(seed, points, f"chance gives {answer} against {question.answer}")
        else:
            answer = rng.choice(options) if options else LEAVE
            if options and program.decider(state) != question.player:
                return points, Difference(seed, points, f"another player decides at {question.step.span}")
        program.apply(state, answer)
        naive.answer(answer)
    ending = list(program.rules.endings)[state[ENDING]]
    if naive.question is not None or naive.ending != ending or state[low:high] != naive.state[low:high]:
        return points, Difference(seed, points, f"ended by {ending} against {naive.ending}")
    if naive.winner is not None and naive.winner != state[WINNER]:
        return points, Difference(seed, points, "another winner")
    return points, None


def compare(ruleset: Ruleset, games: int, first: int = 0) -> tuple[int, Difference | None]:
    """Play games with the seeds from `first`; how many points were compared, and the first difference."""
    program, naive = ruleset.program(), NaiveGame(ruleset.rules())
    total = 0
    for seed in range(first, first + games):
        points, difference = compare_game(naive, program, seed)
        total += points
        if difference is not None:
            return total, difference
    return total, None


def main() -> None:
    """The command line of this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--scenario")
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    points, difference = compare(load(given.ruleset, given.scenario), given.games)
    print(f"{given.games} games, {points} points compared: {'no difference' if difference is None else difference}")
    sys.exit(0 if difference is None else 1)


if __name__ == "__main__":
    main()
