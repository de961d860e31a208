"""The validator against the corpus of broken rulesets: what it finds, where, and what it suggests."""

from __future__ import annotations

from collections import Counter

import pytest
from error_figures import SOUND, Outcome, cases, figures, judge

from polis_rules.diagnostics.codes import explanations
from polis_rules.validation.validate import validate

WANTED = {"detected": 0.97, "located": 0.95, "suggested": 0.90}


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return judge()


@pytest.mark.parametrize("figure", WANTED)
def test_the_figures_are_reached(outcomes: list[Outcome], figure: str) -> None:
    """Nearly all mistakes are found, on the exact character, with the right suggestion where there is one."""
    missed = [str(each) for each in outcomes if not (each.located and each.suggested)]
    assert figures(outcomes)[figure] >= WANTED[figure], "\n".join(missed)


@pytest.mark.parametrize(("folder", "variants"), SOUND, ids=lambda value: getattr(value, "name", ""))
def test_sound_rulesets_have_no_finding(folder: object, variants: tuple[str, ...]) -> None:
    """Nothing false is said about the rulesets that the corpus breaks, not even as a note."""
    assert [str(each.span) + each.message for each in validate(str(folder), variants=variants).findings] == []


def test_one_mistake_is_seldom_reported_as_several(outcomes: list[Outcome]) -> None:
    """At least nine of ten cases have one error or warning and no other."""
    alone = [each for each in outcomes if len([one for one in each.findings if one.severity != "note"]) == 1]
    assert len(alone) >= 0.9 * len(outcomes)


def test_no_check_fails_on_a_broken_ruleset(outcomes: list[Outcome]) -> None:
    """Every check survives every mistake."""
    assert [str(each) for each in outcomes if any(one.code == "broken-check" for one in each.findings)] == []


def test_every_finding_names_a_code_that_is_explained(outcomes: list[Outcome]) -> None:
    """What is said can be looked up."""
    assert {one.code for each in outcomes for one in each.findings} <= set(explanations())


def test_the_corpus_is_large_and_half_of_it_real() -> None:
    """At least 120 mistakes, half of them in the shipped rulesets, of many sorts and each only once."""
    listed = cases()
    assert len(listed) >= 120 and sum(each.real for each in listed) * 2 >= len(listed)
    assert len({each.code for each in listed}) >= 60
    assert [
        name for name, count in Counter((each.path, each.find, each.put) for each in listed).items() if count > 1
    ] == []
