"""Small random rulesets are played alike by the compiled engine, with and without checks, and the reference engine."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.random_rulesets import (
    apart,
    as_used,
    examine,
    lay,
    lay_apart,
    lay_settled,
    lay_shelved,
    meaning,
    ruleset,
    shelved,
    shrink,
    yaml,
)
from support.sampling import sampled

from polis_rules.composition.composed import compose
from polis_rules.composition.overlay import plain

AT_ONCE = 10
"""How many seeds one test plays."""

SEEDS = 80

SOME = [
    pytest.param(first, marks=pytest.mark.slow if first < 2 * AT_ONCE else pytest.mark.exhaustive)
    for first in range(0, SEEDS, AT_ONCE)
]
"""The first seed of each test; two of them are tried in a slow run."""


def play(folder: Path, seeds: range) -> None:
    """Play the rulesets of some seeds; most of them are accepted and played."""
    played = points = 0
    for seed in seeds:
        result = examine(lay(folder / f"random_{seed}", ruleset(seed)), games=4)
        assert not result.wrong, f"python tests/random_games.py --rulesets 1 --seed {seed}"
        played, points = played + (not result.refused), points + result.points
    assert played > len(seeds) * 0.5
    assert points > len(seeds) * 10


@pytest.mark.parametrize("first", sampled(range(0, SEEDS, AT_ONCE // 2), every=SEEDS, slow=3))
def test_all_engines_play_the_same_games_of_random_rulesets(first: int, tmp_path: Path) -> None:
    """States, options, deciders, chance, endings and scores are equal at every point, and so is a game made again."""
    play(tmp_path, range(first, first + AT_ONCE // 2))


@pytest.mark.parametrize("first", SOME)
def test_a_ruleset_taken_apart_and_put_together_by_a_variant_is_the_same(first: int, tmp_path: Path) -> None:
    """By all six operations, each of which puts back what stood there before, and all engines play it."""
    told: Counter[str] = Counter()
    for seed in range(first, first + AT_ONCE):
        rules = ruleset(seed)
        whole = lay(tmp_path / f"whole_{seed}" / "random", rules)
        folder, variants = lay_apart(tmp_path / f"apart_{seed}" / "random", rules, Random(seed))
        told.update(list(apart(rules, Random(seed))[1]))
        one, other = (plain(compose(*each).tree) for each in ((whole,), (folder, None, variants)))
        assert meaning(other) == meaning(one)
        result = examine(folder, games=1, variants=variants)
        assert not result.wrong, f"python tests/random_games.py --overlaid --rulesets 1 --seed {seed}"
        assert not result.refused or examine(whole, games=1).refused, result.refused
    assert min(told[each] for each in ("insert", "replace", "add", "remove")) > 0
    assert told["extend"] + told["change"] > 0


@pytest.mark.parametrize("first", SOME)
def test_a_ruleset_that_uses_a_library_is_the_one_with_its_rules(first: int, tmp_path: Path) -> None:
    """Rules of a library come to what they are where they stand in the ruleset itself, and all engines play them."""
    for seed in range(first, first + AT_ONCE):
        rules = ruleset(seed)
        ids = shelved(rules, Random(seed))[2]
        whole = lay(tmp_path / f"whole_{seed}" / "random", as_used(rules, ids))
        folder, _ = lay_shelved(tmp_path / f"shelved_{seed}" / "random", rules, Random(seed))
        one, other = (plain(compose(each).tree) for each in (whole, folder))
        assert isinstance(one, dict) and isinstance(other, dict)
        assert other["terms"].pop("shelf_one") == {"is": "3 - 2"}
        for section, rules_of_its_own in OF_THE_LIBRARIES.items():
            assert all(other[section].pop(f"shelf_{id}") for id in rules_of_its_own)
        assert untitled(meaning(other)) == untitled(meaning(one))
        result = examine(folder, games=1)
        assert not result.wrong, f"python tests/random_games.py --shelved --rulesets 1 --seed {seed}"
        assert not result.refused or examine(whole, games=1).refused, result.refused


OF_THE_LIBRARIES = {
    "invariants": ["one_is_one", "it_is_bounded", "it_is_deeper", "inner_it_is_deep"],
    "terms": ["bounded", "inner_base", "inner_bounded", "inner_doubled"],
    "state": ["inner_depth"],
}
"""What the libraries bring besides what was moved there."""


def untitled(node: object) -> object:
    """A tree without titles, and without what says where rules come from."""
    if isinstance(node, dict):
        left = {key: untitled(value) for key, value in node.items() if key not in ("title", "grade")}
        return {key: value for key, value in left.items() if value not in ({}, [])}
    return [untitled(each) for each in node] if isinstance(node, list) else node


@pytest.mark.parametrize("first", SOME)
def test_a_ruleset_with_settings_is_the_one_that_they_make_of_it(first: int, tmp_path: Path) -> None:
    """Ranges and dice come to plain numbers, and who and what is left out stands nowhere; all engines play it."""
    for seed in range(first, first + AT_ONCE):
        rules = ruleset(seed)
        whole = lay(tmp_path / f"whole_{seed}" / "random", rules)
        folder, chosen = lay_settled(tmp_path / f"settled_{seed}" / "random", rules, Random(seed))
        composed = compose(folder, None, chosen)
        settings = {name for each in composed.settings.values() for name in (str(each.name), each.kind)}
        one, other = plain(compose(whole).tree), plain(composed.tree)
        assert isinstance(other, dict) and isinstance(one, dict)
        assert other["invariants"].pop("extra_is_one") == "extra == 1"
        left = {name: without(section, settings) for name, section in other.items()}
        assert meaning({name: section for name, section in left.items() if section}) == meaning(one)
        result = examine(folder, games=1, variants=chosen)
        assert not result.wrong, f"python tests/random_games.py --settled --rulesets 1 --seed {seed}"
        assert not result.refused or examine(whole, games=1).refused, result.refused


def without(section: object, names: set[str]) -> object:
    return {key: value for key, value in section.items() if key not in names} if isinstance(section, dict) else section


def test_a_seed_makes_the_same_ruleset_again() -> None:
    """What is found can be made again from its seed."""
    assert yaml(ruleset(7)) == yaml(ruleset(7)) != yaml(ruleset(8))


def test_a_ruleset_shrinks_to_what_shows_the_fault() -> None:
    """Steps, keys and parts of expressions that the fault does not need are left out."""
    tree = {"do": [{"if": "a > 1", "then": [{"set": {"x": "max(y // 2, 3)"}}]}, {"set": {"z": "1"}}], "more": "2"}
    assert shrink(tree, lambda smaller: "y // 2" in yaml(smaller)) == {"do": [{"set": {"x": "y // 2"}}]}
