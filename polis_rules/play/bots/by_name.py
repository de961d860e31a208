"""Players that are programs, by name, such as `greedy` or `mcts:500ms`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from polis_rules.diagnostics import PolisError, one_of, quote
from polis_rules.play.bots.greedy import GreedyBot
from polis_rules.play.bots.mcts import MctsBot
from polis_rules.play.bots.seat import Budget, RandomBot, SeatBot

if TYPE_CHECKING:
    from polis_rules.interpreter.game import Game, Option
    from polis_rules.interpreter.runtime import Program, State


class Bot(Protocol):
    """Whoever sits in a seat: asked once for every decision of its player."""

    def choose(self, game: Game) -> Option:
        """One of `game.decision.options`; a fair bot looks only at that and at `game.view(player)`."""
        ...


class UnknownBotError(PolisError):
    """No bot has that name, or it does not go with what stands after the name."""


DEFAULT = Budget(tries=300)
"""How long `mcts` thinks about a decision."""

BUDGET = re.compile(r"(?P<amount>[0-9]{1,9})(?P<unit>|ms|s)")
JOBS = re.compile(r"jobs=(?P<jobs>[1-9][0-9]{0,2}|all)")

BOTS: dict[str, Callable[[int], SeatBot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "mcts": lambda seed: MctsBot(seed, DEFAULT),
}
"""How to make each bot from a seed."""

QUICK = ("random", "greedy")
"""The bots that play many games in little time."""


def make(name: str, seed: int) -> SeatBot:
    """A new bot; the same name and seed give one that plays the same. Raises UnknownBotError.

    After `mcts` may stand how long it thinks about each decision, in tries or in time, and in how many threads:
    `mcts:300`, `mcts:500ms`, `mcts:2s:jobs=4`, `mcts:2s:jobs=all`. Within a time it does not play the same again.

    >>> type(make("random", 7)).__name__
    'RandomBot'
    >>> make("mcts:500ms", 7).budget.seconds
    0.5
    """
    kind, *options = name.split(":")
    if kind not in BOTS:
        raise UnknownBotError(f"there is no bot {quote(name)}; {one_of(kind, BOTS)}")
    if not options:
        return BOTS[kind](seed)
    if kind != "mcts":
        raise UnknownBotError(f"the bot {quote(kind)} takes no options such as {quote(options[0])}; mcts does")
    return MctsBot(seed, _budget(options))


def check(name: str) -> None:
    """Raises UnknownBotError where `make` would."""
    make(name, 0)


def _budget(options: Sequence[str]) -> Budget:
    tries, seconds, jobs = DEFAULT.tries, 0.0, 1
    for option in options:
        if found := BUDGET.fullmatch(option):
            amount, unit = int(found["amount"]), found["unit"]
            tries, seconds = (0, amount / (1000 if unit == "ms" else 1)) if unit else (amount, 0.0)
            if not amount:
                raise UnknownBotError(f"the bot mcts cannot think for {quote(option)}: that is no time at all")
        elif found := JOBS.fullmatch(option):
            jobs = os.cpu_count() or 1 if found["jobs"] == "all" else int(found["jobs"])
        else:
            raise UnknownBotError(
                f"the bot mcts cannot read {quote(option)}; it takes tries, a time or threads, as in mcts:300, "
                "mcts:500ms and mcts:2s:jobs=4"
            )
    return Budget(tries, seconds, jobs)


def seated(names: Sequence[str], seed: int) -> list[SeatBot]:
    """New bots for all seats of a game of this seed. Raises UnknownBotError.

    One bot chooses at random for all such seats, as playouts of this seed do; no two others have the same seed.
    """
    at_random = RandomBot(seed)
    return [at_random if name == "random" else make(name, seed * len(names) + at) for at, name in enumerate(names)]


def chooser(program: Program, names: Sequence[str], seed: int) -> Callable[[State, list[int]], int]:
    """What `Program.steps` asks where bots of these names decide in a game of this seed. Raises UnknownBotError."""
    players = seated(names, seed)
    return lambda state, options: players[program.decider(state)].pick(program, state, options)
