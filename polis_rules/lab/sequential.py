"""Intervals that hold however often one looks, and whenever one stops, as bets against a mean.

Who holds that a mean is m is offered bets that are fair if it is. The log of what has been won is the evidence against
m; at no time at all does it reach log(1 / error) with more than the probability `error` where the mean is m (Ville,
1939). The means that have not been refuted are a confidence sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import inf, log, log1p, sqrt

ERROR = 0.05

Interval = tuple[float, float]


class _Moments:
    """Number, mean and spread of values, without rounding errors that grow (Welford, 1962)."""

    def __init__(self) -> None:
        self.number = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Take one more value."""
        self.number += 1
        step = value - self.mean
        self.mean += step / self.number
        self._squares += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        """The standard deviation of the values so far."""
        return sqrt(self._squares / self.number) if self.number else 0.0


class Bounded(_Moments):
    """The mean of values that lie between two known ones: shares, proportions, and differences of them.

    The guarantee is exact for any number of values of any distribution: hedged bets (Waudby-Smith and Ramdas, 2023,
    "Estimating means of bounded random variables by betting", theorem 3).

    >>> found = Bounded()
    >>> for won in [1, 1, 0, 1] * 50:
    ...     found.add(won)
    >>> [round(end, 2) for end in found.interval()]
    [0.65, 0.85]
    """

    STAKE = 0.5
    """At most this part of what one has is put at stake, so that no bet ruins."""

    def __init__(self, low: float = 0.0, high: float = 1.0, error: float = ERROR) -> None:
        super().__init__()
        self.low, self.high = low, high
        self._aim = 2 * log(2 / error)
        self._bets: list[tuple[float, float]] = []
        """each value between 0 and 1, and what was staked on it, which only those before it decide"""
        self._sum, self._spread = 0.5, 0.25

    def add(self, value: float) -> None:
        """Take one more value."""
        super().add(value)
        number, inside = self.number, (value - self.low) / (self.high - self.low)
        variance = self._spread / number
        self._bets.append((inside, sqrt(self._aim / (variance * number * log(number + 1)))))
        self._sum += inside
        self._spread += (inside - self._sum / (number + 1)) ** 2

    def evidence(self, mean: float) -> float:
        """The log of what bets against this mean have won."""
        return max(self._won(mean, 1), self._won(mean, -1))

    def interval(self, error: float = ERROR) -> Interval:
        """The means that are not refuted."""
        return self._end(error, self.low, 1), self._end(error, self.high, -1)

    def above(self, mean: float, error: float = ERROR) -> bool:
        """Whether the whole interval lies above a value."""
        return self._won(mean, 1) >= -log(error)

    def below(self, mean: float, error: float = ERROR) -> bool:
        """Whether the whole interval lies below a value."""
        return self._won(mean, -1) >= -log(error)

    def _end(self, error: float, end: float, sign: int) -> float:
        """Where the evidence that the mean lies above (1) or below (-1) is just enough; it sinks towards the mean."""
        refuted, kept = end, min(max(self.mean, self.low), self.high)
        if self._won(end, sign) < -log(error):
            return end
        for _ in range(24):
            middle = (refuted + kept) / 2
            refuted, kept = (middle, kept) if self._won(middle, sign) >= -log(error) else (refuted, middle)
        return refuted

    def _won(self, mean: float, sign: int) -> float:
        """The log of half of what bets have won that the mean is higher (1) or lower (-1) than this one."""
        at = (mean - self.low) / (self.high - self.low)
        room = at if sign > 0 else 1 - at
        most = self.STAKE / room if room > 0 else inf
        return log(0.5) + sum(log1p(sign * min(stake, most) * (value - at)) for value, stake in self._bets)


class Unbounded(_Moments):
    """The mean of values whose range is not known, such as points, decisions and how often something is taken.

    The guarantee is asymptotic: the later one begins to look, the nearer is the false-alarm rate to what it says,
    for independent values of finite variance (theorem 2.2 of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, 2024,
    arXiv:2103.06476, on asymptotic confidence sequences). Before `FIRST` values, and before `OTHER`
    of them are not 0, nothing is refuted. The interval is narrowest, for its error, after about `BEST` values.
    """

    FIRST, OTHER, BEST = 50, 20, 500

    def __init__(self, error: float = ERROR) -> None:
        super().__init__()
        self.other = 0
        """how many are not 0"""
        self._scale = (-2 * log(error) + log(1 - 2 * log(error))) / self.BEST

    def add(self, value: float) -> None:
        """Take one more value."""
        super().add(value)
        self.other += value != 0

    @property
    def told(self) -> bool:
        """Whether there are values enough to say anything."""
        return self.number >= self.FIRST and self.other >= self.OTHER and self.deviation > 0

    def evidence(self, mean: float) -> float:
        """The log of what bets against this mean have won."""
        if not self.told:
            return 0.0
        walked = self.number * (self.mean - mean) / self.deviation
        scale = self.number * self._scale + 1
        return self._scale * walked**2 / (2 * scale) - log(scale) / 2

    def interval(self, error: float = ERROR) -> Interval:
        """The means that are not refuted."""
        if not self.told:
            return -inf, inf
        scale = self.number * self._scale + 1
        wide = self.deviation * sqrt(2 * scale / self._scale * (log(scale) / 2 - log(error))) / self.number
        return self.mean - wide, self.mean + wide


def refuted(evidence: Sequence[float], error: float = ERROR) -> list[int]:
    """Which of several hypotheses are refuted, the most evidence first; of these `error` are true on average.

    That holds whatever the hypotheses have to do with each other, and at any time at which one stops (Wang and Ramdas,
    2022, "False discovery rate control with e-values"). Intervals of the refuted ones with `error` times their part of
    all are right about as many of them (Xu, Wang and Ramdas, 2022).

    >>> refuted([9.0, 0.1, 4.0])
    [0, 2]
    """
    order = sorted(range(len(evidence)), key=lambda each: -evidence[each])
    enough = (
        place for place, each in zip(count(1), order, strict=False) if evidence[each] >= log(len(order) / place / error)
    )
    return order[: max(enough, default=0)]
