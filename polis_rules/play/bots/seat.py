"""What all bots have in common, and the simplest: they pick one of some numbered options, for a program or a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polis_rules.interpreter.machine import Choices

if TYPE_CHECKING:
    from collections.abc import Callable

    from polis_rules.interpreter.game import Game, Option
    from polis_rules.interpreter.runtime import Program, State


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot thinks about a decision: so many tries, or so many seconds. And in how many threads."""

    tries: int = 0
    seconds: float = 0.0
    jobs: int = 1


class SeatBot(ABC):
    """A bot made from a seed; the same seed and the same decisions give the same game."""

    stopped: Callable[[], bool] | None = None
    """asked now and then while it thinks; as soon as this is true, it takes what it likes best so far"""

    @abstractmethod
    def pick(self, program: Program, state: State, options: list[int]) -> int:
        """One of `options`, which are those of the program at this state, not none; the state stays."""

    def choose(self, game: Game) -> Option:
        """One of `game.decision.options`. Raises ValueError when the game is finished."""
        decision = game.decision
        if decision is None:
            raise ValueError("there is nothing to decide: the game is finished")
        numbers = [option.value for option in decision.options]
        return decision.options[numbers.index(self.pick(game.program, game.state, numbers))]


class RandomBot(SeatBot):
    """Takes any option, all equally likely.

    >>> RandomBot(7).pick(None, [], [3, 5]) in (3, 5)
    True
    """

    def __init__(self, seed: int) -> None:
        self.choices = Choices(seed)

    def pick(self, program: Program, state: State, options: list[int]) -> int:
        return options[int(self.choices.random() * len(options))] if len(options) > 1 else options[0]
