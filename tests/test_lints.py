"""Checks beyond types find what they are for, at its very place, and say nothing about what is sound."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from support.small_market import ALSO, AND, REQUIRES, WHERE, findings, market

from polis_rules.composition.catalog import find, scenario_files, variants_of
from polis_rules.diagnostics.codes import explanations
from polis_rules.validation.checks import checks
from polis_rules.validation.validate import validate

HERE = Path(__file__).parent
SMALL_GAMES = sorted(path.parent for path in (HERE / "rulesets").glob("*/ruleset.yaml"))


@dataclass(frozen=True, slots=True)
class Case:
    """An edit of the sound market; `code` is that of the finding it must bring, at the text `mark`, or none."""

    code: str = ""
    mark: str = ""
    edit: list[dict[str, str]] = field(default_factory=list)
    more: str = ""

    def found(self, folder: Path) -> list[tuple[str, str]]:
        return market(folder, self.more, {each["find"]: each["put"] for each in self.edit})


CASES = {
    f"{file.stem}/{name}": Case(**entry)
    for file in sorted((HERE / "lints").glob("*.yaml"))
    for name, entry in YAML(typ="safe", pure=True).load(file.read_text("utf-8")).items()
}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.code])
def test_what_is_wrong_is_found_at_its_place(tmp_path: Path, name: str) -> None:
    """One thing wrong with the market gives a finding of its code, which points at the very words."""
    assert (CASES[name].code, CASES[name].mark) in CASES[name].found(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.code])
def test_what_is_sound_is_left_alone(tmp_path: Path, name: str) -> None:
    """What resembles a mistake and is none gives no finding."""
    assert CASES[name].found(tmp_path) == []


def test_every_code_of_a_check_has_a_case() -> None:
    """Whatever a check can report is tried, here or below."""
    folder = HERE.parent / "polis_rules" / "validation" / "lints"
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    reported = {code for code in explanations() if f'"{code}"' in text}
    below = {"changes-nothing", "unknown-variant"}
    assert reported == {case.code for case in CASES.values() if case.code} | below


def test_every_check_says_what_why_and_gives_an_example() -> None:
    """Each file of a check opens with one line, then says why and shows an example."""
    names = [name for name, _ in checks()]
    assert len(names) > 12
    for name in names:
        text = import_module(f"polis_rules.validation.lints.{name}").__doc__ or ""
        assert "\nWhy: " in text and "\nExample: " in text, name


# -- what is sound --------------------------------------------------------------------------------------------------


def test_the_sound_market_has_no_findings(tmp_path: Path) -> None:
    assert market(tmp_path) == []


def shipped() -> list[tuple[str, str | None, tuple[str, ...]]]:
    """Every shipped ruleset with each of its scenarios, and with each variant that is written for it."""
    found: list[tuple[str, str | None, tuple[str, ...]]] = []
    for name in sorted(path.parent.name for path in find("yucata").parent.glob("*/ruleset.yaml")):
        found += [(name, scenario, ()) for scenario in scenario_files(find(name))]
        found += [(name, None, (variant,)) for variant in variants_of(name) if _is_for(variant, name)]
    return found


def _is_for(variant: str, name: str) -> bool:
    text = (find("yucata").parent / "variants" / f"{variant}.yaml").read_text(encoding="utf-8")
    return f"extends: {name}\n" in text


@pytest.mark.parametrize(("name", "scenario", "variants"), shipped())
def test_shipped_rulesets_have_no_findings(name: str, scenario: str | None, variants: tuple[str, ...]) -> None:
    assert validate(name, scenario, variants).findings == []


@pytest.mark.parametrize("folder", SMALL_GAMES, ids=lambda path: str(path.name))
def test_the_small_games_have_no_findings(folder: Path) -> None:
    assert validate(folder).findings == []


# -- details --------------------------------------------------------------------------------------------------------


def test_one_contradiction_gives_one_finding(tmp_path: Path) -> None:
    edit = {WHERE: WHERE + AND + '"target in {north, south} and target == west"'}
    assert market(tmp_path, "", edit) == [("contradiction", "target == west")]


def test_a_contradiction_shows_the_other_half(tmp_path: Path) -> None:
    ((found, mark),) = findings(tmp_path, "", {REQUIRES: "a: you.coins > 3" + ALSO + "you.coins < 2"})
    ((what, there),) = found.related
    assert (mark, what, there.line) == ("you.coins < 2", "what holds here", found.span.line - 1 if found.span else 0)


def test_an_overlay_that_changes_nothing_is_found(tmp_path: Path) -> None:
    variant = "change:\n  terms.rent.is: {was: 2, to: 2}\n"
    assert market(tmp_path, variant=variant) == [("changes-nothing", "terms.rent.is")]


def test_a_replacement_of_which_a_part_is_new_is_sound(tmp_path: Path) -> None:
    variant = "replace:\n  terms.rent: {is: 2, cite: 'book, page 9', grade: quoted}\n"
    assert market(tmp_path, variant=variant) == []


def test_what_a_variant_leaves_unused_is_no_finding(tmp_path: Path) -> None:
    variant = "change:\n  terms.held.is: {was: count(s for s in spot if s.owner == who), to: 1 + 0 * order(who)}\n"
    assert market(tmp_path, variant=variant) == []


def test_what_a_variant_adds_and_does_not_use_is_one(tmp_path: Path) -> None:
    variant = "add:\n  terms.price: {is: 3, cite: 'book, page 9', grade: quoted}\n"
    assert market(tmp_path, variant=variant) == [("unused-term", "terms.price")]


def test_a_variant_named_wrongly_is_found(tmp_path: Path) -> None:
    (tmp_path / "long_game.yaml").write_text("variant: long_game\n")
    change = "change:\n  terms.rent.is: {was: 2, to: 3}\n"
    assert market(tmp_path, variant=f"conflicts: [long_gamme]\n{change}") == [("unknown-variant", "long_gamme")]
    assert market(tmp_path, variant=f"conflicts: [long_game, quite_another]\n{change}") == []
