"""Sizes of effects: a difference beside the spread of single games, of which both are estimates."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest

from polis_rules.lab.effects import Values, effect


def usual(values: Values) -> tuple[float, float]:
    """The usual interval of 95 % of a mean difference of pairs."""
    number = sum(values.values())
    mean = sum((now - before) * times for (before, now), times in values.items()) / number
    squares = sum((now - before - mean) ** 2 * times for (before, now), times in values.items())
    wide = 1.96 * sqrt(squares) / number
    return mean - wide, mean + wide


def test_the_interval_holds_the_effect_as_often_as_it_says() -> None:
    """Of what one game in three and nine in ten have; with the deviation taken as known it would in 80 % only."""
    rng, right = Random(3), 0
    true = 0.6 / sqrt((0.3 * 0.7 + 0.9 * 0.1) / 2)
    for _ in range(500):
        values = Counter((float(rng.random() < 0.3), float(rng.random() < 0.9)) for _ in range(200))
        _, ends = effect(values, usual(values))
        assert ends is not None
        right += ends[0] <= true <= ends[1]
    assert 0.92 <= right / 500 <= 0.98


def test_of_normal_numbers_the_interval_is_that_of_the_formula_for_them() -> None:
    """Bonett's variance of 2008, which takes both variances and their correlation."""
    rng, number = Random(1), 20_000
    drawn = [(one, 0.9 * one + 0.6 * rng.gauss(0, 1) + 1.5) for one in (rng.gauss(0, 1) for _ in range(number))]
    values = Counter(drawn)
    means = [sum(each[at] for each in drawn) / number for at in (0, 1)]
    moments = [
        sum((pair[one] - means[one]) * (pair[other] - means[other]) for pair in drawn) / number
        for one, other in ((0, 0), (1, 1), (0, 1))
    ]
    first, second, both = moments
    variance = (first + second) / 2
    found, ends = effect(values, usual(values))
    spread = (
        found**2 * (first**2 + second**2 + 2 * both**2) / (8 * variance**2) + (first + second - 2 * both) / variance
    )
    error = 1.96 * sqrt(spread / number)
    assert ends == pytest.approx((found - error, found + error), abs=0.0003)


def test_an_effect_is_beyond_0_just_where_its_difference_is() -> None:
    values = {(0, 0): 60, (0, 1): 20, (1, 0): 10, (3, 5): 10}
    for low in (-0.01, 0.0, 0.01):
        _, ends = effect(values, (low, 0.6))
        assert ends is not None
        assert (ends[0] > 1e-9) == (low > 0) and (ends[0] < -1e-9) == (low < 0)


def test_where_hardly_any_game_is_other_than_the_rest_nothing_is_said() -> None:
    """One game of a hundred, with an interval as wide as of few games, says nothing of the spread."""
    values = {(0, 0): 99, (0, 1): 1}
    assert effect(values, (-0.3, 0.32)) == (pytest.approx(0.142, abs=0.001), None)


def test_pairs_that_are_all_alike_have_no_effect_as_far_as_is_known() -> None:
    assert effect({(0, 0): 50, (1, 1): 50}, (-0.1, 0.1)) == (0.0, pytest.approx((-0.2, 0.2)))
