"""What options are told to change before one of them is taken."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.little_ruleset import little
from support.people import people, play_on

from polis_rules import load
from polis_rules.play import Situation
from polis_rules.play.previews import Previews
from polis_rules.verification.soak.soak_checks import Checks

SHELF = Path(__file__).parent / "rulesets"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))


def test_an_option_tells_what_it_changes_and_with_which_faces_of_a_die() -> None:
    """Sieges of yucata: of a polis with walls of 1 nothing depends on the die, of others it does."""
    session = people(load("yucata"), seed=1)
    siege = next(each for each in session.previews() if each.option.id == "besiege_polis")
    assert (siege.price, siege.changes) == ("costs 1 prestige (3 to 2)", "")
    session.choose("besiege_polis")
    (naupaktos,) = session.previews()
    assert naupaktos.changes == "prestige 2 to 3; Naupaktos: owner Sparta, population 0 to 1"
    session = people(load("yucata"), seed=3)
    rng, wanted = Random(1), {"besiege_polis", "create_hoplites", "move_hoplites"}
    for _ in range(15):
        assert session.decision is not None
        options = session.decision.options
        session.choose(rng.choice([each for each in options if each.id in wanted] or options))
    samos = next(each for each in session.previews() if each.option.id == "samos")
    assert samos.parts[0].startswith("on 1 or 2 of 1d4: Ionia: units 3 to 2")
    assert samos.parts[1].startswith("on 3 or 4 of 1d4: ") and "Samos: owner Athens" in samos.parts[1]


@pytest.mark.parametrize("name", ["hearts", "goofspiel", "leduc", "sealed_bids", "masks", "tricks"])
def test_previews_are_the_same_whatever_is_hidden(name: str) -> None:
    """Hidden values are exchanged beneath a player, who must not be able to tell by the previews."""
    rules = load(SHELF / name)
    game = rules.start(seed=3)
    checks, previews, rng = Checks(game.program), Previews(game.program), Random(1)
    compared = 0
    for _ in range(60):
        if (decision := game.decision) is None:
            break
        viewer = game.players.index(decision.player)
        hidden = checks.hidden(game.state, viewer)
        for world, _ in zip(checks.other_worlds(game.state, hidden, len(game.log)), range(2), strict=False):
            other = game.at(world)
            if checks.hidden(world, viewer) != hidden or other.decision != decision:
                continue
            told = [[(each.changes, each.anyway) for each in previews.of(which)] for which in (other, game)]
            assert told[0] == told[1]
            compared += 1
        game.apply(rng.choice(decision.options))
    assert compared


def test_what_every_option_changes_is_told_once_and_apart() -> None:
    session = people(load("yucata"), seed=7)
    session.choose("collection")
    session.choose("lakedaimon")
    previews = session.previews()
    assert len(previews) > 1
    assert {each.anyway for each in previews} == {"Lakedaimon: tribute discs 0 to 1"}


def test_an_action_that_may_be_finished_is_told_as_if_it_were() -> None:
    """What a hoplite collects in yucata is gained when the collection ends, and what is paid for a load is the only
    answer where only one good is wanted."""
    session = people(load("yucata"), seed=7)
    session.choose("collection")
    session.choose("lakedaimon")
    assert {each.parts for each in session.previews()} == {("metal 4 to 5",), ("silver 5 to 6",), ("oil 4 to 5",)}


def test_what_a_player_holds_unseen_is_counted() -> None:
    game = load("colonnades").start(seed=4)
    hand = next(row[1] for row in Situation(game, game.players[0]).players.rows if row[0] == "coin cards in hand")
    titles = [each.partition(" (")[0] for each in hand.split("; ")]
    assert "(" in hand and len(titles) == len(set(titles))


def test_what_is_put_aside_during_an_action_is_no_news_when_it_comes_back() -> None:
    """Hoplites that collect in yucata leave their territory until the collection ends."""
    session = people(load("yucata"), seed=7)
    for chosen in ("collection", "lakedaimon", "metal"):
        session.choose(chosen)
    assert {each.anyway for each in session.previews()} == {"Lakedaimon: tribute discs 0 to 1"}


def test_what_only_says_the_choice_once_more_is_not_told() -> None:
    """The cylinder of politeia that goes to an action is on that action, which then is due."""
    session = people(load("politeia"), seed=1)
    assert session.decision is not None and "cylinder" in session.decision.prompt
    for each in session.previews():
        assert "cylinder" not in each.changes and "due actions" not in each.changes


def test_what_is_so_no_longer_is_told_in_words() -> None:
    session = people(load("yucata"), seed=91)
    while session.decision is not None and "project" not in session.decision.prompt:
        options = {option.id: option for option in session.decision.options}
        session.choose(options.get("begin_project") or session.decision.options[0])
    assert all("no longer on offer" in each.changes + each.anyway for each in session.previews())


def test_a_preview_tells_that_the_game_ends() -> None:
    session = people(load(SHELF / "harbours"), seed=1)
    play_on(session, 200)
    assert session.turn == "over"
    session.undo()
    assert any("the game ends" in each.changes + each.anyway for each in session.previews())


def test_what_an_option_alone_changes_is_not_lost_among_what_a_round_brings() -> None:
    """Prestige given for silver at the end of a round of yucata: after it far more changes, whatever is given, but
    where no prestige is left and the game ends."""
    session = people(load("yucata"), seed=56)
    play_on(session, 19, seed=56)
    none, one, every = session.previews()
    assert (none.parts, one.parts) == ((), ("prestige 2 to 1, silver 0 to 1",))
    (alike,) = one.common
    assert alike.startswith(
        "Whatever you choose, as long as the game goes on: merchants in the trade port 0 to 1, round 4"
    )
    assert every.parts == ("the game ends, prestige 2 to 0, silver 0 to 2",)


def test_a_preview_tells_that_the_game_ends_whatever_is_answered_after_the_next_answer(tmp_path: Path) -> None:
    """Here two questions of others stand between what loses the game and its end; a question to oneself with a choice
    tells it then."""
    rules = """\
format: 2
ruleset: brink
title: Brink
scenario: {scenario: standard, title: Standard}
kinds: {player: {state: {lives: {type: 0..3, start: 1, title: lives}}}}
tables: {player: {ann: {title: Ann}, bob: {title: Bob}}}
phases:
  game:
    - as: ann
      do: [{either: {jump: {title: Jump, do: [{set: {you.lives: 0}}]}, stay: {title: Stay}}}]
    - as: bob
      do:
        - {either: {wave: {title: Wave}, nod: {title: Nod}}}
        - {either: {left: {title: Left}, right: {title: Right}}}
    - {when: ann.lives == 0, end: over}
    - {as: ann, do: [{repeat: {times: 3, do: [{either: {walk: {title: Walk}, run: {title: Run}}}]}}]}
    - {end: over}
endings: {over: {title: All is over}}
score: {terms: {lives: who.lives}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    jump, stay = people(load(tmp_path)).previews()
    assert (jump.parts, stay.parts) == (("the game ends whatever is answered next, lives 1 to 0",), ())


def test_a_preview_tells_that_the_game_ends_whatever_another_answers() -> None:
    """Who gives the last prestige for silver in yucata has lost, also where the other one is still asked."""
    session = people(load("yucata"), seed=8)
    play_on(session, 44, seed=8)
    none, one, every = session.previews()
    assert (none.parts, one.parts) == ((), ("prestige 2 to 1, silver 0 to 1",))
    assert every.parts == ("the game ends with the next answer, prestige 2 to 0, silver 0 to 2",)
    session.choose(every.option)
    assert session.decision is not None and session.decision.player == "athens"
    play_on(session, 1)
    assert session.turn == "over"


def test_what_a_player_loses_is_told_also_where_another_loses_just_as_much() -> None:
    """At the end of a round of yucata each loses what cannot be stored, here 2 oil of 4 both."""
    game = load("yucata").start(seed=5)
    decided = (
        "trade persis_3_wine wine create_hoplites chios pay_hoplite_material trade illyria_3_wood wood collection "
        "lakedaimon silver finish besiege_polis samos create_galleys athenai kyklades pay_wood move_proxenos gytheion "
        "pass metal create_merchants athenai pay_wood finish pass gytheion pylos pay_prestige"
    )
    for each in decided.split():
        game.apply(each)
    last = Previews(game.program).of(game)[-1]
    assert (last.option.title, last.anyway) == ("No more growth", "wheat 2 to 1")
    assert last.changes == "oil 4 to 2; Sparta: wine 4 to 2, oil 4 to 2"


def test_an_option_is_previewed_after_which_nothing_is_left_to_draw(tmp_path: Path) -> None:
    rules = """
score: {terms: {a: 0}}
phases:
  game:
    - each: you
      in: player
      do:
        - choose: place
          from: region
        - draw: found
          from: region
          where: {cold: found.heat > 0}
          if_possible: true
        - gain: {coins: 1}
          who: you
    - end: over
"""
    previews = people(load(little(tmp_path / "rules", rules))).previews()
    assert {each.anyway for each in previews} == {"coins 5 to 6"}


def test_an_option_is_told_without_the_other_one_that_is_left_for_the_next_question(tmp_path: Path) -> None:
    """Of two things that are both to be done, each tells what comes of it, not what comes of both."""
    rules = """
score: {terms: {a: 0}}
phases:
  game:
    - each: you
      in: player
      do:
        - repeat:
            times: 2
            do:
              - choose: place
                from: "{region.north, region.south}"
                where: {open: place.heat == 0}
              - set: {place.heat: 1}
              - gain: {coins: 3 if place == region.north else 1}
                who: you
    - end: over
"""
    north, south = people(load(little(tmp_path / "rules", rules))).previews()
    assert (north.changes, south.changes) == ("coins 5 to 8", "coins 5 to 6")


def test_a_preview_says_nothing_of_draws_that_it_has_not_tried_all() -> None:
    """Where chance may go on in too many ways, only what comes before it is told: not which projects are drawn."""
    session = people(load("yucata"), seed=17)
    play_on(session, 68, seed=17)
    (last, *_) = [each for each in session.previews() if each.parts]
    before, more = last.parts
    assert more == "more depends on chance"
    assert "round 4" in before and "on offer no to yes" not in before
