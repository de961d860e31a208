"""The library's search as functions of Python, for games without native code."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from polis_rules.interpreter.compiler.native import records
from polis_rules.interpreter.compiler.native.library import search, steps
from polis_rules.interpreter.machine import PC, SCORE, SEED, SEVERAL, SHIFT, STEP, WINNER


def in_python(space: dict[str, Any], size: int, points: int, players: int, ranks: int) -> dict[str, Any]:
    """The functions of a search by name, where `space` says what those below them do: `load`, `store` and the like.

    Games have states of so many slots, so many waiting points and players, who are placed by so many numbers.
    """
    space = {
        "SIZE": size, "FINISHED": points, "PLAYERS": players, "RANKS": ranks, "PC": PC, "SEED": SEED,
        "WINNER": WINNER, "SCORE": SCORE, "SEVERAL": SEVERAL, "STEP": STEP, "SHIFT": SHIFT,
        "INVERSE_ROOTS": records.inverse_roots(), "LOG_ROOTS": records.log_roots(), "range": range, "max": max,
        "min": min, **records.numbers(players), **space,
    }  # fmt: skip
    named = {"winners": steps.winners, **{name: each for name, each in vars(search).items() if callable(each)}}
    for name, function in named.items():
        space[name] = FunctionType(function.__code__, space, name, function.__defaults__)
    return space
