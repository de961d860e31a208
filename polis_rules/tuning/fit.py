"""What differences between positions say about who wins: logistic regression around what is thought already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

MOST_STEPS = 30
"""So many steps of Newton's method are taken at most."""

NEAR = 1e-6
"""The steps end with one in which nothing changes by more."""

FAR = 30.0
"""Beyond this a win is certain, and `exp` need not be asked."""

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Example:
    """One position, from one player's side."""

    game: int
    """positions of one game have their result in common"""
    inputs: tuple[float, ...]
    """by how much the player was ahead in each respect"""
    won: float
    """1 for a win, 0 for a defeat, and a part of it where several won"""


@dataclass(frozen=True, slots=True)
class Fitted:
    """How much each input says, and how sure that is."""

    factors: list[float]
    errors: list[float]
    """standard errors; they allow for positions of the same game"""


def fit(examples: Sequence[Example], known: Sequence[float], doubt: Sequence[float]) -> Fitted:
    """The factors of the inputs that make the examples likeliest, if before they were thought to be near `known`.

    `doubt` says how far from that they may well be (standard deviations), above 0. Positions of one game count together
    as much as one.

    >>> examples = [Example(n, (float(n % 3 - 1),), n % 3 / 2) for n in range(300)]
    >>> fit(examples, [0.0], [10.0]).factors[0] > 2
    True
    """
    width = len(known)
    size: dict[int, int] = {}
    for each in examples:
        size[each.game] = size.get(each.game, 0) + 1
    factors = [*known]
    inverse: Matrix = []
    for _ in range(MOST_STEPS):
        slope = [(before - now) / far**2 for before, now, far in zip(known, factors, doubt, strict=True)]
        curve = [[1 / doubt[row] ** 2 if row == column else 0.0 for column in range(width)] for row in range(width)]
        for each in examples:
            share = 1 / size[each.game]
            chance = _chance(factors, each.inputs)
            bend = share * chance * (1 - chance)
            wrong = share * (each.won - chance)
            for row, value in enumerate(each.inputs):
                if value:
                    slope[row] += wrong * value
                    line, scaled = curve[row], bend * value
                    for column in range(row, width):
                        line[column] += scaled * each.inputs[column]
        for row in range(width):
            for column in range(row):
                curve[row][column] = curve[column][row]
        inverse = _inverse(curve)
        step = [sum(a * b for a, b in zip(line, slope, strict=True)) for line in inverse]
        largest = max(map(abs, step), default=0.0)
        shrunk = min(1.0, 5.0 / largest) if largest else 1.0
        factors = [now + shrunk * each for now, each in zip(factors, step, strict=True)]
        if largest < NEAR:
            break
    return Fitted(factors, _errors(examples, size, factors, inverse))


def _errors(
    examples: Sequence[Example], size: dict[int, int], factors: Sequence[float], inverse: Matrix
) -> list[float]:
    """Standard errors by what each game alone pulls the factors to."""
    pulls: dict[int, list[float]] = {game: [0.0] * len(factors) for game in size}
    for each in examples:
        wrong = (each.won - _chance(factors, each.inputs)) / size[each.game]
        pull = pulls[each.game]
        for place, value in enumerate(each.inputs):
            pull[place] += wrong * value
    moved = [[sum(a * b for a, b in zip(line, pull, strict=True)) for line in inverse] for pull in pulls.values()]
    return [sqrt(sum(each[place] ** 2 for each in moved)) for place in range(len(factors))]


def _chance(factors: Sequence[float], inputs: Sequence[float]) -> float:
    ahead = sum(map(float.__mul__, factors, inputs))
    return 1 / (1 + exp(-max(-FAR, min(FAR, ahead))))


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a symmetric matrix that is positive definite (Gauss and Jordan)."""
    size = len(matrix)
    work = [[*line, *(float(row == column) for column in range(size))] for row, line in enumerate(matrix)]
    for at in range(size):
        first = work[at][at]
        work[at] = [each / first for each in work[at]]
        for row in range(size):
            factor = work[row][at]
            if row != at and factor:
                work[row] = [each - factor * top for each, top in zip(work[row], work[at], strict=True)]
    return [line[size:] for line in work]
