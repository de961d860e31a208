"""Which files a name stands for: a folder here wins, and everybody is told."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest
from support.command import Polis, command

from polis_rules import RulesetError, load
from polis_rules.composition import shipped, take_snapshot

GAME = """\
format: 2
ruleset: {id}
title: Mine
scenario: {{scenario: only}}
kinds: {{player: {{state: {{coins: 0..9}}}}}}
tables: {{player: {{red: {{}}}}}}
phases: {{game: [{{set: {{red.coins: red.coins + 1}}}}, {{end: over}}]}}
endings: {{over: {{title: It is over}}}}
score: {{terms: {{coins: who.coins}}}}
"""
RICH = "scenario: rich\ntitle: Rich\nstart: {player: {red: {coins: 5}}}\n"
NAME = shipped()[-1].name


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present directory, far from the shipped rulesets."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def polis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    return command(monkeypatch, capsys)


def game(folder: Path) -> Path:
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(GAME.format(id=folder.name), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_folder_here_wins_over_a_shipped_ruleset_of_its_name(here: Path, polis: Polis) -> None:
    """Editing the files has an effect, and the command says which files it used."""
    assert polis("perft", NAME, "--depth", 1).err == f"Using {NAME} (shipped)\n"
    game(here / NAME)
    assert load(NAME).title == "Mine"
    assert polis("perft", NAME, "--depth", 1).err == f"Using the folder {NAME}, not the shipped ruleset of that name\n"


def test_what_is_used_is_told_to_a_log_only_while_a_command_runs(polis: Polis) -> None:
    """A log that a test or a program keeps has nothing of it afterwards."""
    log = logging.getLogger("polis_rules")
    before = log.level
    polis("perft", NAME, "--depth", 1)
    assert log.level == before and not log.isEnabledFor(logging.INFO)


def test_the_name_of_a_folder_cannot_command_a_terminal(here: Path, polis: Polis) -> None:
    """A stranger's folder may be called anything."""
    (here / "odd").mkdir()
    folder = game(here / "mine").rename(here / "odd" / "a\x9b31mb")
    assert "Using the folder" in (err := polis("perft", folder, "--depth", 1).err)
    assert "a\ufffd31mb" in err and "\x9b" not in err


def test_what_is_extended_is_the_folder_beside_before_the_shipped_ruleset(here: Path) -> None:
    """The same rule holds for editions."""
    game(here / NAME)
    (here / "second").mkdir()
    text = f"format: 2\nruleset: second\ntitle: Second\nextends: {NAME}\nwhy: To try.\n"
    (here / "second" / "ruleset.yaml").write_text(text, encoding="utf-8")
    assert load("second").players == ("red",)


def test_places_in_shipped_files_are_marked_unless_they_lie_here(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for a file of the installation among their own."""
    (here / "more.yaml").write_text(
        f"variant: more\nextends: {NAME}\nwhy: To try.\nremove: {{kinds.player: nobody plays}}\n", encoding="utf-8"
    )
    with pytest.raises(RulesetError) as raised:
        load(NAME, variants=["more.yaml"])
    files = {each.span.file.partition("/")[0] for each in raised.value.diagnostics if each.span is not None}
    assert files and files <= {f"shipped:{NAME}", "more.yaml"}
    marked = take_snapshot(NAME).key
    monkeypatch.chdir(shipped()[0].path.parents[1])
    assert take_snapshot(NAME).key != marked


def test_a_scenario_may_be_a_file_like_a_variant(here: Path, polis: Polis) -> None:
    """It needs not lie in the ruleset's folder; its bytes belong to the key of the cache."""
    game(here / "mine")
    (here / "rich.yaml").write_text(RICH, encoding="utf-8")
    result = load("mine", "rich.yaml").start().result
    assert result is not None and result.scores["red"]["coins"] == 6
    key = take_snapshot("mine", "rich.yaml").key
    (here / "rich.yaml").write_text(RICH.replace("5", "7"), encoding="utf-8")
    assert take_snapshot("mine", "rich.yaml").key != key
    assert "Rich" in polis("explain", "mine", "scenario.title", "--scenario", "rich.yaml").out
    shutil.copy("rich.yaml", "poor.yaml")
    with pytest.raises(RulesetError, match="wrong-id"):
        load("mine", "poor.yaml")
    with pytest.raises(RulesetError, match="unknown-scenario"):
        load("mine", "none.yaml")


def test_a_ruleset_is_no_variant_and_a_variant_no_ruleset(here: Path, polis: Polis) -> None:
    """Whoever takes one for the other is told which it is, and the command that fits."""
    game(here / "other")
    for name in ("other", NAME):
        result = polis("run", NAME, "--variant", name)
        assert result.status == 1
        assert f"'{name}' is a ruleset of its own, not a variant" in result.err and f"polis run {name}" in result.err
    (here / "costly.yaml").write_text(f"variant: costly\nextends: {NAME}\n", encoding="utf-8")
    result = polis("run", "costly.yaml")
    assert result.status == 1
    assert "'costly.yaml' is the file of a variant, not a ruleset" in result.out + result.err
    assert f"polis validate {NAME} --variant costly.yaml" in result.out + result.err


def test_the_file_of_a_variant_is_validated_with_the_ruleset_that_it_extends(here: Path, polis: Polis) -> None:
    """One beside it or beside its folder, as if it were laid over that."""
    game(here / "other")
    (here / "variants").mkdir()
    for place in ("house.yaml", "variants/house.yaml"):
        (here / place).write_text("variant: house\nextends: other\nset: {kinds.nothing.title: X}\n", encoding="utf-8")
        result = polis("validate", place)
        assert result.status == 1 and f"{place}:3" in result.out and "other: " in result.out, result.out


def test_a_file_of_a_ruleset_is_no_ruleset(here: Path, polis: Polis) -> None:
    """Whoever names it is told to name its folder."""
    game(here / "other")
    (here / "other" / "rules.yaml").write_text("terms: {}\n", encoding="utf-8")
    result = polis("validate", "other/rules.yaml")
    assert result.status == 1
    assert "'other/rules.yaml' is a file of the ruleset other" in result.out + result.err
    assert "name the folder instead: other" in result.out + result.err


def test_which_ruleset_one_extends_is_told(here: Path, polis: Polis) -> None:
    """It may be a shipped one, or a folder beside."""
    (here / "own").mkdir()
    text = f"format: 2\nruleset: own\ntitle: Own\nextends: {NAME}\nwhy: To try.\n"
    (here / "own" / "ruleset.yaml").write_text(text, encoding="utf-8")
    assert polis("sources", "own").err == f"Using the folder own\nUsing {NAME} (shipped), which own extends\n"
    game(here / NAME)
    assert polis("sources", "own").err == f"Using the folder own\nUsing the folder {NAME}, which own extends\n"


def test_a_variant_that_is_checked_can_be_named(here: Path, polis: Polis) -> None:
    """A name stands for the file inside the ruleset's folder, then for the one beside it, in every command."""
    game(here / "mine")
    change = "change: {endings.over.title: {was: It is over, to: %s}}\n"
    for folder, said in (("variants", "Beside"), ("mine/variants", "Inside")):
        (here / folder).mkdir()
        text = f"variant: thirsty\nextends: mine\nwhy: To try.\n{change % said}"
        (here / folder / "thirsty.yaml").write_text(text, encoding="utf-8")
    assert polis("validate", "mine").out.startswith("mine: no findings, also in 2 other scenarios and variants")
    inside = polis("run", "mine", "--seed", 7, "--variant", "thirsty")
    assert "ended: Inside" in inside.out and "Using mine/variants/thirsty.yaml, not another variant" in inside.err
    assert "from It is over to Inside" in polis("explain", "mine", "endings.over.title", "--variant", "thirsty").out
    (here / "mine" / "variants" / "thirsty.yaml").unlink()
    assert "ended: Beside" in polis("run", "mine", "--seed", 7, "--variant", "thirsty").out


def test_an_unknown_variant_is_told_with_those_that_fit_the_ruleset(here: Path, polis: Polis) -> None:
    """Variants of other rulesets are no help."""
    game(here / "mine")
    (here / "variants").mkdir()
    for name, extends in (("alpha", "mine"), ("beta", "another")):
        (here / "variants" / f"{name}.yaml").write_text(f"variant: {name}\nextends: {extends}\n", encoding="utf-8")
    result = polis("run", "mine", "--variant", "zzzzz").err
    assert "there is no variant 'zzzzz' of 'mine'" in result and "known: alpha\n" in result


def test_a_variant_where_nobody_looks_for_it_is_told_of(here: Path, polis: Polis) -> None:
    """It is inside the ruleset's folder, but not among its variants."""
    (game(here / "mine") / "thirsty.yaml").write_text("variant: thirsty\nextends: mine\n", encoding="utf-8")
    result = polis("validate", "mine").out
    assert "unlisted-file" in result and "hint: move it to variants/thirsty.yaml" in result
