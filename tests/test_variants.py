"""The shipped scenarios and variants: each alone, two together, all that go together, and what each of them does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.sampling import sampled
from support.shipping import shipped
from support.variant_groups import groups

import polis_rules
from polis_rules.cases.reading import read_cases
from polis_rules.cases.runner import Runner
from polis_rules.composition import catalog
from polis_rules.composition.composed import compose
from polis_rules.composition.headers import texts_at
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.interpreter.game.game import Game
from polis_rules.ruleset import Ruleset
from polis_rules.source.files import read_file
from polis_rules.source.tree import Mapping, Sequence, Text

BASE = "yucata"
FOLDER = catalog.find(BASE).parent / "variants"
SCENARIOS = sorted(catalog.scenario_files(catalog.find(BASE)))
PATIENCE = 400
"""For so many decisions a player passes seldom, so that a game gets on to its last round."""

PLENTY = """
variant: plenty
extends: yucata
after: [tweaks, print_and_play_start]
start:
  player:
    athens: {prestige: 300, stock: {metal: 40, wood: 40, wine: 40, oil: 40, silver: 90, wheat: 200}}
    sparta: {prestige: 300, stock: {metal: 40, wood: 40, wine: 40, oil: 40, silver: 90, wheat: 200}}
"""
"""So much of everything that even random players do not starve in the first round."""


def tree_of(path: Path) -> Mapping:
    tree = read_file(path, path.name, Diagnostics())
    assert tree is not None
    return tree


TREES = {path.stem: tree_of(path) for path in sorted(FOLDER.glob("*.yaml"))}


def exclusions() -> set[frozenset[str]]:
    """The pairs of variants of which one says that it does not go with the other."""
    pairs = set()
    for name, tree in TREES.items():
        others = tree.get("conflicts")
        if isinstance(others, Sequence):
            pairs |= {frozenset({name, str(other)}) for other in others.items}
    return pairs


EXCLUSIONS = exclusions()


def alters_the_start(name: str) -> bool:
    """Whether it says what stood at the start before; `extend` goes by whatever stands there."""
    sections = [TREES[name].get(kind) for kind in ("change", "add", "remove", "replace")]
    return any(
        key.startswith("scenario.start") for each in sections if isinstance(each, Mapping) for key in each.entries
    )


def random_game(ruleset: Ruleset, seed: int, patience: int = 0) -> Game:
    """A game to its end; ranges, supplies and invariants are checked after every decision."""
    game, rng = ruleset.start(seed=seed), Random(seed)
    for number in range(1_000_000):
        if game.decision is None:
            break
        options = list(game.decision.options)
        if number < patience and rng.random() < 0.95:
            options = [option for option in options if option.id != "pass"] or options
        game.apply(rng.choice(options))
    assert game.finished
    return game


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """So many combinations would drive everything else out of the usual cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POLIS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def plenty(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("variants") / "plenty.yaml"
    path.write_text(PLENTY, encoding="utf-8")
    return str(path)


def test_there_are_variants_and_each_fits_on_a_page_and_says_where_it_comes_from() -> None:
    assert len(TREES) >= 14
    for name, tree in TREES.items():
        for key in ("variant", "title", "why", "cite", "grade"):
            value = tree.get(key)
            assert isinstance(value, Text)
            assert value
        assert str(tree.get("variant")) == name
        assert texts_at(tree, "extends", Diagnostics())
        assert len((FOLDER / f"{name}.yaml").read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("ruleset", sampled([each.name for each in shipped()], every=None, slow=3))
def test_just_the_variants_that_can_be_played_are_listed(ruleset: str) -> None:
    """A variant says that it is for a ruleset if it loads over it, and then it alters the rules."""
    rules, fitting = polis_rules.load(ruleset).hash, []
    for name in TREES:
        with suppress(RulesetError):
            assert polis_rules.load(ruleset, variants=[name]).hash != rules
            fitting.append(name)
    listed = [id for each in shipped() if each.name == ruleset for id, _ in each.variants]
    own = list(catalog.variant_files(catalog.find(ruleset) / "variants"))
    assert listed == [*own, *fitting]


def test_every_variant_named_as_excluded_exists() -> None:
    assert {name for pair in EXCLUSIONS for name in pair} <= set(TREES)


@pytest.mark.parametrize("name", sampled(TREES, every=None, slow=3))
def test_every_variant_alone_plays_random_games_to_their_end(name: str, plenty: str) -> None:
    short = polis_rules.load(BASE, variants=[name])
    assert short.hash != polis_rules.load(BASE).hash
    for seed in range(5):
        random_game(short, seed)
    rich = polis_rules.load(BASE, variants=[name, plenty])
    assert any((random_game(rich, seed, PATIENCE).rounds or 0) > 1 for seed in range(2))


@pytest.mark.parametrize("name", sampled(TREES, every=None, slow=2))
def test_every_pair_of_variants_goes_together_or_is_declared_not_to(name: str) -> None:
    for other in list(TREES)[list(TREES).index(name) + 1 :]:
        if frozenset({name, other}) in EXCLUSIONS:
            with pytest.raises(RulesetError) as raised:
                compose(BASE, variants=[name, other])
            assert "variant-conflict" in {each.code for each in raised.value.diagnostics}
        else:
            compose(BASE, variants=[name, other])


@pytest.mark.slow
@pytest.mark.parametrize("chosen", groups(TREES, EXCLUSIONS, most=8), ids="-".join)
def test_every_two_variants_that_go_together_are_in_random_games_of_a_group(chosen: list[str]) -> None:
    ruleset = polis_rules.load(BASE, variants=chosen)
    for seed in range(5):
        random_game(ruleset, seed, patience=60)


def largest_sets() -> list[list[str]]:
    """One variant of each excluded pair left out, in every way."""
    return [[name for name in TREES if name not in dropped] for dropped in product(*map(sorted, EXCLUSIONS))]


@pytest.mark.slow
@pytest.mark.parametrize("sets", [slice(1), slice(5, None, 5)], ids=["one", "every fifth"])
def test_all_variants_that_go_together_play_to_the_last_round_together(plenty: str, sets: slice) -> None:
    for chosen in largest_sets()[sets]:
        rich = polis_rules.load(BASE, variants=[*chosen, plenty])
        assert any((random_game(rich, seed, PATIENCE).rounds or 0) > 2 for seed in range(3))


@pytest.mark.slow
def test_variants_are_laid_over_in_one_order_however_they_are_named() -> None:
    for chosen in largest_sets():
        assert compose(BASE, variants=chosen).hash == compose(BASE, variants=chosen[::-1]).hash


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_plays_to_its_end_with_fifty_seeds(scenario: str) -> None:
    ruleset = polis_rules.load(BASE, scenario=scenario)
    for seed in range(50):
        assert random_game(ruleset, seed, patience=60).result is not None


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_variant_goes_with_every_scenario_unless_it_alters_the_start_of_one(scenario: str) -> None:
    for name in TREES:
        if alters_the_start(name) and scenario != "standard":
            with pytest.raises(RulesetError) as raised:
                compose(BASE, scenario, [name])
            assert {each.code for each in raised.value.diagnostics} <= {"was-differs", "path-not-found"}
        else:
            compose(BASE, scenario, [name])


@pytest.mark.slow
def test_the_corinthian_war_has_one_round_of_capacity_five_without_events_and_projects() -> None:
    ruleset = polis_rules.load(BASE, scenario="corinthian_war")
    for seed in range(20):
        game = random_game(ruleset, seed, patience=60)
        assert game.rounds == ruleset.start().rounds
        assert not {stream for kind, stream, _ in game.log if kind == "chance"} & {"events", "projects"}
        assert all(option != "begin_project" for kind, _, option in game.log if kind == "decision")


@pytest.mark.slow
def test_every_variant_has_a_case_and_no_case_of_a_variant_passes_without_it() -> None:
    cases = [case for case in read_cases(BASE) if case.entry is not None and case.entry.variants]
    assert {str(name) for case in cases if case.entry for name in case.entry.variants} >= set(TREES)
    runner = Runner(BASE)
    for case in cases:
        assert runner.run(case).passed, case.key
        assert case.entry is not None
        for left_out in range(len(case.entry.variants)):
            kept = [name for number, name in enumerate(case.entry.variants) if number != left_out]
            bare = case.entry.model_copy(update={"variants": kept})
            without = replace(case, entry=bare)
            assert not runner.run(without).passed, case.key
