"""A bot that takes any option, all equally likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.play.bots.seat import SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State


class RandomBot(SeatBot):
    """Takes any option, all equally likely.

    >>> RandomBot(7).pick(None, [], [3, 5]) in (3, 5)
    True
    """

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        return self.random.choice(options)
