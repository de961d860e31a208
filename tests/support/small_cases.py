"""Texts of cases for the small game, true ones and wrong ones of every sort, and a copy of the game to put them in."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

SMALL = Path(__file__).parents[1] / "rulesets"

SOUND = """
cases:
  a_value_and_a_change:
    title: Sprinting costs breath
    cite: own, sprint
    given: {player: {red: {position: 10}, blue: {breath: 2}}}
    rolled: {sprint: 5, actions.walk: [3]}
    do:
      - blue: sprint
      - red: Walk
    then: {player: {red: {position: 13}, blue: {position: 6, breath: 1}}}
    changes: {player: {red: {position: 3, breath: 0}, blue: {position: 5, breath: -1}}}
  single_dice:
    given: {player: {red: {position: 10}, blue: {breath: 2}}}
    rolled: {sprint: 1+4, actions.walk: +3}
    do:
      - blue: sprint
      - red: walk
    then: {player: {red: {position: 13}, blue: {position: 6}}}
  a_draw_by_title:
    drawn: {pile: [Mud, deep_breath]}
    then: {card: {mud: {hand: {red: 1}}, deep_breath: {hand: {red: 1}}}}
  drawn_and_rolled_feed_one_stream:
    drawn: {pile: [mud]}
    rolled: {pile: [tailwind]}
    then: {card: {mud: {hand: {red: 1}}, tailwind: {hand: {red: 1}}}}
  a_stream_that_is_not_asked:
    rolled: {sprint: [], actions.walk: 2}
    do: [red: walk]
    then: {player: {red: {position: 2}}}
  what_is_not_given_is_always_alike:
    rolled: {actions.walk: 2}
    do: [red: walk]
    then: {player: {red: {position: 2}}}
  a_forced_decision_may_be_left_out:
    given: {card: {long_stride: {hand: {red: 1}}}}
    drawn: {pile: [long_stride, long_stride, mud, tailwind, long_stride]}
    rolled: {actions.walk: [6, 1]}
    do:
      - red: walk
      - blue: walk
    then: {card: {long_stride: {discarded: 1, hand: {red: 3}}}}
  a_forced_decision_may_be_written:
    given: {card: {long_stride: {hand: {red: 1}}}}
    drawn: {pile: [long_stride, long_stride, mud, tailwind, long_stride]}
    rolled: {actions.walk: [6, 1]}
    do:
      - red: [walk, long_stride]
      - blue: walk
    then: {card: {long_stride: {discarded: 1}}}
  exactly_these_options:
    options: [walk, Sprint, play_a_card, rest]
    given: {player: {red: {breath: 4}}}
    decides: red
  some_options:
    offers: [walk, sprint]
    offers_not: rest
    given: {player: {red: {breath: 5}}}
  a_refusal_by_label:
    refused: {rest: short_of_breath}
    given: {player: {red: {breath: 5}}}
  a_refusal_of_what_cannot_be_paid:
    given: {player: {red: {breath: 0}}}
    refused: {sprint: [cost], Sprint: []}
  a_refused_choice:
    drawn: {pile: [mud, long_stride]}
    do: [red: play_a_card]
    refused: {tailwind: in_your_hand}
  an_ending:
    given: {player: {red: {position: 24}, blue: {position: 25}}, lap: 3}
    rolled: {actions.walk: 6}
    do: [red: walk]
    ends: {by: goal_reached, winner: red}
    scores: {red: {total: 30, position: 30}, blue: {position: 25}}
  a_tie:
    given: {player: {red: {position: 2}, blue: {position: 4}}, lap: 19}
    rolled: {actions.walk: [3, 1]}
    do: [red: walk, blue: walk]
    ends: {by: nightfall, winner: none}
  that_no_rule_fails:
    do: [red: walk, blue: sprint]
    sound: true
  another_scenario:
    scenario: late
    then: {lap: 19}
  a_variant_beside_the_cases:
    variants: ../costly.yaml
    given: {player: {red: {breath: 1}}}
    refused: {sprint: cost}
"""

LATE = "scenario: late\nstart: {lap: 18}\n"
COSTLY = "variant: costly\nextends: dice_race\nchange:\n  terms.sprint_cost.is: {was: 1, to: 2}\n"

FAILING = {
    "a value": (
        "{do: [red: walk], rolled: {actions.walk: 3}, then: {player: {red: {position: 4}}, weather: mud}}",
        ["Red (position): expected 4, is 3 [line 2]", "weather: expected Mud, is nothing [line 2]"],
    ),
    "a value by member and player": (
        "{drawn: {pile: mud}, then: {card: {mud: {hand: {blue: 1}}}}}",
        ["Mud (hand, Blue): expected 1, is 0 [line 2]"],
    ),
    "a die that should not be rolled": (
        "{do: [red: walk], rolled: {actions.walk: []}, then: {lap: 0}}",
        ["step 1, red: walk [line 2]\n  actions.walk should have nothing to give, but is asked [line 2]"],
    ),
    "a change": (
        "{do: [red: walk], rolled: {actions.walk: 3}, changes: {player: {red: {position: -1}}}}",
        ["Red (position): expected a change of -1, is +3 (from 0 to 3) [line 2]"],
    ),
    "an option that is not offered": (
        "{do: [red: rest], given: {player: {red: {breath: 5}}}, then: {lap: 1}}",
        [
            "step 1, red: rest [line 2]\n"
            "  not offered: 'What do you do?'\n"
            "  refused: short of breath\n"
            "  offered: walk, sprint, play_a_card"
        ],
    ),
    "an option that is not known here": (
        "{do: [red: walk, blue: mud], rolled: {actions.walk: 3}, then: {lap: 1}}",
        [
            "step 2, blue: mud [line 2]\n"
            "  not offered: 'What do you do?'\n"
            "  refused: Mud is one of Card, and no answer to 'What do you do?';"
            " ask about `play_a_card mud`\n"
            "  offered: walk, sprint, play_a_card, rest (Throw cards away for breath)"
        ],
    ),
    "the wrong player": (
        "{do: [blue: walk], then: {lap: 1}}",
        [
            "step 1, blue: walk [line 2]\n"
            "  it is Red who decides, not Blue: 'What do you do?'\n"
            "  drawn before, not given: pile: mud, pile: long_stride, pile: deep_breath, pile: banana_skin"
        ],
    ),
    "a decision after the end": (
        "{given: {player: {red: {position: 29}, blue: {position: 29}}}, do: [red: walk, blue: walk], then: {lap: 1}}",
        [
            "step 2, blue: walk [line 2]\n  the game is over: A runner reaches the goal\n"
            "  drawn before, not given: actions.walk: 3"
        ],
    ),
    "a forced decision that leads nowhere": (
        "{given: {card: {long_stride: {hand: {red: 1}}}}, rolled: {actions.walk: 6},"
        " drawn: {pile: [long_stride, long_stride, mud, tailwind, long_stride]},"
        " do: [red: [walk, mud]], decides: red}",
        [
            "step 2, red: mud [line 2]\n"
            "  not offered: 'Which card goes back?'\n"
            "  refused: in your hand\n"
            "  offered: long_stride\n"
            "  the only option was taken, and the game after it offers this neither"
        ],
    ),
    "dice that cannot fall so": (
        "{drawn: {pile: [mud, mud]}, then: {lap: 1}}",
        [
            "before the first decision: pile cannot come out as mud here [line 2]\n"
            "  possible: long_stride, banana_skin, deep_breath, tailwind"
        ],
    ),
    "a die too many": (
        "{rolled: {actions.walk: 1+2}, do: [red: walk], then: {lap: 1}}",
        ["step 1, red: walk [line 2]\n  actions.walk cannot show 1+2: 1d6 is rolled here [line 2]"],
    ),
    "a die with fewer sides": (
        "{given: {player: {blue: {breath: 2}}}, rolled: {sprint: 1+5}, do: [red: sprint], then: {lap: 1}}",
        ["step 1, red: sprint [line 2]\n  sprint cannot show 1+5: 2d4 are rolled here [line 2]"],
    ),
    "dice where something is drawn": (
        "{drawn: {pile: +1}, then: {lap: 1}}",
        ["before the first decision: pile cannot show +1: there is nothing rolled here, but drawn [line 2]"],
    ),
    "chance that is not needed": (
        "{rolled: {sprint: [2, 3], actions.walk: [1, 5]}, do: [red: walk], then: {lap: 1}}",
        ["never needed: sprint 2, 3 [line 2]", "never needed: actions.walk 5 [line 2]"],
    ),
    "a start with too many pieces": (
        "{given: {card: {mud: {hand: {red: 2}}}}, then: {lap: 1}}",
        [
            "before the first decision: a rule failed: "
            "the set-up places 2 cards, but there are only 1 [dice_race/cases/a_start_with_too_many_pieces.yaml]"
        ],
    ),
    "a start that breaks an invariant": (
        "{given: {nobody_home: true}, then: {lap: 1}}",
        ["before the first decision: the given position breaks what must always hold: somebody is home"],
    ),
    "too few and too many options": (
        "{options: [walk, sprint, mud]}",
        [
            "mud should be offered, and is not: Red decides 'What do you do?' [line 2]\n"
            "  refused: Mud is one of Card, and no answer to 'What do you do?';"
            " ask about `play_a_card mud`",
            "offered besides what `options` lists: play_a_card, rest",
        ],
    ),
    "an option that should not be there": (
        "{offers: rest, offers_not: [walk], given: {player: {red: {breath: 5}}}}",
        [
            "rest should be offered, and is not: Red decides 'What do you do?' [line 2]\n  refused: short of breath",
            "walk should not be offered, and is: Red decides 'What do you do?' [line 2]",
        ],
    ),
    "options after the end": (
        "{given: {player: {red: {position: 29}, blue: {position: 29}}}, do: [red: walk],"
        " offers: walk, decides: blue, refused: {walk: []}}",
        [
            "Blue should decide, but the game is over: A runner reaches the goal [line 2]",
            "something should be offered, but the game is over: A runner reaches the goal",
            "walk should be refused, but nothing is to be decided; "
            "the game is over: A runner reaches the goal [line 2]",
        ],
    ),
    "something allowed that should be refused": (
        "{refused: {walk: []}}",
        ["walk should be refused, and is not: Red decides 'What do you do?' [line 2]"],
    ),
    "another reason to refuse": (
        "{given: {player: {red: {breath: 5}}}, refused: {rest: [over_the_limit]}}",
        ["rest should be refused because over the limit [line 2]\n  refused: short of breath"],
    ),
    "the wrong decider": (
        "{decides: blue}",
        ["Blue should decide, but Red decides 'What do you do?' [line 2]"],
    ),
    "no end": (
        "{ends: {by: nightfall}}",
        ["the game should be over, but goes on: Red decides 'What do you do?' [line 2]"],
    ),
    "another end": (
        "{given: {player: {red: {position: 29}, blue: {position: 29}}}, do: [red: walk],"
        " ends: {by: nightfall, winner: none}}",
        [
            "the game has ended by: expected Night falls, is A runner reaches the goal [line 2]",
            "the winner: expected nobody, is Red [line 2]",
        ],
    ),
    "another score": (
        "{scores: {blue: {total: 7, position: 1}}}",
        ["Blue, score total: expected 7, is 1 [line 2]"],
    ),
}
"""What is wrong -> a case, and the whole of what is said about it."""

UNSOUND = {
    "an unknown key": ("{than: {lap: 1}, decides: red}", "a case has no key 'than'", "did you mean 'then'?"),
    "no mapping": ("[]", "the case 'it' must be a mapping", None),
    "no expectation": ("{do: [red: walk], offers: []}", "the case 'it' expects nothing", "say with `then`"),
    "no expectation of soundness": ("{do: [red: walk], sound: false}", "the case 'it' expects nothing", None),
    "an unknown state": (
        "{then: {player: {red: {posision: 1}}}}",
        "player has no state `posision`",
        "did you mean 'position'?",
    ),
    "an unknown member": ("{then: {player: {rod: {position: 1}}}}", "there is no player `rod`", "did you mean 'red'?"),
    "a value of another type": ("{then: {weather: red}}", "expected card or none", None),
    "a value outside of its range": ("{given: {lap: 99}, decides: red}", "99 is outside of 0..20", None),
    "a given reserve": (
        "{given: {card: {mud: {in_pile: 1}}}, decides: red}",
        "`in_pile` is a reserve",
        "put the pieces",
    ),
    "an unknown player": ("{do: [rod: walk], decides: red}", "there is no player 'rod'", "did you mean 'red'?"),
    "an unknown decider": ("{decides: rod}", "there is no player 'rod'", "did you mean 'red'?"),
    "an unknown option": ("{do: [red: wlak], decides: red}", "there is no option 'wlak'", "did you mean 'walk'?"),
    "an unknown offer": ("{offers: wlak}", "there is no option 'wlak'", "did you mean 'walk'?"),
    "an unknown refusal": ("{refused: {wlak: []}}", "there is no option 'wlak'", "did you mean 'walk'?"),
    "an unknown label": (
        "{refused: {rest: in_my_hand}}",
        "there is no label 'in_my_hand'",
        "did you mean 'in_your_hand'?",
    ),
    "an option as a label": ("{refused: {rest: walk}}", "there is no label 'walk'", "`refused` is option: label"),
    "an unknown stream": ("{drawn: {pil: mud}, decides: red}", "there is no stream of chance 'pil'", "'pile'"),
    "an unknown outcome": ("{drawn: {pile: mut}, decides: red}", "there is no outcome of 'pile' 'mut'", "'mud'"),
    "an impossible roll": ("{rolled: {sprint: 9}, decides: red}", "there is no outcome of 'sprint' '9'", "2, 3, 4"),
    "an unknown ending": ("{ends: {by: nightfal}}", "there is no ending 'nightfal'", "'nightfall'"),
    "an unknown winner": ("{ends: {winner: rod}}", "there is no player 'rod'", "'red'"),
    "an unknown key of the end": ("{ends: {winer: red}}", "'ends' has no key 'winer'", "'winner'"),
    "an unknown score term": ("{scores: {red: {positon: 1}}}", "there is no score term 'positon'", "'position'"),
    "a score without a number": ("{scores: {red: {total: many}}}", "expected a whole number, not 'many'", None),
    "a change of what is no number": ("{changes: {weather: 1}}", "`changes` is for numbers", "write it under `then`"),
    "a change without a number": ("{changes: {lap: far}}", "expected a difference such as 2 or -1", None),
    "an unknown change": ("{changes: {lab: 1}}", "there is no state or kind `lab`", "did you mean 'lap'?"),
    "an unknown scenario": ("{scenario: lat, decides: red}", "there is no scenario 'lat'", "did you mean 'late'?"),
    "an unknown variant": ("{variants: [cost], decides: red}", "there is no variant 'cost'", None),
    "a mapping for a list": ("{offers: {walk: 1}}", "'offers' must be a value or a list of values", None),
}
"""What is wrong -> a case, a part of the message, and a part of the hint."""

FILES = {
    "not YAML": ("cases: {", "not YAML"),
    "another key": ("case: {}\n", "a file of cases has no key 'case'"),
    "no mapping": ("cases: [1]\n", "'cases' is a mapping of ids"),
    "a wrong id": ("cases: {Mud: {decides: red}}\n", "'Mud' is not an id"),
    "an id twice": ("cases:\n  a: {decides: red}\n  a: {decides: red}\n", "the key 'a' stands twice"),
}
"""What is wrong with a file -> its text, and a part of the message."""


def small(folder: Path, files: dict[str, str]) -> Path:
    """A copy of the small game with some files of cases."""
    game = folder / "dice_race"
    shutil.copytree(SMALL / "dice_race", game, ignore=shutil.ignore_patterns("cases"))
    (game / "scenarios" / "late.yaml").write_text(LATE, encoding="utf-8")
    (folder / "dice_race" / "costly.yaml").write_text(COSTLY, encoding="utf-8")
    things = game / "things.yaml"
    things.write_text(things.read_text().replace("  lap: 0..20\n", "  lap: 0..20\n  nobody_home: flag\n"))
    play = game / "play.yaml"
    play.write_text(play.read_text().replace("invariants:\n", "invariants:\n  somebody_is_home: not nobody_home\n"))
    (game / "cases").mkdir()
    for name, text in files.items():
        (game / "cases" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return game


def file_name(text: str) -> str:
    return re.sub(r"\W", "_", text)
