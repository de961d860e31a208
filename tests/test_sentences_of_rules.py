"""How the report tells what a rule does in words of the rule's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules import load
from polis_rules.pipeline import Build, run


def market(tmp_path: Path, *, phase: str, says: str = "", way: str = "") -> list[str]:
    """What is told of a day of a market: the price of fish, which is 3, becomes another, and everybody is paid."""
    rules = f"""\
format: 2
ruleset: market
title: Market
scenario: {{scenario: standard, title: Standard}}
kinds:
  player: {{state: {{coins: {{type: 0..99, title: coins, spendable: true}}, merry: {{type: flag, title: merry}}}}}}
  ware: {{state: {{price: {{type: 0..9, start: 3, title: price{says}}}}}}}
tables:
  player: {{ann: {{title: Ann}}, bob: {{title: Bob}}}}
  ware: {{fish: {{title: Fish}}}}
phases:
  game: [{{as: ann, do: [day]}}, evening, {{end: closed}}]
  evening: {{title: Evening, do: [{{gain: {{coins: 1}}, who: bob}}]}}
  day:
    title: Day
    do:
{phase}
procedures:
  wages:
    title: Wages
    says: "{{you}} has a wage of {{gained}}"
    do: [{{each: p, in: player, do: [{{gain: {{coins: 2}}, who: p}}, {{set: {{fish.price: fish.price + 1}}}}]}}]
  holiday:
    says: A holiday for {{ware}}
    do: [{{set: {{fish.price: 7}}}}, {{set: {{ann.merry: true}}}}]
  ask: [{{either: {{work: {{title: Work}}, rest: {{title: Rest}}}}}}]
  tidy_up:
    says: ""
    do: [{{set: {{fish.price: 9}}}}, {{gain: {{coins: 1}}, who: bob}}]
endings: {{closed: {{title: The market closes}}}}
score: {{terms: {{money: who.coins}}}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = load(tmp_path).start(seed=1)
    while game.decision is not None:
        game.apply(way)
    return game.sentences()


def test_state_tells_that_it_is_more_or_less_in_words_of_its_own(tmp_path: Path) -> None:
    says = ', says: "{ware} {rises or falls} from {old} to {new}"'
    phase = "      - set: {fish.price: 4}\n      - gain: {coins: 1}\n      - set: {fish.price: 2}"
    told = market(tmp_path, phase=phase, says=says)
    assert told[1:4] == ["Fish rises from 3 to 4", "Ann gains 1 coin", "Fish falls from 4 to 2"]


def test_a_rule_in_which_nothing_is_chosen_is_told_whole(tmp_path: Path) -> None:
    """What others do before and after it is told by itself, and each player's part of it is a sentence."""
    told = market(tmp_path, phase="      - gain: {coins: 1}\n      - wages\n      - holiday\n      - gain: {coins: 3}")
    assert told == [
        *("-- Day --", "Ann gains 1 coin", "Ann has a wage of 2 coins", "Bob has a wage of 2 coins"),
        *("A holiday for Fish", "Ann gains 3 coins", "-- Evening --", "Bob gains 1 coin"),
    ]


def test_a_rule_that_is_told_whole_names_where_pieces_come_from_and_go(tmp_path: Path) -> None:
    """Whether they are counted or listed."""
    rules = """\
format: 2
ruleset: raids
title: Raids
scenario: {scenario: standard, title: Standard}
kinds:
  player: {}
  town:
    state:
      walls: {type: 0..9, start: 2, title: walls}
      ruins: {type: 0..9, title: ruins}
      guards: {type: list of guard, at_most: 3, start: "[archer]", title: guards}
  guard: {state: {fallen: {type: 0..3, title: fallen}}}
tables: {player: {ann: {title: Ann}}, town: {kos: {title: Kos}, delos: {}}, guard: {archer: {title: Archer}}}
phases: {game: [{do: raid(kos)}, {do: storm(kos)}, {do: storm(delos)}, {end: over}]}
procedures:
  raid: {of: {goal: town}, says: "A raid on {town}", do: [{move: archer, from: goal.guards, to: archer.fallen}]}
  storm: {of: {goal: town}, says: "A storm over {town}", do: [{move: 1, from: goal.walls, to: goal.ruins}]}
endings: {over: {title: All is over}}
score: {terms: {none: 0}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = load(tmp_path).start(seed=1)
    assert game.sentences() == ["A raid on Kos", "A storm over Kos and Delos"]


def test_a_way_tells_that_it_was_chosen_with_what_comes_of_it(tmp_path: Path) -> None:
    phase = """\
      - either:
          work: {title: Work}
          rest: {title: Rest, says: "{you} rests", do: [{gain: {coins: 1}}]}"""
    assert market(tmp_path, phase=phase, way="rest")[1] == "Ann rests; gains 1 coin"
    assert market(tmp_path, phase=phase, way="work")[1] == "Ann: Work"


def test_a_choice_says_how_it_is_told_and_again_where_it_is_asked_again(tmp_path: Path) -> None:
    """What answers it otherwise is told by itself."""
    phase = """\
      - repeat:
          times: 2
          do:
            - choose: liked
              title: Which ware do you like?
              says: "{you} likes {liked}"
              from: ware
              or:
                none_of_them: {title: None of them, says: "{you} likes nothing more"}"""
    assert market(tmp_path, phase=phase, way="fish")[1] == "Ann likes Fish (2 times)"
    assert market(tmp_path, phase=phase, way="none_of_them")[1] == "Ann likes nothing more (2 times)"


def test_two_players_who_choose_in_one_rule_are_told_each_in_words_of_their_own(tmp_path: Path) -> None:
    """A choice may name one that comes later; both are one sentence then."""
    phase = """\
      - {choose: one, from: ware, says: "{you} shows {one}, then {other}"}
      - {choose: other, from: ware}
      - {choose: answer, who: bob, from: ware, says: "{you} answers with {answer}"}"""
    assert market(tmp_path, phase=phase, way="fish")[1:3] == ["Ann shows Fish, then Fish", "Bob answers with Fish"]


def test_of_what_says_nothing_only_what_players_gain_and_pay_is_told(tmp_path: Path) -> None:
    """So it is of a rule and of a way; state that says nothing is not told at all."""
    told = market(tmp_path, phase="      - tidy_up\n      - set: {fish.price: 1}", says=', says: ""')
    assert told[1:] == ["Bob gains 1 coin", "-- Evening --", "Bob gains 1 coin"]
    phase = """\
      - either:
          work: {title: Work, says: ""}
          rest: {title: Rest, says: "", do: [{gain: {coins: 1}}]}"""
    assert market(tmp_path, phase=phase, way="rest")[1] == "Gains 1 coin"
    assert market(tmp_path, phase=phase, way="work")[0] == "-- Evening --"


def test_what_another_rule_does_after_an_answer_is_told_by_itself(tmp_path: Path) -> None:
    """Only what the asking rule does, and what it calls, comes of an answer."""
    told = market(tmp_path, phase="      - ask\n      - set: {fish.price: 6}", way="work")
    assert told[1:3] == ["Ann: Work", "Fish (price): 6"]


def test_that_somebody_has_enough_is_no_news(tmp_path: Path) -> None:
    phase = """\
      - repeat:
          at_least: 0
          finish: Enough
          do:
            - choose: liked
              title: Which ware do you like?
              from: ware
            - set: {fish.price: 5}"""
    assert market(tmp_path, phase=phase, way="finish") == ["-- Evening --", "Bob gains 1 coin"]


# -- steps that say how they are told ---------------------------------------------------------------------------------


def test_a_step_tells_what_it_does_in_words_of_its_own(tmp_path: Path) -> None:
    """So a rule tells which of two things it does. What stands in braces is what it is before; what changes nothing is
    not told, nor what says nothing."""
    phase = """\
      - let: {before: fish.price}
      - {when: before > 5, set: {fish.price: 5}, says: "{fish} is dear"}
      - {when: before < 5, set: {fish.price: fish.price + 1}, says: "{fish}, {fish.price} so far, is cheap for {you}"}
      - {set: {fish.price: 4}, says: "{fish} stays"}
      - {gain: {coins: 1}, says: ""}
      - {gain: {coins: 2}}"""
    assert market(tmp_path, phase=phase)[1:3] == ["Fish, 3 so far, is cheap for Ann", "Ann gains 2 coins"]


def test_all_inside_a_step_is_told_in_its_words(tmp_path: Path) -> None:
    """Also what a rule does that it calls, which has words of its own, and for others."""
    phase = """\
      - {do: wages, says: "{fish} costs {fish.price} on pay day"}
      - {each: p, in: player, says: All are merry, do: [{set: {p.merry: true}}, {gain: {coins: 1}, who: p}]}"""
    told = market(tmp_path, phase=phase)
    assert told[1:] == ["Fish costs 3 on pay day", "All are merry", "-- Evening --", "Bob gains 1 coin"]


def test_what_steps_tell_again_is_one_sentence(tmp_path: Path) -> None:
    """What is counted in braces is summed up, and what is not the same is listed, but not who does it."""
    phase = """\
      - {each: p, in: player, do: [{gain: {coins: 1}, who: p, says: "a coin rolls to {p}"}]}
      - {each: p, in: player, do: [{gain: {coins: 1}, who: p, says: "{p} finds a coin"}]}
      - {gain: {coins: 2}, says: "{you} earns {2: coins}"}
      - {gain: {coins: 1}, says: "{you} earns {0 + 1: coins}"}
      - {repeat: {times: 2, do: [{gain: {coins: 1}, says: "{you} saves"}]}}
      - {repeat: {times: 2, do: [{gain: {coins: 2}, says: "{you} gets {2: coins}"}]}}"""
    assert market(tmp_path, phase=phase)[1:-2] == [
        *("A coin rolls to Ann and Bob", "Ann finds a coin", "Bob finds a coin", "Ann earns 2 coins"),
        *("Ann earns 1 coin", "Ann saves (2 times)", "Ann gets 4 coins"),
    ]


def test_what_steps_tell_in_a_decision_is_told_with_it_of_whoever_decides(tmp_path: Path) -> None:
    """Where the decision itself is not told it is a sentence of its own."""
    rest = """\
      - either:
          work: {title: Work}
          rest: {title: Rest, says: "%s", do: [{gain: {coins: 1}, says: "{you} naps for {1: coins}"}]}"""
    assert market(tmp_path, phase=rest % "{you} rests", way="rest")[1] == "Ann rests; naps for 1 coin"
    assert market(tmp_path, phase=rest % "", way="rest")[1] == "Ann naps for 1 coin"


def test_a_roll_tells_what_it_gave_in_words_of_its_own(tmp_path: Path) -> None:
    """What is in braces is as it is after the roll; one that says nothing is told by another, which names it."""
    phase = """\
      - {roll: luck, dice: 1d1, says: "{you} rolls {luck} beside {luck + fish.price: coins}"}
      - {roll: one, dice: 1d1, says: ""}
      - {roll: other, dice: 2d1, says: "{you} rolls {one} and {other}"}
      - {roll: bare, dice: 3d1}"""
    told = market(tmp_path, phase=phase)
    assert told[1:-2] == ["Ann rolls 1 beside 4 coins", "Ann rolls 1 and 2", "Rolls 3 on 3d1 (bare)"]


def test_dice_that_are_rolled_again_are_one_sentence(tmp_path: Path) -> None:
    """With each that came out, also those that are the same."""
    phase = """\
      - {repeat: {times: 2, do: [{roll: luck, dice: 1d1, says: "{you} rolls {luck} for the wind"}]}}
      - {roll: luck, dice: 2d1, says: "{you} rolls {luck} for the wind"}"""
    assert market(tmp_path, phase=phase)[1] == "Ann rolls 1, 1 and 2 for the wind"


def test_a_roll_of_a_decision_is_told_with_it_and_so_is_what_it_brings(tmp_path: Path) -> None:
    """Before what is gained by it, and with what changes, as after a roll without words."""
    rest = """\
      - either:
          work: {title: Work}
          rest:
            title: Rest
            says: "{you} rests"
            do: [{roll: luck, dice: 1d1%s}, {gain: {coins: luck}}, {set: {fish.price: 5}}]"""
    told = market(tmp_path, phase=rest % ', says: "{you} rolls {luck}"', way="rest")
    assert told[1] == "Ann rests; rolls 1; gains 1 coin; Fish (price): 5"
    told = market(tmp_path, phase=rest % ', says: ""', way="rest")
    assert told[1] == "Ann rests; gains 1 coin; Fish (price): 5"


def test_words_of_a_roll_that_name_what_is_hidden_are_read_by_nobody_else(tmp_path: Path) -> None:
    """Others read the roll as they would without the words; who does not see the roll reads nothing of it."""
    rules = """\
format: 2
ruleset: lots
title: Lots
scenario: {scenario: standard, title: Standard}
kinds:
  player: {state: {purse: {type: 0..9, start: 3, title: purse, seen_by: viewer == it}}}
tables: {player: {ann: {title: Ann}, bob: {title: Bob}}}
phases:
  game:
    - as: ann
      do:
        - {roll: open, dice: 1d1, says: "{you} rolls {open} with {you.purse} in the purse"}
        - {roll: own, dice: 1d1, seen_by: viewer == ann, says: "{you} rolls in secret"}
    - {end: over}
endings: {over: {title: All is over}}
score: {terms: {none: 0}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = load(tmp_path).start(seed=1)
    assert game.sentences() == ["Ann rolls 1 with 3 in the purse", "Ann rolls in secret"]
    assert game.sentences("ann") == ["Rolls 1 on 1d1 (open)", "Ann rolls in secret"]
    assert game.sentences("bob") == ["Rolls 1 on 1d1 (open)"]


def test_words_that_name_what_is_hidden_are_read_by_nobody_who_may_not_know_it(tmp_path: Path) -> None:
    """Players are told the same as without them; who sees everything reads them."""
    rules = """\
format: 2
ruleset: lots
title: Lots
scenario: {scenario: standard, title: Standard}
kinds:
  player: {state: {lot: {type: prize or none, title: lot, seen_by: viewer == it}, coins: {type: 0..9, title: gold}}}
  prize: {}
tables: {player: {ann: {title: Ann}, bob: {title: Bob}}, prize: {goat: {title: Goat}, hen: {title: Hen}}}
phases:
  game:
    - as: ann
      do:
        - {draw: prize, from: prize, stream: lots}
        - {set: {you.lot: prize}, says: "{you} draws {prize}"}
        - {set: {you.coins: 2}, says: "{you} may sell {you.lot}"}
        - {set: {bob.coins: 3}, says: "{bob} has {you.coins + 1: coins}"}
    - {end: over}
endings: {over: {title: All is over}}
score: {terms: {none: 0}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = load(tmp_path).start(seed=1)
    prize = "Goat" if "Ann draws Goat" in game.sentences() else "Hen"
    assert game.sentences() == [f"Ann draws {prize}", f"Ann may sell {prize}", "Bob has 3 coins"]
    assert game.sentences("bob") == ["Ann (gold): 2", "Bob has 3 coins"]
    assert game.sentences("ann") == [f"Ann (lot): {prize}", "Ann (gold): 2", "Bob has 3 coins"]


def test_a_step_names_what_it_moves_from_list_to_list_to_those_who_may_see_it(tmp_path: Path) -> None:
    """Others are told how many these are; what is moved one after the other is one sentence."""
    rules = """\
format: 2
ruleset: hands
title: Hands
scenario: {scenario: standard, title: Standard}
kinds:
  player: {state: {hand: {type: list of card, at_most: 9, title: hand, seen_by: viewer == it}}}
  card: {}
state: {pile: {type: list of card, at_most: 9, start: "[ace, ace, king, ten]", title: pile, seen_by: viewer == none}}
tables:
  player: {ann: {title: Ann}, bob: {title: Bob}}
  card: {ace: {title: ace}, king: {title: king}, ten: {title: ten}}
phases:
  game:
    - as: ann
      do:
        - {move: 2, from: pile, to: you.hand, says: "{you} draws {moved: cards}"}
        - {move: 1, from: pile, to: you.hand, says: "{you} draws {moved: cards}"}
        - {move: 1, from: pile, to: bob.hand, says: "{bob} is dealt {moved}"}
    - {end: over}
endings: {over: {title: All is over}}
score: {terms: {none: 0}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = load(tmp_path).start(seed=1)
    assert game.sentences("ann") == ["Ann draws 2 ace and king", "Bob is dealt 1"]
    assert game.sentences("bob") == ["Ann draws 3 cards", "Bob is dealt ten"]


@pytest.mark.parametrize(
    ("phase", "code", "message"),
    [
        ("- {do: ask, says: All is asked}", "unfit-keys", "nothing is chosen"),
        ("- {do: evening_and_end, says: It ends}", "unfit-keys", "nor ends the game"),
        ("- {do: sure, says: All is sure}", "", ""),
        ('- {gain: {coins: 1}, says: "{nobody} gains"}', "unknown-name", "nobody"),
        ('- {roll: luck, dice: 1d6, says: "{lick} is rolled"}', "unknown-name", "lick"),
        ('- {gain: {coins: 1}, says: "{fish: coins} gained"}', "wrong-type", "expected a number"),
        ('- {gain: {coins: 1}, says: "{queue} wait"}', "wrong-type", "expected a member, a set, a number or a flag"),
    ],
)
def test_how_a_step_is_told_is_checked(tmp_path: Path, phase: str, code: str, message: str) -> None:
    market(tmp_path, phase="      - {gain: {coins: 1}}")
    more = "  sure: [{gain: {coins: 1}}]\n  evening_and_end: [{end: closed}]\nendings:"
    text = (
        (tmp_path / "ruleset.yaml").read_text("utf-8").replace("endings:", more).replace("- {gain: {coins: 1}}", phase)
    )
    text = text.replace("tables:\n", "state: {queue: {type: list of player, at_most: 2}}\ntables:\n")
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    assert [(each, message in told) for each, told in wrong(tmp_path)] == ([(code, True)] if code else [])


def test_where_a_rule_says_how_all_of_it_is_told_its_steps_do_not(tmp_path: Path) -> None:
    market(tmp_path, phase="      - {gain: {coins: 1}}")
    text = (tmp_path / "ruleset.yaml").read_text("utf-8")
    twice = text.replace("[{set: {fish.price: 7}}", "[{set: {fish.price: 7}, says: Fish is dear}")
    (tmp_path / "ruleset.yaml").write_text(twice, "utf-8")
    assert wrong(tmp_path) == [("unfit-keys", "the rule says itself how all of this is told")]


def wrong(ruleset: Path) -> list[tuple[str, str]]:
    """The errors in a ruleset."""
    return [(each.code, each.message) for each in run(Build(ruleset)).diagnostics.items if each.severity == "error"]
