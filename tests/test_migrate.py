"""Migrations: files of an older format, brought forward as they are written, held by a step that is made up here."""

from __future__ import annotations

from pathlib import Path

import pytest
from polis_cli.main import app
from support.small_ruleset import MANIFEST, SCENARIO
from typer.testing import CliRunner

import polis_rules
from polis_rules.authoring import migrations
from polis_rules.authoring.formatting.format_text import files_at
from polis_rules.authoring.migrations import Migration, migrate, with_edits
from polis_rules.composition import FORMAT, headers
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.source import Text, read_text
from polis_rules.validation.validate import validate

ROOT = Path(__file__).parents[1]

OLD_MANIFEST = MANIFEST.replace("format: 2", "format: 1  # the first one").replace("things.yaml", "numbers.yaml")

OLD_NUMBERS = """\
# What may change from table to table.

numbers:
  limit: {is: 3}                # as many as there are digs
  price: {is: 1}
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
    requires:
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


def rename_numbers(texts: dict[Path, str], users: list[str], diagnostics: Diagnostics) -> dict[Path, str]:
    """A made-up step: the section `numbers` is called `terms`."""
    return {path: _renamed(path, text, diagnostics) for path, text in texts.items()}


def _renamed(path: Path, text: str, diagnostics: Diagnostics) -> str:
    tree = read_text(text, path.as_posix(), diagnostics)
    assert tree is not None
    old = tree.key("numbers")
    if old is not None and isinstance(tree.get("numbers"), Text):
        diagnostics.error("migrate-by-hand", "numbers were a mapping, and this is none", old.span)
    return text if old is None else with_edits(text, [(old.span, "terms")])


@pytest.fixture(autouse=True)
def _one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Migration(1, "Numbers become terms", "A file with both sections.", rename_numbers)
    monkeypatch.setattr(migrations, "MIGRATIONS", (step,))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A small ruleset as it was written in a made-up format 1."""
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
    """Every file is brought to the next format, keeps its comments, and the ruleset then runs."""
    status, out, err = run(old)
    assert status == 0, err
    assert sorted(out.splitlines()) == [f"Migrated {old / name}.yaml" for name in ("numbers", "ruleset")]
    assert "Format 1 to 2: Numbers become terms" in err
    assert (old / "numbers.yaml").read_text("utf-8") == OLD_NUMBERS.replace("numbers:", "terms:")
    assert "format: 2  # the first one\n" in (old / "ruleset.yaml").read_text("utf-8")
    assert validate(old).errors == 0
    assert polis_rules.load(old).start(seed=1).finished


def test_a_single_file_is_tried_with_every_step(old: Path) -> None:
    """A file that does not say its format is migrated once, and then there is nothing more to do."""
    assert run(old / "numbers.yaml")[0] == 0
    assert run(old / "numbers.yaml")[:2] == (0, "Nothing to migrate.\n")


def test_a_dry_run_prints_the_lines_and_writes_nothing(old: Path) -> None:
    """`--dry-run` shows a unified diff of every file."""
    status, out, _ = run(old, "--dry-run")
    assert status == 0
    assert "-format: 1  # the first one\n+format: 2  # the first one\n" in out
    assert "-numbers:\n+terms:\n" in out
    assert (old / "numbers.yaml").read_text("utf-8") == OLD_NUMBERS


def test_what_must_be_done_by_hand_is_said_at_its_place_and_nothing_is_written(old: Path) -> None:
    """What a step reports, and a file that could not be read after it, are errors; no file is touched."""
    numbers = old / "numbers.yaml"
    numbers.write_text("# One line.\nnumbers: none\n", "utf-8")
    status, _, err = run(old)
    assert status == 1 and "numbers.yaml:2:1: error[migrate-by-hand]" in err and "Nothing was written." in err
    assert "format: 1" in (old / "ruleset.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("format", "message", "hint"),
    [
        ("1", "format 1 is an older one; this version reads format 2", "polis migrate small --dry-run"),
        ("7", "format 7 is newer than format 2, which this version reads", "a newer version of polis-rules"),
        ("one", "'one' is no format", "write `format: 2`"),
    ],
)
def test_loading_another_format_says_what_to_do(old: Path, format: str, message: str, hint: str) -> None:
    """An old format leads to `polis migrate`, a new one to a newer program."""
    manifest = old / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("format: 1", f"format: {format}"), "utf-8")
    with pytest.raises(RulesetError) as raised:
        polis_rules.load(old)
    (finding,) = [each for each in raised.value.diagnostics if each.code == "unsupported-format"]
    assert message in finding.message and finding.advice is not None and hint in finding.advice
    assert finding.span is not None and (finding.span.line, finding.span.column) == (2, 9)


@pytest.mark.parametrize("format", ["7", "", "x"])
def test_a_format_that_is_not_known_is_not_migrated(old: Path, format: str) -> None:
    """A newer format, or none, is an error and not guessed at."""
    manifest = old / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("format: 1", f"format: {format}"), "utf-8")
    status, _, err = run(old)
    assert status == 1 and "ruleset.yaml:2:" in err and "unsupported-format" in err


def test_a_format_before_the_first_is_an_error(old: Path) -> None:
    """Without a step that takes it, an old format is not said to need no migration."""
    manifest = old / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("format: 1", "format: 0"), "utf-8")
    status, _, err = run(old)
    assert status == 1 and "format 0 is older than any that this version knows" in err


def test_checking_promises_no_migration_that_there_is_not(old: Path) -> None:
    """Of a format that no step takes, loading says what `polis migrate` says."""
    manifest = old / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("format: 1", "format: 0"), "utf-8")
    with pytest.raises(RulesetError) as raised:
        polis_rules.load(old)
    finding = next(each for each in raised.value.diagnostics if each.code == "unsupported-format")
    told = Diagnostics()
    migrate(old, told)
    assert [(each.message, each.advice) for each in told.items] == [(finding.message, finding.advice)]


def test_a_path_without_a_ruleset_is_an_error(tmp_path: Path) -> None:
    """A folder without a manifest, and a file that is not there, are reported."""
    assert run(tmp_path)[0] == 1
    assert run(tmp_path / "nothing.yaml")[0] == 1


def test_migrations_lead_to_the_present_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each begins where the one before it ends, and each says what it does and what it leaves to people."""
    monkeypatch.undo()
    formats = [each.source for each in migrations.MIGRATIONS]
    assert formats == list(range(headers.OLDEST, int(FORMAT)))
    assert all(each.title and each.by_hand for each in migrations.MIGRATIONS)


@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_the_shipped_rulesets_need_no_migration(name: str) -> None:
    """They are written in the present format."""
    folder = ROOT / "rulesets" / name
    assert list(files_at([folder])) and migrate(folder, Diagnostics()) == ([], [])
