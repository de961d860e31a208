"""What a bot that searches thinks of the options of a decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from polis_rules.play.bots.seat import Budget

if TYPE_CHECKING:
    from polis_rules.interpreter.game import Game


@dataclass(frozen=True, slots=True)
class Thought:
    """What was found out about one option."""

    option: str
    title: str
    share: float
    """of all tries, those that began with it: the option with most of them is what `mcts` takes"""
    worth: float
    """how often it led to a win for who decides, from 0 to 1; a tie counts as half"""


def thoughts(game: Game, tries: int = 300, seed: int = 0, stopped: Callable[[], bool] | None = None) -> list[Thought]:
    """What `mcts` finds out in so many tries about the present decision, the option that it would take first.

    It sees no more than the player who decides. Nothing where there is nothing to decide.

    >>> from polis_rules import load
    >>> found = thoughts(load("politeia").start(seed=1), tries=20)
    >>> found[0].share >= found[-1].share, 0 <= found[0].worth <= 1
    (True, True)
    """
    from polis_rules.play.bots.thinking import Thinker, whole_game

    decision = game.decision
    if decision is None:
        return []
    thinker = Thinker(game.program, Budget(tries=tries))
    thinker.stopped = stopped
    visits = thinker.visits(game.state, whole_game(game.program), Random(seed))
    total = visits.total() or 1
    found = [
        Thought(each.id, each.title, visits[each.value] / total, thinker.worth.get(each.value, 0.0))
        for each in decision.options
    ]
    return sorted(found, key=lambda each: -each.share)
