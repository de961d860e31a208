"""What bots have in common that search. What they search with is read when the first of them thinks."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from polis_rules.play.bots.seat import Budget, SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program
    from polis_rules.play.bots.thinking import Thinker


class ThinkingBot(SeatBot):
    """Tries what may be chosen. It sees no more than its player: what is hidden is dealt anew for its tries, and chance
    is another one each time."""

    def __init__(self, seed: int, budget: Budget) -> None:
        self.random = Random(seed)
        self.budget = budget
        self.thinker: Thinker | None = None

    def thinks(self, program: Program) -> Thinker:
        """What it searches with, for this program."""
        from polis_rules.play.bots.thinking import Thinker

        if self.thinker is None or self.thinker.program is not program:
            self.thinker = Thinker(program, self.budget)
        self.thinker.stopped = self.stopped
        return self.thinker
