"""What native code gains, in CPU time on one thread: the part of `playouts.py --native`.

All that belongs to one game is measured in turns, RUNS times; a figure is the median of its runs, a ratio the median of
the ratios of each turn. Everything chooses at random among what is offered. What a group should reach where there is no
ratio stands in its name.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from boards import GAMES, RULESETS
from contenders import drawn

import polis_rules
from polis_rules.interpreter.machine.chance import CHOICES, Choices, salt
from polis_rules.interpreter.machine.layout import PC
from polis_rules.interpreter.machine.protocol import LEAVE
from polis_rules.interpreter.runtime.native.batch import Batch
from polis_rules.interpreter.runtime.native.engine import Kind, NativeMissingError
from polis_rules.interpreter.runtime.native.native import Native, native_of
from polis_rules.interpreter.runtime.native.search import Search
from polis_rules.interpreter.runtime.native.steps import Steps

HERE = Path(__file__).parent
BACKGAMMON = str(HERE / "rulesets" / "backgammon")
RUNS = 5
AT_ONCE = 64
"""How many games one call of native code plays."""
STATES = 256
ROLLOUTS = 64

Count = tuple[int, int]
"""Games (or what else is counted), and decisions."""
Play = Callable[[int], Count]
"""Plays some games from a seed on."""


@dataclass(frozen=True)
class Ratio:
    """What is set against what, by games or decisions, and the least that it should be."""

    of: str
    to: str
    by: str
    wanted: float


@dataclass(frozen=True)
class Group:
    """What is measured in turns."""

    name: str
    contenders: dict[str, Play]
    ratios: tuple[Ratio, ...] = ()
    missing: tuple[str, ...] = ()


@cache
def ruleset(name: str, settings: tuple[tuple[str, Any], ...]) -> Any:
    return polis_rules.load(name, settings=dict(settings))


@cache
def native(name: str, kind: Kind, settings: tuple[tuple[str, Any], ...] = ()) -> Native:
    """A ruleset's native code. Raises NativeMissingError."""
    return native_of(ruleset(name, settings).program(native=kind))


# -- who plays ---------------------------------------------------------------------------------------------------------


def in_python(name: str, settings: tuple[tuple[str, Any], ...] = ()) -> Play:
    program = ruleset(name, settings).program()

    def play(seed: int) -> Count:
        return 1, program.playout(program.new_state(seed), Choices(seed)).decisions

    return play


def natively(name: str, kind: Kind, settings: tuple[tuple[str, Any], ...] = ()) -> Play:
    code = native(name, kind, settings)

    def play(seed: int) -> Count:
        return AT_ONCE, sum(game.decisions for game in code.rows(seed * AT_ONCE, AT_ONCE)[0])

    return play


def steps_in_python(name: str) -> Play:
    program, chance = ruleset(name, ()).program(), random.Random(1).random
    finished, is_chance = program.finished, program.is_chance

    def play(seed: int) -> Count:
        state, decisions = program.new_state(seed), 0
        while state[PC] != finished:
            if is_chance[state[PC]]:
                program.apply(state, program.outcome(state))
                continue
            options = program.options(state)
            decisions += bool(options)
            program.apply(state, options[int(chance() * len(options))] if options else LEAVE)
        return 1, decisions

    return play


def steps_natively(name: str, kind: Kind) -> Play:
    steps, chance = Steps(native(name, kind)), random.Random(1).random

    def play(seed: int) -> Count:
        options, decisions, step = steps.begin(seed), 0, steps.step
        while options:
            decisions += 1
            options = step(options[int(chance() * len(options))])
        return 1, decisions

    return play


def batch(name: str, kind: Kind) -> Play:
    many, chance = Batch(native(name, kind), STATES), import_module("numpy").random.default_rng(1)

    def play(seed: int) -> Count:
        games = 0
        for _ in range(50):
            many.step((chance.random(STATES) * many.counts).astype("int64"))
            games += int(many.ended.sum())
        return games, 50 * STATES

    return play


def search(name: str, kind: Kind) -> Play:
    tree, program = Search(native(name, kind)), ruleset(name, ()).program()
    state = program.new_state(1)
    while program.is_chance[state[PC]]:
        program.apply(state, program.outcome(state))

    def play(seed: int) -> Count:
        return 5000, int(5000 * tree.search(state, 5000, seed).depth)

    return play


def by_hand() -> Play:
    """`backgammon.c`, as the compiler makes it. Raises NativeMissingError where there is none."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise NativeMissingError("there is no C compiler", "install gcc or clang")
    with TemporaryDirectory() as folder:
        made = Path(folder) / "backgammon.so"
        options = ["-std=gnu11", "-O2", "-fPIC", "-shared", "-o", str(made)]
        subprocess.run([compiler, *options, str(HERE / "backgammon.c")], check=True)
        function = ctypes.CDLL(str(made)).playouts
    function.argtypes = [ctypes.c_uint64, ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p]
    tally = (ctypes.c_int64 * 3)()

    def play(seed: int) -> Count:
        before = tally[0]
        function(seed * AT_ONCE, AT_ONCE, salt("dice"), CHOICES, ctypes.addressof(tally))
        return AT_ONCE, tally[0] - before

    return play


def chance_passed(state: Any, chance: Callable[[], float]) -> bool:
    """Whether a state of OpenSpiel's was at a roll or draw, which is carried out then."""
    if not state.is_chance_node():
        return False
    state.apply_action(drawn(state.chance_outcomes(), chance()))
    return True


def openspiel(called: str) -> Play:
    """OpenSpiel through Python. Raises ImportError."""
    game, chance = import_module("pyspiel").load_game(called), random.Random(1).random

    def play(seed: int) -> Count:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if not chance_passed(state, chance):
                actions = state.legal_actions()
                decisions += 1
                state.apply_action(actions[int(chance() * len(actions))])
        return 1, decisions

    return play


def openspiel_in_c(called: str) -> Play:
    """OpenSpiel's own loop in C++: the rollouts of its search, from the first decision on. Raises ImportError.

    Dealing or rolling before the first decision is done once for all of them, in its favour.
    """
    package = import_module("pyspiel")
    game, chance = package.load_game(called), random.Random(1).random

    def play(seed: int) -> Count:
        state = game.new_initial_state()
        while chance_passed(state, chance):
            pass
        rollouts = package.RandomRolloutEvaluator(ROLLOUTS, seed)
        package.MCTSBot(game, rollouts, 1.0, 1, 100, False, seed, False).mcts_search(state)
        return ROLLOUTS, 0

    return play


# -- what is measured --------------------------------------------------------------------------------------------------


def groups(peers: bool) -> Iterator[Group]:
    """All of it, in the order in which it is told."""
    for name, wasm, c in (("yucata", 25, 45), ("devir", 24, 42)):
        yield group(
            f"{name}, whole playouts",
            {"python": partial(in_python, name), **both(partial(natively, name))},
            Ratio("wasm", "python", "decisions", wasm), Ratio("c", "python", "decisions", c),
        )  # fmt: skip
    yield group(
        "yucata, step by step from Python",
        {"python": partial(steps_in_python, "yucata"), **both(partial(steps_natively, "yucata"))},
        Ratio("wasm", "python", "decisions", 2.5), Ratio("c", "python", "decisions", 5),
    )  # fmt: skip
    yield group(f"yucata, {STATES} states a call (2,000,000)", both(partial(batch, "yucata")))
    yield group("yucata, a search; games are tries (60,000)", both(partial(search, "yucata")))
    theirs = {"openspiel, Python": openspiel, "openspiel, C++": openspiel_in_c} if peers else {}
    yield group(
        "backgammon, like for like",
        {
            "by hand in C": by_hand, "python": partial(in_python, BACKGAMMON), **both(partial(natively, BACKGAMMON)),
            **{who: partial(make, "backgammon") for who, make in theirs.items()},
        },
        Ratio("c", "by hand in C", "games", 1 / 1.15), Ratio("c", "openspiel, Python", "games", 15),
        Ratio("c", "openspiel, C++", "games", 10),
    )  # fmt: skip
    for name, (folder, settings, called) in GAMES.items():
        path, kept = str(RULESETS / folder), tuple(settings.items())
        yield group(
            name,
            {
                "python": partial(in_python, path, kept),
                **{kind: partial(natively, path, kind, kept) for kind in KINDS},
                **{who: partial(make, called) for who, make in theirs.items()},
            },
            Ratio("c", "openspiel, Python", "games", 5), Ratio("c", "openspiel, C++", "games", 1),
        )  # fmt: skip


KINDS: tuple[Kind, ...] = ("wasm", "c")


def both(make: Callable[[Kind], Play]) -> dict[str, Callable[[], Play]]:
    return {kind: partial(make, kind) for kind in KINDS}


def group(name: str, made: dict[str, Callable[[], Play]], *ratios: Ratio) -> Group:
    """Contenders that can be had here; the others with the reason."""
    contenders, missing = {}, []
    for who, make in made.items():
        try:
            contenders[who] = make()
        except (NativeMissingError, ImportError) as error:
            missing.append(f"{who}: {error}")
    both_there = [each for each in ratios if {each.of, each.to} <= set(contenders)]
    return Group(name, contenders, tuple(both_there), tuple(missing))


def measure(seconds: float, peers: bool) -> dict[str, Any]:
    """All figures as plain data: for each group rates of each contender, and ratios."""
    found = {each.name: measured(each, seconds) for each in groups(peers)}
    return {"machine": machine(), "groups": found, "threads": in_threads(seconds)}


Work = Callable[[int], object]
"""Does all of something in so many threads."""


def in_threads(seconds: float) -> dict[str, dict[str, float]]:
    """What share of the time by the clock two threads take for the work of one (0.5 where two cores are free), and of
    its CPU time (1 where threads do not wait for each other): native games, and hashing, which does without Python's
    lock. Where hashing gains no more than games do, the machine is busy, and no lock holds the games up."""
    works: dict[str, Work] = {"hashlib, for comparison": partial(hashing, sized(hashing, seconds))}
    for kind in KINDS:
        with suppress(NativeMissingError):
            games = partial(all_games, ruleset("yucata", ()).program(native=kind))
            works[kind] = partial(games, sized(games, seconds))
    turns = [{who: [spent(work, jobs) for jobs in (1, 2)] for who, work in works.items()} for _ in range(RUNS)]
    return {
        who: {what: median(turn[who][1][what] / turn[who][0][what] for turn in turns) for what in ("wall", "cpu")}
        for who in works
    }


def hashing(times: int, jobs: int) -> None:
    """Hash a large buffer so many times."""
    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(hashlib.sha256, times * [bytes(1 << 20)]):
            pass


def all_games(program: Any, times: int, jobs: int) -> None:
    """Play so many games."""
    for _ in program.playouts(0, times, jobs=jobs):
        pass


def sized(work: Callable[[int, int], None], seconds: float) -> int:
    """How many times make so much work for one thread."""
    times = 256
    while (taken := spent(partial(work, times), 1)["cpu"]) < seconds / 4:
        times *= 4
    return int(times * seconds / taken)


def spent(work: Work, jobs: int) -> dict[str, float]:
    """The time by the clock and of the processor that some work takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work(jobs)
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def measured(group: Group, seconds: float) -> dict[str, Any]:
    runs: dict[str, list[dict[str, float]]] = {who: [] for who in group.contenders}
    for play in group.contenders.values():
        play(0)
    for number in range(RUNS):
        print(f"run {number + 1} of {RUNS}: {group.name}", file=sys.stderr, flush=True)
        for who, play in group.contenders.items():
            runs[who].append(rates(play, seconds, 1 + 1_000_000 * number))
    ratios = {}
    for each in group.ratios:
        turns = zip(runs[each.of], runs[each.to], strict=True)
        ratios[f"{each.of} / {each.to}"] = {
            "ratio": median(ours[each.by] / other[each.by] for ours, other in turns), "wanted": each.wanted,
        }  # fmt: skip
    figures = {who: {by: median(run[by] for run in rows) for by in rows[0]} for who, rows in runs.items()}
    return {"figures": figures, "ratios": ratios, "missing": list(group.missing)}


def rates(play: Play, seconds: float, seed: int) -> dict[str, float]:
    """Games and decisions in a second of CPU time."""
    games = decisions = 0
    begin, spent = time.process_time(), 0.0
    while spent < seconds:
        more, made = play(seed)
        games, decisions, seed = games + more, decisions + made, seed + 1
        spent = time.process_time() - begin
    return {"games": games / spent, "decisions": decisions / spent}


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").is_file() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cpus": os.cpu_count(),
        "load": [round(each, 1) for each in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": compiler(),
        "wasmtime": installed("wasmtime"),
        "openspiel": installed("open-spiel"),
    }


def compiler() -> str | None:
    command = shutil.which("cc")
    if command is None:
        return None
    return subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]


def installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def text(result: dict[str, Any]) -> list[str]:
    """The result for people."""
    lines = ["Native code, CPU time on one thread", *(f"  {key}: {value}" for key, value in result["machine"].items())]
    for name, group in result["groups"].items():
        lines += ["", f"{name:<48}{'decisions/s':>14}{'games/s':>14}"]
        for who, row in group["figures"].items():
            decisions = f"{row['decisions']:,.0f}" if row["decisions"] else "-"
            lines.append(f"  {who:<46}{decisions:>14}{row['games']:>14,.0f}")
        for which, row in group["ratios"].items():
            lines.append(f"  {which:<46}{row['ratio']:>14.2f}   (wanted: {row['wanted']:.3g})")
        lines += [f"  missing: {each}" for each in group["missing"]]
    lines += ["", f"{'yucata, two threads beside one':<48}{'clock':>14}{'CPU time':>14}"]
    lines += [f"  {kind:<46}{row['wall']:>14.2f}{row['cpu']:>14.2f}" for kind, row in result["threads"].items()]
    return lines
