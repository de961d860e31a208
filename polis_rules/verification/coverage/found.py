"""A game that met something, as it can be played again."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.play import Transcript, record
from polis_rules.ruleset import Ruleset
from polis_rules.verification.coverage.instrument import Count


@dataclass(frozen=True, slots=True)
class Found:
    """A game that met what no game had met before."""

    count: Count
    """what it met, as it was counted before"""
    ruleset: Ruleset
    seed: int
    taken: tuple[int, ...]
    """what was taken at each decision, by number"""
    tries: int
    """how many games had been played for it, this one among them"""

    def transcript(self) -> Transcript:
        """The game, to be replayed."""
        game, taken = self.ruleset.start(self.seed), iter(self.taken)
        while (decision := game.decision) is not None:
            number = next(taken)
            game.apply(next(option for option in decision.options if option.value == number))
        return record(self.ruleset, game, dict.fromkeys(self.ruleset.players, "greedy"))
