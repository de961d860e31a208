"""How a game came out that was played at random."""

from __future__ import annotations

from typing import NamedTuple


class Played(NamedTuple):
    """How a game came out.

    `ending` is the number of its ending; `winner` a player, or what `polis_rules.interpreter.machine.winners` reads;
    `scores` are the players' totals.
    """

    decisions: int
    ending: int
    winner: int
    scores: tuple[int, ...]


class Playout(NamedTuple):
    """A game that was played at random: decisions, how many of them had one option only, and options in all."""

    decisions: int
    forced: int
    options_total: int
