"""The compiled engine does what a naive walk over the rules does."""

from __future__ import annotations

from pathlib import Path

import pytest

import polis_rules
from polis_rules.catalog import shipped
from polis_rules.proof.side_by_side import compare

HERE = Path(__file__).parent
SMALL = [str(path.parent) for path in sorted(HERE.glob("rulesets/*/ruleset.yaml"))]
SHIPPED = [(each.name, scenario) for each in shipped() for scenario, _ in each.scenarios]


@pytest.mark.parametrize("name", SMALL, ids=lambda name: Path(name).name)
def test_both_engines_play_the_same_games_of_a_small_ruleset(name: str) -> None:
    points, difference = compare(polis_rules.load(name), games=40)
    assert difference is None
    assert points > 400


@pytest.mark.parametrize(("name", "scenario"), SHIPPED)
def test_both_engines_play_the_same_games_of_every_shipped_scenario(name: str, scenario: str) -> None:
    points, difference = compare(polis_rules.load(name, scenario), games=5)
    assert difference is None
    assert points > 50
