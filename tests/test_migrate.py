"""Migrations: files of an older format, brought forward as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from polis_cli.main import app
from support.small_ruleset import MANIFEST, SCENARIO
from typer.testing import CliRunner

import polis_rules
from polis_rules.authoring.formatting.format_text import files_at
from polis_rules.authoring.migrations.migrate import MIGRATIONS, migrate
from polis_rules.composition.editions import FORMAT
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.validation.validate import validate

ROOT = Path(__file__).parents[1]

OLD_MANIFEST = MANIFEST.replace("format: 1", "format: 0  # the first one").replace("things.yaml", "numbers.yaml")

OLD_NUMBERS = """\
# What may change from table to table.

parameters:
  limit: 3                # as many as there are digs
  price: 1
"""

PLAY = """\
kinds:
  player:
    attributes: {rival: player}
    state:
      coins: {type: 0..9, start: 3, spendable: true, title: coins}
tables:
  player:
    red: {rival: blue}
    blue: {rival: red}
actions:
  dig:
    title: Dig
    # one may always look
    requirements:
      you_must_have_few: you.coins < limit + 3
    cost: {coins: price}
    do: [{gain: {coins: 2}}]
phases:
  game:
    - repeat:
        times: limit
        do:
          - each: you
            in: player
            do:
              - if: possible(dig)
                then: [{perform: dig}]
    - end: over
endings: {over: {}}
score: {terms: {coins: who.coins}}
"""

OLD_VARIANT = """\
variant: dear
title: Dear digs
extends: small
why: Digs are too cheap.
change:
  parameters:
    price: {was: 1, to: 2}              # dearer
  parameters.limit: {was: 3, to: 4}
  actions.dig.requirements.you_must_have_few: {was: you.coins < limit + 3, to: you.coins < limit}
remove:
  parameters.limit: not really
add:
  parameters.share: 2
  actions.rest: {title: Rest, requirements: {tired: you.coins == 0}}
replace:
  actions.dig:
    requirements: {ever: you.coins >= 0}
"""

NEW_VARIANT = """\
variant: dear
title: Dear digs
extends: small
why: Digs are too cheap.
change:
  terms:
    price.is: {was: 1, to: 2}              # dearer
  terms.limit.is: {was: 3, to: 4}
  actions.dig.requires.you_must_have_few: {was: you.coins < limit + 3, to: you.coins < limit}
remove:
  terms.limit: not really
add:
  terms.share: {is: 2}
  actions.rest: {title: Rest, requires: {tired: you.coins == 0}}
replace:
  actions.dig:
    requires: {ever: you.coins >= 0}
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A small ruleset as it was written in format 0."""
    folder = tmp_path / "small"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(OLD_MANIFEST, "utf-8")
    (folder / "numbers.yaml").write_text(OLD_NUMBERS, "utf-8")
    (folder / "play.yaml").write_text(PLAY, "utf-8")
    (folder / "scenarios" / "standard.yaml").write_text(SCENARIO, "utf-8")
    return folder


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["migrate", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_an_old_ruleset_plays_after_migration(old: Path) -> None:
    """Every file of format 0 is brought to format 1, keeps its comments, and the ruleset then runs."""
    status, out, err = run(old)
    assert status == 0, err
    assert sorted(out.splitlines()) == [f"Migrated {old / name}.yaml" for name in ("numbers", "play", "ruleset")]
    assert "Format 0 to 1: Parameters become terms" in err
    assert (old / "numbers.yaml").read_text("utf-8") == (
        "# What may change from table to table.\n\nterms:\n"
        "  limit: {is: 3}                # as many as there are digs\n  price: {is: 1}\n"
    )
    assert "format: 1  # the first one\n" in (old / "ruleset.yaml").read_text("utf-8")
    assert (old / "play.yaml").read_text("utf-8") == PLAY.replace("requirements:", "requires:")
    assert validate(old).errors == 0
    assert polis_rules.load(old).start(seed=1).finished


def test_an_overlay_is_migrated_along_its_paths(tmp_path: Path) -> None:
    """Paths in all four operations are respelt, and what stands at them is rewritten."""
    variant = tmp_path / "dear.yaml"
    variant.write_text(OLD_VARIANT, "utf-8")
    assert run(variant)[0] == 0
    assert variant.read_text("utf-8") == NEW_VARIANT
    assert run(variant)[:2] == (0, "Nothing to migrate.\n")


def test_a_dry_run_prints_the_lines_and_writes_nothing(old: Path) -> None:
    """`--dry-run` shows a unified diff of every file."""
    status, out, _ = run(old, "--dry-run")
    assert status == 0
    assert "-format: 0  # the first one\n+format: 1  # the first one\n" in out
    assert "-    requirements:\n+    requires:\n" in out
    assert (old / "numbers.yaml").read_text("utf-8") == OLD_NUMBERS


def test_what_must_be_done_by_hand_is_said_at_its_place_and_nothing_is_written(old: Path) -> None:
    """A file with both sections, and a parameter that is no number, are errors; no file is touched."""
    numbers = old / "numbers.yaml"
    numbers.write_text(OLD_NUMBERS + "terms: {other: {is: 1}}\n", "utf-8")
    status, _, err = run(old)
    assert status == 1 and "numbers.yaml:3:1: error[migrate-by-hand]" in err and "Nothing was written." in err
    numbers.write_text(OLD_NUMBERS.replace("price: 1", "price: cheap"), "utf-8")
    status, _, err = run(old)
    assert status == 1 and "numbers.yaml:5:10: error[migrate-by-hand]" in err
    assert "format: 0" in (old / "ruleset.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("format", "message", "hint"),
    [
        ("0", "format 0 is an older one; this version reads format 1", "polis migrate small --dry-run"),
        ("7", "format 7 is newer than format 1, which this version reads", "a newer version of polis-rules"),
        ("one", "'one' is no format", "write `format: 1`"),
    ],
)
def test_loading_another_format_says_what_to_do(old: Path, format: str, message: str, hint: str) -> None:
    """An old format leads to `polis migrate`, a new one to a newer program."""
    manifest = old / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("format: 0", f"format: {format}"), "utf-8")
    with pytest.raises(RulesetError) as raised:
        polis_rules.load(old)
    (found,) = [each for each in raised.value.diagnostics if each.code == "unsupported-format"]
    assert message in found.message and found.advice is not None and hint in found.advice
    assert found.span is not None and (found.span.line, found.span.column) == (2, 9)


@pytest.mark.parametrize("format", ["7", "", "x"])
def test_a_format_that_is_not_known_is_not_migrated(old: Path, format: str) -> None:
    """A newer format, or none, is an error and not guessed at."""
    manifest = old / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("format: 0", f"format: {format}"), "utf-8")
    status, _, err = run(old)
    assert status == 1 and "ruleset.yaml:2:" in err and "unsupported-format" in err


def test_a_path_without_a_ruleset_is_an_error(tmp_path: Path) -> None:
    """A folder without a manifest, and a file that is not there, are reported."""
    assert run(tmp_path)[0] == 1
    assert run(tmp_path / "nothing.yaml")[0] == 1


def test_migrations_lead_from_the_first_format_to_the_present_one() -> None:
    """Each begins where the one before it ends, and each says what it does and what it leaves to people."""
    formats = [each.source for each in MIGRATIONS] + [MIGRATIONS[-1].target]
    assert formats == list(range(int(FORMAT) + 1))
    assert all(each.title and each.by_hand for each in MIGRATIONS)


@pytest.mark.parametrize("path", sorted((ROOT / "rulesets" / "variants").glob("*.yaml")), ids=lambda path: path.stem)
def test_what_is_in_the_present_format_is_left_alone(path: Path) -> None:
    """A variant states no format, so every migration is tried on it and must not touch what is new already."""
    assert migrate(path, Diagnostics())[1] == []


@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_the_shipped_rulesets_need_no_migration(name: str) -> None:
    """They are written in the present format."""
    folder = ROOT / "rulesets" / name
    assert list(files_at([folder])) and migrate(folder, Diagnostics()) == ([], [])
