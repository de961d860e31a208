"""Shrinking: a failing game becomes small, fails as before, needs each line that is left, and is saved."""

from __future__ import annotations

import doctest
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

import polis_rules
from polis_rules import Game, RuleError, Ruleset
from polis_rules.cases.runner import run_cases
from polis_rules.interpreter.game import LogEntry
from polis_rules.play import transcript
from polis_rules.verification.shrink.log_replayer import play_log
from polis_rules.verification.shrink.overlay_lines import compact, lines_of, without
from polis_rules.verification.shrink.shrink import NoFailureError, Shrunk, shrink

DICE = Path(__file__).parent / "rulesets" / "dice_race"

BROKEN = """\
# yaml-language-server: $schema=somewhere
variant: broken
title: Fifteen changes
extends: dice_race
why: One of them lets a card take breath that nobody has.

change:
  kinds.player.title: {was: Runner, to: Athlete}
  kinds.player.state.position.title: {was: position, to: place}
  kinds.card.state.discarded.title: {was: discarded, to: thrown away}
  state.weather.title: {was: weather, to: sky}
  tables:
    card:
      tailwind.title: {was: Tailwind, to: Wind}
      mud.title: {was: Mud, to: Mire}
      banana_skin.title: {was: Banana skin, to: Skin}
  # how far, and how much
  terms.goal.is: {was: 30, to: 29}
  terms.hand_limit.is: {was: 3, to: 4}
  # this is the one
  tables.card.deep_breath.now:
    was:
      - gain: {breath: 2}
    to:
      - pay: {breath: 4}
  endings.nightfall.title: {was: Night falls, to: It is dark}
  phases.deal.title: {was: Deal, to: Cards}
  phases.laps.title: {was: Laps, to: Rounds}
  actions.walk.title: {was: Walk, to: Go}
  actions.sprint.title: {was: Sprint, to: Run}
"""


@pytest.fixture
def broken(tmp_path: Path) -> Ruleset:
    """The small race with a variant of fifteen lines, one of which makes a card overdraw."""
    variant = tmp_path / "broken.yaml"
    variant.write_text(BROKEN, "utf-8")
    return polis_rules.load(DICE, variants=[variant])


def failing(ruleset: Ruleset) -> tuple[int, list[LogEntry], RuleError]:
    """The seed and the log of the first random game in which a rule fails, with the decision that it fails at."""
    for seed in range(200):
        rng, game = Random(seed), ruleset.start(seed=seed)
        while (decision := game.decision) is not None:
            chosen = rng.choice(decision.options)
            try:
                game.apply(chosen)
            except RuleError as error:
                return seed, [*game.log, ("decision", decision.player, chosen.id)], error
    raise AssertionError("no game fails")


@cache
def whole_game() -> Game:
    """A random game of the small race, to its end."""
    rng, game = Random(1), polis_rules.load(DICE).start(seed=1)
    while game.decision is not None:
        game.apply(rng.choice(game.decision.options))
    return game


def far(game: Game) -> str | None:
    """A check: somebody has come to place 12 or farther."""
    players = game.view("red")["player"]
    assert isinstance(players, dict)
    places = [each["position"] for each in players.values()]
    return f"somebody is at {max(places)}" if max(places) >= 12 else None


def decisions(log: list[LogEntry] | tuple[LogEntry, ...]) -> int:
    return sum(kind == "decision" for kind, _, _ in log)


def shrunk_from(ruleset: Ruleset) -> Shrunk:
    seed, log, _ = failing(ruleset)
    return shrink(ruleset, log, seed=seed)


@pytest.mark.parametrize(
    "name",
    [
        "verification.shrink.shrink",
        "verification.shrink.overlay_lines",
        "cases.writing",
        "cases.text",
    ],
)
def test_the_examples_run(name: str) -> None:
    """What the docstrings of shrinking and of writing cases show is so."""
    failed, tried = doctest.testmod(import_module(f"polis_rules.{name}"))
    assert tried and not failed


@pytest.mark.slow
def test_a_failing_rule_is_shrunk_to_few_decisions_and_one_line(broken: Ruleset) -> None:
    """Of fifteen lines the broken one is left, and of the game only playing the card; it is the same failure."""
    seed, log, error = failing(broken)
    shrunk = shrink(broken, log, seed=seed)
    assert len(lines_of(BROKEN)) == 15
    assert [line.split(": ", 1)[1] for line in shrunk.lines] == ["change tables.card.deep_breath.now"]
    assert shrunk.decisions < decisions(log) and shrunk.decisions <= 4
    assert shrunk.failure.message.startswith("this payment is more than there is")
    assert shrunk.failure.place is not None and error.span is not None
    assert (shrunk.failure.place.file, shrunk.failure.place.line) == ("variants/broken.yaml", error.span.line)
    assert shrunk.complete


@pytest.mark.slow
def test_every_decision_left_is_needed(broken: Ruleset) -> None:
    """Leaving out any one decision with what chance gave after it, the game fails no more, or not so soon."""
    shrunk = shrunk_from(broken)
    program = broken.program(checks=True, trace=True)
    for at, entry in enumerate(shrunk.log):
        if entry[0] == "decision":
            after = next((n for n in range(at + 1, len(shrunk.log)) if shrunk.log[n][0] == "decision"), len(shrunk.log))
            played = play_log(program, shrunk.log[:at] + shrunk.log[after:])
            assert not shrunk.failure.same(played.failure) or played.decisions >= shrunk.decisions


@pytest.mark.slow
def test_what_is_saved_shows_the_failure(broken: Ruleset, tmp_path: Path) -> None:
    """The case fails as the game did, with the reduced variant; mended, it passes. The transcript stops there."""
    folder = tmp_path / "small"
    shrunk = shrunk_from(broken)
    paths = shrunk.save(folder, "an_overdraft")
    assert [path.relative_to(folder).as_posix() for path in paths] == [
        "variants/broken.yaml", "an_overdraft.jsonl", "an_overdraft.yaml",
    ]  # fmt: skip
    text = (folder / "an_overdraft.yaml").read_text("utf-8")
    assert text.startswith("# variants/broken.yaml:12:9: this payment is more than there is")
    (result,) = run_cases(DICE, file=folder / "an_overdraft.yaml")
    assert not result.passed and "this payment is more than there is" in result.failures[0]
    variant = folder / "variants" / "broken.yaml"
    rules = polis_rules.load(DICE, variants=[variant])
    replay = transcript.replay(transcript.read(folder / "an_overdraft.jsonl"), rules)
    assert replay.divergence is not None and "more than there is" in replay.divergence.message
    variant.write_text(variant.read_text("utf-8").replace("breath: 4", "breath: 0"), "utf-8")
    (result,) = run_cases(DICE, file=folder / "an_overdraft.yaml")
    assert result.passed, str(result)


def test_a_check_of_the_caller_is_shrunk_too(tmp_path: Path) -> None:
    """Any check can be the failure; its numbers may change, and the case tells what came of the last decision."""
    game = whole_game()
    shrunk = shrink(polis_rules.load(DICE), game.log, far)
    assert shrunk.failure.message.startswith("somebody is at ") and shrunk.failure.place is None
    assert shrunk.decisions < decisions(game.log)
    assert (shrunk.lines, shrunk.files) == ((), {})
    shrunk.save(tmp_path, "too_far")
    assert (tmp_path / "too_far.yaml").read_text("utf-8").startswith("# somebody is at ")
    (result,) = run_cases(DICE, file=tmp_path / "too_far.yaml")
    assert result.passed, str(result)


def test_chance_that_the_log_does_not_tell_comes_from_the_seed(broken: Ruleset) -> None:
    """A log that breaks off at the decision which fails is enough."""
    seed, log, error = failing(broken)
    played = play_log(broken.program(checks=True, trace=True), log, seed=seed, by_seed=True)
    assert played.failure is not None and played.failure.place == error.span


def test_a_game_that_does_not_fail_is_refused() -> None:
    """The number of decisions that were tried is part of the message."""
    game = whole_game()
    with pytest.raises(NoFailureError, match=f"does not fail in {decisions(game.log)} decisions"):
        shrink(polis_rules.load(DICE), game.log)


def test_control_c_gives_the_best_so_far(broken: Ruleset) -> None:
    """Whatever was found before the interruption is handed out, marked as not complete."""
    seed, log, _ = failing(broken)
    heard: list[str] = []

    def interrupted(text: str) -> None:
        heard.append(text)
        if len(heard) == 1:
            raise KeyboardInterrupt

    shrunk = shrink(broken, log, progress=interrupted, seed=seed)
    assert not shrunk.complete
    assert shrunk.decisions < decisions(log)
    assert len(shrunk.lines) == 15
    assert heard[-1].startswith("stopped")


def test_a_line_left_out_moves_no_other() -> None:
    """Places in messages stay true while lines are left out; the gaps close when a file is handed out."""
    first, *rest = lines_of(BROKEN)
    left = without(BROKEN, set(rest))
    assert left.split("\n")[first.first] == BROKEN.split("\n")[first.first]
    assert left.count("\n") == BROKEN.count("\n")
    assert compact(left, "broken.yaml").endswith("change:\n  kinds.player.title: {was: Runner, to: Athlete}\n")
    assert "language-server" not in compact(left, "broken.yaml")
