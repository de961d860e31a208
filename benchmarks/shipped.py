"""How fast are random games of each shipped ruleset in the Python backend, beside yucata?

    python benchmarks/shipped.py --seconds 2

The rulesets play RUNS runs of `--seconds` of processor time each, in turns; each figure is the median of its runs.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from polis_rules import load

RULESETS = ("yucata", "devir", "politeia", "colonnades", "hellenes_training")
RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure random playouts of the shipped rulesets.")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each run (default 2)")
    arguments = parser.parse_args()
    if arguments.seconds <= 0:
        parser.error("--seconds must be above 0")
    programs = {name: load(name).program(checks=False) for name in RULESETS}
    speeds: dict[str, list[float]] = {name: [] for name in RULESETS}
    seed = 0
    for _ in range(RUNS):
        for name, program in programs.items():
            decisions, start = 0, time.process_time()
            while (spent := time.process_time() - start) < arguments.seconds:
                seed += 1
                decisions += program.playout(program.new_state(seed=seed), random.Random(seed)).decisions
            speeds[name].append(decisions / spent)
    print("| ruleset | decisions a second |\n| --- | --- |")
    for name, runs in speeds.items():
        print(f"| {name} | {median(runs):,.0f} |")


if __name__ == "__main__":
    main()
