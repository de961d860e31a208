"""The human seat: what it shows, what it understands, and that nothing typed ends it badly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from polis_cli.human import Human, Quit
from support.fake_game import FakeGame, Option, fake_ruleset
from support.small_cases import small
from support.small_ruleset import small as plain

from polis_rules import load, play_game
from polis_rules.play import bots


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

    def say(self, line: str) -> None:
        self.lines.append(line)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def no_cases(game: object, typed: str) -> str:
    return ""


def choice(id: str, title: str) -> Option:
    return Option(id, title, "", None, 0)


def decide(game: FakeGame, *answers: str, player: str = "red") -> tuple[Option | None, str]:
    """What a person who types `answers` decides (None: left) and all that was printed."""
    terminal = Terminal(*answers)
    human = Human(player, {"case": no_cases}, terminal.ask, terminal.say)
    try:
        return human.choose(game), terminal.text
    except Quit:
        return None, terminal.text


def rich_game() -> Any:
    """A game at Red's third decision, with coins enough to buy."""
    game = fake_ruleset().start(seed=7)
    for _ in range(4):
        game.apply("dig")
    game.coins["red"] = 4
    return game


@pytest.mark.parametrize("answer", ["2", "buy", "BUY", "Buy a token", "buy A token", "  2  "])
def test_an_option_is_taken_by_number_id_or_title(answer: str) -> None:
    option, _ = decide(rich_game(), answer)
    assert option is not None
    assert option.id == "buy"


def test_the_decision_is_shown_with_round_player_prompt_titles_and_costs() -> None:
    _, text = decide(rich_game(), "1")
    assert "Round 3. Red: What do you do?" in text
    assert "  1  Dig\n" in text
    assert "  2  Buy a token  2 coins\n" in text


def test_only_what_this_player_may_see_is_reported() -> None:
    game = rich_game()
    assert any("Blue finds" in line for line in game.report)
    _, text = decide(game, "state", "why buy", "1")
    assert "Red finds" in text
    assert "Blue finds" not in text
    assert "red: coins 4" in text
    assert "blue: " not in text


def test_the_state_names_what_there_is_and_puts_members_that_are_alike_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = rich_game()
    view = {
        "game": {"round": 3, "offer": None, "open": True},
        "player": {"red": {"stock": {"wood": 2, "iron": 0}, "done": ["dig", "buy"], "out": False}},
        "space": {"a": {"owner": "red"}, "b": {"owner": "red"}, "c": {"owner": None}},
        "card": {"x": {"count": 0}},
    }
    monkeypatch.setattr(game, "view", lambda player: view)
    _, text = decide(game, "state", "1")
    shown = text.split("state\n")[1].split("\n> ")[0]
    assert shown.splitlines() == [
        "round: 3", "open: yes",
        "", "player", "  red: stock (wood 2), done (dig, buy)",
        "", "space", "  a, b: owner red",
    ]  # fmt: skip


def test_the_report_goes_on_from_the_last_own_decision() -> None:
    game = fake_ruleset().start(seed=7)
    terminal = Terminal("dig", "pass")
    human = Human("red", {"case": no_cases}, terminal.ask, terminal.say)
    game.apply(human.choose(game))
    game.apply("pass")
    terminal.lines.clear()
    human.choose(game)
    assert "Round 1 begins" not in terminal.text
    assert "Red: Dig" in terminal.text
    assert "Blue: Pass" in terminal.text


def test_why_gives_every_failed_requirement_with_values_and_place() -> None:
    option, text = decide(fake_ruleset().start(seed=7), "why buy", "dig")
    assert option is not None
    assert "buy is not offered because of:" in text
    assert "enough coins" in text
    assert "you.coins >= 2" in text
    assert "where you.coins = 0" in text
    assert "demo/actions.yaml:12" in text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why", "why NAME"),
        ("why jump", "nothing is called 'jump'"),
        ("why dig", "dig is offered"),
        ("why Dig", "Dig is offered"),
    ],
)
def test_why_answers_odd_questions(question: str, answer: str) -> None:
    option, text = decide(rich_game(), question, "1")
    assert option is not None
    assert answer in text


def test_why_of_something_allowed_that_is_not_part_of_this_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rich_game()
    monkeypatch.setattr(game, "why_not", lambda name: [])
    _, text = decide(game, "why jump", "1")
    assert "Nothing forbids jump" in text


def test_undo_goes_back_to_the_own_decision_before_the_others() -> None:
    game = fake_ruleset().start(seed=7)
    game.apply("dig")
    game.apply("dig")
    option, text = decide(game, "undo", "pass")
    assert option is not None
    assert option.id == "pass"
    assert game.log == ()
    assert "Taken back." in text


def test_undo_before_any_own_decision_changes_nothing() -> None:
    game = fake_ruleset().start(seed=7)
    game.apply("dig")
    log = game.log
    option, text = decide(game, "undo", "pass", player="blue")
    assert option is not None
    assert game.log == log
    assert "You have decided nothing yet." in text


def test_what_happens_after_an_undo_is_reported_again() -> None:
    game = fake_ruleset().start(seed=7)
    terminal = Terminal("dig", "undo", "pass", "pass")
    human = Human("red", {"case": no_cases}, terminal.ask, terminal.say)
    for _ in range(2):
        game.apply(human.choose(game))
        game.apply("pass")
    human.catch_up(game)
    assert terminal.lines.count("Red: Pass") == 1
    assert terminal.lines.count("Blue: Pass") == 2


def test_help_names_every_word_that_can_be_typed() -> None:
    _, text = decide(rich_game(), "help", "1")
    for word in ("why NAME", "state", "undo", "help", "quit"):
        assert word in text


@pytest.mark.parametrize("answers", [("quit",), ("QUIT",), (), ("nonsense",)])
def test_quit_and_the_end_of_input_leave_the_game(answers: tuple[str, ...]) -> None:
    option, _ = decide(rich_game(), *answers)
    assert option is None


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("diig", "Did you mean 'dig'?"),
        ("0", "'0' is not an option here."),
        ("99", "'99' is not an option here. Type help"),
        ("", "Type one of 1 to 3, or help."),
    ],
)
def test_what_is_not_understood_is_asked_again(answer: str, message: str) -> None:
    option, text = decide(rich_game(), answer, "1")
    assert option is not None
    assert message in text


@pytest.mark.slow
@given(st.lists(st.text(max_size=20), max_size=8))
def test_no_input_ends_in_an_error(answers: list[str]) -> None:
    decide(rich_game(), *answers)


def with_options(monkeypatch: pytest.MonkeyPatch, *options: Option) -> Any:
    game = rich_game()
    decision = game.decision
    assert decision is not None
    new = type(decision)(decision.player, decision.player_title, "How many?", decision.rule, options)
    monkeypatch.setattr(FakeGame, "decision", property(lambda self: new))
    return game


def test_options_that_are_numbers_are_taken_by_that_number(monkeypatch: pytest.MonkeyPatch) -> None:
    options = [choice(str(each), str(each)) for each in range(3)] + [choice("none", "Nothing")]
    game = with_options(monkeypatch, *options)
    for answer, wanted in (("0", "0"), ("2", "2"), ("none", "none"), ("Nothing", "none")):
        option, text = decide(game, answer)
        assert option is not None
        assert option.id == wanted
    assert "  none  Nothing" in text


def test_a_title_that_two_options_share_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_options(monkeypatch, choice("a", "Field"), choice("b", "Field"))
    option, text = decide(game, "field", "2")
    assert option is not None
    assert option.id == "b"
    assert "several of that title: type one of 1, 2" in text


def test_an_empty_line_takes_the_only_option(monkeypatch: pytest.MonkeyPatch) -> None:
    option, _ = decide(with_options(monkeypatch, choice("only", "Only")), "")
    assert option is not None
    assert option.id == "only"


# -- with a real game -------------------------------------------------------------------------------------------------

DICE = Path(__file__).parent / "rulesets" / "dice_race"


def test_the_phase_in_which_a_decision_waits_is_told_before_it_and_once() -> None:
    """Whoever is asked knows in which part of the turn; the title is not told again with what is decided."""
    game = load(DICE).start(seed=7)
    assert game.decision is not None
    decider = game.decision.player
    terminal = Terminal("walk")
    human = Human(decider, {}, terminal.ask, terminal.say)
    game.apply(human.choose(game))
    assert terminal.lines.index("-- Laps --") < terminal.lines.index("> walk")
    human.catch_up(game)
    assert terminal.lines.count("-- Laps --") == 1


def test_exit_leaves_as_quit_does() -> None:
    option, _ = decide(rich_game(), "exit", "1")
    assert option is None


@pytest.mark.slow
def test_a_name_of_another_kind_is_told_what_it_is_and_how_to_ask_about_it() -> None:
    """Where an action is decided, what could be chosen for one has its own question."""
    game = load("yucata").start(seed=1)
    assert game.decision is not None
    terminal = Terminal("why thebai", "why besiege_polis thebai", "why besiege_polis nothing", "1")
    Human(game.decision.player, {}, terminal.ask, terminal.say).choose(game)
    what, refused, unknown = terminal.text.split("> why ")[1:]
    assert "nothing here is called thebai: it is one of `polis`, and this decision is about `action`" in what
    assert "create_hoplites thebai" in what
    assert "besiege_polis thebai is not offered because of:\n  - you must control its territory" in refused
    assert "nothing here is called nothing" in unknown


def test_what_one_misses_is_listed_and_hidden_lists_are_counted(tmp_path: Path) -> None:
    """A bare `why` names what is not offered; a condition without a label is told as it is written."""
    steps = """
    - each: c
      in: player
      do: [{set: {c.hand: "[north, south]"}}]
    - choose: place
      from: "{north, south}"
      where: count(r for r in region if r.owner is not none) > 0 or place == north
    """
    folder = plain(tmp_path, steps)
    path = folder / "things.yaml"
    hand = "    state:\n      hand: {type: list of region, at_most: 9, seen_by: viewer == it}\n"
    path.write_text(path.read_text("utf-8").replace("    state:\n", hand, 1), "utf-8")
    game = load(folder).start(seed=1)
    terminal = Terminal("why", "why south", "state", "north")
    Human("red", {}, terminal.ask, terminal.say).choose(game)
    missing, why, state = terminal.text.split("\n> ")[1:4]
    assert "(not offered here: " in missing and "south" in missing
    assert "  - count(r for r in region if r.owner is not none) > 0 or place == north\n      where count(r for" in why
    assert "hand (north, south)" in state and "hand (2 hidden)" in state


def test_the_end_of_the_game_names_whoever_acts_then(tmp_path: Path) -> None:
    """An ending that comes in a player's turn has that player, one that comes after all turns has none."""
    for scenario, ended_by in (("standard", "goal_reached"), ("late", "nightfall")):
        game = load(small(tmp_path / scenario, {}), scenario=scenario).start(seed=7)
        result = play_game(game, {player: bots.make("random", 7) for player in game.players})
        assert result is not None and result.ended_by == ended_by
        assert (game.acting in game.players) == (ended_by == "goal_reached")
