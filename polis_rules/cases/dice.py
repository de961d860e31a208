"""Single dice in cases: `1+4` are two of them, `+4` is one; a case may say their sum, or how many are hits, instead."""

from __future__ import annotations

import re

from polis_rules.interpreter.game import Game, known_names
from polis_rules.interpreter.machine import PC
from polis_rules.semantics import ir

SINGLE = re.compile(r"(?=.*\+)\+?[0-9]+(\+[0-9]+)*")


class UnfitDiceError(Exception):
    """Single dice that cannot be rolled here."""


def single_dice(written: str) -> list[int] | None:
    """What each die shows; None where a text does not name single dice.

    >>> single_dice("1+4"), single_dice("+4"), single_dice("5")
    ([1, 4], [4], None)
    """
    return [int(die) for die in written.split("+") if die] if SINGLE.fullmatch(written) else None


def outcome_of(game: Game, eyes: list[int]) -> str:
    """What the waiting roll comes to when its dice show this. Raises UnfitDiceError."""
    program, state = game.program, game.state
    step, names = program.points[state[PC]].step, known_names(program, state)
    if not isinstance(step, ir.Roll):
        raise UnfitDiceError("there is nothing rolled here, but drawn")
    dice, sides = (
        each if isinstance(each, int) else program.evaluator.value(each, state, names)
        for each in (step.dice, step.sides)
    )
    if len(eyes) != dice or not all(1 <= die <= sides for die in eyes):
        raise UnfitDiceError(f"{dice}d{sides} {'is' if dice == 1 else 'are'} rolled here")
    if step.test is None:
        return str(sum(eyes))
    hits = (program.evaluator.value(step.test, state, {**names, "die": die}) for die in eyes)
    return str(sum(map(bool, hits)))
