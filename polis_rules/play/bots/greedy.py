"""A bot that wants to stand well at the end of its own turn, and looks no further."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.play.bots.seat import Budget
from polis_rules.play.bots.thinking_bot import ThinkingBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State

TRIES, MORE = 24, 6
"""How many tries there are for a decision, and how many more for each of its options."""


class GreedyBot(ThinkingBot):
    """Tries its options, and what may follow in the same turn, and takes the one after which it leads by most.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> GreedyBot(7).choose(game) in game.decision.options
    True
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, Budget(tries=1000))

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        if len(options) == 1:
            return options[0]
        from polis_rules.play.bots.thinking import OWN_TURN

        visits = self.thinks(program).visits(state, OWN_TURN, self.random, TRIES + MORE * len(options))
        return max(options, key=lambda option: (visits[option], self.random.random()))
