"""Games kept as rows: how many a second with one process and with two, memory over many games, bytes a row.

    python benchmarks/lab.py yucata --games 200
    python benchmarks/lab.py yucata --bot random --games 2000 --memory

CPU time counts, of this process and its children, so that other work on the machine does not; elapsed times are told
beside it. Parallel efficiency is the CPU time of the games with one process by that with two: where two share caches
and memory, each does its games in more. With `--memory` they are played and kept by `--jobs` processes, and the memory
of the first is told at each tenth of them.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from functools import partial
from pathlib import Path

from polis_rules.lab import Plan, fast, file_of, play, simulate, table_of


def cpu() -> float:
    """Seconds of CPU that this process and those of its children that are over have taken."""
    return sum(
        each.ru_utime + each.ru_stime
        for each in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def megabytes() -> float:
    """What this process has of memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def speed(plan: Plan, folder: Path) -> None:
    """How long the games take with one process and with two."""
    list(play(plan, [(0, plan.at_once)], 1))  # compiles what is not in the cache
    taken = {}
    for jobs in (1, 2):
        out = folder / f"{jobs}.parquet"
        began, elapsed = cpu(), time.perf_counter()
        simulate(plan, table_of(plan), out, partial(play, jobs=jobs))
        taken[jobs] = cpu() - began
        elapsed = time.perf_counter() - elapsed
        told = f"{plan.games / taken[jobs]:.2f} games a second of CPU, {plan.games / elapsed:.2f} a second"
        print(f"{jobs} process{'es' * (jobs > 1)}: {told}; {taken[jobs] / plan.games:.3f} s of CPU a game")
    print(f"parallel efficiency: {100 * taken[1] / taken[2]:.0f} %")
    print(f"10,000 games on two cores: {10_000 * taken[2] / plan.games / 2 / 60:.0f} minutes")
    size = file_of(folder / "1.parquet", "games").stat().st_size
    print(f"{size / plan.games:,.0f} bytes a row, what the file says of its columns included")


def memory(plan: Plan, folder: Path, jobs: int) -> None:
    """How much memory the command's process has while games are played and kept, and at most."""
    every = max(1, plan.games // 10)
    told = 0

    def progress(games: int) -> None:
        nonlocal told
        if games // every > told:
            told = games // every
            print(f"{games:,} games: {megabytes():.1f} MB", flush=True)

    simulate(plan, table_of(plan), folder / "results.parquet", partial(play, jobs=jobs), progress=progress)
    print(f"at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.1f} MB")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--bot", default="mcts:300")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    plan = Plan(asked.ruleset, games=asked.games)
    plan, _ = fast(Plan(asked.ruleset, games=asked.games, seats=(asked.bot,) * len(plan.loaded().players)).settled())
    with tempfile.TemporaryDirectory() as folder:
        if asked.memory:
            memory(plan, Path(folder), asked.jobs)
        else:
            speed(plan, Path(folder))


if __name__ == "__main__":
    main()
