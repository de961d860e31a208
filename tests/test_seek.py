"""Games that are led to what no game has met."""

from __future__ import annotations

from pathlib import Path

import pytest
from polis_cli.main import app
from support.small_ruleset import lay
from typer.testing import CliRunner

import polis_rules
from polis_rules.play.transcript import replay
from polis_rules.semantics.expressions import BOOL, INT, nodes as n
from polis_rules.verification.coverage import Count, Covering
from polis_rules.verification.coverage.goals import Goals, distance, towards
from polis_rules.verification.coverage.seek import Seeker

MINE = """
kinds:
  player: {state: {gold: {type: 0..99}, fish: {type: 0..99}}}
tables: {player: {ann: {}, bea: {}}}
terms: {rich: {of: {who: player}, is: who.gold >= 20}}
procedures:
  crown:
    do:
      - when: you.fish == 0 and rich(you)
        end: crowned
phases:
  game:
    - repeat:
        times: 24
        do:
          - each: you
            in: player
            do:
              - either:
                  dig: {do: [{set: {you.gold: you.gold + 1}}]}
                  rest: {}
                  net: {do: [{set: {you.fish: you.fish + 1}}]}
                  lose: {do: [{set: {you.gold: 0}}]}
              - do: crown()
    - end: done
endings: {done: {title: Done}, crowned: {title: Crowned}}
score: {terms: {fish: who.fish}}
"""


def mine(folder: Path) -> Path:
    """A game in which who plays for the score, or at random, never has 20 gold and no fish."""
    manifest = "format: 2\nruleset: mine\ntitle: Mine\nfiles: [all.yaml]\nscenario: standard\n"
    files = {"ruleset.yaml": manifest, "all.yaml": MINE, "scenarios/standard.yaml": "scenario: standard\ntitle: S\n"}
    return lay(folder / "mine", files)


def test_seeking_meets_what_plain_games_never_do_and_the_game_can_be_replayed(tmp_path: Path) -> None:
    covering = Covering(mine(tmp_path))
    covering.play(6, ["random", "greedy"])
    before = {(each.rule, each.label) for each in covering.coverage().unmet}
    assert ("procedures.crown", "if") in before
    covering.seek(20)
    after = covering.coverage()
    assert after.unmet == []
    found = after.found[0]
    assert (found.count.rule, found.ruleset.scenario) == ("procedures.crown", "standard")
    transcript = found.transcript()
    assert transcript.result is not None and transcript.result.ended_by == "crowned"
    assert replay(transcript, found.ruleset).ok


def test_games_that_seek_count_only_where_they_meet_something(tmp_path: Path) -> None:
    covering = Covering(mine(tmp_path))
    covering.play(2, ["random"])
    thing = next(each for each in covering.coverage().unmet if each.rule == "procedures.crown")
    seeker = Seeker(covering.countings[0], thing)
    before = covering.coverage()
    seeker.game()
    assert covering.coverage() == before


def test_a_game_that_is_interrupted_while_it_seeks_loses_nothing(tmp_path: Path) -> None:
    def stop(things: list[Count]) -> list[Count]:
        raise KeyboardInterrupt

    covering = Covering(mine(tmp_path))
    covering.play(2, ["random"])
    covering.seek(5, stop)  # type: ignore[arg-type]
    coverage = covering.coverage()
    assert (coverage.games, coverage.stopped, coverage.found) == (2, True, [])


def test_the_command_tells_what_seeking_met_and_writes_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = CliRunner().invoke(
        app, ["coverage", str(mine(tmp_path)), "--games", "4", "--seek", "20", "--save", str(tmp_path / "found")]
    )
    assert ran.exit_code == 0, ran.output
    assert "more sought what these did not meet" in ran.stdout
    saved = [*(tmp_path / "found").iterdir()]
    assert saved and all(file.name in ran.stdout for file in saved)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["replay", str(saved[0])]).exit_code == 0
    plain = CliRunner().invoke(app, ["coverage", str(mine(tmp_path)), "--games", "4"])
    assert plain.exit_code == 1
    assert "sought" not in plain.stdout


def test_a_folder_that_cannot_be_made_is_told_before_any_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After hours of games, what these met would be lost."""

    def play(*_: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr(Covering, "play", play)
    (tmp_path / "file").write_text("")
    ran = CliRunner().invoke(app, ["coverage", str(mine(tmp_path)), "--save", str(tmp_path / "file" / "found")])
    assert isinstance(ran.exception, OSError)


def test_a_goal_counts_what_is_lacking(tmp_path: Path) -> None:
    """20 gold of either player, no fish: 20 away at the beginning, 19 after one digs, and more after one fishes."""
    ruleset = polis_rules.load(mine(tmp_path))
    covering = Covering(mine(tmp_path))
    covering.play(1, ["random"])
    thing = next(each for each in covering.coverage().unmet if each.rule == "procedures.crown")
    goal = Goals(ruleset.rules()).goal(thing)
    assert goal is not None
    program = ruleset.with_rules(towards(ruleset.rules(), goal)).program(compact=True)
    state = program.new_state(seed=1)
    far = [program.worth(state, 0)]
    for _ in range(2):
        program.apply(state, program.options(state)[0])
        far.append(program.worth(state, 0))
    assert far == [-20, -19, -19]


@pytest.mark.parametrize(
    ("op", "wanted", "far"),
    [
        ("<", True, 5), ("<=", True, 4), (">", True, 0), (">=", True, 0), ("==", True, 4), ("!=", True, 0),
        ("<", False, 0), ("<=", False, 0), (">", False, 4), (">=", False, 5), ("==", False, 0), ("!=", False, 4),
    ],
)  # fmt: skip
def test_a_comparison_is_as_far_as_its_sides_are_apart(tmp_path: Path, op: str, wanted: bool, far: int) -> None:
    ruleset = polis_rules.load(mine(tmp_path))
    tree = n.Compare(BOOL, op, n.Const(INT, 7), n.Const(INT, 3))
    program = ruleset.program(compact=True)
    state = program.new_state(seed=1)
    assert program.evaluator.value(distance(tree, ruleset.rules(), wanted), state, {}) == far
