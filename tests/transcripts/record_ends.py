"""Renew the games of `ends`, after the rules have changed: python tests/transcripts/record_ends.py

A game whose decisions still lead to its end is played again and written anew. For one that does not, games of random
players from seed 1 on are played until one ends so. The exit status is 1 when none of them did, and that file stays.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from record import play_again

from polis_rules import Game, Result, Ruleset, load
from polis_rules.play import bots, play_game, transcript
from polis_rules.play.transcript import Transcript

SEEDS = range(1, 2001)
"""The random games that are tried for one end."""


def renew(file: Path) -> bool:
    """Write the file anew, and whether that was possible."""
    old = transcript.read(file)
    rules = load(old.ruleset, old.scenario, old.variants, settings=old.settings)
    game = rules.start(seed=old.seed)
    seats = old.seats
    if not (play_again(game, old) == "" and ends_as(game, old)):
        seats = dict.fromkeys(rules.players, "random")
        sought = next((each for each in random_games(rules) if ends_as(each, old)), None)
        if sought is None:
            print(f"{file.name}: no game in {len(SEEDS)} ends so")
            return False
        game = sought
        print(f"{file.name}: another game, seed {game.seed}", flush=True)
    transcript.write(file, replace(transcript.record(rules, game, seats), settings=old.settings))
    return True


def random_games(rules: Ruleset) -> Iterator[Game]:
    """Finished games of random players, one for each seed."""
    for seed in SEEDS:
        game = rules.start(seed=seed)
        play_game(game, {player: bots.make("random", seed) for player in rules.players})
        yield game


def ends_as(game: Game, old: Transcript) -> bool:
    """Whether a game ended for the same reason and in the same way: won, shared or drawn, by a tie-break or not."""
    return how(game.result) == how(old.result)


def how(result: Result | None) -> tuple[str, bool, bool, bool] | None:
    """By which ending, whether several won, whether anybody did, and whether several have the best total."""
    if result is None:
        return None
    totals = [terms["total"] for terms in result.scores.values()]
    several = totals.count(max(totals)) > 1
    return result.ended_by, bool(result.shared), bool(result.shared or result.winner), several


if __name__ == "__main__":
    stayed = [file for file in sorted((Path(__file__).parent / "ends").glob("*.jsonl")) if not renew(file)]
    sys.exit(bool(stayed))
