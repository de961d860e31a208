"""Transcripts: what is written can be read and replayed; what cannot be is refused with a clear message."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.fake_game import fake_ruleset

from polis_rules.play import bots, play_game, transcript
from polis_rules.play.transcript import TranscriptError

SEATS = {"red": "random", "blue": "random"}


def played(seed: int = 7, decisions: int | None = None) -> Any:
    """A game that two random bots played, whole or up to a number of decisions."""
    game = fake_ruleset().start(seed=seed)
    if decisions is None:
        play_game(game, {"red": bots.make("random", seed), "blue": bots.make("random", seed + 1)})
    for _ in range(decisions or 0):
        game.apply("dig")
    return game


def recorded(seed: int = 7, decisions: int | None = None) -> transcript.Transcript:
    return transcript.record(fake_ruleset(), played(seed, decisions), seed, SEATS)


def edited(text: str, line: int, new: object) -> str:
    """The text with one line (counted as indexes are) replaced by other JSON, or left out."""
    lines = text.splitlines()
    lines[line : line + 1 or None] = [] if new is None else [json.dumps(new)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("decisions", [None, 0, 3])
def test_reading_gives_back_what_was_written(tmp_path: Path, decisions: int | None) -> None:
    file = tmp_path / "game.jsonl"
    written = recorded(decisions=decisions)
    transcript.write(file, written)
    assert transcript.read(file) == written
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_every_entry_has_its_line() -> None:
    text = transcript.dump(recorded(decisions=2))
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["format"] == transcript.FORMAT
    assert lines[1] == ["decision", "red", "dig"]
    assert lines[2][:2] == ["chance", "dig"]
    assert lines[-1]["entries"] == 4


@pytest.mark.parametrize("seed", range(20))
def test_a_replay_reaches_the_same_position(seed: int) -> None:
    outcome = transcript.replay(recorded(seed), fake_ruleset())
    assert outcome.ok
    assert outcome.hash == played(seed).hash()


def test_a_replay_takes_chance_from_the_transcript_and_not_from_the_seed() -> None:
    outcome = transcript.replay(replace(recorded(7), seed=8), fake_ruleset())
    assert outcome.ok


def test_other_rules_are_refused_with_both_hashes() -> None:
    with pytest.raises(TranscriptError, match=r"aaaa.*bbbb"):
        transcript.replay(recorded(), fake_ruleset(hash="bbbb"))


@pytest.mark.parametrize(
    ("entry", "new", "message"),
    [
        (1, ("decision", "red", "buy"), "unknown option 'buy' for red"),
        (1, ("decision", "blue", "dig"), "red is to decide"),
        (1, ("chance", "dig", "1"), "does not wait for chance"),
        (2, ("chance", "dig", "9"), "chance 'dig' cannot give '9'"),
        (2, ("chance", "draw", "1"), "the game waits for 'dig'"),
        (2, ("decision", "blue", "dig"), "the game waits for chance 'dig'"),
    ],
)
def test_a_replay_names_the_first_entry_that_does_not_fit(entry: int, new: transcript.Entry, message: str) -> None:
    whole = recorded(decisions=2)
    entries = list(whole.entries)
    entries[entry - 1] = new
    outcome = transcript.replay(replace(whole, entries=tuple(entries)), fake_ruleset())
    assert outcome.divergence is not None
    assert outcome.divergence.entry == entry
    assert outcome.entries == entry - 1
    assert message in outcome.divergence.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"final_hash": "0"}, "ends in position 0"),
        ({"finished": False, "result": None}, "says not finished"),
        (
            {"result": {"ended_by": "x", "ended_by_title": "x", "winner": None, "scores": {}}},
            "has the result",
        ),
    ],
)
def test_a_replay_compares_the_end(change: dict[str, Any], message: str) -> None:
    outcome = transcript.replay(replace(recorded(), **change), fake_ruleset())
    assert outcome.divergence is not None
    assert outcome.divergence.entry is None
    assert message in outcome.divergence.message


def test_entries_after_the_end_of_the_game_are_found() -> None:
    whole = recorded()
    outcome = transcript.replay(replace(whole, entries=(*whole.entries, ("decision", "red", "dig"))), fake_ruleset())
    assert outcome.divergence is not None
    assert "the game is over" in outcome.divergence.message


def test_a_failing_rule_is_a_divergence() -> None:
    outcome = transcript.replay(recorded(decisions=2), fake_ruleset(fails_at=1))
    assert outcome.divergence is not None
    assert outcome.divergence.entry == 3
    assert "a token is below zero" in outcome.divergence.message


def test_a_resumed_game_stands_where_the_transcript_ends_and_goes_on_alike() -> None:
    game = transcript.resume(recorded(decisions=3), fake_ruleset())
    other = played(decisions=3)
    assert game.log == other.log
    for each in (game, other):
        each.apply("dig")
    assert game.hash() == other.hash()


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (recorded(), "finished"),
        (replace(recorded(decisions=2), final_hash="0"), "last position is 0"),
        (
            replace(recorded(decisions=1), entries=(("decision", "red", "buy"),)),
            "entry 1: unknown option 'buy'",
        ),
        (
            replace(recorded(decisions=1), entries=(("decision", "red", "dig"), ("chance", "dig", "9"))),
            "entry 2",
        ),
    ],
)
def test_a_game_that_cannot_go_on_is_refused(broken: transcript.Transcript, message: str) -> None:
    with pytest.raises(TranscriptError, match=message):
        transcript.resume(broken, fake_ruleset())


def good() -> str:
    return transcript.dump(recorded(decisions=2))


HEAD = json.loads(good().splitlines()[0])
LAST = json.loads(good().splitlines()[-1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("hello\n", "game:1: this line is not JSON: 'hello'"),
        ("[1]\n", "game:1: this is not a transcript"),
        ("null\n", "game:1: this is not a transcript"),
        ("[" * 100_000, "game:1: this line is not JSON"),
        ("9" * 10_000, "game:1: "),
        ("{}\n", "game:1: 'format' is missing"),
        (edited(good(), 0, HEAD | {"format": 2}), "format 2; this version of polis-rules reads format 1"),
        (edited(good(), 0, HEAD | {"format": "1"}), "'format' must be a whole number, not '\"1\"'"),
        (edited(good(), 0, HEAD | {"seed": True}), "'seed' must be a whole number"),
        (edited(good(), 0, HEAD | {"seats": {"red": 1}}), "'seats' must be names with texts"),
        (edited(good(), 0, HEAD | {"layers": "demo"}), "'layers' must be a list of texts"),
        (edited(good(), 0, {k: v for k, v in HEAD.items() if k != "hash"}), "'hash' is missing"),
        (edited(good(), 1, ["decision", "red"]), "game:2: an entry is a list of three texts"),
        (edited(good(), 1, ["decision", "red", 1]), "game:2: an entry is a list of three texts"),
        (edited(good(), 1, ["jump", "red", "dig"]), "game:2: an entry begins with 'decision' or 'chance'"),
        (edited(good(), 1, {}), "game:2: an entry is a list of three texts"),
        (edited(good(), -1, None), "game:5: the transcript is cut off"),
        (good()[:-20], "game:6: the transcript is cut off"),
        (good().splitlines()[0], "game:1: the transcript is cut off"),
        (edited(good(), 2, None), "game:5: the file should hold 4 entries but holds 3"),
        (edited(good(), -1, LAST | {"finished": True}), "a finished game has a result"),
        (edited(good(), -1, LAST | {"result": {"winner": 1}}), "'result' must be a result or null"),
        (edited(good(), -1, LAST | {"final_hash": None}), "'final_hash' must be a text"),
        (edited(good(), -1, "end"), "game:6: this is not a transcript"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(TranscriptError) as error:
        transcript.parse(text, "game")
    assert message in str(error.value)


def test_every_cut_of_a_transcript_is_noticed() -> None:
    text = good()
    for end in range(len(text) - 1):
        with pytest.raises(TranscriptError):
            transcript.parse(text[:end])


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(TranscriptError, match="byte 0 is not UTF-8"):
        transcript.read(file)


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("old")

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        transcript.write(file, recorded())
    assert file.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_write_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("old")
    link.symlink_to(target)
    transcript.write(link, recorded())
    assert link.is_symlink()
    assert transcript.read(target) == recorded()


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a regular file"):
        transcript.write(tmp_path, recorded())


def test_an_unknown_bot_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(bots.UnknownBotError, match="did you mean 'random'"):
        bots.make("randm", 1)


def test_the_same_seed_gives_a_random_bot_that_plays_the_same() -> None:
    assert played(5).log == played(5).log
    assert any(played(5).log != played(seed).log for seed in range(6, 16))
