"""Small random rulesets are played alike by the compiled engine, with and without checks, and the reference engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.random_rulesets import examine, lay, ruleset, shrink, yaml
from support.sampling import sampled

AT_ONCE = 10
"""How many seeds one test plays."""

SEEDS = 460


def play(folder: Path, seeds: range) -> None:
    """Play the rulesets of some seeds; most of them are accepted and played."""
    played = points = 0
    for seed in seeds:
        result = examine(lay(folder / f"random_{seed}", ruleset(seed)), games=4)
        assert not result.wrong, f"python tests/random_games.py --rulesets 1 --seed {seed}"
        played, points = played + (not result.refused), points + result.points
    assert played > len(seeds) * 0.5
    assert points > len(seeds) * 10


@pytest.mark.parametrize("first", sampled(range(0, SEEDS, AT_ONCE), every=SEEDS))
def test_all_engines_play_the_same_games_of_random_rulesets(first: int, tmp_path: Path) -> None:
    """States, options, deciders, chance, endings and scores are equal at every point, and so is a game made again."""
    play(tmp_path, range(first, first + AT_ONCE))


def test_a_seed_makes_the_same_ruleset_again() -> None:
    """What is found can be made again from its seed."""
    assert yaml(ruleset(7)) == yaml(ruleset(7)) != yaml(ruleset(8))


def test_a_ruleset_shrinks_to_what_shows_the_fault() -> None:
    """Steps, keys and parts of expressions that the fault does not need are left out."""
    tree = {"do": [{"if": "a > 1", "then": [{"set": {"x": "max(y // 2, 3)"}}]}, {"set": {"z": "1"}}], "more": "2"}
    assert shrink(tree, lambda smaller: "y // 2" in yaml(smaller)) == {"do": [{"set": {"x": "y // 2"}}]}
