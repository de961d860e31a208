"""Random games with boards and cards beside OpenSpiel's, in CPU time: `python benchmarks/boards.py --seconds 2`.

Both play Hex of eleven by eleven cells, Othello, Connect Four, a hand of hearts and Goofspiel with thirteen cards, the
sizes that OpenSpiel has by default, and Goofspiel with five. They are called from Python, in turns, each with one
generator for all of its games; a figure is the median of five runs.
Without OpenSpiel (`pip install -e '.[peers]'`) our own figures are printed alone.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import polis_rules

RULESETS = Path(__file__).resolve().parents[1] / "tests" / "rulesets"
GAMES: dict[str, tuple[str, dict[str, str | int], str]] = {
    "hex": ("hex", {"size": 11}, "hex(board_size=11)"), "othello": ("othello", {"half": 4}, "othello"),
    "connect_four": ("connect_four", {}, "connect_four"), "hearts": ("hearts", {}, "hearts"),
    "goofspiel": ("goofspiel", {"cards": 13}, "turn_based_simultaneous_game(game=goofspiel())"),
    "goofspiel 5": ("goofspiel", {"cards": 5}, "turn_based_simultaneous_game(game=goofspiel(num_cards=5))"),
}  # fmt: skip
"""Our rulesets with their settings, and what OpenSpiel calls the same games."""
RUNS = 5


def ours(name: str) -> Callable[[int], object]:
    """Plays one game of a ruleset, with a seed."""
    ruleset, settings, _ = GAMES[name]
    program = polis_rules.load(RULESETS / ruleset, settings=settings).program(checks=False)
    rng = random.Random(1)
    return lambda seed: program.playout(program.new_state(seed=seed), rng)


def theirs(name: str) -> Callable[[int], object] | None:
    """Plays one of OpenSpiel's games, where that is installed."""
    try:
        game: Any = import_module("pyspiel").load_game(GAMES[name][2])
    except ImportError:
        return None
    chance = random.Random(1).random

    def play(seed: int) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])

    return play


def rate(play: Callable[[int], object], seconds: float) -> float:
    """Games in a second of CPU time."""
    games, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        play(games)
        games += 1
    return games / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of each run (default 2)")
    seconds = parser.parse_args().seconds
    for name in GAMES:
        contenders = [each for each in (ours(name), theirs(name)) if each is not None]
        for play in contenders:
            play(0)
        runs = [[rate(play, seconds) for play in contenders] for _ in range(RUNS)]
        line = f"{name:<12} ours {median(run[0] for run in runs):8,.0f} games/s"
        if len(contenders) > 1:
            line += f"   OpenSpiel {median(run[1] for run in runs):8,.0f} games/s"
            line += f"   ratio {median(run[0] / run[1] for run in runs):.2f}"
        print(line)


if __name__ == "__main__":
    main()
