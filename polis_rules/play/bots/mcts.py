"""A bot that searches: Monte Carlo trees over all that its player cannot tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.play.bots.thinking_bot import ThinkingBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State


class MctsBot(ThinkingBot):
    """Plays what was tried most often in a tree search (`polis_rules.interpreter.runtime.native.Trees`).

    >>> from polis_rules import load
    >>> from polis_rules.play.bots import Budget
    >>> game = load("yucata").start(seed=7)
    >>> MctsBot(7, Budget(tries=10)).choose(game) in game.decision.options
    True
    """

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        if len(options) == 1:
            return options[0]
        from polis_rules.play.bots.thinking import whole_game

        visits = self.visits(program, state, whole_game(program), until_settled=True)
        return max(options, key=lambda option: visits[option])
