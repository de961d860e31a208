"""How fast are random games of each shipped ruleset in the Python backend, beside yucata?

    python benchmarks/shipped.py --seconds 2

The rulesets play RUNS runs of `--seconds` of processor time each, in turns; each figure is the median of its runs.
"""

from __future__ import annotations

import argparse
from statistics import median

from contenders import Ours, sample

RULESETS = ("yucata", "devir", "politeia", "colonnades", "hellenes_training")
RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure random playouts of the shipped rulesets.")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each run (default 2)")
    arguments = parser.parse_args()
    if arguments.seconds <= 0:
        parser.error("--seconds must be above 0")
    shipped = {name: Ours(name) for name in RULESETS}
    speeds: dict[str, list[float]] = {name: [] for name in RULESETS}
    for run in range(RUNS):
        for name, ours in shipped.items():
            found = sample(ours, arguments.seconds, seed=1_000_000 * run)
            speeds[name].append(found.decisions / found.seconds)
    print("| ruleset | decisions a second |\n| --- | --- |")
    for name, runs in speeds.items():
        print(f"| {name} | {median(runs):,.0f} |")


if __name__ == "__main__":
    main()
