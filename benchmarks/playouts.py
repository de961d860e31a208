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
import native
from contenders import LIKE_FOR_LIKE, PEERS, Contender, OurBackgammon, OurGames, Ours, Sample, copy_microseconds, sample

RUNS = 5
FIGURES: dict[str, tuple[str, Callable[[Sample], float]]] = {
    "decisions_per_second": ("decisions/s", lambda run: run.decisions / run.seconds),
    "choices_per_second": ("not forced/s", lambda run: (run.decisions - run.forced) / run.seconds),
    "games_per_second": ("games/s", lambda run: run.games / run.seconds),
    "decisions_per_game": ("per game", lambda run: run.decisions / run.games),
    "options_per_decision": ("options each", lambda run: run.options / run.decisions),
    "forced_share": ("forced", lambda run: run.forced / run.decisions),
}
THROWS = "throws_per_game"
"""Counted in backgammon alone, where a turn is cut into decisions in two ways."""
TIMES = {"copy_microseconds": "copy, us", "start_milliseconds": "start, ms"}
# Games differ in length and breadth, so only these are set against each other.
COMPARED = ("decisions_per_second", "choices_per_second", "copy_microseconds", "start_milliseconds")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure random playouts.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--peers", action="store_true", help="measure the optional peers too")
    parser.add_argument("--native", action="store_true", help="measure native code too, and its peers with --peers")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of each run (default 2)")
    arguments = parser.parse_args()
    if arguments.seconds <= 0:
        parser.error("--seconds must be above 0")
    result = measure(arguments.seconds, arguments.peers)
    if arguments.native:
        result["native"] = native.measure(arguments.seconds, arguments.peers)
    print(json.dumps(result, indent=2) if arguments.json else text(result))


def measure(seconds: float, peers: bool) -> dict[str, Any]:
    """All figures as plain data; keys are those of FIGURES and TIMES."""
    contenders: list[Contender] = [Ours(), OurGames(), *([OurBackgammon()] if peers else [])]
    skipped = []
    for peer in PEERS if peers else ():
        try:
            contenders.append(peer())
        except ImportError:
            skipped.append(f"{peer.name} is not installed: pip install 'polis-rules[peers]'")
    figures = in_turns(contenders, seconds)
    ours, others = Ours.name, [peer.name for peer in PEERS if peer.name in figures]
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
        "game_slower_than_program": rate(figures, Ours.name) / rate(figures, OurGames.name),
        "ratios": {name: {key: figures[ours][key] / figures[name][key] for key in COMPARED} for name in others},
        "like_for_like": like_for_like(figures),
        "fresh_process_milliseconds": fresh_process(skipped),
        "skipped": skipped,
    }


def rate(figures: dict[str, dict[str, float]], name: str) -> float:
    return figures[name]["decisions_per_second"]


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
            if run.throws:
                figures[THROWS] = run.throws / run.games
            figures["copy_microseconds"] = copy_microseconds(contender, seconds / 10)
            figures["start_milliseconds"] = fresh.inside_milliseconds(contender.startup)
            runs[contender.name].append(figures)
    return {name: medians(measured) for name, measured in runs.items()}


def like_for_like(figures: dict[str, dict[str, float]]) -> dict[str, float]:
    """Our backgammon over OpenSpiel's; empty where one of them was not measured.

    Games are what can be compared. A decision of OpenSpiel's is two dice at once, one of ours is a single checker.
    """
    if not set(LIKE_FOR_LIKE) <= set(figures):
        return {}
    ours, theirs = (figures[name] for name in LIKE_FOR_LIKE)
    keys = ("games_per_second", THROWS, "decisions_per_game")
    ratios = {key: ours[key] / theirs[key] for key in keys}
    ratios["throws_per_second"] = ratios["games_per_second"] * ratios[THROWS]
    return ratios


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
        f"medians of {machine['runs']} runs of {machine['seconds_a_run']:g} s of CPU time, taken in turns",
        "",
        *table({f"{name} ({result['versions'][name]})": row for name, row in result["figures"].items()}, labels),
    ]
    lines += ["", f"Games with words, which nobody reads, take {result['game_slower_than_program']:.2g} times as long"]
    if result["ratios"]:
        ratios = {f"ours / {name}": row for name, row in result["ratios"].items()}
        lines += ["", "Ratios (rates: above 1 we are faster; times: below 1 we are faster)"]
        lines += table(ratios, {key: labels[key] for key in COMPARED})
    if result["like_for_like"]:
        lines += ["", "Backgammon like for like, ours / OpenSpiel's (a decision of theirs is two dice at once)"]
        lines += [f"  {key.replace('_', ' '):<20}{value:8.3g}" for key, value in result["like_for_like"].items()]
        for name in LIKE_FOR_LIKE:
            lines.append(f"  throws a game, {name}: {number(result['figures'][name][THROWS])}")
    lines += ["", "Fresh process, milliseconds"]
    lines += [
        f"  {key.replace('_', ' '):<14}{value:8.1f}" for key, value in result["fresh_process_milliseconds"].items()
    ]
    lines += [f"skipped: {line}" for line in result["skipped"]]
    if "native" in result:
        lines += ["", *native.text(result["native"])]
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
