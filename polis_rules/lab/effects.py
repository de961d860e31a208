"""How large a difference is beside the spread of single games."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from polis_rules.lab.sequential import Interval

Values = Mapping[tuple[float, float], int]
"""What a number was in both games of pairs, and in how many pairs."""


def effect(values: Values, interval: Interval | None) -> tuple[float, Interval | None]:
    """A difference by the standard deviation of one game (0 where that is 0), and the interval of it.

    The deviation is an estimate too, from the same games as the difference. So an effect belongs to the interval if
    the mean of `difference - effect * deviation` may be 0, as far from it as the ends of the difference's own interval
    are, which are taken for that by the ratio of their standard deviations (Fieller, 1954). Thus 0 lies in both
    intervals or in none. The spread is that of the delta method with the moments that were seen; for numbers that are
    distributed normally it is the variance of Bonett (2008, "Confidence intervals for standardized linear contrasts of
    means", Psychological Methods 13), for a standard deviation that is the root of the mean of both variances. There is
    no interval where so few games are other than the rest that their spread is hardly known.

    >>> found, ends = effect({(0, 1): 50, (1, 2): 50, (0, 0): 50}, (0.6, 0.74))
    >>> round(found, 2), [round(end, 2) for end in ends]
    (1.0, [0.88, 1.14])
    >>> effect({(0, 0): 9}, (-0.1, 0.1))
    (0.0, None)
    """
    number = sum(values.values())
    if not number:
        return 0.0, None

    def mean(of: Mapping[tuple[float, float], float]) -> float:
        return sum(of[pair] * times for pair, times in values.items()) / number

    before, now = mean({pair: pair[0] for pair in values}), mean({pair: pair[1] for pair in values})
    step = {pair: pair[1] - pair[0] - (now - before) for pair in values}
    square = {pair: ((pair[0] - before) ** 2 + (pair[1] - now) ** 2) / 2 for pair in values}
    variance, difference = mean(square), now - before
    if variance <= 0:
        return 0.0, None
    deviation = sqrt(variance)
    if interval is None:
        return difference / deviation, None
    steps = mean({pair: each**2 for pair, each in step.items()})
    if steps <= 0:  # all pairs are alike
        return difference / deviation, (interval[0] / deviation, interval[1] / deviation)
    both = mean({pair: each * square[pair] for pair, each in step.items()})
    squares = mean({pair: (each - variance) ** 2 for pair, each in square.items()})
    ends = []
    for sign, end in zip((-1, 1), interval, strict=True):
        wide = (end - difference) ** 2 / steps
        a = variance - wide * squares / (4 * variance)
        b = wide * both / deviation - 2 * difference * deviation
        if a <= 0:
            return difference / deviation, None
        ends.append((sign * sqrt(max(b**2 - 4 * a * (difference**2 - wide * steps), 0.0)) - b) / (2 * a))
    return difference / deviation, (ends[0], ends[1])
