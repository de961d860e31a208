"""Players that are programs, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from polis_rules.diagnostics import PolisError, one_of, quote
from polis_rules.play.bots.greedy import GreedyBot
from polis_rules.play.bots.random import RandomBot
from polis_rules.play.bots.seat import SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.game import Game, Option


class Bot(Protocol):
    """Whoever sits in a seat: asked once for every decision of its player."""

    def choose(self, game: Game) -> Option:
        """One of `game.decision.options`; a fair bot looks only at that and at `game.view(player)`."""
        ...


class UnknownBotError(PolisError):
    """No bot has that name."""


BOTS: dict[str, Callable[[int], SeatBot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
}
"""How to make each bot from a seed."""


def make(name: str, seed: int) -> SeatBot:
    """A new bot; the same name and seed give one that plays the same. Raises UnknownBotError.

    >>> type(make("random", 7)).__name__
    'RandomBot'
    """
    if name not in BOTS:
        raise UnknownBotError(f"there is no bot {quote(name)}; {one_of(name, BOTS)}")
    return BOTS[name](seed)
