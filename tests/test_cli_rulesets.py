"""The command line on real rulesets: what there is, what is found in them, and whole games of them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.command import Polis, command
from support.sampling import sampled
from support.shipping import shipped

import polis_rules
from polis_rules.composition.catalog import ShippedRuleset
from polis_rules.play import transcript


@pytest.fixture
def polis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    """Runs the command line."""
    return command(monkeypatch, capsys)


# --- list


def test_list_names_rulesets_with_scenarios_and_variants(polis: Polis, monkeypatch: pytest.MonkeyPatch) -> None:
    scenarios, variants = (("short", "A short game"),), (("costly", "Costly"),)
    one = ShippedRuleset("demo", "A demo", Path("demo"), scenarios, variants)
    bare = ShippedRuleset("bare", "Bare", Path(__file__).parent / "rulesets" / "othello", (), ())
    monkeypatch.setattr("polis_cli.list.shipped", lambda: [one, bare])
    done = polis("list")
    assert done.status == 0
    assert [line.startswith("  Attested: ") for line in done.out.splitlines()].count(True) == 1
    for line in ("demo: A demo", "    short  A short game", "    costly  Costly", "bare: Bare"):
        assert line in done.out.splitlines()
    first, second = polis("list", "--format", "json").data
    assert first["scenarios"] == {"short": "A short game"}
    assert first["variants"] == {"costly": "Costly"}
    assert second["ruleset"] == "bare" and sum(second["grades"].values()) > 0 and first["grades"] == {}


def test_list_says_what_to_do_without_rulesets(polis: Polis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polis_cli.list.shipped", list)
    done = polis("list")
    assert done.status == 0
    assert "polis validate FOLDER" in done.out
    assert polis("list", "--format", "json").data == []


# --- validate


MISTAKEN = """\
format: 2
ruleset: mine
title: Mine
scenario: {scenario: only}
kinds: {player: {state: {coins: {type: 0..9, start: 3, spendable: true}}}}
tables: {player: {red: {}}}
phases:
  game:
    - as: red
      do:
        - pay: {coinn: 1}
    - end: over
endings: {over: {title: It is over}}
score: {terms: {coins: who.coins}}
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A ruleset with one mistake: a payment of something that does not exist."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "ruleset.yaml").write_text(MISTAKEN, encoding="utf-8")
    return tmp_path / "mine"


def test_validate_says_when_there_is_nothing_to_find(polis: Polis, mine: Path) -> None:
    (mine / "ruleset.yaml").write_text(MISTAKEN.replace("coinn", "coins"), encoding="utf-8")
    done = polis("validate", mine)
    assert done.status == 0
    assert done.out.startswith(f"{mine}: no findings")
    assert polis("validate", mine, "--format", "json").data["ok"] is True


def test_settings_that_are_tried_are_told_apart_from_scenarios_and_variants(polis: Polis) -> None:
    """And whoever soaks a game that leaves its seats open is told how many play."""
    shelf = Path(__file__).parent / "rulesets"
    assert polis("validate", shelf / "hex").out.endswith("hex: no findings, also with 2 other values of settings\n")
    text = polis("validate", shelf / "harbours").out
    assert text.endswith("also in 2 other scenarios and variants and with 8 other values of settings\n")
    assert "harbours: " in text
    soaked = polis("soak", shelf / "harbours", "--games", "1", "--seats", "3", "--check-every", "9").out
    assert "; 3 seats; random bots\n" in soaked


def test_validate_prints_every_finding_with_its_place_and_what_was_skipped(polis: Polis, mine: Path) -> None:
    done = polis("validate", mine)
    assert done.status == 1
    assert "mine/ruleset.yaml:11:17: error[unknown-resource]" in done.out
    assert "^^^^^" in done.out
    assert "hint: did you mean 'coins'?" in done.out
    assert f"{mine}: 1 finding; with these errors not everything could be checked\n" in done.out


def test_validate_gives_findings_to_programs(polis: Polis, mine: Path) -> None:
    done = polis("validate", mine, "--format", "json")
    assert done.status == 1
    (item,) = done.data["findings"]
    assert (item["code"], item["severity"], item["confidence"]) == ("unknown-resource", "error", "certain")
    assert (item["file"], item["line"], item["column"], item["end_column"]) == ("mine/ruleset.yaml", 11, 17, 22)
    assert polis("validate", mine, "--format", "sarif").data["runs"][0]["results"][0]["ruleId"] == "unknown-resource"


# --- with a real ruleset


HERE = Path(__file__).parent
SHIPPED = [each.name for each in shipped()]
SMALL = [str(HERE / "rulesets" / name) for name in ("dice_race", "random_isles", "sealed_bids")]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(SHIPPED))
def test_shipped_rulesets_have_no_findings(polis: Polis, ruleset: str) -> None:
    done = polis("validate", ruleset)
    assert done.out.startswith(f"{ruleset}: no findings")
    assert done.status == 0


@pytest.mark.parametrize(("ruleset", "seed"), sampled(product([*SMALL, *SHIPPED], [7, 8]), every=6, slow=2))
def test_real_games_run_and_replay(polis: Polis, ruleset: str, seed: int, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    played = polis("run", ruleset, "--seed", seed, "--format", "json", "--transcript", file)
    assert played.status == 0
    done = polis("replay", file, "--ruleset", ruleset, "--format", "json")
    assert done.status == 0
    assert done.data["final_hash"] == played.data["final_hash"]


def test_a_person_reads_nothing_of_what_others_decide_in_secret(polis: Polis, tmp_path: Path) -> None:
    folder = HERE / "rulesets" / "skirmish"
    rules = polis_rules.load(folder)
    player = rules.players[0]
    file = tmp_path / "game.jsonl"
    typed = "state\n4\n" * 40
    done = polis("run", folder, "--seed", 3, "--seat", f"{player}=human", "--transcript", file, typed=typed)
    assert "The game has ended" in done.out
    game = rules.start(seed=3)
    for kind, _, option in transcript.read(file).entries:
        if kind == "decision":
            game.apply(option)
    secret = set(game.report) - set(game.report_for(player))
    assert secret
    assert not secret & set(done.out.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", SHIPPED)
def test_a_person_at_a_shipped_ruleset_can_ask_stop_and_go_on(polis: Polis, ruleset: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    player = polis_rules.load(ruleset).players[0]
    typed = "state\nhelp\nwhy nonsense\n1\n0\nundo\n" * 5
    done = polis("run", ruleset, "--seed", 7, "--seat", f"{player}=human", "--transcript", file, typed=typed)
    assert done.status == 0
    assert not transcript.read(file).finished
    done = polis("run", ruleset, "--resume", file, "--seat", f"{player}=random")
    assert done.status == 0
    assert "The game has ended" in done.out
    assert polis("replay", file).status == 0
    done = polis("run", ruleset, "--seed", 7, "--seat", f"{player}=human", typed="quit\n")
    assert f"Begin again with: polis run {ruleset} --seed 7 --seat {player}=human\n" in done.err
