"""How likely dice and draws come out how."""

from __future__ import annotations

from math import comb

from polis_rules.interpreter.game import known_names
from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.runtime import Program, State
from polis_rules.semantics import ir


def likelihoods(program: Program, state: State) -> list[tuple[int, float]]:
    """The outcomes of the chance that waits, each with its probability; none where a draw finds nothing.

    >>> from polis_rules import load
    >>> program = load("yucata").program()
    >>> state = program.new_state(7)
    >>> likelihoods(program, state) if program.is_chance[state[PC]] else []
    []
    """
    step, names, evaluator = program.points[state[PC]].step, known_names(program, state), program.evaluator
    if isinstance(step, ir.Draw):
        options = program.options(state)
        weights = [
            1 if step.weight is None else evaluator.value(step.weight, state, {**names, step.var: option})
            for option in options
        ]
        return [(option, weight / sum(weights)) for option, weight in zip(options, weights, strict=True)]
    assert isinstance(step, ir.Roll)
    dice, sides = (
        each if isinstance(each, int) else evaluator.value(each, state, names) for each in (step.dice, step.sides)
    )
    if step.test is None:
        return [(total, ways / sides**dice) for total, ways in sums(dice, sides).items()]
    fitting = sum(bool(evaluator.value(step.test, state, {**names, "die": die})) for die in range(1, sides + 1))
    found = [
        (hits, comb(dice, hits) * fitting**hits * (sides - fitting) ** (dice - hits) / sides**dice)
        for hits in range(dice + 1)
    ]
    return [(hits, likely) for hits, likely in found if likely]


def sums(dice: int, sides: int) -> dict[int, int]:
    """In how many ways some dice come to each sum.

    >>> sums(2, 3)
    {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}
    """
    ways = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = {}
        for total, count in ways.items():
            for die in range(1, sides + 1):
                more[total + die] = more.get(total + die, 0) + count
        ways = more
    return ways
