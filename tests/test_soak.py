"""Everything that must hold does hold in many games, and each check can fail, is told, and leaves a case behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from polis_cli.main import app
from support.sampling import sampled
from support.shipping import shipped
from typer.testing import CliRunner

import polis_rules
from polis_rules.cases.runner import run_cases
from polis_rules.interpreter.evaluator.view import Views
from polis_rules.interpreter.game.game import Game
from polis_rules.interpreter.game.history import History
from polis_rules.interpreter.game.options import Options
from polis_rules.interpreter.game.report import Report
from polis_rules.interpreter.runtime import Program, fingerprint
from polis_rules.play import transcript
from polis_rules.verification.soak.cross_process import (
    CrossProcessError,
    Moves,
    Replays,
    differs,
    replay_in_other_process,
    write_games,
)
from polis_rules.verification.soak.soak import Plan, Soaked, in_turns, soak

soaking = import_module("polis_rules.verification.soak.soak")

DICE = Path(__file__).parent / "rulesets" / "dice_race"
BIDS = Path(__file__).parent / "rulesets" / "sealed_bids"

GAMES = {"politeia": (15, 5), "colonnades": (105, 40)}
"""How many games of an edition are played where they are long, and which of them are checked; else 250, one of 25."""

SHORT = {"hellenes_training": ("campaign_years=1",)}
"""What is settled in editions of which only one game is played and checked, as they are very long."""

OVERDRAFT = """\
variant: overdraft
title: A card that takes breath
extends: dice_race
why: Nobody can be sure to have so much.

change:
  terms.hand_limit.is: {was: 3, to: 4}
  tables.card.deep_breath.now:
    was:
      - gain: {breath: 2}
    to:
      - pay: {breath: 4}
"""

SUPPLY = """\
variant: breath_is_counted
title: Breath is counted
extends: dice_race
why: Nothing says where spent breath goes.

add:
  kinds.player.state.taken: {type: 0..9, start: 3}
  supplies.breath:
    title: Breath
    cite: own, breath
    grade: quoted
    per: player
    total: 3
    reserve: owner.taken
    places: {sky: 0 if weather is none else 1}
"""


@pytest.fixture
def polis() -> Callable[..., tuple[int, str]]:
    """Runs the command line in this process: its exit status, and all that it prints."""

    def call(*arguments: object) -> tuple[int, str]:
        done = CliRunner().invoke(app, [str(each) for each in arguments])
        return done.exit_code, done.output + ("" if done.exception is None else str(done.exception))

    return call


@pytest.fixture
def here_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process replays anything."""
    monkeypatch.setattr(soaking, "replay_in_other_process", lambda *_: Replays("3.11.0", "1", 0, ()))


def plan(ruleset: Path | str, games: int = 20, check_every: int = 1, variants: Sequence[Path] = ()) -> Plan:
    scenarios = tuple(polis_rules.load(ruleset).scenarios)
    return Plan(ruleset, scenarios, tuple(variants), games, check_every=check_every)


# -- what holds --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in shipped() if each.name not in SHORT])
def test_everything_holds_in_many_games_of_every_edition(name: str) -> None:
    games, check_every = GAMES.get(name, (250, 25))
    wanted = plan(name, games=games, check_every=check_every)
    result = soak(wanted)
    assert result.failure is None
    assert (result.games, result.checked) == (games, 3 * len(wanted.scenarios))
    (elsewhere,) = result.replays
    assert (elsewhere.games, elsewhere.differing) == (games, ())
    assert result.decisions > 10_000 and result.chances > 2 * games


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SHORT)
def test_everything_holds_in_short_games_of_a_long_edition(name: str) -> None:
    result = soak(replace(plan(name, games=1), variants=SHORT[name]))
    assert result.failure is None
    assert (result.games, result.checked, result.replays[0].differing) == (1, 1, ())
    assert result.worlds > 100


@pytest.mark.parametrize("ruleset", sampled([BIDS, DICE], every=2, name=lambda path: path.name))
def test_everything_holds_in_small_games_with_secrets(ruleset: Path) -> None:
    result = soak(plan(ruleset, check_every=2))
    assert result.ok and not result.stopped
    assert (result.games, result.checked, result.replays[0].games) == (20, 10, 20)
    assert result.worlds > 50


@pytest.mark.slow
def test_two_processes_and_all_seatings_find_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soaking, "AT_ONCE", 6)
    wanted = replace(plan(DICE, games=12, check_every=5), players=("random", "greedy"))
    one = soak(wanted)
    assert one.ok and one == soak(wanted, jobs=2)
    seatings = {(a, b) for a in ("random", "greedy") for b in ("random", "greedy")}
    assert {wanted.seats(number, 2) for number in range(4)} == seatings
    assert {wanted.seats(number, 2) for number in range(1000) if wanted.is_checked(number)} == seatings
    assert sum(map(wanted.is_checked, range(2500))) == 500


# -- each check can fail -----------------------------------------------------------------------------------------------


def sees_all(self: Views, state: list[int], viewer: int) -> dict[str, object]:
    return {"game": state[:]}


def tells_all(self: Game, player: str) -> list[str]:
    return [*self.report, self.hash()]


def asks_differently(
    self: Options, state: list[int], *numbers: Any, asks: Any = Options.decision, **known: Any
) -> object:
    return replace(asks(self, state, *numbers, **known), prompt=fingerprint(state))


def goes_on_telling(self: Report, mark: Any) -> None:
    pass


def shares_the_past(self: History, program: Program, count: int, back: Any = History.back) -> list[int]:
    state: list[int] = back(self, program, count)
    begin, kept = self._states[-1]
    return kept if begin == count else state


def tires_of_undo(self: Game, state: list[int], before: Any, stand: Any = Game._stand) -> None:
    self.__dict__["undone"] = self.__dict__.get("undone", 0) + 1
    stand(self, [*state[:-1], 77] if self.__dict__["undone"] > 3 else state, before)


def goes_too_far(self: Program, state: list[int], option: int, apply: Any = Program.apply) -> Any:
    events = apply(self, state, option)
    state[self.layout.bases["player", "breath"]] = 77
    return events


def steps_too_far(self: Program, state: list[int], *args: Any, steps: Any = Program.steps) -> Any:
    for taken in steps(self, state, *args):
        state[self.layout.bases["player", "breath"]] = 77
        yield taken


def other_invariants(self: Program, state: list[int], held: object = None) -> None:
    raise polis_rules.RuleError("this must always hold, and does not: one and one is three", None)


def another_end(kept: transcript.Transcript, ruleset: object = None) -> transcript.Replay:
    return transcript.Replay(0, "", transcript.Divergence(None, "the end is another one"))


BROKEN: dict[str, tuple[object, str, object]] = {
    "the view of red shows what red may not see": (Views, "of", sees_all),
    "the options of blue tell what blue may not see": (Options, "decision", asks_differently),
    "the report for red tells what red may not see": (Game, "report_for", tells_all),
    "undo does not restore the report": (Report, "cut", goes_on_telling),
    "undo on a copy changes the state of the game": (History, "back", shares_the_past),
    "undo from the end leads to another position after ": (Game, "_stand", tires_of_undo),
    "player.breath is 77, outside of 0..5": (Program, "apply", goes_too_far),
    "does not: one and one is three": (Program, "check", other_invariants),
    "the game replayed from its log comes out in another way: the end is another one": (
        transcript, "replay", another_end,
    ),
}  # fmt: skip


@pytest.mark.usefixtures("here_only")
@pytest.mark.parametrize("wrong", BROKEN)
def test_a_broken_engine_is_found_out(wrong: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place, name, broken = BROKEN[wrong]
    wanted = plan(DICE, games=40)
    with monkeypatch.context() as patch:
        patch.setattr(place, name, broken)
        result = soak(wanted)
        assert result.failure is not None and not result.ok
        assert wrong.replace("red", "blue") in result.failure.message.replace("red", "blue")
        paths, small = soaking.save(wanted, result.failure, tmp_path)
    kept = transcript.read(paths[0])
    assert kept.entries == result.failure.log and kept.seed == result.failure.seed
    if small is not None:
        assert small.decisions <= sum(kind == "decision" for kind, _, _ in result.failure.log)
        assert [path.suffix for path in paths] == [".jsonl", ".jsonl", ".yaml"]


@pytest.mark.usefixtures("here_only")
@pytest.mark.parametrize(
    ("name", "broken", "wrong"),
    [("steps", steps_too_far, "outside of 0..5"), ("check", other_invariants, "one and one is three")],
)
def test_fast_games_are_asked_for_ranges_and_invariants_too(
    name: str, broken: object, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Program, name, broken)
    monkeypatch.setattr(Plan, "is_checked", lambda *_: False)
    result = soak(plan(DICE))
    assert result.failure is not None and wrong in result.failure.message
    assert (result.games, result.checked) == (1, 0)


def test_an_undo_that_fails_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Game.undo

    def fails(self: Game) -> bool:
        if self.finished:
            raise polis_rules.RuleError("no way back", None, "")
        return undo(self)

    monkeypatch.setattr(Game, "undo", fails)
    result = soak(plan(DICE))
    assert result.failure is not None and "no way back" in result.failure.message


def test_a_crash_of_the_engine_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Views, "of", lambda *_: {}["nothing"])
    with pytest.raises(KeyError) as caught:
        soak(plan(DICE))
    assert caught.value.__notes__ == ["This came of standard with seed 0."]


def test_of_a_very_long_game_one_decision_of_so_many_is_checked_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each check goes through all that has happened before; games of twenty thousand decisions are met."""
    looked: list[bool] = []
    made = soaking.Checks.wrong
    monkeypatch.setattr(soaking.Checks, "wrong", lambda self, game: looked.append(game.finished) or made(self, game))
    monkeypatch.setattr(Plan, "is_checked", lambda *_: True)
    decisions = soak(plan(DICE, 1)).decisions
    every, looked[:] = len(looked), []
    monkeypatch.setattr(soaking, "LONG", 5)
    monkeypatch.setattr(soaking, "STRIDE", 4)
    soak(plan(DICE, 1))
    assert every == decisions + 1  # the end is a position, too
    assert 5 < len(looked) < every and looked[-1]


def test_a_game_without_an_end_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soaking, "LONGEST_GAME", 5)
    for full in (True, False):
        monkeypatch.setattr(Plan, "is_checked", lambda *_, full=full: full)
        result = soak(plan(DICE))
        assert result.failure is not None
        assert "this game has not come to an end after 5 decisions" in result.failure.message


# -- replaying elsewhere -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_another_process_tells_what_comes_out_in_another_way(tmp_path: Path) -> None:
    ruleset = polis_rules.load(DICE)
    game = ruleset.start(seed=1)
    kept = transcript.record(ruleset, game, {})
    texts = [
        transcript.dump(each)
        for each in (kept, replace(kept, entries=(("chance", "no", "no"),)), replace(kept, hash="5e1f"))
    ]
    program = ruleset.program()
    state = program.new_state(1)
    moves = [Moves("standard", 1, [], each) for each in (program.position(state), "90ab")]
    write_games(tmp_path / "games", [*texts, moves[0]])
    write_games(tmp_path / "games", [*moves[1:], Moves("standard", 1, [99], "90ab")])
    other = replay_in_other_process(None, tmp_path / "games", DICE)
    assert other.games == 6
    assert [each.partition(": ")[0] for each in other.differing] == ["standard, seed 1"] * 4
    for part, told in zip(["but by seed 1", "other rules", "90ab", "cannot be replayed"], other.differing, strict=True):
        assert part in told


def test_moves_that_do_not_come_so_are_told_whatever_the_rules_would_make_of_them() -> None:
    """An option that is not offered, an outcome that the seed does not give, and moves after the end do not fit."""
    program = polis_rules.load(DICE).program()
    state = program.new_state(1)
    taken = [option for _, option in program.steps(state, lambda _, options: options[0])]
    assert differs(program, Moves("standard", 1, taken, program.position(state))) is None
    outcomes = program.options(program.new_state(1))
    for wrong in (99, next(each for each in outcomes if each != taken[0])):
        told = f"it cannot be replayed: option {wrong} is not what comes as number 1"
        assert differs(program, Moves("standard", 1, [wrong, *taken[1:]], program.position(state))) == told
    told = "it cannot be replayed: it is over, with 2 options left"
    assert differs(program, Moves("standard", 1, [*taken, 0, 0], program.position(state))) == told


@pytest.mark.slow
def test_what_another_process_finds_ends_the_command_with_status_1(
    monkeypatch: pytest.MonkeyPatch, polis: Callable[..., tuple[int, str]]
) -> None:
    monkeypatch.setattr(Program, "position", lambda program, state: "0" * 16)
    status, told = polis("soak", DICE, "--games", 4, "--check-every", 2)
    assert status == 1
    assert "4 replayed by Python " in told and " with hash seed 1: 4 come out in another way" in told
    assert "standard, seed 1: it ended in position 0000000000000000, but the replay in " in told


def test_a_python_that_is_none_is_told_before_anything_is_played(tmp_path: Path) -> None:
    nothing = tmp_path / "nowhere" / "python"
    mute = tmp_path / "mute"
    mute.write_text("#!/bin/sh\necho some trouble >&2\nexit 3\n", "utf-8")
    mute.chmod(0o755)
    played: list[int] = []
    for python, told in ((nothing, "cannot be started: No such file"), (mute, "cannot replay games: some trouble")):
        with pytest.raises(CrossProcessError, match=f"{python} {told}"):
            soak(plan(DICE), pythons=[python], progress=played.append)
    assert not played


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_broken_rule_is_saved_as_transcript_and_as_a_case_that_fails_again(
    tmp_path: Path, polis: Callable[..., tuple[int, str]]
) -> None:
    variant = tmp_path / "overdraft.yaml"
    variant.write_text(OVERDRAFT, "utf-8")
    status, told = polis("soak", DICE, "--variant", variant, "--games", 200, "--out", tmp_path / "out")
    assert status == 1
    assert "this payment is more than there is" in told
    assert ", 1 line of overlays" in told
    (case,) = (tmp_path / "out").glob("*.yaml")
    (result,) = run_cases(DICE, file=case)
    assert not result.passed and "this payment is more than there is" in result.failures[0]
    status, told = polis("test", DICE, "--file", case)
    assert status == 1 and "this payment is more than there is" in told
    whole = next((tmp_path / "out").glob("*_whole.jsonl"))
    again = transcript.replay(transcript.read(whole), polis_rules.load(DICE, variants=[variant]))
    assert again.divergence is not None and "more than there is" in again.divergence.message


@pytest.mark.slow
def test_a_supply_that_does_not_add_up_is_found(tmp_path: Path, polis: Callable[..., tuple[int, str]]) -> None:
    variant = tmp_path / "breath_is_counted.yaml"
    variant.write_text(SUPPLY, "utf-8")
    status, told = polis("soak", DICE, "--variant", variant, "--check-every", 50, "--out", tmp_path / "out")
    assert status == 1
    assert "this must always hold, and does not: the supply of breath adds up" in told
    (case,) = (tmp_path / "out").glob("*.yaml")
    status, told = polis("test", DICE, "--file", case)
    assert status == 1 and "the supply of breath adds up" in told


@pytest.mark.slow
def test_the_data_says_what_the_text_does(polis: Callable[..., tuple[int, str]]) -> None:
    status, told = polis("soak", DICE, "--games", 6, "--check-every", 2, "--format", "json")
    data = json.loads(told)
    assert status == 0 and data["ok"]
    assert (data["games"], data["checked"], data["failure"], data["saved"]) == (6, 3, None, [])
    assert data["replays"][0]["games"] == 6


def test_every_number_of_players_has_its_share_of_the_games(
    here_only: None, polis: Callable[..., tuple[int, str]]
) -> None:
    """Unless it is chosen; the seeds go on from one to the next."""
    leduc = Path(__file__).parent / "rulesets" / "leduc"
    parts = in_turns(Plan(leduc, ("standard",), games=5, seed=7))
    assert [(part.variants, part.games, part.seed) for part in parts] == [(("seats=2",), 3, 7), (("seats=3",), 2, 10)]
    chosen = Plan(leduc, ("standard",), ("seats=3",), games=5)
    assert in_turns(chosen) == [chosen]
    status, output = polis("soak", leduc, "--games", 3)
    assert status == 0 and "2, 3 seats" in output and "3 games" in output


def test_ctrl_c_ends_with_what_was_played_and_status_130(
    monkeypatch: pytest.MonkeyPatch, polis: Callable[..., tuple[int, str]]
) -> None:
    def stopped(work: Callable[[object], object], tasks: Sequence[object], jobs: int) -> Iterator[object]:
        yield work(tasks[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(soaking, "in_processes", stopped)
    status, told = polis("soak", DICE, "--games", 25)
    assert status == 130
    assert "\n10 games, " in told and "stopped before the end" in told


@pytest.mark.slow
def test_ctrl_c_while_another_process_replays_ends_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> Replays:
        raise KeyboardInterrupt

    monkeypatch.setattr(soaking, "replay_in_other_process", stopped)
    result = soak(plan(DICE, games=3))
    assert (result.games, result.stopped, result.replays) == (3, True, ())
    assert result + Soaked() == result
