"""Play many small random rulesets by all engines: `python tests/random_games.py --rulesets 5000 --seed 1 --jobs 2`.

Prints how far it came. At the first ruleset that is played differently, or that makes the engine stumble, it prints
its seed and the smallest ruleset found that shows the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "dev")]

from support.random_rulesets import Found, examine, lay, lay_apart, lay_settled, lay_shelved, ruleset, shrink, yaml  # noqa: E402  (found by the line before)

from polis_rules.verification.workers import in_processes  # noqa: E402


def tried(seed: int, games: int, way: str = "", spots: int = 0, tree: dict[str, object] | None = None) -> Found:
    """Play games of the ruleset of a seed with so many spots at least, or of another one.

    The way is `overlaid` where a variant puts parts in their places, `settled` where settings do so, `shelved` where
    libraries do.
    """
    with tempfile.TemporaryDirectory() as folder:
        rules = ruleset(seed, spots) if tree is None else tree
        path = Path(folder) / "random"
        ways: dict[str, Any] = {"overlaid": lay_apart, "settled": lay_settled, "shelved": lay_shelved}
        variants = ways[way](path, rules, Random(seed))[1] if way else []
        return examine(path if variants or way == "shelved" else lay(path, rules), games, variants)


def numbered(task: tuple[int, int, str, int]) -> tuple[int, Found]:
    return task[0], tried(*task)


def kind_of(wrong: str) -> str:
    """What stays the same when a ruleset shrinks: the last line without its numbers."""
    return "".join(letter for letter in wrong.strip().splitlines()[-1].split(" at ")[0] if not letter.isdigit())[:40]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rulesets", type=int, default=100, help="how many rulesets are to be played")
    parser.add_argument("--games", type=int, default=4, help="games of each")
    parser.add_argument("--seed", type=int, default=1, help="the first ruleset's seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--all", action="store_true", help="go on after something wrong, and do not make it small")
    parser.add_argument("--overlaid", action="store_true", help="let variants put parts in their places")
    parser.add_argument("--settled", action="store_true", help="let settings put numbers and things in their places")
    parser.add_argument("--spots", type=int, default=0, help="places, at least; sets of over 63 take several words")
    parser.add_argument("--shelved", action="store_true", help="let libraries put rules in their places")
    given = parser.parse_args()
    count: Counter[str] = Counter()
    wrong = 0
    way = next((each for each in ("overlaid", "settled", "shelved") if getattr(given, each)), "")
    tasks = [(seed, given.games, way, given.spots) for seed in range(given.seed, given.seed + 3 * given.rulesets)]
    for seed, game in in_processes(numbered, tasks, given.jobs):
        count["refused" if game.refused else "rulesets"] += 1
        count.update(games=game.games, points=game.points, failed=game.failed)
        if game.wrong:
            wrong += 1
            print(f"\nseed {seed}: {game.wrong}", flush=True)
            if not given.all:
                same = partial(shows, task=(seed, given.games, way, given.spots), kind=kind_of(game.wrong))
                print(yaml(shrink(ruleset(seed, given.spots), same)))
                break
        if sum((count["rulesets"], count["refused"])) % 50 == 0:
            print(dict(count), file=sys.stderr, flush=True)
        if count["rulesets"] >= given.rulesets:
            break
    print(dict(count))
    return 1 if wrong else 0


def shows(tree: dict[str, object], task: tuple[int, int, str, int], kind: str) -> bool:
    """Whether a smaller ruleset shows the same."""
    found = tried(*task, tree).wrong
    return bool(found) and kind_of(found) == kind


if __name__ == "__main__":
    sys.exit(main())
