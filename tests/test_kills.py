"""A game that is being recorded survives the death of its process at any moment."""

from __future__ import annotations

import os
import re
import signal
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from polis_cli.output import Format
from polis_cli.session import Session as Sitting

import polis_rules
from polis_rules.play import HUMAN, Recorder, Session, read, record, resume, saved_games

RULES = Path(__file__).parent / "rulesets" / "dice_race"

LABEL = re.compile(rb"\n +(\d+)  ")
"""What stands before an option."""

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)


def played(ruleset: polis_rules.Ruleset, game: polis_rules.Game, file: Path, decisions: int, how: int) -> int:
    """Play in another process, typing one answer after the other, and kill it while it works on the last one.

    The number of decisions that it had asked for when it died.
    """
    typed, asked = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        try:
            for number in SIGNALS[1:]:
                signal.signal(number, signal.SIG_DFL)
            os.dup2(typed[0], 0)
            os.dup2(asked[1], 1)
            for each in (*typed, *asked):
                os.close(each)
            sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w", buffering=1)
            seats = dict.fromkeys(ruleset.players, "human")
            Sitting(["dice_race"], None, ruleset, game, game.seed, seats, file, Format.text).run()
        finally:
            os._exit(0)
    os.close(typed[0])
    os.close(asked[1])
    prompts, seen = 0, b""
    with os.fdopen(typed[1], "wb", buffering=0) as answers, os.fdopen(asked[0], "rb", buffering=0) as told:
        while prompts < decisions and (part := told.read(4096)):
            seen += part
            if seen.endswith(b"presses Enter. "):
                answers.write(b"\n")
            elif seen.endswith(b"\n> "):
                prompts += 1
                answers.write(LABEL.findall(seen)[-1] + b"\n")
        os.kill(child, how)
    os.waitpid(child, 0)
    return prompts


def killed(kills: int, folder: Path) -> None:
    """Kill games at random moments and go on with each from its file until it is over."""
    rng = Random(7)
    ruleset = polis_rules.load(RULES)
    seats = dict.fromkeys(ruleset.players, "human")
    game, file = ruleset.start(seed=1), folder / "game.jsonl"
    for number in range(kills):
        asked = played(ruleset, game, file, rng.randint(1, 5), rng.choice(SIGNALS))
        kept = read(file)
        before = sum(kind == "decision" for kind, _, _ in game.log)
        now = sum(kind == "decision" for kind, _, _ in kept.entries)
        assert kept.entries[: len(game.log)] == game.log
        assert before + asked - 1 <= now <= before + asked
        if kept.finished:
            game = ruleset.start(seed=number + 2)
        else:
            game = resume(kept, ruleset)
            with closing(Recorder(file, record(ruleset, game, seats))):
                assert read(file).entries == game.log


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied here")
def test_a_kill_loses_at_most_the_decision_being_made(tmp_path: Path) -> None:
    """After 20 kills at random moments every answered decision is in the file, and the game goes on from there."""
    killed(20, tmp_path)


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied here")
def test_300_kills_lose_at_most_the_decision_being_made(tmp_path: Path) -> None:
    """The same with 300 kills."""
    killed(300, tmp_path)


def moved(session: Session, rng: Random) -> None:
    """One thing that people do: mostly a decision, at times one is taken back."""
    if session.turn == "over" or (session.game.moment and rng.random() < 0.2):
        session.undo()
    elif session.decision is not None:
        session.choose(rng.choice(session.decision.options))


def sat_down(rules: polis_rules.Ruleset, name: str, keep: bool = True) -> Session:
    """The session that goes on with the saved game, or with the same moves without a file."""
    saved = Session.resume(name)
    people = dict.fromkeys(rules.players, HUMAN)
    return saved if keep else Session(rules, people, undo_all=True, keep=False, game=saved.game)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied here")
def test_100_kills_of_sessions_lose_at_most_what_was_being_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each kill the saved game stands where it stood after the last thing done, or after the one being done."""
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path))
    rules, times = polis_rules.load(RULES.with_name("othello")), Random(7)
    first = Session(rules, dict.fromkeys(rules.players, HUMAN), 1)
    moved(first, Random(1))
    first.close()
    assert first.name is not None
    cut = 0
    for number in range(100):
        told, tell = os.pipe()
        child = os.fork()
        if not child:
            try:
                session, rng = sat_down(rules, first.name), Random(number)
                for _ in range(1000):
                    moved(session, rng)
                    os.write(tell, b".")
            finally:
                os._exit(0)
        os.close(tell)
        expected, rng = sat_down(rules, first.name, keep=False), Random(number)
        seen = 0
        for _ in range(times.randint(1, 12)):
            seen += len(os.read(told, 1))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(told, "rb") as rest:
            done = seen + len(rest.read())
        for _ in range(done):
            moved(expected, rng)
        last = expected.game.log
        kept = read(tmp_path / f"{first.name}.jsonl").entries
        if kept != last:
            moved(expected, rng)
            cut += 1
            assert kept == expected.game.log
        assert [each.name for each in saved_games()] == [first.name]
    assert cut < 200
