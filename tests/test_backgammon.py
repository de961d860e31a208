"""Backgammon, which stands beside the benchmarks: sound, well tested, and the same game as OpenSpiel's."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules.cases.runner import run_cases
from polis_rules.validation.validate import validate
from polis_rules.verification.differential.compare import compare

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
BACKGAMMON = BENCHMARKS / "rulesets" / "backgammon"


def test_the_ruleset_is_sound() -> None:
    """The validator finds nothing, and the games that it plays end."""
    assert validate(BACKGAMMON, full=True).findings == []


def test_its_cases_hold() -> None:
    """The bar, blots, both dice, the larger die, doubles and bearing off go as the rules say."""
    results = run_cases(BACKGAMMON)
    assert len(results) > 10
    assert [str(result) for result in results if not result.passed] == []


def test_both_engines_play_the_same_games() -> None:
    """The compiled rules do what the reference walk over them does."""
    result = compare((BACKGAMMON, None, ()), games=2)
    assert result.difference is None
    assert result.points > 300


def test_it_reaches_the_boards_that_openspiel_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    """After whole throws in 200 random positions; `benchmarks/backgammon_boards.py` compares as many as one likes."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'polis-rules[peers]'")
    monkeypatch.syspath_prepend(BENCHMARKS)
    from backgammon_boards import walk

    walked = walk(positions=200, seed=5)
    assert walked.difference == ""
    assert min(walked.kinds[name] for name in ("doubles", "on the bar", "bearing off", "a blot to hit")) > 0
