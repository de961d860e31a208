"""The shipped cases leave nothing out: every card, tile, space, place, action and its refusal, ending and variant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import polis_rules
from polis_rules import Ruleset
from polis_rules.cases.reading import Case, read_cases
from polis_rules.pipeline import documented

VARIANTS = Path(__file__).parents[1] / "rulesets" / "variants"

PLACES = {
    "event": "drawn", "battle_card": "do", "project": "do", "load": "do", "polis": "do", "territory": "do",
    "column": "given", "action": "do",
}  # fmt: skip
"""Where a case names a member of a kind that it is about."""

Shipped = tuple[Ruleset, list[Case]]


@pytest.fixture(scope="module", params=["yucata", "devir"])
def shipped(request: pytest.FixtureRequest) -> Shipped:
    return polis_rules.load(request.param), read_cases(request.param, inherited=True)


def words(cases: list[Case], place: str) -> set[str]:
    """Every word that stands in one place of the cases."""
    return {word for case in cases for word in re.findall(r"\w+", str(getattr(case.entry, place)))}


def missing(members: Iterator[str] | tuple[str, ...], named: set[str]) -> list[str]:
    return [member for member in members if member not in named]


@pytest.mark.parametrize("kind", PLACES)
def test_every_member_is_in_a_case(shipped: Shipped, kind: str) -> None:
    ruleset, cases = shipped
    assert missing(ruleset.rules().symbols.kinds[kind].members, words(cases, PLACES[kind])) == []


def test_every_action_is_refused_in_a_case(shipped: Shipped) -> None:
    ruleset, cases = shipped
    assert missing(ruleset.rules().symbols.kinds["action"].members, words(cases, "refused")) == []


def test_every_ending_is_reached_in_a_case(shipped: Shipped) -> None:
    ruleset, cases = shipped
    assert missing(tuple(ruleset.rules().endings), words(cases, "ends")) == []


@pytest.mark.slow
def test_every_variant_is_tried_in_a_case() -> None:
    assert missing(tuple(path.stem for path in VARIANTS.glob("*.yaml")), words(read_cases("yucata"), "variants")) == []


@pytest.mark.parametrize(
    ("name", "source"), [("politeia", "rules"), ("colonnades", "rules"), ("hellenes_training", "hellenes")]
)
def test_every_heading_of_the_rule_text_has_a_case_and_not_only_its_examples(name: str, source: str) -> None:
    """An example of the text is cited as such, so it stands for no rule around it, only for itself."""
    headings = [str(each) for each in documented(name, None, ())[1].manifest.sources[source].sections]
    cites = [str(case.entry.cite) for case in read_cases(name)]
    of_rules = [cite for cite in cites if "example" not in cite.lower()]
    proofs = {each: " ".join(cites if "example" in each.lower() else of_rules) for each in headings}
    assert [each for each, proof in proofs.items() if f'"{each}"' not in proof] == []
