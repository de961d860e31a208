"""The function that plays whole games at random does what the functions of points and blocks do one after the other."""

from __future__ import annotations

from itertools import product, takewhile
from pathlib import Path
from random import Random

import pytest
from support.small_ruleset import lay

import polis_rules
from polis_rules import RuleError
from polis_rules.interpreter.compiler.python.known import known
from polis_rules.interpreter.compiler.python.walks import so_many_first
from polis_rules.interpreter.machine import draw64s, draw_below, places_drawn

RULESETS = Path(__file__).parent / "rulesets"

MANIFEST = """
format: 2
ruleset: little
title: Little
files: [all.yaml]
scenario: standard
"""

HEIGHTS = """
kinds:
  player: {}
  column: {numbers: 1..COUNT, state: {height: {type: 0..4, title: height}}}
state:
  turn: 0..60
tables:
  player: {red: {}, blue: {}}
phases:
  game:
    - repeat:
        while: turn < 60 and any(c.height < 2 for c in column)
        do:
          - as: red
            do: [change]
    - end: over
  change:
    do:
      - set: {turn: turn + 1}
      - choose: c
        title: Which one?
        from: column
        where: {it_must_be_low: c.height < 2}
      - CHANGE
endings: {over: {title: Over}}
score: {terms: {heights: sum(c.height for c in column)}}
"""

CHANGES = {
    "only up": "set: {c.height: c.height + 1}",
    "up, and another one down": "set: {c.height: c.height + 1, 'column[1].height': 0}",
    "up, or down from one": "set: {c.height: 0 if c.height == 1 else 1 + turn % 3, 'column[2].height': turn % 2}",
}
"""How the heights are changed that decide what may be chosen."""


def ends(program: polis_rules.interpreter.runtime.Program, games: int) -> list[object]:
    """What is left of some games at their ends, and how they went."""
    rng, found = Random(3), []
    for seed in range(games):
        state = program.new_state(seed)
        found.append((program.playout(state, rng), program.compiled.layout.lasting(state)))
    return found


def same(folder: Path, settings: dict[str, str | int], games: int = 12) -> str:
    """The code of whole games, which come to the same ends as games that are played point by point."""
    rules = polis_rules.load(folder, settings=settings)
    whole, slow = rules.program(checks=False), rules.program(checks=False)
    slow.__dict__["whole"] = None
    assert whole.whole is not None
    assert ends(whole, games) == ends(slow, games)
    return whole.compiled.parts[-1].source


@pytest.mark.parametrize(
    ("ruleset", "settings"),
    [
        ("hex", {"size": 4}),
        ("connect_four", {}),
        ("hearts", {}),
        ("goofspiel", {"cards": 13}),
        ("othello", {"half": 3}),
    ],
)
def test_whole_games_end_as_those_that_are_played_point_by_point(ruleset: str, settings: dict[str, str | int]) -> None:
    """With options kept up, draws made ahead, and what was put into a slot not looked up again."""
    same(RULESETS / ruleset, settings)


@pytest.mark.parametrize("count", [5, 20])
@pytest.mark.parametrize("change", CHANGES)
def test_options_that_are_kept_up_follow_every_change(tmp_path: Path, change: str, count: int) -> None:
    """Few members are kept as bits and many as a list, and both gain and lose members wherever a value changes."""
    rules = HEIGHTS.replace("CHANGE", CHANGES[change]).replace("COUNT", str(count))
    scenario = "scenario: standard\ntitle: Standard\n"
    lay(tmp_path, {"ruleset.yaml": MANIFEST, "all.yaml": rules, "scenarios/standard.yaml": scenario})
    assert " = len(k_" in (code := same(tmp_path, {})) or "COUNT[k_" in code


DOUBLING = "".join(f"  p{n}: {{do: [p{n + 1}, p{n + 1}]}}\n" for n in range(40)) + "  p40: {do: [rarely]}\n"

ENDLESS = {
    "a repeat in which the game might wait": "- repeat: {while: true, do: [rarely]}\n",
    "a repeat within another": "- repeat: {while: true, do: [change, {repeat: {while: true, do: [rarely]}}]}\n",
    "procedures that double": "- p0\n",
}
"""Steps that go on and on without anybody deciding: a decision stands where it is never reached."""

RARELY = "  rarely:\n    do:\n      - set: {turn: turn + 1}\n      - if: turn == 0\n        then: [change]\n"


@pytest.mark.parametrize("steps", ENDLESS)
def test_rules_without_end_are_given_up_in_the_same_position(tmp_path: Path, steps: str) -> None:
    """However blocks are written together, and whatever was done at the point before."""
    before, after = HEIGHTS.index("  game:"), HEIGHTS.index("  change:")
    game = f"  game:\n    - as: red\n      do:\n        - change\n        {ENDLESS[steps]}    - end: over\n"
    rules = HEIGHTS[:before] + game + RARELY + DOUBLING + HEIGHTS[after:]
    rules = rules.replace("CHANGE", CHANGES["only up"]).replace("COUNT", "5")
    scenario = "scenario: standard\ntitle: Standard\n"
    lay(tmp_path, {"ruleset.yaml": MANIFEST, "all.yaml": rules, "scenarios/standard.yaml": scenario})
    loaded = polis_rules.load(tmp_path)
    messages = []
    for whole in (True, False):
        program = loaded.program(checks=False)
        if not whole:
            program.__dict__["whole"] = None
        with pytest.raises(RuleError, match="more than 300000 times without anybody deciding") as raised:
            program.playout(program.new_state(1), Random(3))
        messages.append(str(raised.value))
    assert messages[0] == messages[1]


def test_what_is_known_of_a_slot_is_forgotten_where_it_may_have_changed() -> None:
    """By a store at a place that is found in play, by a loop, or on one of two ways."""
    place = ["s[7] = 1", "s[i] = 2", "x = s[7]"]
    loop = ["s[7] = 1", "for v in w:", "    x = s[7]", "    s[7] = 2"]
    ways = ["s[7] = 1", "if x:", "    s[7] = 2", "y = s[7]"]
    chosen = ["s[7] = o", "o = 5", "x = s[7] != -1 and s[7] < s[8]"]
    assert [known(lines) for lines in (place, loop, ways)] == [place, loop, ways]
    assert known(chosen)[-1] == "x = s[7] < s[8]"


def test_numbers_drawn_side_by_side_are_those_drawn_one_by_one() -> None:
    """Also more of them than fit beside one another."""
    assert draw64s(1, 2, 3, 150)[100:] == draw64s(1, 2, 103, 50)


@pytest.mark.parametrize("count", [2, 3, 13, 64, 65, 150])
def test_places_drawn_side_by_side_are_those_drawn_one_by_one(count: int) -> None:
    """Also of more than fit beside one another."""
    assert [*places_drawn(5, 2, 3, count)] == [draw_below(5, 2, 3 + at, count - at) for at in range(count - 1)]


@pytest.mark.parametrize("fewest", range(6))
def test_whether_walks_meet_enough_members_is_written_as_one_condition(fewest: int) -> None:
    """It says the same as counting in each walk up to the first member that stops it."""
    walks = [["a", "b", "c"], [], ["d", "e"]]
    code = compile(str(so_many_first(walks, fewest)), "condition", "eval")
    for holds in product([False, True], repeat=5):
        names = dict(zip("abcde", holds, strict=True))
        met = sum(len([*takewhile(names.__getitem__, walk)]) for walk in walks)
        assert bool(eval(code, {}, names)) == (met >= fewest)
