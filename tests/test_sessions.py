"""Games that people play: saved at every decision, taken back, looked at again, branched."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copytree

import pytest
from support.people import people, play_on

from polis_rules import load
from polis_rules.play import (
    HUMAN,
    SavedGameError,
    Session,
    UndoError,
    read,
    saved_game,
    saved_games,
    unreadable_games,
)

SHELF = Path(__file__).parent / "rulesets"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


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
