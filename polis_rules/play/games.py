"""Playing a game to its end with somebody in every seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polis_rules.interpreter.game import Game, Result
from polis_rules.interpreter.machine import LONGEST_GAME
from polis_rules.play.bots import Bot


def play_game(game: Game, bots: Mapping[str, Bot]) -> Result | None:
    """Let `bots` (one for each player's id) decide until the game is finished, and return its result.

    Raises KeyError when a player who has to decide has no bot, IllegalMove or InvalidMove when a bot answers
    with what is not offered, RuleError when a rule fails.

    >>> from polis_rules.play import bots

    >>> from polis_rules import load
    >>> ruleset = load("yucata")
    >>> result = play_game(ruleset.start(seed=7), {player: bots.make("random", 7) for player in ruleset.players})
    >>> set(result.scores) == set(ruleset.players)
    True
    """
    for _ in steps(game, bots):
        pass
    return game.result


def steps(game: Game, bots: Mapping[str, Bot]) -> Iterator[None]:
    """As `play_game`, but gives control back after every decision, to show or to measure what happens."""
    for _ in range(LONGEST_GAME):
        if (decision := game.decision) is None:
            return
        game.apply(bots[decision.player].choose(game))
        yield
    if game.decision is not None:
        raise game.program.too_long(game.state, LONGEST_GAME)
