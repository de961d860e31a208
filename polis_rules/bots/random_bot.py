"""A bot that takes any option, all equally likely."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .. import Game, Option

__all__ = ["RandomBot"]


class RandomBot:
    """Takes any option, all equally likely; the same seed and the same decisions give the same game."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, game: Game) -> Option:
        decision = game.decision
        if decision is None:
            raise ValueError("there is nothing to decide: the game is finished")
        return self._random.choice(decision.options)
