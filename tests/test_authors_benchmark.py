"""The benchmark of what authors wait for measures two trees in turns, and prints both with their ratio."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what a server has used is read from /proc")
def test_a_command_is_measured_in_two_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a command each tree's CPU seconds are found; what was not asked for is not measured."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.setenv("POLIS_CACHE_DIR", "")
    import authors

    before, now = authors.in_turns([ROOT, ROOT], 1, "polis run")
    assert list(before) == list(now) == [authors.FIRST_LINE]
    assert 0 < now[authors.FIRST_LINE] < 60
    assert authors.table("abc", {"x": 2.0}, {"x": 0.5}).splitlines()[-1] == "| x | 2.00 | 0.50 | 0.25 |"
