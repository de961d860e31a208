"""The command line: what it prints of games that are played, recorded and gone on with, and its exit statuses."""

from __future__ import annotations

import errno
import io
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import Polis, command
from support.fake_game import FakeGame, FakeRuleset, fake_ruleset

import polis_rules
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.diagnostics.span import Span
from polis_rules.play import Recorder, transcript


@pytest.fixture
def polis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    """Runs the command line."""
    return command(monkeypatch, capsys)


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> FakeRuleset:
    """Makes every ruleset that is loaded the demo."""
    ruleset: FakeRuleset = fake_ruleset()
    for name in LOADS:
        monkeypatch.setattr(name, lambda source, scenario=None, variants=(): ruleset)
    return ruleset


LOADS = ("polis_rules.load", "polis_rules.play.transcript.load")
"""Where commands look for what loads a ruleset."""

BROKEN = RulesetError(
    [
        Diagnostic("unknown-name", "nothing is called 'coinn'", Span("demo/a.yaml", 2, 3, 2, 8), "coin?"),
        Diagnostic("unknown-scenario", "there is no scenario 'shrt'", None),
    ],
    {"demo/a.yaml": "is:\n  coinn\n"},
)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every ruleset that is loaded a broken one."""

    def load(source: str, scenario: str | None = None, variants: tuple[str, ...] = ()) -> None:
        raise BROKEN

    monkeypatch.setattr(polis_rules, "load", load, raising=False)


# --- run


def test_run_prints_the_report_the_scores_and_the_winner(polis: Polis, demo: FakeRuleset) -> None:
    done = polis("run", "demo", "--seed", 7)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "A demo (standard)"
    assert lines[1] == "Attested: 3 of 4 rules and values (75 %); 1 ours." and "Seed 7." in lines[2]
    assert lines[3] == "Round 1 begins"
    assert lines.count("Round 1 begins") == 1
    assert "The game has ended: Three rounds are played" in lines
    assert any(line.startswith("total ") for line in lines)
    assert any(line.startswith(("Winner: ", "Nobody wins")) for line in lines)


def test_run_gives_the_result_to_programs(polis: Polis, demo: FakeRuleset) -> None:
    data = polis("run", "demo", "--seed", 7, "--format", "json").data
    assert data["ruleset"] == "demo"
    assert data["ruleset_hash"] == "aaaa"
    assert data["scenario"] == "standard"
    assert data["variants"] == []
    assert data["layers"] == ["demo", "standard"]
    assert data["seed"] == 7
    assert data["seats"] == {"red": "random", "blue": "random"}
    assert data["decisions"] == 6
    assert data["rounds"] == 3
    assert data["ended_by"] == "three_rounds"
    assert set(data["scores"]["red"]) == {"total", "tokens", "coins"}
    best = [player for player in data["scores"] if data["scores"][player]["total"] == _best(data)]
    assert data["winner"] == (best[0] if len(best) == 1 else None)
    assert data["final_hash"]


def _best(data: dict[str, Any]) -> int:
    return max(int(score["total"]) for score in data["scores"].values())


def test_a_tie_has_no_winner(polis: Polis, demo: FakeRuleset) -> None:
    results = [polis("run", "demo", "--seed", seed, "--format", "json").data for seed in range(30)]
    ties = [each for each in results if len({score["total"] for score in each["scores"].values()}) == 1]
    assert ties
    assert all(each["winner"] is None for each in ties)


def test_the_same_seed_gives_the_same_game(polis: Polis, demo: FakeRuleset) -> None:
    first, second = (polis("run", "demo", "--seed", 7).out for _ in range(2))
    assert first == second


def test_a_seed_that_was_not_given_is_shown_and_gives_the_same_game_again(polis: Polis, demo: FakeRuleset) -> None:
    first = polis("run", "demo", "--format", "json")
    again = polis("run", "demo", "--format", "json", "--seed", first.data["seed"])
    assert again.out == first.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "rde=random"], "did you mean 'red'?"),
        (["--seat", "x=random"], "known: red, blue"),
        (["--seat", "red=randm"], "did you mean 'random'?"),
        (["--seat", "red=x"], "known: random, greedy, mcts, human"),
        (["--seat", "red"], "PLAYER=WHO"),
        (["--seat", "=random"], "PLAYER=WHO"),
        (["--seat", "red=random", "--seat", "red=human"], "given two seats"),
        (["--seat", "red=human", "--format", "json"], "needs --format text"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "many"], "--seed"),
        (["--format", "xml"], "--format"),
        (["--transcript", "no/such/folder/game.jsonl"], "there is no folder"),
    ],
)
def test_wrong_options_of_run_are_explained_with_status_2(
    polis: Polis, demo: FakeRuleset, arguments: list[str], message: str
) -> None:
    done = polis("run", "demo", *arguments)
    assert done.status == 2
    assert message in " ".join(done.err.split())


def test_a_broken_ruleset_cannot_be_run(polis: Polis, broken: None) -> None:
    done = polis("run", "demo")
    assert done.status == 1
    assert "demo/a.yaml:2:3: error[unknown-name]" in done.err
    assert "Traceback" not in done.err


def test_a_failing_rule_ends_with_one_message_and_what_was_played_is_recorded(
    polis: Polis, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ruleset = fake_ruleset(fails_at=3)
    monkeypatch.setattr(polis_rules, "load", lambda *_, **__: ruleset, raising=False)
    file = tmp_path / "game.jsonl"
    done = polis("run", "demo", "--seed", 7, "--transcript", file)
    assert done.status == 1
    assert "Error: demo/actions.yaml:3:1: a token is below zero" in done.err
    assert "Traceback" not in done.err
    kept = transcript.read(file)
    assert sum(1 for entry in kept.entries if entry[0] == "decision") == 3
    assert transcript.replay(kept, fake_ruleset()).ok


# --- transcripts


def test_a_recorded_game_replays(polis: Polis, demo: FakeRuleset, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    played = polis("run", "demo", "--seed", 7, "--format", "json", "--transcript", file)
    done = polis("replay", file)
    assert done.status == 0
    assert f"ok, {len(transcript.read(file).entries)} entries" in done.out
    assert played.data["final_hash"] in done.out
    data = polis("replay", file, "--format", "json").data
    assert data["ok"] is True
    assert data["final_hash"] == played.data["final_hash"]


def test_a_replay_that_differs_has_status_1_and_names_the_line(polis: Polis, demo: FakeRuleset, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    polis("run", "demo", "--seed", 7, "--transcript", file)
    lines = file.read_text().splitlines(keepends=True)
    lines[1] = '["decision", "red", "jump"]\n'
    file.write_text("".join(lines))
    done = polis("replay", file)
    assert done.status == 1
    assert "differs at entry 1 (line 2): red decides 'jump', but " in done.out
    assert polis("replay", file, "--format", "json").data["divergence"]["entry"] == 1


def test_a_transcript_of_other_rules_is_refused_with_both_hashes(
    polis: Polis, demo: FakeRuleset, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    polis("run", "demo", "--transcript", file)
    demo.hash = "bbbb"
    done = polis("replay", file)
    assert done.status == 1
    assert "aaaa" in done.err
    assert "bbbb" in done.err


@pytest.mark.parametrize("content", ["", "hello", "{}", '{"format": 9}'])
def test_a_file_that_is_no_transcript_is_refused_in_one_line(
    polis: Polis, demo: FakeRuleset, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(content)
    done = polis("replay", file)
    assert done.status == 1
    assert done.err.startswith(f"Error: {file}")
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_there_is_named(polis: Polis, demo: FakeRuleset) -> None:
    done = polis("replay", "nowhere.jsonl")
    assert done.status == 1
    assert done.err == "Error: nowhere.jsonl: No such file or directory\n"


def test_a_replay_without_its_ruleset_says_how_to_name_it(
    polis: Polis, demo: FakeRuleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    polis("run", "demo", "--transcript", file)
    sources: list[str] = []

    def load(source: str, scenario: str | None = None, variants: tuple[str, ...] = ()) -> FakeRuleset:
        sources.append(source)
        if source == "demo":
            raise BROKEN
        return demo

    monkeypatch.setattr("polis_rules.play.transcript.load", load)
    done = polis("replay", file)
    assert done.status == 1
    assert "--ruleset" in done.err
    assert polis("replay", file, "--ruleset", "rules/demo").status == 0
    assert sources == ["demo", "rules/demo"]


def test_an_existing_file_is_replaced_only_when_forced(polis: Polis, demo: FakeRuleset, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("old")
    done = polis("run", "demo", "--transcript", file)
    assert done.status == 2
    assert "exists" in done.err
    assert "--force" in done.err
    assert file.read_text() == "old"
    assert polis("run", "demo", "--transcript", file, "--force").status == 0
    assert transcript.read(file).finished


def test_a_folder_cannot_be_a_transcript(polis: Polis, demo: FakeRuleset, tmp_path: Path) -> None:
    assert polis("run", "demo", "--transcript", tmp_path, "--force").status == 2


# --- people, stopping and going on


HARBOURS = Path(__file__).parent / "rulesets" / "harbours"


def test_quitting_records_the_game_and_says_how_to_go_on(polis: Polis, tmp_path: Path) -> None:
    file = tmp_path / "my game.jsonl"
    done = polis("run", HARBOURS, "--seat", "red=human", "--transcript", file, typed="fish\nquit\n")
    assert done.status == 0
    assert f"polis run {HARBOURS} --resume '{file}'" in done.err
    assert not transcript.read(file).finished
    done = polis("run", HARBOURS, "--resume", file, typed="rest\n" * 200)
    assert done.status == 0
    assert "The game has ended" in done.out
    kept = transcript.read(file)
    assert kept.finished
    assert kept.seats == {"red": "human", "blue": "random"}
    assert transcript.replay(kept, polis_rules.load(HARBOURS)).ok


@pytest.mark.parametrize("instead", [None, "mine"])
def test_a_game_whose_file_is_deleted_or_replaced_meanwhile_is_recorded_anew(
    polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instead: str | None
) -> None:
    """The whole game is written again; what somebody else has put in the place of its file is left alone."""
    file, update = tmp_path / "game.jsonl", Recorder.update
    times: list[int] = []

    def meddled(self: Recorder, game: Any) -> None:
        update(self, game)
        times.append(len(game.log))
        if len(times) == 1:
            file.unlink()
            if instead is not None:
                (tmp_path / "other").write_text(instead)
                (tmp_path / "other").replace(file)

    monkeypatch.setattr(Recorder, "update", meddled)
    done = polis("run", HARBOURS, "--seat", "red=human", "--transcript", file, typed="fish\nfish\nquit\n")
    kept = tmp_path / ("game.jsonl" if instead is None else "game-2.jsonl")
    assert f"{file} was deleted or replaced. The whole game is recorded in {kept}." in done.out + done.err
    assert f"--resume {kept}" in done.err
    assert instead is None or file.read_text() == instead
    assert len(transcript.read(kept).entries) > 1


def test_a_running_game_can_be_saved_and_is_recorded_from_then_on(polis: Polis, tmp_path: Path) -> None:
    """The file holds what was decided before, too; a file that exists is left alone."""
    file, there = tmp_path / "game.jsonl", tmp_path / "there.jsonl"
    there.write_text("mine")
    typed = f"fish\nsave\nsave {there}\nsave {tmp_path / 'no' / 'where'}\nsave {file}\nfish\nquit\n"
    done = polis("run", HARBOURS, "--seed", 7, "--seat", "red=human", typed=typed)
    assert (done.status, there.read_text(), done.out.count("Not written: ")) == (0, "mine", 2)
    assert "Give the file a name" in done.out and f"Recorded in {file}; what follows" in done.out
    assert f"polis run {HARBOURS} --resume {file}" in done.err
    kept = transcript.read(file)
    assert sum(who == "red" for kind, who, _ in kept.entries if kind == "decision") == 2
    assert transcript.replay(kept, polis_rules.load(HARBOURS)).ok


def test_a_saved_game_with_dice_entered_by_hand_is_gone_on_with_by_the_command_that_is_told(
    polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks `polis resume` for the file is told the command, too."""
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    race, file = HARBOURS.with_name("dice_race"), tmp_path / "game.jsonl"
    done = polis("play", race, "--plain", "--chance", "manual", typed=f"mud\nsave {file}\nbanana skin\n")
    again = f"polis run {race} --resume {file}"
    assert f"Go on with: {again}" in done.err
    assert f"polis run RULESET --resume {file}" in polis("resume", file).err
    done = polis(*again.split()[1:], typed="tailwind\n")
    assert (done.status, done.err.count(again)) == (0, 1)
    assert [what for kind, _, what in transcript.read(file).entries if kind == "chance"] == [
        "mud", "banana_skin", "tailwind",
    ]  # fmt: skip


@pytest.mark.parametrize("begin", [("play", "--plain"), ("run", "--seat", "ann=human")], ids=["play", "run"])
def test_the_command_that_is_told_goes_on_with_a_game_saved_anywhere(
    begin: tuple[str, ...], polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the number of seats was chosen, which the file says itself."""
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    leduc, file = Path(__file__).parent / "rulesets" / "leduc", tmp_path / "mine.jsonl"
    done = polis(begin[0], leduc, *begin[1:], "--seats", 3, "--seed", 1, typed=f"1\nsave {file}\nquit\n")
    _, _, told = done.err.partition("Go on with: polis ")
    again = polis(*shlex.split(told), typed="quit\n")
    assert (again.status, "Ann: human" in again.out) == (0, True)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_a_name_that_no_file_can_have_does_not_end_the_game(polis: Polis, name: str) -> None:
    race = Path(__file__).parent / "rulesets" / "dice_race"
    done = polis("run", race, "--seed", 7, "--seat", "red=human", typed=f"save {name}\ncase one {name}\nquit\n")
    assert (done.status, done.out.count("Not written: ")) == (0, 2)


def test_a_game_that_cannot_be_recorded_any_more_says_how_to_go_on(
    polis: Polis, demo: FakeRuleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the file holds up to there can be resumed; the file is named."""
    file = tmp_path / "game.jsonl"
    monkeypatch.setattr(os, "fsync", full_after(3, os.fsync))
    done = polis("run", "demo", "--seed", 7, "--transcript", file)
    assert done.status == 1
    assert f"Go on with: polis run demo --resume {file}\nError: {file}: No space left on device\n" in done.err
    assert len(transcript.read(file).entries) >= 2


def test_a_disk_that_is_full_from_the_beginning_is_told_with_the_file(
    polis: Polis, demo: FakeRuleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    monkeypatch.setattr(Path, "replace", lambda *_: full_after(0, os.fsync)(0))
    done = polis("run", "demo", "--seed", 7, "--transcript", file)
    assert (done.status, done.err, [*tmp_path.iterdir()]) == (1, f"Error: {file}: No space left on device\n", [])


def full_after(times: int, usual: Callable[[int], None]) -> Callable[[int], None]:
    """A disk that is full when it has been written to so often."""
    done = iter(range(times))

    def fsync(file: int) -> None:
        if next(done, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        usual(file)

    return fsync


def test_a_game_is_told_to_nobody_where_the_standard_output_is_closed(
    polis: Polis, demo: FakeRuleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert polis("run", "demo", "--seed", 7).status == 0


def test_a_reader_who_leaves_is_not_told_that_nothing_could_be_recorded(
    polis: Polis, demo: FakeRuleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `polis run demo | head -1`: nothing was to be recorded, so nothing is wrong with that."""

    class Left(io.StringIO):
        def write(self, text: str) -> int:
            if self.tell() > 200:
                raise BrokenPipeError(errno.EPIPE, "Broken pipe")
            return super().write(text)

    monkeypatch.setattr(sys, "stdout", Left())
    assert "recorded" not in polis("run", "demo", "--seed", 7).err


def test_the_end_of_input_is_quitting(polis: Polis) -> None:
    done = polis("run", HARBOURS, "--seed", 7, "--seat", "red=human", typed="fish\n")
    assert done.status == 0
    assert "--seed 7" in done.err


def test_a_resumed_game_may_be_given_other_seats_and_another_file(polis: Polis, tmp_path: Path) -> None:
    file, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    polis("run", HARBOURS, "--seat", "red=human", "--transcript", file, typed="fish\nquit\n")
    before = file.read_text()
    done = polis("run", HARBOURS, "--resume", file, "--seat", "red=random", "--transcript", other)
    assert done.status == 0
    assert file.read_text() == before
    assert transcript.read(other).seats["red"] == "random"


@pytest.mark.parametrize("option", [["--seed", "1"], ["--scenario", "x"]])
def test_a_resumed_game_keeps_its_seed_and_rules(polis: Polis, demo: FakeRuleset, option: list[str]) -> None:
    done = polis("run", "demo", "--resume", "game.jsonl", *option)
    assert done.status == 2
    assert option[0] in done.err


def test_a_finished_game_is_not_resumed(polis: Polis, demo: FakeRuleset, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    polis("run", "demo", "--transcript", file)
    done = polis("run", "demo", "--resume", file)
    assert done.status == 1
    assert "finished" in done.err


def test_a_stop_in_the_middle_of_a_rule_records_whole_decisions_with_status_130(
    polis: Polis, demo: FakeRuleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = FakeGame.answer

    def stopped(game: FakeGame, outcome: str) -> None:
        if len(game.log) == 5 and not stopped_once:
            stopped_once.append(True)
            game.coins["red"] = 99
            raise KeyboardInterrupt
        whole(game, outcome)

    stopped_once: list[bool] = []
    monkeypatch.setattr(FakeGame, "answer", stopped)
    monkeypatch.setattr("polis_rules.play.bots.RandomBot.choose", lambda bot, game: game.decision.options[0])
    file = tmp_path / "game.jsonl"
    done = polis("run", "demo", "--seed", 7, "--transcript", file)
    assert done.status == 130
    assert f"polis run demo --resume {file}" in done.err
    kept = transcript.read(file)
    assert not kept.finished
    assert transcript.replay(kept, fake_ruleset()).ok


def test_a_stop_without_a_transcript_says_what_would_have_recorded(
    polis: Polis, demo: FakeRuleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("polis_rules.play.bots.RandomBot.choose", stop)
    done = polis("run", "demo", "--seed", 7)
    assert done.status == 130
    assert "--transcript FILE" in done.err
    assert "--seed 7" in done.err
