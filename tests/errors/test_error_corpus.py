"""The validator against the corpus of broken rulesets: what it finds, where, and what it suggests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from error_figures import SOUND, Case, cases, figures, judge, sample

from polis_rules.diagnostics.codes import explanations
from polis_rules.validation.validate import validate

WANTED = {"detected": 0.97, "located": 0.95, "suggested": 0.90, "said once": 0.90}


@pytest.mark.parametrize("tried", [sample, pytest.param(cases, marks=pytest.mark.exhaustive)], ids=["sample", "all"])
def test_broken_rulesets_are_found_out(tried: Callable[[], list[Case]]) -> None:
    """Nearly all mistakes are found, on the exact character, with the right suggestion; nine of ten are said once.

    No check fails on what is broken, and each code is explained.
    """
    outcomes = judge(tried())
    missed = [str(each) for each in outcomes if not (each.located and each.suggested)]
    reached = figures(outcomes)
    assert all(reached[figure] >= wanted for figure, wanted in WANTED.items()), "\n".join([str(reached), *missed])
    assert {one.code for each in outcomes for one in each.findings} <= set(explanations()) - {"broken-check"}


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "variants"), SOUND, ids=lambda each: getattr(each, "name", None))
def test_sound_rulesets_have_no_finding(folder: object, variants: tuple[str, ...]) -> None:
    """Nothing false is said about the rulesets that the corpus breaks, not even as a note."""
    assert [str(each.span) + each.message for each in validate(str(folder), variants=variants).findings] == []


def test_the_corpus_is_large_and_a_third_of_it_real() -> None:
    """At least 120 mistakes, a third of them in the shipped rulesets, of many sorts and each only once."""
    listed = cases()
    assert len(listed) >= 120 and sum(each.real for each in listed) * 3 >= len(listed)
    assert len({each.code for each in listed}) >= 60
    assert [
        name for name, count in Counter((each.path, each.find, each.put) for each in listed).items() if count > 1
    ] == []
