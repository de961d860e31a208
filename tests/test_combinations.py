"""Variants that do not go together are named, and of several the fewest that already fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules import RulesetError, load
from polis_rules.validation.combinations import Combination, smallest_failing
from polis_rules.validation.validate import validate

RULES = """\
format: 2
ruleset: mine
title: Mine
scenario: {scenario: only}
kinds: {player: {state: {coins: {type: 0..9, spendable: true}}}}
tables: {player: {red: {}}}
terms:
  price: {is: 1}
  rent: {is: 2}
phases:
  game:
    - as: red
      do:
        - gain: {coins: price + rent}
    - end: over
endings: {over: {title: It is over}}
score: {terms: {coins: who.coins}}
"""

VARIANTS = {
    "harmless": "change:\n  terms.rent.is: {was: 2, to: 3}\n",
    "no_price": "remove:\n  terms.price: nothing has a price\n",
    "dear": "after: [no_price]\nchange:\n  terms.price.is: {was: 1, to: 5}\n",
    "wrong": "change:\n  terms.price.is: {was: 1, to: coinn}\n",
}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    for name, text in VARIANTS.items():
        (tmp_path / "variants" / f"{name}.yaml").write_text(
            f"variant: {name}\nextends: mine\nwhy: To try.\n{text}", encoding="utf-8"
        )
    return tmp_path


def paths(mine: Path, *names: str) -> list[Path]:
    return [mine / "variants" / f"{name}.yaml" for name in names]


def test_of_three_variants_the_one_that_fails_by_itself_is_named(mine: Path) -> None:
    some = paths(mine, "harmless", "wrong", "dear")
    assert smallest_failing(Combination(mine, None, some)) == (mine / "variants" / "wrong.yaml",)


def test_loading_variants_that_fail_compiles_no_smaller_combinations(mine: Path) -> None:
    """Which few of them fail is a question for `validate`; loading reports only what it found."""
    with pytest.raises(RulesetError) as raised:
        load(mine, variants=paths(mine, "harmless", "no_price"))
    assert [each.code for each in raised.value.diagnostics] == ["unknown-name"]


def test_a_missing_target_shows_the_overlay_that_wants_it(mine: Path) -> None:
    with pytest.raises(RulesetError, match=r"dear\.yaml:6:"):
        load(mine, variants=paths(mine, "no_price", "dear"))


def test_validation_checks_every_variant_alone_too(mine: Path) -> None:
    result = validate(mine, variants=paths(mine, "harmless", "wrong"))
    assert {each.code for each in result.findings} >= {"unknown-name", "smallest-combination"}


def test_variants_that_go_together_have_no_finding(mine: Path) -> None:
    assert validate(mine, variants=paths(mine, "harmless")).errors == 0
