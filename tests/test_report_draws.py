"""What draws do for winning, as a report tells it: what chance decides is told from what goes with long games."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_ruleset import lay

from polis_rules.lab import Plan, play, report, simulate, table_of
from polis_rules.lab.report.draws import drawn_effects
from polis_rules.lab.report.figures import Results

pytest.importorskip("pyarrow")

MANIFEST = """
format: 2
ruleset: piled
title: Piled
files: [all.yaml]
scenario: standard
rounds: round
"""

RULES = """
kinds:
  player: {state: {points: 0..9}}
  card: {state: {gone: flag}}
tables:
  player: {red: {title: Red}, blue: {title: Blue}}
  card: {ace: {title: Ace}, OTHERS}
state: {round: {type: 0..4, start: 1}, over: flag}
phases:
  game:
    - repeat:
        while: not over
        do:
          - draw: drawn
            from: card
            where: not drawn.gone
          - set: {drawn.gone: true}
          - when: drawn == ace
            set: {red.points: red.points + 1}
          - roll: luck
            dice: 1d2
          - if: luck == 1 or round == 4
            then:
              - set: {over: true, blue.points: 1 if round < 3 else 0}
            else:
              - set: {round: round + 1}
    - end: done
endings: {done: {title: It is done}}
score: {terms: {points: who.points}}
""".replace("OTHERS", ", ".join(f"card_{number}: {{}}" for number in range(29)))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games that red wins by the ace, or by lasting three rounds; the longer they last, the more is drawn."""
    folder = tmp_path_factory.mktemp("results")
    scenario = "scenario: standard\ntitle: Standard\n"
    rules = lay(folder / "piled", {"ruleset.yaml": MANIFEST, "all.yaml": RULES, "scenarios/standard.yaml": scenario})
    plan = Plan(rules, games=2500, seats=("random", "random"), rows=("rounds",)).settled()
    simulate(plan, table_of(plan), folder / "results.parquet", play)
    return folder / "results.parquet"


def test_only_the_draw_that_does_something_is_told_from_chance(results: Path) -> None:
    """Beside most other cards red wins more often where it is drawn, as it is drawn more often in long games."""
    found = Results(results)
    naive = {each.thing.name: each.low for each in found.effects() if each.thing.player == "red"}
    assert sum(low > 0 for low in naive.values()) > 9
    assert [(each.thing.name, each.difference > 0) for each in drawn_effects(found) if each.sure] == [("ace", True)]


def test_the_page_tells_what_draws_do(results: Path) -> None:
    page = report(results)
    assert 'id="draws"' in page and "test): 1 of 30 differences." in page
