"""How fast are random games? Ours and, with --peers, three other engines, on one thread of this machine.

    python benchmarks/playouts.py --peers --seconds 5

Every contender plays RUNS runs of `--seconds`, in turns, so that a slow moment of the machine hits all
of them; each figure is the median of its runs. Progress goes to stderr, the result to stdout.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from statistics import median
from typing import Any

import fresh
from contenders import PEERS, Contender, Ours, Sample, copy_microseconds, sample

RUNS = 5
FIGURES: dict[str, tuple[str, Callable[[Sample], float]]] = {
    "decisions_per_second": ("decisions/s", lambda run: run.decisions / run.seconds),
    "choices_per_second": ("not forced/s", lambda run: (run.decisions - run.forced) / run.seconds),
    "games_per_second": ("games/s", lambda run: run.games / run.seconds),
    "options_per_decision": ("options each", lambda run: run.options / run.decisions),
    "forced_share": ("forced", lambda run: run.forced / run.decisions),
}
TIMES = {"copy_microseconds": "copy, us", "start_milliseconds": "start, ms"}
# Games differ in length and breadth, so only these are set against each other.
COMPARED = ("decisions_per_second", "choices_per_second", "copy_microseconds", "start_milliseconds")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure random playouts.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--peers", action="store_true", help="measure the optional peers too")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of each run (default 2)")
    arguments = parser.parse_args()
    if arguments.seconds <= 0:
        parser.error("--seconds must be above 0")
    result = measure(arguments.seconds, arguments.peers)
    print(json.dumps(result, indent=2) if arguments.json else text(result))


def measure(seconds: float, peers: bool) -> dict[str, Any]:
    """All figures as plain data; keys are those of FIGURES and TIMES."""
    contenders: list[Contender] = [Ours()]
    skipped = []
    for peer in PEERS if peers else ():
        try:
            contenders.append(peer())
        except ImportError:
            skipped.append(f"{peer.name} is not installed: pip install 'polis-rules[peers]'")
    figures = in_turns(contenders, seconds)
    ours, others = contenders[0].name, [contender.name for contender in contenders[1:]]
    return {
        "machine": {
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "cpus": os.cpu_count(),
            "threads_used": 1,
            "runs": RUNS,
            "seconds_a_run": seconds,
        },
        "versions": {contender.name: contender.version for contender in contenders},
        "figures": figures,
        "ratios": {name: {key: figures[ours][key] / figures[name][key] for key in COMPARED} for name in others},
        "fresh_process_milliseconds": fresh_process(skipped),
        "skipped": skipped,
    }


def in_turns(contenders: list[Contender], seconds: float) -> dict[str, dict[str, float]]:
    """The medians of all contenders; the first, unmeasured game of each only warms it up."""
    runs: dict[str, list[dict[str, float]]] = {contender.name: [] for contender in contenders}
    for contender in contenders:
        contender.play(0)
        fresh.inside_milliseconds(contender.startup)
    for number in range(RUNS):
        for contender in contenders:
            progress(f"run {number + 1} of {RUNS}: {contender.name}")
            run = sample(contender, seconds, seed=1 + number * 1_000_000)
            figures = {key: figure(run) for key, (_, figure) in FIGURES.items()}
            figures["copy_microseconds"] = copy_microseconds(contender, seconds / 10)
            figures["start_milliseconds"] = fresh.inside_milliseconds(contender.startup)
            runs[contender.name].append(figures)
    return {name: medians(measured) for name, measured in runs.items()}


def fresh_process(skipped: list[str]) -> dict[str, float]:
    """Loading cold and from the cache (imports included), `polis --help`, and an idle interpreter."""
    polis = fresh.help_command()
    if polis is None:
        skipped.append("polis --help was not measured: the command polis is not installed")
    runs = []
    for number in range(RUNS):
        progress(f"fresh processes {number + 1} of {RUNS}")
        cold, cached = fresh.cold_and_warm()
        run = {"load_cold": cold, "load_cached": cached}
        if polis is not None:
            run["polis_help"] = fresh.wall_milliseconds(polis)
        run["python_alone"] = fresh.wall_milliseconds([sys.executable, "-c", "pass"])
        runs.append(run)
    return medians(runs)


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {key: median(run[key] for run in runs) for key in runs[0]}


def progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def text(result: dict[str, Any]) -> str:
    """The result for people: one table of figures, one of ratios, then the fresh processes."""
    machine, labels = result["machine"], {key: label for key, (label, _) in FIGURES.items()} | TIMES
    lines = [
        f"{machine['python']}, {machine['cpus']} CPUs, one thread used; "
        f"medians of {machine['runs']} runs of {machine['seconds_a_run']:g} s, taken in turns",
        "",
        *table({f"{name} ({result['versions'][name]})": row for name, row in result["figures"].items()}, labels),
    ]
    if result["ratios"]:
        ratios = {f"ours / {name}": row for name, row in result["ratios"].items()}
        lines += ["", "Ratios (rates: above 1 we are faster; times: below 1 we are faster)"]
        lines += table(ratios, {key: labels[key] for key in COMPARED})
    lines += ["", "Fresh process, milliseconds"]
    lines += [
        f"  {key.replace('_', ' '):<14}{value:8.1f}" for key, value in result["fresh_process_milliseconds"].items()
    ]
    lines += [f"skipped: {line}" for line in result["skipped"]]
    return "\n".join(lines)


def table(rows: dict[str, dict[str, float]], labels: dict[str, str]) -> list[str]:
    width = max(map(len, rows))
    lines = [" " * width + "".join(f"{label:>14}" for label in labels.values())]
    for name, row in rows.items():
        lines.append(f"{name:<{width}}" + "".join(f"{number(row[key]):>14}" for key in labels))
    return lines


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    main()
