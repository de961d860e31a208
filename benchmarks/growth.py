"""How does the cost of a decision grow with a map? Square maps of several sizes, with travel by routes.

    python benchmarks/growth.py --seconds 2

Each map is a ruleset of its own in a temporary folder: players march from field to field over whatever the rival does
not hold. Printed are compile time and the CPU time of a decision in random games, also for each field and as multiples
of the smallest map's: in Python, or in native code with `--native wasm` or `--native c`. The maps are measured in
turns, each with games of its own, and the quickest turn of each counts.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import polis_rules
from polis_rules import cache

SIZES = (8, 13, 19, 30)
RULES = """\
format: 2
ruleset: square_map
title: A square map
scenario: {{scenario: standard, title: A map in halves}}
kinds:
  player: {{title: Player, attributes: {{rival: player}}}}
  column: {{title: Column, numbers: 1..{size}}}
  row: {{title: Row, numbers: 1..{size}}}
  way: {{title: Way, attributes: {{right: -1..1, up: -1..1}}}}
  field:
    title: Field
    for_each: [column, row]
    attributes:
      toward:
        per: {{on: way}}
        type: field or none
        is: field[it.column.number + on.right, it.row.number + on.up]
    state:
      owner: {{type: player or none, title: owner}}
      units: {{type: 0..99, title: units, start: 1}}
state:
  turn: {{type: player, title: turn}}
  round: {{type: 0..{rounds}, title: round}}
tables:
  player: {{red: {{title: Red, rival: blue}}, blue: {{title: Blue, rival: red}}}}
  way:
    east: {{right: 1, up: 0}}
    west: {{right: -1, up: 0}}
    north: {{right: 0, up: 1}}
    south: {{right: 0, up: -1}}
graphs:
  land: {{from: field.toward}}
routes:
  march:
    of: {{who: player}}
    over: [land]
    through: {{field: space.owner != who.rival}}
phases:
  game:
    - repeat:
        times: {rounds}
        do:
          - as: turn
            do: [take_a_turn]
          - set: {{turn: turn.rival, round: round + 1}}
    - end: over
  take_a_turn:
    title: A turn
    do:
      - choose: begin
        title: From where?
        from: field
        where:
          there_must_be_units: begin.units > 0
          it_must_not_be_the_rivals: begin.owner != you.rival
      - choose: goal
        title: Where to?
        from: field
        where:
          it_must_be_another: goal != begin
          a_march_must_lead_there: route_exists(march(you), begin, goal)
      - set: {{begin.units: begin.units - 1, goal.units: goal.units + 1, goal.owner: you}}
      - set: {{begin.owner: you if begin.units > 0 else none}}
endings: {{over: {{title: It is over}}}}
score: {{terms: {{fields: count(s for s in field if s.owner == who)}}}}
"""
ROUNDS = 60


TURNS = 5
GAMES = {"python": 2, "wasm": 64, "c": 64}
"""How many games are played between two looks at the clock."""


def begun(size: int, kind: str) -> tuple[Any, float]:
    """The program of a map with so many fields along each side, and the seconds that it takes to compile: of CPU time,
    for C by the clock."""
    with tempfile.TemporaryDirectory() as folder, cache.unused():
        (Path(folder) / "ruleset.yaml").write_text(RULES.format(size=size, rounds=ROUNDS), encoding="utf-8")
        ruleset = polis_rules.load(folder)
        ruleset.rules()
        clock = time.perf_counter if kind == "c" else time.process_time
        begin = clock()
        program = ruleset.program(native=None if kind == "python" else kind)
        program.options(program.new_state(seed=1))
        return program, clock() - begin


def decision_seconds(program: Any, kind: str, seconds: float, seed: int) -> float:
    """CPU time of a decision in random games, the first of which has a seed."""
    decisions = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        decisions += sum(game.decisions for game in program.playouts(seed, GAMES[kind]))
        seed += GAMES[kind]
    return spent / decisions


def measure(kind: str, seconds: float) -> list[dict[str, float]]:
    """All maps: fields, seconds to compile, microseconds of CPU a decision."""
    programs = [begun(size, kind) for size in SIZES]
    turns = [
        [decision_seconds(program, kind, seconds / TURNS, turn * 1_000_000) for program, _ in programs]
        for turn in range(TURNS)
    ]
    return [
        {"members": size * size, "compile_seconds": compiled, "decision_microseconds": min(spent) * 1e6}
        for size, (_, compiled), spent in zip(SIZES, programs, zip(*turns, strict=True), strict=True)
    ]


def text(rows: list[dict[str, float]]) -> str:
    """A line for each map."""
    first = rows[0]
    lines = [
        f"{'fields':>8}{'compile, s':>12}{'a decision, us':>16}{'a field, us':>13}{'fields x':>10}{'decision x':>12}"
    ]
    for row in rows:
        each, cost = row["members"], row["decision_microseconds"]
        lines.append(
            f"{each:>8}{row['compile_seconds']:>12.2f}{cost:>16.1f}{cost / each:>13.3f}"
            f"{each / first['members']:>10.1f}{cost / first['decision_microseconds']:>12.1f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how decisions grow with a map.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time of random games on each map (default 2)")
    parser.add_argument("--native", choices=("wasm", "c"), help="measure native code instead of Python")
    arguments = parser.parse_args()
    rows = measure(arguments.native or "python", arguments.seconds)
    print(json.dumps(rows, indent=2) if arguments.json else text(rows))


if __name__ == "__main__":
    main()
