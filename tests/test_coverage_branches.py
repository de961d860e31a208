"""Branches of games: how far positions are from what no game has met, and that branches come to it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.small_ruleset import lay

import polis_rules
from polis_rules.verification.coverage import CoverageCounter, cover
from polis_rules.verification.coverage.branches import Branches

WELLS = """
# Digging costs what wins, and only one card of eight asks how deep the wells are.
kinds:
  player: {state: {coins: {type: 0..99, start: 40, spendable: true}, depth: 0..99}}
  card: {attributes: {now: effects}, state: {in_deck: {type: flag, start: true}}}
tables:
  player: {ann: {}, bea: {}}
  card:
    flood: {now: [do: fill(ann)]}
    calm_a: {}
    calm_b: {}
    calm_c: {}
    calm_d: {}
    calm_e: {}
    calm_f: {}
    calm_g: {}
procedures:
  fill:
    of: {who: player}
    do:
      - when: who.depth > 22
        gain: {coins: 1}
        who: who
phases:
  game:
    - repeat:
        times: 30
        do:
          - each: you
            in: player
            do:
              - either:
                  dig: {do: [lose: {coins: 1}, set: {you.depth: you.depth + 1}]}
                  fill_in: {do: [set: {you.depth: "max(0, you.depth - 2)"}]}
                  rest: {do: [gain: {coins: 1}]}
    - draw: card
      from: card
    - do: card.now
    - end: done
endings: {done: {title: Done}}
score: {terms: {coins: who.coins}}
"""


def wells(folder: Path) -> Path:
    manifest = "format: 2\nruleset: wells\ntitle: Wells\nfiles: [all.yaml]\nscenario: standard\n"
    files = {"ruleset.yaml": manifest, "all.yaml": WELLS, "scenarios/standard.yaml": "scenario: standard\ntitle: S\n"}
    return lay(folder / "wells", files)


def test_branches_meet_what_is_rare_costs_much_and_pays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, standings = wells(tmp_path), {}
    for count in (0, 8):
        monkeypatch.setattr("polis_rules.verification.coverage.covering.BRANCHES", count)
        counts = cover(folder, 60, players=["greedy"]).counts
        standings[count] = [each.met for each in counts if (each.rule, each.what) == ("procedures.fill", "condition")]
    assert standings == {0: ["never true"], 8: ["met"]}


def test_what_comes_nearer_is_less_far_and_what_a_procedure_is_done_with_counts(tmp_path: Path) -> None:
    ruleset = polis_rules.load(wells(tmp_path))
    branches = Branches(CoverageCounter(ruleset))
    (aim,) = [aim for aim in branches.known if aim[0][0] == "condition" and aim[1]]
    program = ruleset.program()
    depth, distances = program.layout.bases["player", "depth"], []
    for ann, bea in ((0, 0), (20, 0), (0, 20), (22, 0), (23, 0), (0, 23)):
        state = program.new_state(seed=1)
        state[depth : depth + 2] = ann, bea
        distances.append(branches.distance(aim, state))
    assert distances == [23, 3, 23, 1, 0, 23]


@pytest.mark.parametrize("name", ["yucata", "devir", "tests/rulesets/random_isles"])
def test_it_is_not_far_where_somebody_sees_a_condition_come_out_so_and_far_elsewhere(name: str) -> None:
    """Of what actions require before anything is chosen, in positions of random games."""
    ruleset = polis_rules.load(Path(name) if "/" in name else name)
    branches, program, rng = Branches(CoverageCounter(ruleset)), ruleset.program(), Random(7)
    players, compared = range(len(ruleset.players)), 0
    for seed in range(4):
        state = program.new_state(seed)
        for number, _ in enumerate(program.steps(state, lambda _, options: rng.choice(options))):
            if number % 8:
                continue
            for action in program.rules.actions:
                before: list[Any] = []
                for each in action.conditions:
                    key = "requirement", each.span, each.label
                    seen = {
                        program.evaluator.holds(each.test, state, {"you": who})
                        for who in players
                        if all(program.evaluator.holds(test, state, {"you": who}) for test in before)
                    }
                    for out in (False, True):
                        if (key, out) in branches.known:
                            assert (branches.distance((key, out), state) == 0) == (out in seen)
                            compared += 1
                    before.append(each.test)
    assert compared > 100
