"""Variants in folders of their own: with first values, with cases, and with cases of the ruleset that they change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.composing import at, failure, lay
from support.sampling import sampled

from polis_rules.cases import read_cases, run_cases
from polis_rules.composition.catalog import find_variant, variant_files, variant_ids, variants_beside
from polis_rules.composition.composed import compose
from polis_rules.composition.content_hash import take_snapshot
from polis_rules.ruleset import load
from polis_rules.validation.validate import validate

RACE = Path(__file__).parent / "rulesets" / "dice_race"

CASES = """\
cases:
  resting_needs_short_breath:
    given: {player: {red: {breath: 5}}}
    refused: {rest: short_of_breath}
  sprinting_costs_breath:
    given: {player: {red: {breath: 3}}}
    rolled: {sprint: 5}
    do: [{red: sprint}]
    changes: {player: {red: {breath: -1}}}
"""

VARIANT = """\
variant: fresh
title: Fresh runners
extends: dice_race
why: To try.
changes_cases: [resting_*]
change:
  actions.rest.requires.short_of_breath: {was: you.breath < 5, to: you.breath <= 5}
start:
  player: {blue: {breath: 1, position: 7}}
  lap: 4
"""

OWN = """\
cases:
  a_fresh_runner_may_rest:
    given: {player: {red: {breath: 5}}}
    offers: [rest]
"""


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """The dice race with two cases, and a variant in a folder beside it."""
    shutil.copytree(RACE, tmp_path / "dice_race")
    folder = "variants/fresh"
    files = {"dice_race/cases/rests.yaml": CASES, f"{folder}/variant.yaml": VARIANT, f"{folder}/cases/own.yaml": OWN}
    lay(tmp_path, files)
    return tmp_path / "dice_race"


def passed(race: Path, *variants: str | Path) -> dict[str, bool]:
    return {result.case.id: result.passed for result in run_cases(race, variants=variants)}


def test_a_folder_is_a_variant_by_its_name_its_path_and_its_file(race: Path) -> None:
    folder = race.parent / "variants" / "fresh"
    paths = [find_variant(each, race)[0].resolve() for each in ("fresh", folder, folder / "variant.yaml")]
    assert paths == [folder / "variant.yaml"] * 3
    assert variant_ids(race.parent / "variants") == ["fresh"]
    assert variants_beside(race) == [(folder / "variant.yaml",)]
    inside = race / "variants"
    shutil.move(folder, inside / "fresh")
    assert find_variant("fresh", race)[0] == inside / "fresh" / "variant.yaml"
    lay(inside, {"second.yaml": "variant: second\nrequires: [fresh]\n"})
    assert variants_beside(race)[1] == (inside / "fresh" / "variant.yaml", inside / "second.yaml")


def test_first_values_of_a_variant_are_laid_over_those_of_the_scenario(race: Path) -> None:
    plain, fresh = compose(race), compose(race, variants=["fresh"])
    before, after = at(plain, "scenario/start"), at(fresh, "scenario/start")
    assert after == {"player": {**before["player"], "blue": {"breath": "1", "position": "7"}}, "lap": "4"} != before
    assert fresh.origins["scenario.start.lap"][-1].layer == "variant fresh"
    game = load(race, variants=["fresh"]).start(seed=1)
    assert "'blue': {'breath': 1, 'position': 7}" in str(game.view("red"))


def test_first_values_of_two_variants_conflict_where_they_are_the_same(race: Path) -> None:
    lay(race.parent / "variants", {"late.yaml": "variant: late\nstart: {lap: 5}\n"})
    assert failure(race, variants=["fresh", "late"]).code == "variant-conflict"
    lay(race.parent / "variants", {"late.yaml": "variant: late\nafter: fresh\nstart: {lap: 5}\n"})
    assert at(compose(race, variants=["fresh", "late"]), "scenario/start/lap") == "5"
    lay(race.parent / "variants", {"late.yaml": "variant: late\nstart: {player: {red: {breath: 5}}}\n"})
    assert at(compose(race, variants=["fresh", "late"]), "scenario/start/player/red/breath") == "5"


def test_with_a_variant_its_own_cases_follow_and_those_it_changes_are_left_out(race: Path) -> None:
    assert passed(race) == {"resting_needs_short_breath": True, "sprinting_costs_breath": True}
    assert passed(race, "fresh") == {"sprinting_costs_breath": True, "a_fresh_runner_may_rest": True}
    manifest = race.parent / "variants" / "fresh" / "variant.yaml"
    manifest.write_text(VARIANT.replace("changes_cases: [resting_*]\n", ""), "utf-8")
    assert not passed(race, "fresh")["resting_needs_short_breath"], "what is not said to change must still hold"


def test_cases_that_name_another_variant_are_not_run_with_this_one(race: Path) -> None:
    lay(race.parent / "variants", {"dear.yaml": "variant: dear\nconflicts: fresh\n"})
    other = (
        "  with_dear:\n    variants: dear\n    offers: [walk]\n  with_fresh:\n    variants: fresh\n    offers: [rest]\n"
    )
    lay(race, {"cases/rests.yaml": CASES + other})
    assert set(passed(race)) >= {"with_dear", "with_fresh"}
    assert passed(race, "fresh").get("with_fresh") and "with_dear" not in passed(race, "fresh")


def test_a_case_changed_that_there_is_not_is_told_of(race: Path) -> None:
    manifest = race.parent / "variants" / "fresh" / "variant.yaml"
    manifest.write_text(VARIANT.replace("[resting_*]", "[sprinting_costs_breth]"), "utf-8")
    (finding,) = [each for each in validate(race, None, ["fresh"], others=False).findings if each.severity == "error"]
    assert (finding.code, finding.suggestion) == ("unknown-case", "sprinting_costs_breath")
    assert str(finding.span).endswith("variant.yaml:5:17")
    assert [result.case.id for result in run_cases(race, variants=["fresh"]) if not result.passed] == [
        "resting_needs_short_breath",
        "",
    ]


def test_names_in_the_cases_of_a_variant_are_checked(race: Path) -> None:
    own = race.parent / "variants" / "fresh" / "cases" / "own.yaml"
    own.write_text(OWN.replace("[rest]", "[rset]"), "utf-8")
    (finding,) = [each for each in validate(race, None, ["fresh"], others=False).findings if each.severity == "error"]
    assert finding.suggestion == "rest" and str(finding.span).endswith("own.yaml:4:14")


def test_cases_of_a_variant_inside_do_not_belong_to_the_rules(race: Path) -> None:
    shutil.move(race.parent / "variants", race / "variants")
    before = take_snapshot(race, variants=["fresh"]).key
    lay(race / "variants" / "fresh", {"cases/own.yaml": OWN + "\n"})
    assert take_snapshot(race, variants=["fresh"]).key == before
    lay(race / "variants" / "fresh", {"variant.yaml": VARIANT + "\n"})
    assert take_snapshot(race, variants=["fresh"]).key != before
    assert len(read_cases(race)) == 2


def stated() -> list[str]:
    """The shipped variants that say which cases of the first ruleset they change."""
    home = Path(__file__).parents[1] / "rulesets" / "variants"
    return [id for id, path in variant_files(home).items() if "\nchanges_cases:" in path.read_text("utf-8")]


@pytest.mark.parametrize("variant", sampled(stated(), every=None, slow=8))
def test_all_cases_that_a_shipped_variant_does_not_change_hold_with_it(variant: str) -> None:
    """What a variant leaves alone stays as it is."""
    results = run_cases("yucata", variants=[variant])
    assert len(results) > 700
    assert [result.case.id for result in results if not result.passed] == []
