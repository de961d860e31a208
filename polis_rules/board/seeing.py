"""What somebody may see of a game: one player, or whoever looks on and knows only what all know."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polis_rules.interpreter.game import Game

View = dict[str, object]
"""What `Game.view` gives."""


def seen(game: Game, player: str | None = None) -> View:
    """The view of a player; without one, what every player may see.

    Raises InvalidMove where there is no such player.

    >>> from polis_rules import load
    >>> "player" in seen(load("yucata").start(seed=1))
    True
    """
    if player is not None:
        return game.view(player)
    return reduce(_common, (game.view(each) for each in game.players))


def _common(one: View, other: View) -> View:
    """What stands in both; of lists that somebody may only count, how long they are."""
    found: View = {}
    for key, value in one.items():
        there = other.get(key)
        if key not in other:
            continue
        if isinstance(value, dict) and isinstance(there, dict):
            found[key] = _common(value, there)
        elif value == there:
            found[key] = value
        elif isinstance(value, list) and isinstance(there, list) and len(value) == len(there):
            found[key] = [None] * len(value)
    return found
