"""Weights of advice, set by games of bots."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path
from random import Random

import pytest
from polis_cli.main import app
from typer.testing import CliRunner

import polis_rules
from polis_rules.diagnostics import PolisError
from polis_rules.tuning import Plan, Tuned, TunedTerm, tune, variant_text
from polis_rules.tuning.fit import Example, fit
from polis_rules.tuning.games import advice_of
from polis_rules.tuning.tune import learn, wilson

SHELF = Path(__file__).parent / "rulesets"
PEARLS = """
format: 2
ruleset: pearls
title: Pearls
sources:
  own: {title: Written for these tests, grade: quoted}
scenario: {scenario: standard, title: Empty hands}
rounds: day
cite: own, rules

kinds:
  player:
    title: Player
    state:
      pearls: {type: 0..20, spendable: true, title: pearls}
      shells: {type: 0..20, spendable: true, title: shells}
      points: {type: 0..60, title: points}
state:
  day: 0..9

tables:
  player:
    ann: {title: Ann}
    bob: {title: Bob}

phases:
  game:
    - repeat:
        while: day < 6
        do:
          - set: {day: day + 1}
          - each: you
            in: player
            do:
              - choose: deed
                title: What do you look for?
                from: action
              - perform: deed
    - each: p
      in: player
      do:
        - set: {p.points: 3 * p.pearls}
    - end: night

actions:
  dive: {title: Dive for pearls, do: [{set: {you.pearls: you.pearls + 1}}]}
  stroll: {title: Stroll along the shore, do: [{set: {you.shells: you.shells + 1}}]}

endings:
  night: {title: Night falls}
score:
  terms:
    points: who.points
"""
WRONG = """
advice:
  pearls: {counts: who.pearls, points: 0.1}
  shells: {counts: who.shells, points: 0.3}
"""


def pearls(folder: Path, more: str = "") -> Path:
    """A game in which pearls count at its end, and shells for nothing."""
    (folder / "ruleset.yaml").write_text(PEARLS + more, encoding="utf-8")
    return folder


def test_what_decides_games_is_found_with_what_it_is_worth() -> None:
    rng, examples = Random(1), []
    for game in range(2000):
        inputs = (rng.gauss(0, 1), rng.gauss(0, 2), rng.gauss(0, 1))
        chance = 1 / (1 + exp(-(1.0 * inputs[0] - 0.5 * inputs[1])))
        examples.append(Example(game, inputs, float(rng.random() < chance)))
    found = fit(examples, [0.0] * 3, [10.0] * 3)
    for factor, error, true in zip(found.factors, found.errors, (1.0, -0.5, 0.0), strict=True):
        assert 0 < error < 0.2
        assert abs(factor - true) < 4 * error


def test_positions_of_one_game_make_nobody_surer() -> None:
    rng = Random(2)
    games = [(rng.gauss(0, 1), float(rng.random() < 0.5)) for _ in range(300)]
    once = fit([Example(n, (x,), won) for n, (x, won) in enumerate(games)], [0.0], [5.0])
    often = fit([Example(n, (x,), won) for n, (x, won) in enumerate(games) for _ in range(9)], [0.0], [5.0])
    assert often.errors == pytest.approx(once.errors)


def test_what_never_differs_keeps_its_weight() -> None:
    rng = Random(3)
    examples = [Example(n, (lead := rng.gauss(0, 3), 0.0), float(lead > 0)) for n in range(100)]
    assert learn(examples, [70]) == ([70], {})


def test_without_examples_weights_stay() -> None:
    assert learn([], [30, -20]) == ([30, -20], {})


def test_a_rate_of_no_games_may_be_any() -> None:
    assert wilson(0, 0) == (0.5, 0.0, 1.0)


def test_wrong_advice_is_set_right_and_then_wins(tmp_path: Path) -> None:
    folder = pearls(tmp_path, WRONG)
    told: list[int] = []
    found = tune(Plan(folder, games=60), told.append)
    weights = {each.name: each for each in found.terms}
    assert (weights["pearls"].before, weights["shells"].before) == (0.1, 0.3)
    assert weights["pearls"].after > weights["shells"].after
    assert found.better and found.rate[0] > 0.6
    assert told == sorted(told) and told[-1] == found.games <= 60
    variant = tmp_path / "tuned.yaml"
    variant.write_text(variant_text(polis_rules.load(folder), found, "tuned"), encoding="utf-8")
    tuned = polis_rules.load(folder, variants=[variant]).rules().advice
    assert {name: each.hundredths / 100 for name, each in tuned.items()} == {
        each.name: each.after for each in found.terms
    }


@pytest.mark.slow
def test_the_same_seed_finds_the_same_weights_in_any_number_of_threads(tmp_path: Path) -> None:
    folder = pearls(tmp_path, WRONG)
    assert tune(Plan(folder, games=20, seed=5)) == tune(Plan(folder, games=20, seed=5, jobs=2))


@pytest.mark.parametrize("name", ["pearls", "agora"])
def test_without_advice_all_that_may_be_spent_becomes_advice(tmp_path: Path, name: str) -> None:
    folder = pearls(tmp_path) if name == "pearls" else SHELF / name
    ruleset = polis_rules.load(folder)
    found = Tuned([TunedTerm(each.name, 0.1, 0.25, None, None) for each in advice_of(ruleset.rules())])
    assert found.terms
    variant = tmp_path / "tuned.yaml"
    variant.write_text(variant_text(ruleset, found, "tuned"), encoding="utf-8")
    tuned = polis_rules.load(folder, variants=[variant])
    assert [*tuned.rules().advice] == [each.name for each in found.terms]
    plain, program = ruleset.program(), tuned.program()
    state = plain.new_state(seed=1)
    points = 100 * plain.score(state, 0)
    assert 2 * (program.worth(state, 0) - points) == 5 * (plain.worth(state, 0) - points)


def test_nothing_to_weigh_is_said() -> None:
    with pytest.raises(PolisError, match="nothing to weigh"):
        tune(Plan(SHELF / "connect_four", games=10))


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    folder = pearls(tmp_path, WRONG)

    def done(number: int) -> None:
        if number > 24:  # after the first comparison of 40 games in all
            raise KeyboardInterrupt

    found = tune(Plan(folder, games=100), done)
    assert found.stopped and found.learned == 20 and not found.match.games


@pytest.mark.slow
def test_the_command_tells_weights_and_writes_a_variant(tmp_path: Path) -> None:
    folder, out = pearls(tmp_path, WRONG), tmp_path / "variants" / "quick.yaml"
    out.parent.mkdir()
    command = ["tune", str(folder), "--games", "60", "--out", str(out), "--format", "json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert [each["name"] for each in data["terms"]] == ["pearls", "shells"]
    assert 0 <= data["rate"]["low"] <= data["rate"]["won"] <= data["rate"]["high"] <= 1
    assert out.read_text(encoding="utf-8") == data["variant"]
    assert polis_rules.load(folder, variants=["quick"]).rules().advice["pearls"].hundredths > 10


def test_where_no_better_weights_are_found_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command says so."""
    folder, out = pearls(tmp_path, WRONG), tmp_path / "quick.yaml"
    monkeypatch.setattr("polis_cli.tune.tune", lambda *_: Tuned([], games=0))
    done = CliRunner().invoke(app, ["tune", str(folder), "--out", str(out)])
    assert "no better weights were found" in done.output and f"Not written: {out}" in done.output
    assert not out.exists()


@pytest.mark.parametrize(("name", "said"), [("My weights.yaml", "no id"), ("nowhere/tuned.yaml", "no folder")])
def test_a_file_that_cannot_be_is_refused_before_any_game(tmp_path: Path, name: str, said: str) -> None:
    done = CliRunner().invoke(app, ["tune", "yucata", "--out", str(tmp_path / name)])
    assert done.exit_code == 2 and said in done.output
