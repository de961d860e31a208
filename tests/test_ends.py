"""How games of several players end: one winner, several, nobody; and who comes first, second and so on."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.reading import page_of
from support.small_cases import small

import polis_rules
from polis_rules import load, play_game
from polis_rules.cases import run_cases
from polis_rules.documentation.rulebook import read
from polis_rules.play import bots, transcript
from polis_rules.validation.validate import validate
from polis_rules.verification.differential import compare

RACE = """
format: 2
ruleset: race
title: Race
scenario: {scenario: standard, title: Standard}
kinds:
  player:
    attributes: {team: team}
    state: {steps: {type: 0..9, title: steps}, luck: 0..9}
  team: {}
tables:
  team: {reds: {title: The reds}, blues: {title: The blues}}
  player:
    ann: {title: Ann, team: reds}
    bob: {title: Bob, team: blues}
    cid: {title: Cid, team: reds}
    dan: {title: Dan, team: blues}
terms:
  leaders: {is: "{p for p in player if all(p.steps >= q.steps for q in player)}"}
phases:
  game:
    - each: you
      in: player
      do:
        - choose: far
          from: 0..3
        - choose: bonus
          from: 0..2
        - set: {you.steps: far, you.luck: bonus}
    - END
endings:
  over: {title: All have run}
score:
  SHARED
  terms: {steps: who.steps}
  tie_break: {luck: who.luck}
"""


def race(folder: Path, end: str = "end: over", shared: str = "shared: false") -> polis_rules.Ruleset:
    """Four runners in two teams."""
    home = folder / "race"
    home.mkdir(exist_ok=True)
    (home / "ruleset.yaml").write_text(RACE.replace("END", end).replace("SHARED", shared), "utf-8")
    return polis_rules.load(home)


def over(ruleset: polis_rules.Ruleset, *steps: int, luck: tuple[int, ...] = (0, 0, 0, 0)) -> polis_rules.Game:
    """A race in which the players have gone so far."""
    game = ruleset.start(seed=1)
    for far, bonus in zip(steps, luck, strict=True):
        game.apply(str(far))
        game.apply(str(bonus))
    return game


def result(game: polis_rules.Game) -> polis_rules.Result:
    assert game.result is not None
    return game.result


@pytest.mark.parametrize(
    ("steps", "luck", "winners", "shared", "places"),
    [
        ((1, 3, 2, 0), (0, 0, 0, 0), ("bob",), ("bob",), (3, 1, 2, 4)),
        ((3, 3, 2, 2), (0, 1, 0, 0), ("bob",), ("bob",), (2, 1, 3, 3)),
        ((3, 3, 2, 2), (1, 1, 0, 1), (), ("ann", "bob"), (1, 1, 4, 3)),
        ((2, 2, 2, 2), (0, 0, 0, 0), (), ("ann", "bob", "cid", "dan"), (1, 1, 1, 1)),
    ],
)
def test_places_go_by_score_and_tie_break_and_the_first_share_the_victory_where_the_rules_say_so(
    steps: tuple[int, ...],
    luck: tuple[int, ...],
    winners: tuple[str, ...],
    shared: tuple[str, ...],
    places: tuple[int, ...],
    tmp_path: Path,
) -> None:
    """Equal players share a place; the first of them win together only with `shared: true`."""
    alone = result(over(race(tmp_path), *steps, luck=luck))
    assert (alone.winners, tuple(alone.places.values())) == (winners, places)
    together = result(over(race(tmp_path, shared="shared: true"), *steps, luck=luck))
    assert (together.winners, tuple(together.places.values())) == (shared, places)
    assert together.winner == (shared[0] if len(shared) == 1 else None)


@pytest.mark.parametrize(
    ("winner", "won", "places"),
    [
        ("dan", ("dan",), (4, 2, 3, 1)),
        ("[ann, dan]", ("ann", "dan"), (1, 3, 4, 1)),
        ('"{ann, dan}"', ("ann", "dan"), (1, 3, 4, 1)),
        ('"{p for p in player if p.team == bob.team}"', ("bob", "dan"), (4, 1, 3, 1)),
        ("leaders", ("bob",), (4, 1, 3, 2)),
        ("none", (), ()),
        ('"{p for p in player if p.steps > 8}"', (), ()),
    ],
)
def test_an_ending_names_a_player_several_or_nobody(
    winner: str, won: tuple[str, ...], places: tuple[int, ...], tmp_path: Path
) -> None:
    """Whoever is named stands first, the others are placed by score; without a winner nobody has a place."""
    game = over(race(tmp_path, f"{{end: over, winner: {winner}}}"), 0, 3, 1, 2)
    end = result(game)
    assert end.winners == won and tuple(end.places.values()) == places
    assert end.shared == (won if len(won) > 1 else ())


@pytest.mark.parametrize("winner", ['"{ann, dan}"', "[ann, dan]", "leaders", "dan"])
def test_both_engines_name_the_same_winners(winner: str, tmp_path: Path) -> None:
    """A set of winners means the same to the engine that compiles nothing."""
    ruleset = race(tmp_path, f"{{end: over, winner: {winner}}}")
    assert compare((str(tmp_path / "race"), None, ()), games=10).difference is None
    assert {each.code for each in validate(tmp_path / "race").findings} <= {"unused-attribute", "unused-term"}
    assert ruleset.players == ("ann", "bob", "cid", "dan")


def test_transcripts_keep_winners_and_places(tmp_path: Path) -> None:
    """What is written is read back, and replayed to the same result; two players need no places."""
    ruleset = race(tmp_path, "{end: over, winner: leaders}")
    game = over(ruleset, 3, 3, 1, 2)
    text = transcript.dump(transcript.record(ruleset, game, {}))
    assert '"winner": null' in text and '"shared": ["ann", "bob"]' in text and '"places": {"ann": 1' in text
    assert transcript.parse(text).result == result(game)
    assert transcript.replay(transcript.parse(text), ruleset).ok


def test_cases_expect_several_winners(tmp_path: Path) -> None:
    """`ends` names one, several or none of them, and a failure says who has won."""
    race(tmp_path, "{end: over, winner: leaders}")
    (tmp_path / "race" / "cases").mkdir()
    runs = ["ann: [3, 0]", "bob: [3, 0]", "cid: [1, 0]", "dan: [2, 0]"]
    do = "".join(f"      - {each}\n" for each in runs)
    wrong = "  alone:\n    do:\n" + do + "    ends: {winner: bob}\n"
    right = "  several:\n    do:\n" + do + "    ends: {by: over, winner: [bob, ann]}\n"
    (tmp_path / "race" / "cases" / "ends.yaml").write_text(f"cases:\n{right}{wrong}", "utf-8")
    several, alone = run_cases(tmp_path / "race")
    assert several.passed
    assert not alone.passed and "the winner: expected Bob, is Ann, Bob" in str(alone)


def test_the_rulebook_tells_who_wins_together(tmp_path: Path) -> None:
    """Winners that a rule names, and equal scores."""
    race(tmp_path, "{end: over, winner: leaders}", "shared: true")
    told = page_of(read(tmp_path / "race"))
    assert "win together" in told and "All who are still equal win together." in told


def test_the_end_of_the_game_names_whoever_acts_then(tmp_path: Path) -> None:
    """An ending that comes in a player's turn has that player, one that comes after all turns has none."""
    for scenario, ended_by in (("standard", "goal_reached"), ("late", "nightfall")):
        game = load(small(tmp_path / scenario, {}), scenario=scenario).start(seed=7)
        result = play_game(game, {player: bots.make("random", 7) for player in game.players})
        assert result is not None and result.ended_by == ended_by
        assert (game.acting in game.players) == (ended_by == "goal_reached")
