"""Lines that two texts have in common are found whatever the texts are, and in little time."""

from __future__ import annotations

from random import Random

import pytest

from polis_rules.studio import alike as module
from polis_rules.studio.alike import alike
from polis_rules.studio.edits import merged


@pytest.mark.parametrize("few", [0, 30, 20_000])
def test_both_texts_can_be_put_together_of_what_they_have_in_common(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEW", few)
    rng = Random(1)
    for _ in range(300):
        one, other = ([rng.choice("abcdefghijklmnop") for _ in range(rng.randrange(25))] for _ in range(2))
        a = c = 0
        for b, d, size in alike(one, other):
            assert size and b >= a and d >= c and one[b : b + size] == other[d : d + size]
            a, c = b + size, d + size
        assert a <= len(one) and c <= len(other)
        parts = merged("\n".join(one), "\n".join(other)).split("\n# >>>")
        mine = [line for part in parts for line in part.split("\n# ===")[0].split("\n") if line[:1] not in ("", "#")]
        assert mine == one


def test_lines_that_stand_once_are_found_wherever_others_are_put_between() -> None:
    one = [str(each) for each in range(2000)]
    other = [line for each in one for line in (each, "new")]
    assert [(a, c, size) for a, c, size in alike(one, other)] == [(each, each * 2, 1) for each in range(2000)]


def test_no_lines_are_compared_pair_by_pair_where_there_are_many_that_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = []

    def matcher(junk: None, one: list[str], other: list[str], popular: bool) -> object:
        compared.append(len(one) * len(other))
        raise AssertionError

    monkeypatch.setattr(module, "SequenceMatcher", matcher)
    assert alike(["a"] * 5000, ["a", "b"] * 2500) == [(0, 0, 1)]
    assert not compared
