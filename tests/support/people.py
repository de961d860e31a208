"""Games of people alone, and random moves in them."""

from __future__ import annotations

from random import Random

from polis_rules import Ruleset
from polis_rules.play import HUMAN, Session


def people(rules: Ruleset, seed: int = 1, **more: bool) -> Session:
    """A game in which a person has every seat."""
    return Session(rules, dict.fromkeys(rules.players, HUMAN), seed, **more)


def play_on(session: Session, moves: int, seed: int = 1) -> None:
    """So many random moves, or fewer to the end of the game."""
    rng = Random(seed)
    for _ in range(moves):
        if session.turn == "over":
            return
        if session.turn == "chance":
            assert session.chance is not None
            session.answer(rng.choice(session.chance.outcomes))
        elif session.decision is not None:
            session.choose(rng.choice(session.decision.options))
