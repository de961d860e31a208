"""How does the cost of a decision grow with a map? Square maps of several sizes, with travel by routes.

    python benchmarks/growth.py --seconds 2

Each map is a ruleset of its own in a temporary folder: players march from field to field over whatever the rival does
not hold. Printed are compile time and the CPU time of a decision in random games, also for each field and as multiples
of the smallest map's.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from random import Random
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


def measure(size: int, seconds: float) -> dict[str, float]:
    """Compile time in seconds, and microseconds of CPU a decision, of a map with so many fields along each side."""
    with tempfile.TemporaryDirectory() as folder, cache.unused():
        (Path(folder) / "ruleset.yaml").write_text(RULES.format(size=size, rounds=ROUNDS), encoding="utf-8")
        ruleset = polis_rules.load(folder)
        ruleset.rules()
        begin = time.process_time()
        program = ruleset.program()
        state = program.new_state(seed=1)
        program.options(state)
        compiled = time.process_time()
        decisions = seed = 0
        while (spent := time.process_time() - compiled) < seconds:
            seed += 1
            decisions += program.playout(program.new_state(seed=seed), Random(seed)).decisions
    return {
        "members": size * size,
        "compile_seconds": compiled - begin,
        "decision_microseconds": spent / decisions * 1e6,
    }


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
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = [measure(size, arguments.seconds) for size in SIZES]
    print(json.dumps(rows, indent=2) if arguments.json else text(rows))


if __name__ == "__main__":
    main()
