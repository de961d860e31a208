"""Games of cards on the shelf: well told, tested by cases, the same to both engines, and nobody sees what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sampling import sampled

from polis_rules.cases import run_cases
from polis_rules.validation.validate import validate
from polis_rules.verification.differential import compare
from polis_rules.verification.soak import Plan, soak

HERE = Path(__file__).parent
GAMES = ("leduc", "masks", "caravans", "hearts")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_their_cases_hold_and_nothing_is_found(name: str) -> None:
    results = run_cases(HERE / name)
    assert len(results) >= 8 and [str(each) for each in results if not each.passed] == []
    assert validate(HERE / name).findings == []


@pytest.mark.parametrize("name", sampled(GAMES, every=9))
def test_both_engines_play_them_alike_and_hide_the_same(name: str) -> None:
    assert compare((str(HERE / name), None, ()), games=2).difference is None
    assert soak(Plan(str(HERE / name), ("standard",), games=3)).ok
