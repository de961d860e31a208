"""A bot that searches: Monte Carlo trees over all that its player cannot tell apart."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from polis_rules.play.bots.thinking_bot import ThinkingBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State
    from polis_rules.play.bots.seat import Budget

HOPE = 0.02
"""Who wins less often than this in tries hardly learns from them which option is better: it plays for points instead.
Not where all is open and nothing is left to chance: there points tell little, and the tree finds what loses latest."""


class MctsBot(ThinkingBot):
    """Plays what was tried most often in a tree search (`polis_rules.interpreter.runtime.native.Trees`).

    >>> from polis_rules import load
    >>> from polis_rules.play.bots import Budget
    >>> game = load("yucata").start(seed=7)
    >>> MctsBot(7, Budget(tries=10)).choose(game) in game.decision.options
    True
    """

    def __init__(self, seed: int, budget: Budget) -> None:
        super().__init__(seed, budget)
        self.without_hope = _ForPoints(seed, budget)

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        if len(options) == 1:
            return options[0]
        from polis_rules.play.bots.thinking import OPEN_GAME, whole_game

        style = whole_game(program)
        hope = 0.0 if style is OPEN_GAME else HOPE
        thinker = self.thinks(program)
        visits = thinker.visits(state, style, self.random, until_settled=True, hope=hope)
        worth = max((thinker.worth[option] for option in options if visits[option]), default=1.0)
        if worth < hope and not (self.stopped and self.stopped()):
            self.without_hope.stopped = self.stopped
            return self.without_hope.pick(program, state, options)
        return max(options, key=lambda option: visits[option])


class _ForPoints(ThinkingBot):
    """Does the same for a good score, whoever wins, in what is left of the budget. It learns for itself what is good
    elsewhere."""

    def __init__(self, seed: int, budget: Budget) -> None:
        from polis_rules.play.bots.thinking import HOPELESS

        left = 1 - HOPELESS
        super().__init__(seed, replace(budget, tries=ceil(left * budget.tries), seconds=left * budget.seconds))

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        from polis_rules.play.bots.thinking import whole_game

        style = replace(whole_game(program), points=True)
        visits = self.thinks(program).visits(state, style, self.random, until_settled=True)
        return max(options, key=lambda option: visits[option])
