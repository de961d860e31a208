"""Transcripts: what is written can be read and replayed; what cannot be is refused with a clear message."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.fake_game import fake_ruleset

from polis_rules.interpreter.game import Result
from polis_rules.play import Recorder, bots, play_game, transcript
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
    return transcript.record(fake_ruleset(), played(seed, decisions), SEATS)


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
    assert lines[0]["format"] == 1
    assert lines[1] == ["decision", "red", "dig"]
    assert lines[2][:2] == ["chance", "dig"]
    assert len(lines) == 5
    *entries, last = transcript.dump(recorded()).splitlines()[1:]
    assert json.loads(last)["entries"] == len(entries)


@pytest.mark.parametrize("seed", range(20))
def test_a_replay_reaches_the_same_position(seed: int) -> None:
    outcome = transcript.replay(recorded(seed), fake_ruleset())
    assert outcome.ok
    assert outcome.hash == played(seed).hash()


def test_dice_are_checked_against_the_seed() -> None:
    """Outcomes that the seed does not give are a divergence."""
    outcome = transcript.replay(replace(recorded(7), seed=8), fake_ruleset())
    assert outcome.divergence is not None
    assert outcome.divergence.message == "chance 'dig' gives '2', but by seed 8 chance 'dig' gives '1'"


def test_dice_that_were_entered_by_hand_are_believed() -> None:
    """A transcript that says so may hold any outcome that chance can have."""
    whole = recorded(7, decisions=1)
    entries = (whole.entries[0], ("chance", "dig", "1"))
    for seed in range(3):
        outcome = transcript.replay(replace(whole, seed=seed, entries=entries, chance="by hand"), fake_ruleset())
        assert outcome.ok


def test_other_rules_are_refused_with_both_hashes() -> None:
    with pytest.raises(TranscriptError, match=r"aaaa.*bbbb"):
        transcript.replay(recorded(), fake_ruleset(hash="bbbb"))


@pytest.mark.parametrize(
    ("entry", "new", "message"),
    [
        (1, ("decision", "red", "buy"), "red decides 'buy', but buy is not allowed now"),
        (1, ("decision", "blue", "dig"), "blue decides 'dig', but red is to decide"),
        (1, ("chance", "dig", "1"), "does not wait for chance"),
        (2, ("chance", "dig", "9"), "chance 'dig' gives '9', but dig cannot come out as 9"),
        (2, ("chance", "draw", "1"), "the game waits for chance 'dig'"),
        (2, ("decision", "blue", "dig"), "the game waits for chance 'dig'"),
    ],
)
def test_a_replay_names_the_first_entry_that_does_not_fit(entry: int, new: transcript.Entry, message: str) -> None:
    whole = recorded(decisions=2)
    entries = list(whole.entries)
    entries[entry - 1] = new
    outcome = transcript.replay(replace(whole, entries=tuple(entries), chance="by hand"), fake_ruleset())
    assert outcome.divergence is not None
    assert outcome.divergence.entry == entry
    assert outcome.entries == entry - 1
    assert message in outcome.divergence.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"final_hash": "0"}, "ends in position 0"),
        ({"entries": recorded().entries[:-2]}, "says that the game is finished"),
        ({"result": Result("x", "x", None, {})}, "has the result"),
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": ("other",)}, "its rules are made of 'other', but they are made of"),
        ({"seats": {"green": "random"}}, "seats 'green', who is no player; known: red, blue"),
    ],
)
def test_seats_and_layers_are_those_of_the_rules(change: dict[str, Any], message: str) -> None:
    """What a transcript says of itself is held against the rules that it is played with."""
    with pytest.raises(TranscriptError, match=message):
        transcript.replay(replace(recorded(), **change), fake_ruleset())


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


def test_a_game_with_dice_entered_by_hand_is_resumed_where_somebody_enters_the_next_ones() -> None:
    recorded_by_hand = replace(recorded(decisions=2), chance="by hand")
    assert transcript.resume(recorded_by_hand, fake_ruleset(), by_hand=True).log == played(decisions=2).log


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (recorded(), "finished"),
        (replace(recorded(decisions=2), chance="by hand"), "entered by hand"),
        (replace(recorded(decisions=1), entries=(("decision", "red", "buy"),)), "entry 1: red decides 'buy', but"),
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
END = json.loads(transcript.dump(recorded()).splitlines()[-1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("hello\n", "game:1: the first line of a transcript says what was played: {...}, not 'hello'"),
        ("[1]\n", "game:1: the first line of a transcript says what was played: {...}, not '[1]'"),
        ("[" * 100_000, "game:1: the first line of a transcript says"),
        ("9" * 10_000, "game:1: "),
        ("{}\n", "game:1: 'polis_rules' is missing"),
        (edited(good(), 0, HEAD | {"format": 2}), "game:1: 'format' is 1, not '2'"),
        (edited(good(), 0, HEAD | {"seed": True}), "'seed' is a whole number, not 'True'"),
        (edited(good(), 0, HEAD | {"seats": {"red": 1}}), "'seats.red' is text, not '1'"),
        (edited(good(), 0, HEAD | {"layers": "demo"}), "'layers' is a list, not 'demo'"),
        (edited(good(), 0, HEAD | {"title": "a\x9b31m"}), "game:1: a text has a control character in it"),
        (edited(good(), 1, ["decision", "red", "\x1b[2J"]), "game:2: a text has a control character in it"),
        (edited(good(), 1, ["decision", "red"]), "game:2: an entry is a list of three texts"),
        (
            edited(good(), 1, ["jump", "red", "dig"]),
            'PLAYER, OPTION] or ["chance", STREAM, OUTCOME], not \'["jump", "red", "dig"]\'',
        ),
        (edited(good(), 1, {}), "game:2: 'entries' is missing"),
        (edited(good(), 2, END | {"entries": 1}), "game:3: the game ends here, but the file goes on"),
        (edited(good(), -1, END), "game:5: the file should hold 9 entries but holds 3"),
        (edited(good(), -1, END | {"result": {"winner": 1}}), "game:5: 'result.ended_by' is missing"),
        (edited(good(), -1, "end"), "game:5: an entry is a list of three texts"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(TranscriptError) as error:
        transcript.parse(text, "game")
    assert message in str(error.value)
    assert str(error.value).isprintable()


def test_wherever_a_file_breaks_off_its_whole_lines_are_read(tmp_path: Path) -> None:
    """A process may be killed while it writes: what is half written is left out."""
    whole = recorded(decisions=2)
    data, file = transcript.dump(whole).encode(), tmp_path / "game.jsonl"
    for end in range(data.index(b"\n") + 1, len(data) + 1):
        file.write_bytes(data[:end])
        assert transcript.read(file) == replace(whole, entries=whole.entries[: data[:end].count(b"\n") - 1])


def test_a_game_is_in_its_file_after_every_decision(tmp_path: Path) -> None:
    """The file always holds what the game's log does, also after something was taken back, and at last the result."""
    game, file = fake_ruleset().start(seed=7), tmp_path / "game.jsonl"
    with closing(Recorder(file, transcript.record(fake_ruleset(), game, SEATS))) as recorder:
        for option in ("dig", "pass", "undo", "undo", "dig", "dig", "buy", "pass", "pass", "pass"):
            if option == "undo":
                game.undo()
                continue
            game.apply(option)
            recorder.update(game)
            assert transcript.read(file) == transcript.record(fake_ruleset(), game, SEATS)
    assert game.finished and transcript.read(file).finished


def test_two_games_are_not_recorded_in_one_file_at_a_time(tmp_path: Path) -> None:
    """The second one would take the place of what the first one goes on to write."""
    pytest.importorskip("fcntl")
    game, file = fake_ruleset().start(seed=7), tmp_path / "game.jsonl"
    begun = transcript.record(fake_ruleset(), game, SEATS)
    with closing(Recorder(file, begun)) as recorder:
        with pytest.raises(OSError, match="another process records a game in this file"):
            Recorder(file, begun)
        game.apply("dig")
        recorder.update(game)
        assert transcript.read(file) == transcript.record(fake_ruleset(), game, SEATS)
    Recorder(file, begun).close()


def test_a_file_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("polis_rules.play.transcript.LARGEST", 1000)
    (tmp_path / "game.jsonl").write_bytes(b"x" * 1001)
    with pytest.raises(TranscriptError, match="larger than 1000 bytes"):
        transcript.read(tmp_path / "game.jsonl")


def test_only_ids_are_taken_from_a_transcript() -> None:
    """A transcript cannot make anybody open a file: paths have to be given by the person."""
    for name in ("/etc", "../secret", "rules/mine", "C:"):
        with pytest.raises(TranscriptError, match="no id; give the path with --ruleset"):
            transcript.rules_of(replace(recorded(), ruleset=name))
        with pytest.raises(TranscriptError, match="no id; give the path with --variant"):
            transcript.rules_of(replace(recorded(), ruleset="yucata", variants=(name,)))


def test_a_transcript_opens_no_file_as_its_scenario(tmp_path: Path) -> None:
    """What a transcript names as its scenario is never read where it is a path, whatever rules are given for it."""
    secret = tmp_path / "secret.yaml"
    secret.write_text("password: swordfish\n")
    for scenario in (str(secret), "../secret.yaml", "secret.yaml"):
        forged = replace(recorded(), ruleset="yucata", scenario=scenario)
        for ruleset in (None, "yucata"):
            with pytest.raises(TranscriptError, match="which is no id"):
                transcript.rules_of(forged, ruleset, ())


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(TranscriptError, match="byte 0 is not UTF-8"):
        transcript.read(file)


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
