"""Players that are programs, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from polis_rules.diagnostics import PolisError, one_of, quote
from polis_rules.play.bots.greedy import GreedyBot
from polis_rules.play.bots.seat import RandomBot, SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.game import Game, Option
    from polis_rules.interpreter.runtime import Program, State


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


def seated(names: Sequence[str], seed: int) -> list[SeatBot]:
    """New bots for all seats of a game of this seed, no two with the same seed. Raises UnknownBotError."""
    return [make(name, seed * len(names) + place) for place, name in enumerate(names)]


def chooser(program: Program, names: Sequence[str], seed: int) -> Callable[[State, list[int]], int]:
    """What `Program.steps` asks where bots of these names decide in a game of this seed. Raises UnknownBotError."""
    players = seated(names, seed)
    return lambda state, options: players[program.decider(state)].pick(program, state, options)
