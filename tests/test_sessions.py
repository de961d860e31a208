"""Games that people play: saved at every decision, taken back, looked at again, branched."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from support.little_ruleset import little

from polis_rules import Ruleset, load
from polis_rules.play import (
    HUMAN,
    SavedGameError,
    Session,
    Situation,
    UndoError,
    read,
    saved_game,
    saved_games,
    unreadable_games,
)
from polis_rules.play.previews import Previews
from polis_rules.verification.soak.soak_checks import Checks

SHELF = Path(__file__).parent / "rulesets"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


def people(rules: Ruleset, seed: int = 1, **more: bool) -> Session:
    return Session(rules, dict.fromkeys(rules.players, HUMAN), seed, **more)


def play_on(session: Session, moves: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(moves):
        if session.turn == "over":
            return
        if session.turn == "chance":
            assert session.chance is not None
            session.answer(rng.choice(session.chance.outcomes))
        elif session.decision is not None:
            session.choose(rng.choice(session.decision.options))


def test_every_decision_is_on_the_disk_when_it_has_been_made() -> None:
    session = people(load(SHELF / "othello"))
    assert session.path is None and not saved_games()
    for number in range(1, 6):
        play_on(session, 1)
        assert session.path is not None
        assert read(session.path).entries == session.game.log
        assert len(session.game.log) == number


def test_a_game_goes_on_from_its_file_by_name_or_number_also_where_its_rules_are_in_a_folder() -> None:
    for name, moves in (("othello", 3), ("agora", 4)):
        first = people(load(SHELF / name))
        play_on(first, moves)
        first.close()
    games = saved_games()
    assert {game.name for game in games} == {"othello-1", "agora-1"}
    for number, game in enumerate(games, 1):
        assert saved_game(str(number)).name == game.name
    for game in games:
        for _ in range(2):
            again = Session.resume(game.name)
            assert again.game.log == read(game.path).entries
            again.choose(again.decision.options[0])  # type: ignore[union-attr]
            again.close()
    assert "to decide, 5 decisions of yours" in next(game.stands for game in saved_games() if game.name == "othello-1")


@pytest.mark.parametrize("closed", [True, False])
def test_two_who_go_on_with_one_game_both_keep_what_they_decide(closed: bool) -> None:
    """Whoever decides later, or while the other one is still at it, goes on in another file and is told so."""
    first = people(load(SHELF / "othello"))
    play_on(first, 3)
    first.close()
    one, other = Session.resume("othello-1"), Session.resume("othello-1")
    play_on(one, 2, seed=2)
    if closed:
        one.close()
    play_on(other, 3, seed=3)
    assert "gone on with elsewhere" in other.told and other.name == "othello-1-2"
    for session in (one, other):
        assert session.path is not None and read(session.path).entries == session.game.log


def test_a_name_that_no_game_has_is_refused_with_the_nearest() -> None:
    play_on(people(load(SHELF / "othello")), 1)
    with pytest.raises(SavedGameError, match="othello-1"):
        Session.resume("othello1")
    with pytest.raises(SavedGameError, match="numbers from 1 to 1"):
        Session.resume("7")


def test_a_game_of_other_rules_says_so_and_is_played_on_as_another_game(tmp_path: Path) -> None:
    text = (SHELF / "othello" / "ruleset.yaml").read_text("utf-8")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "ruleset.yaml").write_text(text, "utf-8")
    session = people(load(mine))
    play_on(session, 4)
    session.close()
    (mine / "ruleset.yaml").write_text(text.replace("title: ", "title: New ", 1), "utf-8")
    with pytest.raises(SavedGameError, match="have changed since othello-1"):
        Session.resume("othello-1")
    again = Session.resume("othello-1", anyway=True)
    assert again.name == "othello-2" and again.game.log == session.game.log
    assert "All of othello-1 fits" in again.told


def test_a_move_is_taken_back_unless_chance_or_a_secret_was_seen() -> None:
    session = people(load(SHELF / "othello"))
    with pytest.raises(UndoError, match="no decision"):
        session.undo()
    play_on(session, 3)
    session.undo()
    assert len(session.game.log) == 2
    assert session.path is not None and len(read(session.path).entries) == 2

    dice = people(load(SHELF / "dice_race"))
    begun = len(dice.game.log)
    while not any(kind == "chance" for kind, *_ in dice.game.log[begun:]):
        play_on(dice, 1)
    before = dice.game.hash()
    with pytest.raises(UndoError, match="dice"):
        dice.undo()
    assert dice.game.hash() == before

    free = people(load(SHELF / "dice_race"), undo_all=True)
    play_on(free, 4)
    for _ in range(4):
        free.undo()
    assert free.game.moment == 0


def test_what_others_chose_in_secret_ends_what_can_be_taken_back() -> None:
    session = people(load(SHELF / "goofspiel"))
    play_on(session, 1)
    session.undo()
    assert session.game.moment == 0
    play_on(session, 2)
    with pytest.raises(UndoError, match="has been shown"):
        session.undo()


@pytest.mark.parametrize("single", [True, False])
def test_what_answered_itself_is_taken_back_with_the_decision_before_it(single: bool) -> None:
    """Else it would answer itself again at once, and nothing before it could be taken back."""
    session = people(load("yucata"), 7)
    session.choose("create_hoplites")
    assert session.answers_itself(True) and not session.answers_itself(False)
    assert session.decision is not None
    session.choose(session.decision.options[0])
    session.undo(single)
    assert session.game.moment == (0 if single else 1)


def test_dice_that_were_entered_by_hand_are_taken_back_when_they_were_mistyped() -> None:
    session = people(load(SHELF / "dice_race"), by_hand=True)
    while session.turn != "chance":
        play_on(session, 1)
    assert session.chance is not None
    first, *_, last = session.chance.outcomes
    moment = session.game.moment
    session.answer(first)
    session.undo()
    assert session.turn == "chance" and session.game.moment == moment
    session.answer(last)
    session.close()
    assert session.name is not None
    again = Session.resume(session.name)
    assert again.game.log == session.game.log and not again.game.automatic


def test_looking_back_changes_nothing_and_a_branch_goes_on_from_what_is_looked_at() -> None:
    session = people(load(SHELF / "othello"))
    play_on(session, 6)
    log = session.game.log
    for _ in range(4):
        session.back()
    assert session.looking_back and session.shown.moment == 2
    session.forward()
    other = session.branch()
    assert other.name == "othello-2" and other.game.log == log[:3]
    play_on(other, 2, seed=5)
    assert session.game.log == log
    for _ in range(9):
        session.forward()
    assert not session.looking_back and session.shown is session.game
    for _ in range(9):
        session.back()
    assert session.shown.moment == 0


def test_the_keyboard_is_passed_before_a_hand_shows_and_only_where_something_is_hidden() -> None:
    hearts = people(load(SHELF / "hearts"))
    assert hearts.handover == hearts.asked and hearts.eyes is None
    hearts.take_keyboard()
    assert hearts.handover is None and hearts.eyes == hearts.asked
    while hearts.asked == hearts.viewer:
        play_on(hearts, 1)
    assert hearts.handover == hearts.asked and hearts.eyes != hearts.asked

    othello = people(load(SHELF / "othello"))
    assert othello.handover is None and othello.eyes == othello.asked

    rules = load(SHELF / "hearts")
    alone = Session(rules, {rules.players[0]: HUMAN}, 1, keep=False)
    assert alone.handover is None and alone.eyes == rules.players[0]


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


def test_a_game_of_a_folder_is_found_again_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder may have been named from where one stood; what is called as a scenario is, is not taken for it."""
    monkeypatch.chdir(SHELF)
    session = people(load("othello"))
    play_on(session, 1)
    session.close()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "standard").write_text("mine")
    assert Session.resume("othello-1").game.log == session.game.log


def test_a_pipe_among_the_kept_games_keeps_nobody_waiting(folder: Path) -> None:
    play_on(people(load(SHELF / "othello")), 1)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "othello-1.note").unlink(missing_ok=True)
    os.mkfifo(folder / "othello-1.note")
    assert [game.name for game in saved_games()] == ["othello-1"]
    with pytest.raises(SavedGameError, match="'pipe'"):
        saved_game("pipe")


def test_a_game_that_cannot_be_written_leaves_no_empty_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("polis_rules.play.recorder.write", full)
    with pytest.raises(OSError, match="No space left"):
        people(load(SHELF / "othello")).write()
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named_with_what_names_another(folder: Path) -> None:
    folder.write_text("a file")
    with pytest.raises(SavedGameError, match=r"no games can be kept in .*games.*POLIS_GAMES_DIR"):
        play_on(people(load(SHELF / "othello")), 1)


def test_rules_in_a_folder_whose_name_is_no_text_are_found_again(tmp_path: Path) -> None:
    """File systems allow any bytes; such a game could not be written."""
    home = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    try:
        copytree(SHELF / "othello", home)
    except OSError:
        pytest.skip("this file system wants text")
    session = people(load(home))
    play_on(session, 1)
    session.close()
    assert Session.resume("othello-1").game.log == session.game.log


def test_a_note_that_nests_without_end_keeps_no_other_game_from_being_listed(folder: Path) -> None:
    for _ in range(2):
        play_on(people(load(SHELF / "othello")), 1)
    (folder / "othello-1.note").write_text("[" * 100_000)
    assert {game.name for game in saved_games()} == {"othello-1", "othello-2"}


def test_files_that_cannot_be_read_are_told_with_the_reason(folder: Path) -> None:
    play_on(people(load(SHELF / "othello")), 1)
    (folder / "torn.jsonl").write_text("{")
    assert [game.name for game in saved_games()] == ["othello-1"]
    [(path, why)] = unreadable_games().items()
    assert path.name == "torn.jsonl" and why


def test_a_game_that_does_not_tell_where_its_rules_are_says_how_to_go_on(folder: Path) -> None:
    play_on(people(load(SHELF / "othello")), 1)
    (folder / "othello-1.note").unlink()
    with pytest.raises(SavedGameError, match=r"'othello' cannot be loaded.*polis run FOLDER --resume .*othello-1"):
        Session.resume("othello-1")
