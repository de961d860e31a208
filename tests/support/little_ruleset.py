"""A little ruleset for tests of what generated code does."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polis_rules
from support.small_ruleset import lay

MANIFEST = """
format: 2
ruleset: little
title: Little
files: [all.yaml]
scenario: standard
"""

PLAYERS = """
kinds:
  player:
    state:
      coins: {type: 0..20, start: 5, spendable: true, title: coins}
      stock: {per: good, type: 0..2, spendable: true, title: stock}
      pts: {type: -50..50}
      home: region
  good: {}
  region:
    state: {heat: 0..9, closed: flag, shut: set of region, lost: region or none}
tables:
  player: {red: {}, blue: {}}
  good: {wine: {}, oil: {}, fish: {}}
  region: {north: {}, south: {}, west: {}, east: {}}
state:
  turn: 0..60
endings: {over: {title: Over}}
graphs:
  land: {edges: {north-south: {}, south-west: {}, west-east: {}}}
"""


def little(folder: Path, rules: str) -> Path:
    """A ruleset with these rules."""
    scenario = "scenario: standard\ntitle: Standard\n"
    return lay(folder, {"ruleset.yaml": MANIFEST, "all.yaml": PLAYERS + rules, "scenarios/standard.yaml": scenario})


def totals(folder: Path, checks: bool) -> list[int]:
    """What everybody has at the end of a game."""
    program = polis_rules.load(folder).program(checks=checks, trace=checks)
    state = program.new_state(1)
    program.playout(state, Random(1))
    return [program.score(state, player) for player in range(2)]
