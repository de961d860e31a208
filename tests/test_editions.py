"""Editions that hold only their differences, and the hash that says which rules are the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.composing import GAME, at, failure, lay, variant

from polis_rules.composition.composed import compose
from polis_rules.composition.content_hash import take_snapshot
from polis_rules.source.files import edited


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return lay(tmp_path / "game", GAME)


# -- editions


SECOND = {
    "ruleset.yaml": "format: 2\nruleset: second\ntitle: Second edition\nextends: game\nfiles: [more.yaml]\n"
    "sources: {new: {title: New}}\nremove: {tables.card: new cards}\nreplace: {actions.rest: {do: []}}\n",
    "more.yaml": "tables:\n  card:\n    elk: {points: 7}\nterms:\n  more: {is: limit}\n"
    "change: {terms.limit.is: {was: 8, to: 12}}\n",
}


def test_an_edition_holds_only_its_differences(game: Path) -> None:
    second = lay(game.parent / "second", SECOND)
    composed = compose(second)
    assert at(composed, "tables") == {"player": {"red": {}, "blue": {}}, "card": {"elk": {"points": "7"}}}
    assert at(composed, "terms") == {"limit": {"is": "12"}, "more": {"is": "limit"}}
    assert at(composed, "actions/rest") == {"do": []}
    assert at(composed, "manifest/ruleset") == "second"
    assert at(composed, "manifest/rounds") == "lap"
    assert set(at(composed, "manifest/sources")) == {"own", "new"}
    assert "extends" not in at(composed, "manifest")
    assert composed.layers == ("game", "second", "scenario short")
    assert composed.scenarios == ("long", "short")
    assert [(each.layer, each.kind) for each in composed.origins["terms.more.is"]] == [("second", "add")]
    assert [each.why for each in composed.origins["tables.card.fox.points"]] == ["new cards"]


def test_an_edition_may_not_write_an_id_of_its_base_again(game: Path) -> None:
    second = lay(game.parent / "second", {**SECOND, "more.yaml": "terms:\n  limit: {is: 3}\n"})
    finding = failure(second)
    assert (finding.code, str(finding.span)) == ("duplicate-id", "second/more.yaml:2:3")
    assert str(finding.related[0][1]) == "game/play.yaml:8:3"


def test_an_editions_own_scenario_stands_for_the_one_of_its_base(game: Path) -> None:
    second = lay(game.parent / "second", {**SECOND, "scenarios/short.yaml": "scenario: short\nstart: {lap: 5}\n"})
    assert at(compose(second), "scenario/start") == {"lap": "5"}


def test_a_variant_for_the_base_fits_the_edition_too(game: Path, tmp_path: Path) -> None:
    second = lay(game.parent / "second", SECOND)
    quick = variant(tmp_path, "quick", "extends: game\nadd: {terms.quick: {is: 1}}")
    assert at(compose(second, variants=[quick]), "terms/quick/is") == "1"


def test_editions_of_the_same_folder_name_keep_their_files_apart(game: Path) -> None:
    inner = lay(game.parent / "in" / "game", {**SECOND, "ruleset.yaml": SECOND["ruleset.yaml"] + "why: x\n"})
    (inner.parent / "base").symlink_to(game, target_is_directory=True)
    lay(inner, {"ruleset.yaml": SECOND["ruleset.yaml"].replace("extends: game", "extends: base")})
    assert len(compose(inner).sources) == 6


def test_rulesets_that_extend_each_other_in_a_circle_are_an_error(game: Path) -> None:
    lay(game, {"ruleset.yaml": GAME["ruleset.yaml"] + "extends: second\n"})
    second = lay(game.parent / "second", SECOND)
    finding = failure(second)
    assert finding.code == "extends-loop"
    assert "second -> game -> second" in finding.message
    assert take_snapshot(second).key != take_snapshot(game).key


def test_a_ruleset_that_extends_an_unknown_one_is_an_error(game: Path) -> None:
    for name in ("nothing_of_that_name", "../game", "/"):
        lay(game, {"ruleset.yaml": f"format: 2\nruleset: game\nscenario: short\nextends: {name}\n"})
        assert failure(game).code == "unknown-ruleset"


# -- identity


def test_a_file_that_cannot_be_read_is_not_taken_for_an_empty_one(game: Path) -> None:
    """The cache would answer for one what was found in the other."""
    file = game / "play.yaml"
    file.write_text("")
    empty = take_snapshot(game).key
    file.unlink()
    os.mkfifo(file)
    assert take_snapshot(game).key != empty


def changed(game: Path, name: str, old: str, new: str) -> tuple[str, str]:
    """The ruleset's hash and cache key after a change in a file."""
    text = (game / name).read_text(encoding="utf-8")
    assert old in text
    (game / name).write_text(text.replace(old, new), encoding="utf-8")
    result = compose(game).hash, take_snapshot(game).key
    (game / name).write_text(text, encoding="utf-8")
    return result


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("play.yaml", "title: Dig", "title: 'Dig' # a comment"),
        ("play.yaml", "cost: {coin: 1}", "cost:\n      coin: 1"),
        ("play.yaml", "actions:", "actions:\r"),
        ("ruleset.yaml", "[things.yaml, play.yaml]", "[play.yaml, things.yaml]"),
        ("things.yaml", "player: {title: Player}\n  card: {title: Card}",
         "card: {title: Card}\n  player: {title: Player}"),
    ],
)  # fmt: skip
def test_the_hash_does_not_depend_on_how_rules_are_written(game: Path, name: str, old: str, new: str) -> None:
    before, key = compose(game).hash, take_snapshot(game).key
    after, new_key = changed(game, name, old, new)
    assert after == before
    assert new_key != key


def test_the_hash_does_not_depend_on_how_rules_are_spread_over_files(game: Path) -> None:
    before = compose(game).hash
    things, tables = GAME["things.yaml"].split("tables:")
    lay(game, {"things.yaml": things, "tables.yaml": "tables:" + tables})
    manifest = GAME["ruleset.yaml"].replace("[things.yaml,", "[tables.yaml, things.yaml,")
    lay(game, {"ruleset.yaml": manifest})
    assert compose(game).hash == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("play.yaml", "coin: 1", "coin: 3"),
        ("play.yaml", "a-b", "a-c"),
        ("things.yaml", "fox: {points: 1}\n    owl: {points: 2}", "owl: {points: 2}\n    fox: {points: 1}"),
        ("things.yaml", "points: 1", "points: '1 '"),
        ("ruleset.yaml", "rounds: lap", "rounds: lap + 1"),
        ("scenarios/short.yaml", "lap: 2", "lap: 3"),
    ],
)
def test_the_hash_depends_on_every_value_and_on_the_order_of_rows(game: Path, name: str, old: str, new: str) -> None:
    before, key = compose(game).hash, take_snapshot(game).key
    after, new_key = changed(game, name, old, new)
    assert after != before
    assert new_key != key


def test_a_cache_key_depends_on_scenario_variants_and_base(game: Path, tmp_path: Path) -> None:
    quick = variant(tmp_path, "quick", "")
    second = lay(game.parent / "second", SECOND)
    keys = [
        take_snapshot(game).key,
        take_snapshot(game, "long").key,
        take_snapshot(game, None, [quick]).key,
        take_snapshot(second).key,
    ]
    assert len(set(keys)) == 4
    lay(game, {"things.yaml": GAME["things.yaml"] + "# more\n"})
    assert take_snapshot(second).key != keys[3]
    variant(tmp_path, "quick", "why: fun")
    assert take_snapshot(game, None, [quick]).key != take_snapshot(game).key


def test_a_cache_key_depends_on_what_is_typed_and_not_yet_saved(game: Path) -> None:
    saved = take_snapshot(game).key
    with edited({game / "play.yaml": GAME["play.yaml"].replace("is: 8", "is: 9")}):
        typed = take_snapshot(game).key
    assert typed != saved == take_snapshot(game).key
