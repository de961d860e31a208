"""Moments of games become cases: each passes, says what happened, and goes into files without disturbing them."""

from __future__ import annotations

import io
import sys
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from polis_cli.main import main
from polis_cli.written_case import keep
from support.sampling import sampled
from support.shipping import shipped

import polis_rules
from polis_rules import Game, Ruleset
from polis_rules.authoring.formatting.format_text import format_text
from polis_rules.cases.positions import reserves
from polis_rules.cases.reading import read_case_file
from polis_rules.cases.runner import run_cases
from polis_rules.cases.shortcuts import shortcut
from polis_rules.cases.stage import Stage
from polis_rules.cases.telling import CaseResult
from polis_rules.cases.text import CaseFileError
from polis_rules.cases.writing import case_of, write_case
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.play import transcript

SMALL = Path(__file__).parent / "rulesets"
RULESETS = [*(each.name for each in shipped()), *(str(SMALL / name) for name in ("dice_race", "sealed_bids"))]
ISLES = str(SMALL / "random_isles")
"""Whose seasons can only be played one after the other: hardly anything can be given."""


@cache
def rules(name: str) -> Ruleset:
    return polis_rules.load(name)


def played(ruleset: Ruleset, seed: int, decisions: int | None = None) -> Game:
    """A game after random decisions, whose number is random too where it is not given."""
    rng = Random(seed)
    game = ruleset.start(seed=seed)
    count = rng.randrange(60) if decisions is None else decisions
    while game.decision is not None and count:
        game.apply(rng.choice(game.decision.options))
        count -= 1
    return game


def run_file(ruleset: str, path: Path) -> list[CaseResult]:
    return run_cases(ruleset, file=path)


# -- what is written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seed"), sampled(product([ISLES, *reversed(RULESETS)], range(3)), every=9, slow=2))
def test_any_moment_of_any_game_becomes_a_case_that_passes(name: str, seed: int, tmp_path: Path) -> None:
    """A case of a random moment, and one of the decisions before it, pass and are in canonical form."""
    ruleset = rules(name)
    game = played(ruleset, seed)
    path = tmp_path / "moments.yaml"
    write_case(ruleset, game, "here", path)
    decided = sum(kind == "decision" for kind, _, _ in game.log)
    write_case(ruleset, game, "so_far", path, last=min(2, decided))
    results = run_file(name, path)
    assert [str(result) for result in results if not result.passed] == []
    assert [result.case.id for result in results] == ["here", "so_far"]
    text = path.read_text("utf-8")
    assert format_text(text, "moments.yaml", Diagnostics()) == text


LEAST = {"hellenes_training": 1, "colonnades": 0}
"""Of how many moments less than the whole game is needed, where each decision leaves many traces."""


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_a_way_leads_to_the_same_position_with_fewer_decisions(name: str) -> None:
    """Of some moments most need less than the whole game; each position reached is that of the game, value by value."""
    stage = Stage(rules(name))
    shorter = 0
    for seed in range(4):
        game = played(rules(name), seed)
        way = shortcut(stage, game.log)
        there = [place.slot for place in stage.places]
        assert [way.game.state[slot] for slot in there] == [game.state[slot] for slot in there]
        assert way.game.decision == game.decision
        shorter += way.decisions < sum(kind == "decision" for kind, _, _ in game.log)
    assert shorter >= LEAST.get(name, 2)


def test_only_what_differs_is_given_and_reserves_never_are() -> None:
    """Given values are others than the scenario's, and none is what a reserve is left with."""
    stage = Stage(rules("yucata"))
    kept = reserves(stage.rules)
    way = shortcut(stage, played(rules("yucata"), 3, 35).log)
    assert way.given
    assert all(way.start[place.slot] != stage.program.compiled.first[place.slot] for place in way.given)
    assert not kept & {(place.variable.owner, place.variable.name) for place in way.given}


def test_a_case_of_the_beginning_gives_nothing() -> None:
    """Before the first decision there is chance only, who decides and what is offered."""
    written = case_of(rules(str(SMALL / "dice_race")), rules(str(SMALL / "dice_race")).start(seed=1), "the_beginning")
    assert (written.decisions, written.left_out) == (0, 0)
    assert "given:" not in written.text and "do:" not in written.text
    assert "options: [walk, sprint, play_a_card, rest]" in written.text


def test_what_came_of_the_last_decision_is_told() -> None:
    """Numbers by how much they changed, where nothing but the decisions told about is made."""
    game = rules(str(SMALL / "dice_race")).start(seed=1)
    game.apply("walk")
    (_, stream, eyes) = next(entry for entry in game.log[::-1] if entry[0] == "chance")
    text = case_of(rules(str(SMALL / "dice_race")), game, "a_walk", last=1).text
    assert "- red: walk" in text
    assert f"rolled:\n      {stream}: {eyes}" in text
    assert f"changes:\n      player: {{red: {{position: {eyes}}}}}" in text


def test_the_end_of_a_game_is_told() -> None:
    """A case of a game that is over says how it ended and who has won."""
    game = played(rules(str(SMALL / "sealed_bids")), 1, 999)
    assert game.result is not None
    ends = f"ends: {{by: {game.result.ended_by}, winner: {game.result.winner or 'none'}}}"
    assert ends in case_of(rules(str(SMALL / "sealed_bids")), game, "the_end").text


@pytest.mark.slow
def test_scenario_and_variants_are_named(tmp_path: Path) -> None:
    """A variant that is a file is named as seen from the file of the case, a shipped one by its name."""
    variant = tmp_path / "costly.yaml"
    variant.write_text(
        "variant: costly\nextends: dice_race\nchange:\n  terms.sprint_cost.is: {was: 1, to: 2}\n", "utf-8"
    )
    ruleset = str(SMALL / "dice_race")
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "moments.yaml"
    varied = polis_rules.load(ruleset, variants=[variant])
    write_case(varied, varied.start(seed=1), "with_a_file", path)
    assert "variants: ../costly.yaml" in path.read_text("utf-8")
    assert all(result.passed for result in run_file(ruleset, path))
    shipped_one = polis_rules.load("yucata", scenario="corinthian_war", variants=["free_ransom"])
    text = case_of(shipped_one, shipped_one.start(seed=1), "with_names").text
    assert "scenario: corinthian_war" in text
    assert "variants: free_ransom" in text


def test_a_game_that_waits_for_chance_is_no_moment() -> None:
    """Chance must be answered first, since a case stops where somebody decides."""
    game = rules(str(SMALL / "dice_race")).start(seed=1, chance="manual")
    with pytest.raises(CaseFileError, match="waits for chance"):
        case_of(rules(str(SMALL / "dice_race")), game, "too_early")


def test_more_last_decisions_than_there_are_cannot_be_told() -> None:
    """The number of decisions made is part of the message."""
    with pytest.raises(CaseFileError, match="has 0 decisions, so the last 2"):
        case_of(rules("yucata"), rules("yucata").start(seed=1), "too_much", last=2)


# -- files --------------------------------------------------------------------------------------------------------

KEPT = "# about walking\ncases:\n    # the first\n    old: {decides:   red}\n    # after it\n"


def test_a_file_keeps_all_that_stands_in_it(tmp_path: Path) -> None:
    """The new case comes below the others, indented like them; nothing above it changes, comments and all."""
    path = tmp_path / "cases.yaml"
    path.write_text(KEPT, "utf-8")
    ruleset = str(SMALL / "dice_race")
    write_case(rules(ruleset), rules(ruleset).start(seed=1), "fresh", path)
    text = path.read_text("utf-8")
    assert text.startswith(KEPT + "\n    fresh:\n")
    assert [case.id for case in read_case_file(path)] == ["old", "fresh"]
    assert all(result.passed for result in run_file(ruleset, path))


@pytest.mark.parametrize(
    ("id", "before", "message"),
    [
        ("Bad Name", None, "'Bad Name' is no name for a case"),
        ("old", KEPT, r"cases.yaml:4:5: there is a case 'old' already"),
        ("fresh", "cases: {old: {decides: red}}\n", "stand in brackets"),
        ("fresh", "cases:\n", "not a file of cases"),
        ("fresh", "terms: {a: {is: 1}}\n", "not a file of cases"),
        ("fresh", "cases: [\n", "cannot be read"),
    ],
)
def test_a_file_that_cannot_take_a_case_is_left_alone(
    id: str, before: str | None, message: str, tmp_path: Path
) -> None:
    """The reason is said, and the file is as it was."""
    path = tmp_path / "cases.yaml"
    if before is not None:
        path.write_text(before, "utf-8")
    with pytest.raises(CaseFileError, match=message):
        write_case(rules(str(SMALL / "dice_race")), rules(str(SMALL / "dice_race")).start(seed=1), id, path)
    assert (path.read_text("utf-8") if path.exists() else None) == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """No folder is made for a case."""
    with pytest.raises(CaseFileError, match=r"there is no folder .*nowhere"):
        write_case(rules("yucata"), rules("yucata").start(seed=1), "a_case", tmp_path / "nowhere" / "cases.yaml")


# -- commands -----------------------------------------------------------------------------------------------------


def polis(*arguments: object, typed: str = "") -> int:
    """The exit status of the command line."""
    patch = pytest.MonkeyPatch()
    with patch.context() as patched:
        patched.setattr(sys, "argv", ["polis", *(str(each) for each in arguments)])
        patched.setattr(sys, "stdin", io.StringIO(typed))
        try:
            main()
        except SystemExit as leave:
            return int(leave.code or 0)
    return 0


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A recorded game of a small ruleset."""
    path = tmp_path / "game.jsonl"
    ruleset = rules(str(SMALL / "sealed_bids"))
    transcript.write(path, transcript.record(ruleset, played(ruleset, 2, 999), {}))
    return path


def test_a_replay_writes_the_moment_after_an_entry(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every entry can be asked for, from the beginning to the end; what is written passes."""
    ruleset, path = SMALL / "sealed_bids", tmp_path / "moments.yaml"
    entries = len(transcript.read(recorded).entries)
    for at in (0, 1, entries // 2, entries):
        assert polis("replay", recorded, "--ruleset", ruleset, "--case-at", at, "--out", path) == 0
        assert f"Case after_entry_{at} is in {path}" in capsys.readouterr().out
    assert polis("test", ruleset, "--file", path) == 0
    assert "4 cases, 4 passed" in capsys.readouterr().out


def test_without_a_file_the_case_is_printed(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output is then a file of cases, or JSON with its text."""
    asked = ("replay", recorded, "--ruleset", SMALL / "sealed_bids", "--case-at", 5, "--case-name", "a_bid")
    assert polis(*asked) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("cases:\n  a_bid:\n")
    assert polis(*asked, "--format", "json") == 0
    assert '"id": "a_bid"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--case-at", "9999"], "entries"),
        (["--out", "a.yaml"], "it needs --case-at"),
        (["--case-name", "a"], "it needs --case-at"),
        (["--case-at", "1", "--case-name", "A B"], "'A B' is no name for a case"),
    ],
)
def test_wrong_options_of_replay_are_explained(
    recorded: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each says what is wrong, with a status that is not 0."""
    assert polis("replay", recorded, "--ruleset", SMALL / "sealed_bids", *arguments) != 0
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--file", "nowhere.yaml"], "say of which ruleset"),
        (["yucata", "--file", "nowhere.yaml"], "there is no file nowhere.yaml"),
        (["yucata", "--file", "nowhere.yaml", "--inherited"], "only the cases of that file"),
    ],
)
def test_wrong_files_to_test_are_explained(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file must be there and have a ruleset."""
    assert polis("test", *arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_person_writes_the_moment_while_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`case NAME` answers with the file, and the game goes on at the same decision."""
    monkeypatch.chdir(tmp_path)
    ruleset = SMALL / "dice_race"
    typed = "walk\ncase\ncase my_turn\ncase my_turn\ncase other deep/cases.yaml\nquit\n"
    assert polis("run", ruleset, "--seed", 1, "--seat", "red=human", typed=typed) == 0
    told = capsys.readouterr().out
    assert "Give the case a name" in told
    assert "Case my_turn is in dice_race_cases.yaml" in told
    assert "there is a case 'my_turn' already" in told
    assert "Not written: there is no folder deep" in told
    assert polis("test", ruleset, "--file", "dice_race_cases.yaml") == 0


def test_a_person_is_told_when_no_shorter_way_was_found(tmp_path: Path) -> None:
    """The number of decisions, and that they begin at the beginning."""
    path = tmp_path / "cases.yaml"
    told = keep(rules(ISLES), played(rules(ISLES), 1, 5), f"a_turn {path}")
    assert "replays 5 decisions from the beginning on" in told
