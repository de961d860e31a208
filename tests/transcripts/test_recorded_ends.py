"""Recorded games of rulesets whose ends random games reach seldom: one for each way to end, and one won together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from polis_rules import load
from polis_rules.play import transcript

FILES = sorted((Path(__file__).parent / "ends").glob("*.jsonl"))
NAMES = {transcript.read(file).ruleset for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_recorded_for_its_end_ends_so_again(file: Path) -> None:
    game = transcript.read(file)
    rules = load(game.ruleset, game.scenario, game.variants, settings=game.settings)
    again = transcript.replay(replace(game, hash=rules.hash), rules)
    assert again.divergence is None, again.divergence
    assert game.finished


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_way_to_end_has_a_recorded_game(name: str) -> None:
    games = [game for game in map(transcript.read, FILES) if game.ruleset == name]
    assert {game.result.ended_by for game in games if game.result} == set(load(name).rules().endings)


def test_a_victory_that_is_shared_has_a_recorded_game() -> None:
    assert any(game.result and len(game.result.shared) > 1 for game in map(transcript.read, FILES))
