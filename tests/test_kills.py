"""A game that is being recorded survives the death of its process at any moment."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from polis_cli.output import Format
from polis_cli.session import Session

import polis_rules
from polis_rules.play import Recorder, read, record, resume

RULES = Path(__file__).parent / "rulesets" / "dice_race"

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
            Session(["dice_race"], None, ruleset, game, game.seed, seats, file, Format.text).run()
        finally:
            os._exit(0)
    os.close(typed[0])
    os.close(asked[1])
    prompts, seen = 0, b""
    with os.fdopen(typed[1], "wb", buffering=0) as answers, os.fdopen(asked[0], "rb", buffering=0) as told:
        while prompts < decisions and (part := told.read(4096)):
            seen += part
            if seen.endswith(b"\n> "):
                prompts += 1
                answers.write(seen.split(b"\n")[-2].split()[0] + b"\n")  # the label of the last option
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


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied here")
def test_300_kills_lose_at_most_the_decision_being_made(tmp_path: Path) -> None:
    """The same with 300 kills."""
    killed(300, tmp_path)
