"""What bots have in common that search. What they search with is read when the first of them thinks."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from polis_rules.play.bots.seat import Budget, SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.runtime import Program, State
    from polis_rules.interpreter.runtime.native import Style
    from polis_rules.play.bots.thinking import Thinker


class ThinkingBot(SeatBot):
    """Tries what may be chosen. It sees no more than its player: what is hidden is dealt anew for its tries, and chance
    is another one each time."""

    def __init__(self, seed: int, budget: Budget) -> None:
        self.random = Random(seed)
        self.budget = budget
        self.thinker: Thinker | None = None

    def visits(
        self,
        program: Program,
        state: State,
        style: Style,
        tries: int = 0,
        *,
        until_settled: bool = False,
        hope: float = 0.0,
    ) -> Counter[int]:
        """How often each option was tried in the end (`Thinker.visits`)."""
        from polis_rules.play.bots.thinking import Thinker

        if self.thinker is None or self.thinker.program is not program:
            self.thinker = Thinker(program, self.budget)
        self.thinker.stopped = self.stopped
        return self.thinker.visits(state, style, self.random, tries, until_settled=until_settled, hope=hope)
