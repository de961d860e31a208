"""The report in sentences: one for each action, with what was chosen for it, paid, rolled and came of it."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from support.editor import Editor, edited

from polis_rules import load
from polis_rules.interpreter.game.report import Fact, Line
from polis_rules.interpreter.game.sentences import Sentences
from polis_rules.play import transcript
from polis_rules.semantics import every_step, ir

SHELF = Path(__file__).parent / "rulesets"


def test_an_action_is_told_as_it_says_when_it_is_done() -> None:
    game = load("yucata").start(seed=7)
    before = game.sentences()
    game.apply("create_hoplites")
    assert game.doing() == "Sparta: Create Hoplites"
    game.apply("pylos")
    assert game.doing() == "Sparta raises hoplites in Pylos"
    assert game.sentences() == before
    game.apply("pay_hoplite_material")
    assert game.sentences()[len(before) :] == ["Sparta raises hoplites in Pylos, for 1 metal"]
    assert game.doing() == ""
    game.undo()
    assert game.sentences() == before


def test_what_comes_of_an_action_is_told_with_it() -> None:
    game = load("yucata").start(seed=1)
    game.apply("besiege_polis")
    game.apply("naupaktos")
    assert (
        game.sentences()[-1]
        == "Sparta besieges Naupaktos, for 1 prestige; gains 1 prestige; Naupaktos now belongs to Sparta"
    )


def test_of_an_action_that_is_not_done_nothing_is_said_to_be_paid_or_gained() -> None:
    game = load("yucata").start(seed=5)
    game.apply("trade")
    game.apply("persis_3_wine")
    assert game.doing() == "Athens: Trade, Persis, 3 wheat for wine"
    game.apply("wine")
    assert "Athens trades 3 wine for 3 wheat (Persis, 3 wheat for wine); rolls " in game.sentences()[-1]


def test_how_many_are_chosen_is_told_as_a_number_of_what_the_action_calls_them() -> None:
    game = load("yucata").start(seed=7)
    for choice in ("move_galleys", "ionio", "myrtoo"):
        game.apply(choice)
    assert game.doing() == "Sparta moves 1 galley to Ionio Pelagos from Myrtöo Pelagos, for 1 prestige"
    game.apply("myrtoo")
    assert game.sentences()[-1] == "Sparta moves 2 galleys to Ionio Pelagos from Myrtöo Pelagos, for 1 prestige"


def test_without_words_of_its_own_an_action_is_told_by_titles() -> None:
    """Choices of one action, what it costs and what comes of it are one line."""
    game = load(SHELF / "workshop").start(seed=7)
    rng = Random(1)
    while game.decision is not None and game.moment < 40:
        game.apply(rng.choice(game.decision.options))
    told = game.sentences()
    assert "Bo: Sell, for 1 token; gains 5 coins" in told
    assert "Bo: Build, Lathe, for 1 wood and 4 coins; gains 4 points; Lathe: owner Bo" in told


def test_what_is_alike_and_comes_together_is_one_sentence() -> None:
    """Cards that are laid out are one line, and of phases that begin together the innermost is told."""
    lines = load("yucata").start(seed=1).sentences()
    assert [line for line in lines if ": on offer" in line] == [lines[1]]
    assert lines[1].count(" and ") == 1
    assert not any(one.startswith("-- ") and other.startswith("-- ") for one, other in pairwise(lines))


def test_an_answer_to_a_question_that_is_asked_again_is_told_with_the_next() -> None:
    """So no sentence that was told grows afterwards."""
    asked = Fact("decision", "Bo", "Lathe", "Which tool?", procedure="procedures.tools")
    told = [Line("", fact=asked), Line("", fact=asked._replace(what="Plane"))]
    sentences = Sentences(load(SHELF / "workshop").rules())
    assert sentences.of(told[:1], asked) == ([], "Bo: Which tool? Lathe")
    assert sentences.of(told, asked._replace(about="Which wood?")) == (["Bo: Which tool? Lathe, Plane"], "")


def test_what_others_get_after_an_answer_is_a_sentence_of_its_own() -> None:
    asked = Fact("decision", "Bo", "Lathe", "Which tool?", procedure="procedures.tools")
    mine, others = Fact("gains", "Bo", "coins", number=1), Fact("gains", "Ada", "coins", "Ada gains 2 coins", 2)
    assert told(asked, mine, others) == ["Bo: Which tool? Lathe; gains 1 coin", "Ada gains 2 coins"]
    assert told(asked._replace(action="sell"), others) == ["Bo: Lathe; Ada gains 2 coins"]


def told(*facts: Fact) -> list[str]:
    """Sentences that tell what has happened."""
    return Sentences(load(SHELF / "workshop").rules()).of([Line(each.about, fact=each) for each in facts])[0]


def test_what_comes_back_from_several_places_is_one_sentence() -> None:
    places = ("Elis", "Delos, for oil")
    back = [Fact("moves", each, "North (reserve)", f"{each} (discs)", 1) for each in places]
    assert told(*back) == ["2 from Elis; Delos, for oil (discs) to North (reserve)"]


def test_pieces_that_are_lost_one_by_one_are_counted() -> None:
    """As in a battle in which a territory loses a unit for each of two cards."""
    lost = [Fact("changes", each, "units", number=-1) for each in ("Elis", "Elis", "Delos")]
    assert told(*lost) == ["Elis: units -2; Delos: units -1"]
    assert told(*lost[1:]) == ["Elis and Delos: units -1"]
    come = Fact("changes", "Elis", "units", number=1)
    assert told(lost[0], come) == ["Elis: units -1", "Elis: units +1"]
    asked = Fact("decision", "Ann", "Attack", "What do you do?", 0, (("way", "Attack"),), "procedures.fight")
    roll = Fact("roll", "", "1d6", "luck", 3, (("luck", "3"),))
    assert told(asked, roll, *lost) == [
        "Ann: What do you do? Attack; rolls 3 on 1d6 (luck); Elis: units -2; Delos: units -1"
    ]


def test_pieces_of_a_player_are_told_as_that_players() -> None:
    one, other, another = (Fact("changes", each, "units", "Ann", -1) for each in ("Elis", "Delos", "Elis"))
    assert told(one) == ["Elis: Ann loses 1 unit"]
    assert told(one, another) == ["Elis: Ann loses 2 units"]
    assert told(one, other) == ["Elis and Delos: Ann loses 1 unit each"]
    assert told(one, another._replace(about="Bob", number=2)) == ["Elis: Ann loses 1 unit", "Elis: Bob gains 2 units"]


def test_a_siege_tells_whose_unit_is_lost() -> None:
    kept = transcript.read(Path(__file__).parent / "transcripts" / "yucata_standard_3.jsonl")
    told = transcript.opened(kept, transcript.rules_of(kept)).sentences()
    rolled = "rolls 1, which makes 1 against walls of 3"
    assert f"Sparta besieges Gela, for 1 prestige; {rolled}; loses a hoplite in Sikelia" in told


def test_cards_that_go_the_same_way_one_by_one_are_one_sentence() -> None:
    """Named where they are known, and else counted."""
    way = " from pile to North (hand)"
    known = [Fact("goes", about=way, number=1, names=(("", card),)) for card in ("Stone", "Wood", "Stone")]
    assert told(*known) == ["2 Stone and Wood from pile to North (hand)"]
    assert told(*[Fact("goes", about=way, number=1)] * 3) == ["3 from pile to North (hand)"]


def test_a_title_is_not_told_again_as_long_as_nothing_was_told_under_another() -> None:
    turn = Fact("phase", about="-- Turn --")
    gains = [Fact("gains", who, "coins", number=1) for who in ("North", "South")]
    lines = [Line(turn.about, fact=turn), Line("North gains 1 coin", fact=gains[0])]
    lines += [Line("-- Other --", fact=turn), Line(turn.about, fact=turn), Line("South gains 1 coin", fact=gains[1])]
    sentences = Sentences(load(SHELF / "workshop").rules()).of(lines)[0]
    assert sentences == ["-- Turn --", "North gains 1 coin", "South gains 1 coin"]


def test_what_ends_where_a_sentence_says_is_not_said_to_be_nowhere() -> None:
    """A piece that is put nowhere, and then where it was asked to go."""
    asked = Fact("decision", "North", "Elis", "Where to?", names=(("goal", "Elis"),))
    ways = [Fact("becomes", "No. 3", where, "place", number=at) for at, where in enumerate(("nothing", "Elis"), -1)]
    assert told(asked, *ways) == ["North: Where to? Elis"]


def test_that_nothing_is_turned_up_any_more_is_no_news() -> None:
    assert told(Fact("becomes", "", "nothing", "event", number=-1)) == []
    assert told(Fact("becomes", "Elis", "nobody", "Elis (owner)", number=-1)) == ["Elis (owner)"]


def test_what_came_to_be_nowhere_in_a_decision_is_said_to_have_none() -> None:
    asked = Fact("decision", "North", "retreat", "What next?")
    assert told(asked, Fact("becomes", "No. 12", "nothing", "place", number=-1)) == [
        "North: What next? retreat; No. 12: no place"
    ]
    assert told(asked, Fact("becomes", "Blue", "nothing", "bids on", number=-1)) == [
        "North: What next? retreat; Blue: bids on nothing"
    ]


def test_of_what_becomes_another_twice_in_one_action_the_end_is_told() -> None:
    asked = Fact("decision", "North", "Elis", "Which polis?")
    turns = [Fact("becomes", "Elis", whose, "owner", number=at) for at, whose in enumerate(("nobody", "North"), -1)]
    assert told(asked, *turns) == ["North: Which polis? Elis; Elis: owner North"]


def test_what_the_same_dice_show_again_is_told_once() -> None:
    asked = Fact("decision", "North", "Fight on", "What next?")
    rolls = [Fact("roll", "North", "1d6", "die", number, (("die", str(number)),)) for number in (1, 2, 2)]
    assert told(asked, *rolls) == ["North: What next? Fight on; rolls 1, 2 and 2 on 1d6 (die)"]


def test_the_same_question_again_is_told_with_all_its_answers() -> None:
    decision = Fact("decision", "North", "Elis", "Which grows?", names=(("city", "Elis"),), procedure="growth")
    pays = Line("", fact=Fact("pays", "North", "Wheat", number=1))
    lines = [Line("", fact=decision), pays, Line("", fact=decision._replace(what="Argos")), pays]
    assert Sentences(load(SHELF / "workshop").rules()).of(lines)[0] == ["North: Which grows? Elis, Argos, for 2 Wheat"]


def test_a_phase_tells_what_is_chosen_in_it_as_it_says_and_what_is_answered_instead_as_the_way_says() -> None:
    """In yucata: what another action costs when the opponent has passed, and the tax at the end of a round."""
    game = load("yucata").start(seed=1)
    game.apply("pass")
    while (decision := game.decision) is not None and "phoros" not in game.sentences()[-1]:
        game.apply(decision.options[0] if "another action" in decision.prompt else decision.options[-1])
    told = game.sentences()
    assert "Athens pays 1 metal for another action" in told and "Athens passes" in told
    assert "Sparta gives Gytheion up, which it cannot feed; Gytheion now belongs to nobody" in told


FERRY = """\
format: 2
ruleset: ferry
title: Ferry
scenario: {scenario: standard, title: Standard}
kinds:
  player: {}
  isle: {}
  boat: {state: {at: {type: isle or none, title: place, says: "{boat} comes to {new}"}}}
tables: {player: {ann: {title: Ann}}, isle: {kos: {title: Kos}}, boat: {lark: {title: Lark}}}
actions:
  sail: {title: Sail, says: "{you} sails to {goal}", choose: {goal: {from: isle}}, do: [{set: {lark.at: goal}}]}
  drift: {title: Drift, says: "{you} lets it drift", do: [{set: {lark.at: kos}}]}
  sink: {title: Sink, says: "{you} sinks it", do: [{set: {lark.at: none}}]}
phases:
  game: [{as: ann, do: [{repeat: {times: 4, do: [{choose: deed, from: action}, {perform: deed}]}}]}, {end: over}]
endings: {over: {title: All is over}}
score: {terms: {boats: count(b for b in boat if b.at == kos)}}
"""


def test_what_state_says_is_left_out_where_it_was_chosen_and_where_nothing_is_there_now(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(FERRY, encoding="utf-8")
    game = load(tmp_path).start(seed=1)
    for each in ("sail", "kos", "sink", "drift", "sink"):
        game.apply(each)
    assert game.sentences() == [
        *("Ann sails to Kos", "Ann sinks it; Lark: no place"),
        *("Ann lets it drift; Lark comes to Kos", "Ann sinks it; Lark: no place"),
    ]


def test_dice_that_belong_to_no_answer_are_one_sentence() -> None:
    rolls = [Fact("roll", "", "1d6", "die", number) for number in (1, 2)]
    lines = [Line("", fact=roll, rule="storm") for roll in rolls]
    assert Sentences(load(SHELF / "workshop").rules()).of(lines)[0] == ["Rolls 1 and 2 on 1d6 (die)"]


def test_dice_of_different_names_are_told_with_their_names() -> None:
    told = Sentences(load(SHELF / "workshop").rules())
    asked = Fact("decision", "Bo", "Lathe", "Which?", 0, (("tool", "Lathe"),), "phases.game")
    rolls = [Fact("roll", "", "1d4", about, number, ((about, ""),)) for about, number in (("one", 1), ("other", 2))]
    lines = [Line("", fact=asked), *(Line("", fact=roll) for roll in rolls)]
    assert told.of(lines)[0] == ["Bo: Which? Lathe; rolls 1 (one) and 2 (other) on 1d4"]


def test_two_questions_of_a_procedure_are_one_sentence_where_it_says_so() -> None:
    game = load("colonnades").start(seed=3)
    for _ in range(2):
        assert game.decision is not None
        before = game.sentences()
        game.apply(game.decision.options[0])
        if len(game.log) == 1:
            assert game.doing() == "Red bids on Wheat Land" and game.sentences() == before
    assert any(line.startswith("Red bids on Wheat Land, offering 3") for line in [*game.sentences(), game.doing()])


@pytest.mark.parametrize("name", ["hearts", "leduc", "goofspiel", "agora", "othello", "caravans"])
def test_no_sentence_tells_what_the_lines_of_the_report_do_not(name: str) -> None:
    """Every member that is named to a player is named in that player's report, too."""
    game = load(SHELF / name).start(seed=3)
    rng = Random(2)
    titles = {title for kind in game.program.rules.symbols.kinds.values() for title in kind.titles if len(title) > 4}
    while game.decision is not None and game.moment < 80:
        game.apply(rng.choice(game.decision.options))
        for player in game.players:
            report = " ".join([*game.report_for(player), *game.program.rules.symbols.kinds["action"].titles])
            text = " ".join([*game.sentences(player), game.doing(player)])
            assert not [title for title in titles if title in text and title not in report]


SAILS = ("    title: Sail\n", '    title: Sail\n    says: "{you} sails to {goal}"\n')


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Harbours in which sailing has words of its own."""
    folder = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    play = folder / "play.yaml"
    play.write_text(play.read_text("utf-8").replace(*SAILS), "utf-8")
    return folder


def test_how_an_action_is_told_is_no_rule(home: Path) -> None:
    """Games that were recorded before it was told otherwise are played again."""
    assert load(home).hash == load(SHELF / "harbours").hash
    game = load(home).start(seed=1)
    game.apply("sail")
    assert game.decision is not None
    game.apply(game.decision.options[0])
    assert any(" sails to " in line for line in game.sentences())


def test_bids_that_are_taken_back_are_one_line() -> None:
    """In colonnades each player's bid goes at the beginning of a bidding."""
    game, rng = load("colonnades", settings={"seats": 3}).start(seed=3), Random(2)
    while game.decision is not None and game.moment < 60:
        game.apply(rng.choice(game.decision.options))
    told = game.sentences()
    assert "Bids begin anew" in told and not any("(bids on)" in line for line in told)


@pytest.mark.parametrize("name", ["colonnades", "politeia", "yucata"])
def test_every_choice_is_a_question_or_says_what_is_chosen(name: str) -> None:
    rules = load(name).rules()
    asked = [
        step.title
        for each in rules.procedures.values()
        for step in every_step(each.body)
        if isinstance(step, ir.Choose)
    ]
    assert asked and "Choose" not in asked


UNSAID = re.compile(
    r"\? |^\d+ from |: (?:Athens|Sparta) (?:gains|loses) \d+ unit|units abroad|no proxenos|trade port [+-]"
)
"""What the report falls back on where a rule does not say how it is told."""


@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_events_battles_and_sieges_are_told_in_sentences_of_their_own(name: str) -> None:
    """What is chosen and who loses units stands in words of the rule, not as a question and a table's row."""
    rules, told = load(name), list[str]()
    for seed in range(40):
        game, rng = rules.start(seed=seed), Random(seed)
        while game.decision is not None:
            game.apply(rng.choice(game.decision.options))
        told += game.sentences()
    assert any(re.fullmatch(r"\w+ gains a unit in \w+", each) for each in told)
    assert not [each for each in told if UNSAID.search(each)]


@pytest.mark.slow
def test_a_choice_is_renamed_where_it_is_told_of(editor: Editor, home: Path) -> None:
    play = home / "play.yaml"
    text = play.read_text("utf-8")
    editor.open(play)
    for path, changed in edited(editor.at("rename", play, text, "      go|al:", newName="harbour")).items():
        path.write_text(changed, encoding="utf-8")
    assert 'says: "{you} sails to {harbour}"' in play.read_text("utf-8")
    load(home)


def test_how_something_is_told_is_no_part_of_what_is_hashed(tmp_path: Path) -> None:
    """The report may say other words of a way, state, a step and a rule; what a refusal says belongs to the rules."""
    game = Path(shutil.copytree(Path(__file__).parents[1] / "rulesets" / "yucata", tmp_path / "yucata"))

    def with_other_words(file: str, one: str, other: str) -> str:
        text = (game / file).read_text(encoding="utf-8")
        assert one in text
        (game / file).write_text(text.replace(one, other), encoding="utf-8")
        return load(game).hash

    before = load(game).hash
    assert with_other_words("phases.yaml", "{you} passes", "{you} has done enough") == before
    assert with_other_words("kinds.yaml", "{falls or rises}", "{becomes less or becomes more}, from {old}") == before
    assert with_other_words("phases.yaml", "merchants come home", "merchants return") == before
    gift = "gain: {silver: gift_for_passing_first}"
    assert with_other_words("phases.yaml", gift, f'{gift}\n            says: "{{you}} is the first to pass"') == before
    assert with_other_words("events.yaml", "says: it must not have changed sides", "says: no sides change") != before


def test_what_a_player_draws_is_named_to_that_player_and_counted_to_others() -> None:
    game = load("colonnades").start(seed=3)
    told = game.sentences("red")
    assert "Red draws 3 Grain, 2 Stone and Wood" in told
    assert "Blue draws 5 coin cards" in told
    assert "The marker of Earthquake is at 1" in told
