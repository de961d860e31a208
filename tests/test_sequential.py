"""Intervals that hold however often one looks: their false-alarm rates are what they say."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from polis_rules.lab.sequential import Bounded, Unbounded, refuted

ALARM = log(1 / 0.05)


def differences(random: Random, number: int) -> list[float]:
    """Of the results of equal players in pairs of games: won, shared or lost."""
    outcomes = (0.0, 0.5, 1.0)
    weights = (4, 1, 6)
    sides = (random.choices(outcomes, weights, k=number) for _ in range(2))
    return [one - other for one, other in zip(*sides, strict=True)]


def alarms(pairs: int, runs: int) -> tuple[float, float]:
    """The parts of comparisons of equals in which bounded and unbounded means are ever said to differ from 0."""
    bounded = unbounded = 0
    for seed in range(runs):
        values = differences(Random(seed), pairs)
        one, other = Bounded(-1, 1), Unbounded()
        alarmed = [False, False]
        for at, value in enumerate(values):
            one.add(value)
            other.add(value**3)
            alarmed[1] |= other.evidence(0) >= ALARM
            if at & (at + 1) == 0 or at % 64 == 63:
                alarmed[0] |= one.evidence(0) >= ALARM
        bounded += alarmed[0]
        unbounded += alarmed[1]
    return bounded / runs, unbounded / runs


@pytest.mark.slow
def test_of_1000_comparisons_of_equals_no_more_than_stated_raise_an_alarm_at_any_time() -> None:
    """0.05 is promised; 1,000 runs tell it to 0.007."""
    bounded, unbounded = alarms(pairs=600, runs=1000)
    assert bounded <= 0.05
    assert unbounded <= 0.05 + 0.014


def test_a_bounded_interval_contains_the_mean_and_narrows() -> None:
    random, found = Random(7), Bounded()
    widths = []
    for number in range(1, 801):
        found.add(random.random() < 0.3)
        if number in (50, 200, 800):
            low, high = found.interval()
            assert low < 0.3 < high
            widths.append(high - low)
    assert widths == sorted(widths, reverse=True) and widths[-1] < 0.15


def test_a_difference_is_found_and_told_from_a_smaller_one() -> None:
    random, found = Random(3), Bounded(-1, 1)
    for _ in range(600):
        found.add((random.random() < 0.6) - (random.random() < 0.4))
    assert found.above(0) and not found.below(0.3, 1e-9) and found.below(0.5)
    low, high = found.interval()
    assert low < 0.2 < high


def test_the_same_evidence_makes_interval_and_decision() -> None:
    found = Bounded(-1, 1)
    for value in differences(Random(1), 300):
        found.add(value + (-1 - value) / 4)
    low, high = found.interval()
    assert found.below(high + 1e-6) and not found.below(high - 1e-6)
    assert low == pytest.approx(-1) or found.above(low - 1e-6)


def test_of_an_unknown_range_nothing_is_said_before_there_are_values_enough() -> None:
    found = Unbounded()
    for number in range(200):
        found.add(float(number < 19))
    assert found.evidence(0.5) == 0 and found.interval() == (float("-inf"), float("inf"))
    found.add(1.0)
    low, high = found.interval()
    assert low < found.mean < high and found.evidence(5.0) > ALARM


def test_more_evidence_is_wanted_for_one_of_many_hypotheses() -> None:
    assert refuted([ALARM]) == [0]
    assert refuted([ALARM, *[0.0] * 9]) == []
    assert refuted([0.0, ALARM + log(10), *[0.0] * 8]) == [1]
