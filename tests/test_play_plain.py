"""A game that people play line by line: what is shown, what is understood, and that nothing typed ends it badly."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st
from polis_cli.output import WIDTH
from polis_cli.plain import Desk, Quit
from polis_cli.plain.details import Details
from polis_cli.plain.reasons import why

from polis_rules import Game, load
from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN, Session, read, saved_games
from tests.support.small_ruleset import small

SHELF = Path(__file__).parent / "rulesets"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path / "games"))
    return tmp_path / "games"


class Terminal:
    """Answers from a list, then the end of input; keeps what was printed."""

    def __init__(self, *answers: str) -> None:
        self._answers: Iterator[str] = iter(answers)
        self.lines: list[str] = []

    def ask(self, prompt: str) -> str:
        for answer in self._answers:
            self.lines.append(prompt + answer)
            return answer
        raise EOFError

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def played(session: Session, *answers: str, answer_single: bool = False) -> tuple[Desk, str]:
    """What is printed when people type these answers, and then leave."""
    terminal = Terminal(*answers)
    desk = Desk(session, answer_single, terminal.ask, lambda text: terminal.lines.extend(text.split("\n")))
    with suppress(Quit):
        desk.run()
    return desk, terminal.text


def session_of(name: str, seed: int = 1, people: int = 9, by_hand: bool = False, keep: bool = True) -> Session:
    rules = load(name if name in ("yucata", "colonnades") else SHELF / name)
    return Session(rules, dict.fromkeys(rules.players[:people], HUMAN), seed, by_hand, keep=keep)


@pytest.mark.parametrize("answer", ["2", "column_3_row_5", "Column 3, Row 5", "row 5", "  2  "])
def test_an_option_is_taken_by_number_id_title_or_a_part_of_it(answer: str) -> None:
    desk, _ = played(session_of("othello"), answer)
    assert desk.session.game.log == (("decision", "black", "column_3_row_5"),)


def test_several_that_have_the_same_part_are_asked_again() -> None:
    desk, text = played(session_of("othello"), "column")
    assert desk.session.game.log == ()
    assert "Several are called so: type one of 1 Column 2, Row 4, 2 Column 3, Row 5" in text


def test_each_option_stands_with_its_price_and_what_it_changes() -> None:
    _, text = played(session_of("yucata", 7), "besiege", "why besiege_polis", "details naupaktos")
    assert "  5  Move Hoplites     costs 1 prestige (3 to 2)" in text
    assert "Besiege Polis is not offered because of:" in text
    assert "Naupaktos (polis):" in text
    for shown in (
        "SCORE SO FAR  Athens  Sparta",
        "Wheat                        4        -",
        "Wheat lacking                4        7",
        "Persian Fleet Destruction",
    ):
        assert shown in text


def test_the_round_is_named_once_above_a_decision() -> None:
    _, text = played(session_of("yucata", 7), "state")
    assert "Round 3. Sparta: Which action?" in text
    assert "round: 3" not in text.casefold()


def test_a_whole_game_is_played_by_first_options_and_kept() -> None:
    for name in ("leduc", "hearts", "goofspiel", "agora"):
        desk, _ = played(session_of(name, people=1), *["1"] * 400, answer_single=True)
        if desk.session.turn != "over":  # options that are numbers
            desk, _ = played(session_of(name, people=1), *["1", "0", "2", "3", "4", "5"] * 100)
        assert desk.session.game.result is not None
        assert desk.session.path is not None and read(desk.session.path).finished


def test_a_hand_is_shown_after_the_keyboard_was_passed() -> None:
    desk, text = played(session_of("leduc"), "", "check", "", "log", "state")
    first, second = text.split("Pass the keyboard to ")[1:3]
    assert desk.session.viewer == desk.session.asked
    mine, other = (part.partition("HAND")[2] or part for part in (first, second))
    assert mine != other
    assert "1 hidden" in first and "1 hidden" in second


def test_who_gets_the_keyboard_back_is_told_all_that_happened_in_between() -> None:
    _, text = played(session_of("colonnades", 3), "", "pass", "", "pass", "")
    again = text.split("Pass the keyboard to ")[3]
    assert again.startswith("Red")
    assert "Blue passes and draws 3 coin cards" in again
    assert "The cards are dealt" not in again


def test_undo_takes_back_and_history_goes_back_and_forth() -> None:
    _, text = played(session_of("othello"), "1", "1", "undo", "back", "1", "branch", "1", "log")
    assert "Taken back." in text and "1 move ago" in text
    assert "You look at an earlier moment" in text
    assert "You play on as othello-2." in text
    assert {game.name for game in saved_games()} == {"othello-1", "othello-2"}


def test_dice_are_typed_in_and_what_cannot_come_out_is_asked_again() -> None:
    desk, text = played(session_of("dice_race", by_hand=True), "99", "roll", "1", "1", "1", "1")
    assert "What came out (" in text and "'99' cannot come out here. Type one of these, or roll: Long stride, " in text
    assert any(kind == "chance" for kind, *_ in desk.session.game.log)


def test_what_is_drawn_beside_a_real_board_is_called_by_its_title() -> None:
    """On lines that are no longer than others."""
    desk, text = played(session_of("yucata", by_hand=True), "statue of an ephebe", "quit")
    words = " ".join(text.split())
    assert "What came out (project: " in text and "Statue of an Ephebe, " in words and "statue_of_an_ephebe" not in text
    assert max(map(len, text.splitlines())) <= WIDTH
    assert desk.session.game.log[0] == ("chance", "projects", "statue_of_an_ephebe")


def test_the_computer_shuffles_a_whole_pile_at_once_beside_a_real_board() -> None:
    desk, text = played(session_of("colonnades", by_hand=True), "roll all", "quit")
    pile = [entry for entry in desk.session.game.log if entry[:2] == desk.session.game.log[0][:2]]
    assert text.count("What came out (") == 2 and len(pile) > 50
    assert "`roll all` also the rest, such as of a shuffle." in text


def test_a_draw_that_cannot_be_is_told_with_what_may_be_typed() -> None:
    _, text = played(session_of("yucata", by_hand=True), "7", "statue", "statue of an ephbe", "quit")
    told = " ".join(text.split())
    assert "'7' cannot come out here. Type one of these, or roll: Socrates, " in told
    assert "Several are called so: type one of Statue of Aphrodite, Statue of an Ephebe." in told
    assert "'statue of an ephbe' cannot come out here; did you mean" in told


@given(
    st.lists(st.text(max_size=20) | st.sampled_from(["undo", "back", "now", "branch", "log", "why", "1"]), max_size=9)
)
@pytest.mark.slow
def test_no_input_ends_in_an_error(answers: list[str]) -> None:
    played(
        session_of("leduc", keep=False), "", *(each for each in answers if each.split()[:1] not in (["save"], ["case"]))
    )


def test_why_gives_every_failed_requirement_with_values_and_place() -> None:
    asked = ("why korinthos", "besiege_polis", "why korinthos", "why", "why jump", "why Naupaktos")
    session = Session(load("yucata"), {"sparta": HUMAN}, 1)
    _, text = played(session, *asked)
    assert "Korinthos can be chosen after Move Proxenos.\nNot after Create Hoplites: the polis must be yours (" in text
    assert (
        'its fortification (target.territory.units[you] is 0, target.base is 4) [yucata, "7. Besiege Polis"; ' in text
    )
    assert "Korinthos is not offered because of:\n  - you must control its territory" in text
    assert "actions.yaml:" in text
    assert "Say what you miss, by its id: why NAME (not offered here: " in text
    assert "nothing here is called jump" in text
    assert "Naupaktos is offered." in text


def test_why_says_of_the_number_of_an_option_that_it_is_offered() -> None:
    """A 3 is the line that shows a 3 in front, and no part of a name."""
    _, text = played(Session(load("yucata"), {"athens": HUMAN}, 5), "why 5", "why 99")
    assert "Move Galleys is offered." in text
    assert "nothing here is called 99" in text


def test_details_tell_of_an_option_by_its_number_and_of_all_that_is_offered() -> None:
    _, text = played(session_of("yucata", 7), "", "create_hoplites", "details 1", "details", "details 99")
    assert text.count("Pylos (polis): territory Messenia") == 2
    assert "There is no option 99 here." in text


def test_details_of_a_place_that_nobody_owns_say_so() -> None:
    _, text = played(
        Session(load("yucata"), {"athens": HUMAN}, 5), "details thebai", "details athenai", "details phidias"
    )
    assert "Now: owner nobody\n" in text
    assert "Now: owner Athens, population 5" in text
    assert text.count("Now: ") == 2


def test_details_of_an_option_tell_all_that_it_would_change() -> None:
    """The last bid of agora gives away three places, of which only the first changes stand below the options."""
    session = session_of("agora", 2, keep=False)
    rng = Random(2)
    for _ in range(11):
        assert session.decision is not None
        session.choose(rng.choice(session.decision.options))
    _, text = played(session, "", "details 1")
    before, details = text.split("> details 1\n")
    assert "; and 1 more" in before and "turn order in another order" not in before
    assert "  If you choose 1 now:" in details and "turn order in another order" in " ".join(details.split())


def test_details_of_an_option_by_its_name_tell_also_what_it_would_change() -> None:
    _, text = played(session_of("yucata", 7), "", "details move hoplites", "details pass")
    assert "  If you choose Move Hoplites now: costs 1 prestige (3 to 2)\n" in text
    assert "  If you choose Pass now: nothing changes that you see" in text


def test_details_of_a_state_tell_its_range_and_what_it_is_now() -> None:
    _, text = played(session_of("yucata", 7), "", "details prestige", "details cubes in res", "details prestgie")
    assert "Each player has, changing in play, prestige: 0 to 999; can be paid with." in text
    assert "  Now: Athens: 4; Sparta: 3\n" in text
    assert "cubes in reserve (cubes): 0 to 45.\n  Now: Athens: 22; Sparta: 25" in text
    assert "did you mean 'prestige'?" in text


def test_details_of_a_member_tell_what_others_keep_for_it() -> None:
    _, text = played(session_of("yucata", 7), "", "details silver", "details metal", "details sparta")
    assert "  Now, stock: Athens: 0; Sparta: 5\n" in text
    assert "  Now, stock: Athens, Sparta: 4\n" in text
    assert "  Now, units: Lakedaimon: 3; Myrtöo Pelagos: 2; Ionio Pelagos: 1\n" in text


def test_details_of_a_member_do_not_tell_what_others_keep_hidden_for_it(tmp_path: Path) -> None:
    folder = small(tmp_path)
    things = folder / "things.yaml"
    kept = "stock: {per: good, type: 0..9, start: 2, spendable: true"
    written = things.read_text("utf-8").replace(kept, f"{kept}, title: stock, seen_by: viewer == it")
    things.write_text(
        written.replace("round: 0..9", "round: 0..9\n  price: {per: good, type: 0..9, start: 5, title: price}")
    )
    _, text = played(Session(load(folder), {"red": HUMAN}, 1, keep=False), "details wine")
    assert "  Now, price: 5\n  Now, stock: Red: 2; Blue: ?" in text


def test_details_of_what_a_player_may_not_see_do_not_tell_it() -> None:
    _, text = played(session_of("leduc", people=1), "details hand")
    told = text.partition("details hand\n")[2]
    assert "seen only by that player" in told and "Bea: 1 hidden" in told


def test_what_a_player_sees_of_nothing_is_not_told_thing_by_thing() -> None:
    session = Session(load("hellenes_training"), {"sparta": HUMAN}, 1, keep=False)
    _, text = played(session, "details strength", "details hand")
    told = " ".join(text.partition("> details strength")[2].split())
    assert "Now: Sparta, No. 1: 4 / Sparta, No. 2; Sparta, No. 4" in told and "Athens, No." not in told
    assert "Athens: ?" in told


def test_titles_with_stars_and_brackets_are_told_as_they_are_written(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "harbours", folder := tmp_path / "harbours")
    things = folder / "things.yaml"
    written = things.read_text("utf-8").replace("title: Alfa", 'title: "[red]alfa*"')
    things.write_text(written.replace("title: fish", 'title: "fish*"'), "utf-8")
    rules = load(folder)
    _, text = played(Session(rules, dict.fromkeys(rules.players, HUMAN), 1, keep=False), "details alfa", "details fish")
    assert "[red]alfa* (isle): " in text and "Gain the eyes in fish*." in text and "fish'" not in text


def test_details_of_what_is_no_thing_say_so() -> None:
    _, text = played(session_of("yucata", 7), "", "details pass", "details thebay", "details 99 bottles")
    assert "'Pass' is an option here" in text
    assert "Nothing is called 'thebay'; did you mean 'thebai'?\n" in text
    assert "Nothing is called '99 bottles'." in text


@pytest.mark.slow
def test_details_of_a_kind_tell_of_everything_of_that_kind() -> None:
    _, text = played(session_of("yucata", 7), "", "details poleis")
    assert text.count(" (polis): territory ") == 18


def test_details_of_a_card_are_the_rulebooks_own_words() -> None:
    _, text = played(session_of("yucata", 7), "", "details persian fleet")
    assert "Persian Fleet Destruction (event card): Athens gains 1 prestige, Sparta 1 silver. Source:" in text


def test_details_of_a_place_tell_what_it_is_joined_with() -> None:
    _, text = played(session_of("yucata", 7), "", "details attika", "details kyklades")
    assert "Joined by land with Boiotia, Megaris." in text
    assert "Joined by diolkos with Ionio Pelagos." in text


def test_lines_are_no_longer_than_the_terminal_and_no_word_is_broken(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((60, 24)))
    answers = iter(["details attika", "details persian fleet", "why besiege", "help", "quit"])
    session = session_of("yucata", 7, people=1, by_hand=True)
    with suppress(Quit):
        Desk(session, ask=lambda prompt: next(answers)).run()
    lines = capfd.readouterr().out.split("\n")
    assert max(map(len, lines)) <= 60 and len(lines) > 40
    assert "Persian Fleet Destruction" in " ".join(" ".join(lines).split())


def test_why_understands_a_part_of_a_title() -> None:
    _, text = played(session_of("yucata", 7), "", "why besiege", "why galleys")
    assert "Besiege Polis is not offered because of:" in text
    assert "Several are called so: Create Galleys, Move Galleys. Ask about one, such as: why Create Galleys" in text


def test_why_an_action_is_not_offered_says_how_to_ask_of_one_thing_alone() -> None:
    """As only the first few of the poleis that are refused are named."""
    _, text = played(session_of("yucata", 7), "", "why besiege polis", "why besiege_polis argos")
    assert "Of one alone: why besiege polis POLIS" in text
    assert "Besiege Polis: Argos is not offered because of:" in text
    assert text.count("Of one alone") == 1


def test_why_looks_for_a_name_among_what_can_be_chosen_for_the_actions_here() -> None:
    _, text = played(session_of("yucata", 7), "", "why phidias")
    assert "Begin Project: Phidias is not offered because of:\n  - the project must be on offer" in text


def test_an_option_stands_with_what_sets_it_apart_and_what_the_board_tells_of_it() -> None:
    _, text = played(session_of("yucata", 5, 1), "trade")
    assert "  1  Persis, 3 wheat for wine  market asks 3" in text
    _, text = played(session_of("yucata", 5, 1), "move proxenos")
    assert "Pydna" in text and "base 2, growth 1, most people 3" in text


def test_a_question_for_a_number_that_leaves_no_choice_answers_itself() -> None:
    """In yucata whoever has one prestige at the end of a round may give none of it for silver, and is not asked."""
    session = session_of("yucata", 7, keep=False)
    rng = Random(29)
    while not (session.decision is not None and [each.title for each in session.decision.options] == ["0"]):
        assert session.decision is not None and session.game.moment < 300
        session.choose(rng.choice(session.decision.options))
    session.take_keyboard()
    before = session.game.moment
    desk, _ = played(session)
    assert desk.session.game.moment > before


def test_what_happens_whatever_is_chosen_stands_once_below_the_options() -> None:
    _, text = played(session_of("yucata", 7), "", "collection", "lakedaimon")
    assert text.count("Whatever you choose: Lakedaimon: tribute discs 0 to 1") == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("colum 2, row 4", "Did you mean 'Column 2, Row 4'?"),
        ("0", "'0' is not an option here. Type one of 1 to 4, or help."),
        ("99", "'99' is not an option here. Type one of 1 to 4, or help."),
        ("history", "Type help to see what you can type, or why and a name"),
        ("", "Type one of 1 to 4, or help."),
    ],
)
def test_what_is_not_understood_is_asked_again(answer: str, message: str) -> None:
    desk, text = played(session_of("othello"), answer, "1")
    assert message in text
    assert len(desk.session.game.log) == 1


@pytest.mark.parametrize("answers", [("quit",), ("QUIT",), ("exit",), (), ("nonsense",)])
def test_quit_and_the_end_of_input_leave_the_game(answers: tuple[str, ...]) -> None:
    desk, _ = played(session_of("othello"), *answers)
    assert desk.session.game.log == ()


def test_help_names_every_word_that_can_be_typed() -> None:
    _, text = played(session_of("othello"), "help")
    for word in (
        "why NAME",
        "details NAME",
        "state",
        "log",
        "undo",
        "back, forward, now",
        "branch",
        "save",
        "case",
        "quit",
    ):
        assert word in text


def test_the_position_is_drawn_as_it_is_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    _, text = played(session_of("othello"), "1", f"picture {file}", f"map {file}", "map board.txt")
    assert f"Drawn in {file}." in text and "exists already" in text and "ends in .svg or .png" in text
    assert file.read_text("utf-8").startswith("<svg")


def test_options_that_are_numbers_are_taken_by_that_number() -> None:
    desk, text = played(session_of("agora", people=1), "0", "7")
    assert next(what for kind, who, what in desk.session.game.log if who == "ann") == "0"
    assert "\n   0\n" in text and "  1  [bid 0 to 1]" in text


def test_what_is_done_at_once_needs_no_answer_where_that_is_wished() -> None:
    _, text = played(session_of("yucata", 7), "", "create_hoplites", answer_single=True)
    assert "Sparta: In which polis? Pylos (the only option)" in text


def test_an_only_option_that_costs_something_is_asked_for_all_the_same() -> None:
    """One hoplite of yucata that only metal pays: who sees the price may still take the action back."""
    desk, text = played(session_of("yucata", 19), "", "create_hoplites", answer_single=True)
    assert text.count("(the only option)") == 1 and desk.session.decision is not None
    assert [each.cost for each in desk.session.decision.options] == ["1 metal"]


def test_the_report_goes_on_where_it_was_told_last_also_after_an_undo() -> None:
    _, text = played(session_of("harbours", people=1), "fish", "undo", "rest", "rest")
    assert text.count("Red: Fish") == 1
    assert text.count("Red: Rest") == 2


def test_what_is_hidden_from_a_person_is_never_printed() -> None:
    session = session_of("leduc", people=1, keep=False)
    desk, text = played(session, "state", "log all", "why", "details king", "1", "state", "1")
    game = desk.session.game
    if game.finished:
        return
    (card,) = game.view("bea")["player"]["bea"]["hand"]  # type: ignore[index]
    kind = next(kind for kind in game.program.rules.symbols.kinds.values() if card in kind.index)
    title = kind.titles[kind.index[card]]
    assert title not in text.replace("details king", "") or title in str(game.view("ann"))


def test_a_long_name_that_nothing_has_is_not_repeated_whole() -> None:
    _, text = played(session_of("othello"), f"why {'nowhere ' * 200}", f"details {'nowhere ' * 200}")
    assert "nothing here is called nowhere nowhere" in text and "Nothing is called 'nowhere" in text
    assert max(len(line) for line in text.split("\n") if not line.startswith("> ")) < 140


def test_details_and_reasons_that_fail_are_told_and_end_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> list[str]:
        raise PolisError("its file is gone")

    monkeypatch.setattr(Details, "of", fails)
    monkeypatch.setattr(Game, "why_not", fails)
    desk, text = played(session_of("othello"), "details disc", "why disc", "1")
    assert text.count("its file is gone") == 2 and len(desk.session.game.log) == 1


def test_why_understands_words_of_an_action_and_of_what_it_is_done_to() -> None:
    game = load("yucata").start(seed=5)
    assert why(game, "besiege argos").startswith("Besiege Polis: Argos is not offered because of:")
    assert why(game, "besiege nowhere").startswith("nothing here is called")


def test_a_number_that_no_option_has_and_what_is_not_asked_here_are_told_to_be_so() -> None:
    _, text = played(session_of("yucata", 7), "", "details 77", "collection", "why move hoplites", "why besiege")
    assert "There is no option 77 here." in text
    assert "Move Hoplites is no answer to what is asked here: In which territory?" in text
    assert "Besiege Polis is no answer to what is asked here: In which territory?" in text
