"""`polis schema`: what it writes, that shipped files name their schema, and that the checked-in schemas are current."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from polis_cli.main import main
from ruamel.yaml import YAML

from polis_rules.pipeline import documented
from polis_rules.schema.export import schema_texts

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ROOT / "rulesets"
SORTS = ["cases", "library", "ruleset", "scenario", "sections", "variant"]
RACE = ROOT / "tests" / "rulesets" / "dice_race"
LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


def polis(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["polis", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
        raise SystemExit(0)
    return int(left.value.code or 0)


def load(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path)


def errors(schema: Path, data: Any) -> list[str]:
    checker = Draft202012Validator(json.loads(schema.read_text("utf-8")))
    return [each.message for each in checker.iter_errors(data)]


@pytest.mark.slow
def test_it_writes_a_sound_schema_with_title_and_description_for_every_sort_of_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert polis(monkeypatch, "schema", "--out", tmp_path / "deep" / "schema") == 0
    written = sorted((tmp_path / "deep" / "schema").iterdir())
    assert [path.stem for path in written] == SORTS
    for path in written:
        schema = json.loads(path.read_text("utf-8"))
        Draft202012Validator.check_schema(schema)
        assert schema["title"] and schema["description"]


def test_with_a_ruleset_its_tables_and_first_values_are_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert polis(monkeypatch, "schema", RACE, "--out", tmp_path) == 0
    sections, scenario = tmp_path / "sections.json", tmp_path / "scenario.json"
    card = json.loads(sections.read_text("utf-8"))["properties"]["tables"]["properties"]["card"]
    assert card["title"] == "Card" and card["description"]
    things = load(RACE / "things.yaml")
    assert not errors(sections, things) and not errors(sections, load(RACE / "play.yaml"))
    things["tables"]["card"]["mud"]["copies"] = 5
    assert errors(sections, things) == ["5 is greater than the maximum of 4"]
    start = load(RACE / "scenarios" / "standard.yaml")
    assert not errors(scenario, start)
    start["start"] = {"player": {"green": {"position": 1}, "red": {"pos": 1}}, "weather": "snow", "lapp": 2}
    assert len(errors(scenario, start)) == 4


@pytest.mark.slow
def test_cases_fit_the_schema_of_no_ruleset_too() -> None:
    schema = Draft202012Validator(json.loads(schema_texts()["cases.json"]))
    for path in sorted(RULESETS.glob("*/cases/*.yaml"))[::8]:
        assert not [each.message for each in schema.iter_errors(load(path))], path.name


def test_the_checked_in_schemas_are_those_of_the_rulesets() -> None:
    """When this fails: `polis schema --out rulesets/schema`; for each X `polis schema X --out rulesets/schema/X`."""
    folders: dict[str, Path | None] = {".": None} | {
        path.parent.name: path.parent for path in RULESETS.glob("*/ruleset.yaml")
    }
    for name, folder in folders.items():
        document = documented(folder)[1] if folder is not None else None
        for file, text in schema_texts(document).items():
            assert (RULESETS / "schema" / name / file).read_text("utf-8") == text, f"{name}/{file} is out of date"


def expected(path: Path) -> Path:
    """The schema that a shipped file is to name."""
    relative = path.relative_to(RULESETS)
    if relative.parts[0] == "variants":
        return RULESETS / "schema" / "variant.json"
    sort = {"ruleset.yaml": "ruleset", "library.yaml": "library"}.get(relative.name, "sections")
    if relative.parts[0] == "libraries":
        return RULESETS / "schema" / f"{'cases' if relative.parent.name == 'cases' else sort}.json"
    if len(relative.parts) == 3:
        sort = {"scenarios": "scenario", "cases": "cases", "variants": "variant"}[relative.parts[1]]
    return RULESETS / "schema" / relative.parts[0] / f"{sort}.json"


def test_every_shipped_file_names_its_schema_in_its_first_line() -> None:
    for path in sorted(RULESETS.rglob("*.yaml")):
        match = LINE.match(path.read_text("utf-8"))
        assert match, f"{path.relative_to(ROOT)} has no line for editors"
        assert (path.parent / match[1]).resolve() == expected(path), path.relative_to(ROOT)


@pytest.mark.slow
@pytest.mark.parametrize("some", [slice(0, None, 4), pytest.param(slice(None), marks=pytest.mark.slow)], ids=str)
def test_shipped_files_fit_the_schemas_that_they_name(some: slice) -> None:
    for path in sorted(RULESETS.rglob("*.yaml"))[some]:
        assert not errors(expected(path), load(path)), path.relative_to(ROOT)


def test_a_new_ruleset_names_schemas_that_are_written_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert polis(monkeypatch, "new", "my_race", "--extends", RACE) in (0, 1)
    files = sorted((tmp_path / "my_race").glob("*.yaml"))
    assert [path.name for path in files] == ["rules.yaml", "ruleset.yaml"]
    for path in files:
        match = LINE.match(path.read_text("utf-8"))
        assert match and not errors(path.parent / match[1], load(path))
    assert polis(monkeypatch, "format", "--check", "my_race") == 0
    rows = {"tables": {"card": {"mud": {"copies": 9}}}}
    assert errors(tmp_path / "my_race" / "schema" / "sections.json", rows)
