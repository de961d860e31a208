"""Whose games a full validation plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_ruleset import lay

from polis_rules.diagnostics import PolisError
from polis_rules.validation.validate import validate

HOARD = """
kinds: {player: {state: {gold: {type: 0..20}, hoard: {type: 0..15}}}}
tables: {player: {ann: {}, bea: {}}}
phases:
  game:
    - repeat:
        times: 20
        do:
          - each: you
            in: player
            do:
              - either:
                  dig: {do: [{set: {you.gold: you.gold + 1}}]}
                  lose: {do: [{set: {you.gold: 0}}]}
    - each: you
      in: player
      do:
        - set: {you.hoard: you.gold}
    - end: done
endings: {done: {title: Done}}
score: {terms: {gold: who.gold}}
"""


def test_a_rule_that_only_good_players_come_to_is_found_with_a_bot_that_plays_well(tmp_path: Path) -> None:
    """Who digs twenty times has more gold than a hoard may have; random players do not."""
    manifest = "format: 2\nruleset: hoard\ntitle: Hoard\nfiles: [all.yaml]\nscenario: usual\n"
    files = {"ruleset.yaml": manifest, "all.yaml": HOARD, "scenarios/usual.yaml": "scenario: usual\ntitle: Usual\n"}
    folder = lay(tmp_path / "hoard", files)
    assert validate(folder, full=True).errors == 0
    failure = next(each for each in validate(folder, full=True, bot="greedy").findings if each.severity == "error")
    assert failure.code == "rule-failed" and "in the games of greedy bots of seed 0," in failure.message
    command = f"polis run {folder} --seed 0 --seat=ann=greedy --seat=bea=greedy"
    assert failure.hint == f"`{command}` plays the first of them"


def test_a_bot_that_there_is_not_plays_no_full_validation() -> None:
    with pytest.raises(PolisError, match="there is no bot 'gredy'"):
        validate("yucata", full=True, bot="gredy")
