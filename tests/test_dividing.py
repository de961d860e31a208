"""What is divided by is above 0 where a check says so, as long as nothing that may be meant there has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_ruleset import THINGS, findings, marked, small, started

from polis_rules.verification.differential.compare import compare

PROCEDURE = "procedures:\n  give:\n    of: {number: 0..9}\n    do: [{gain: {coins: number}}]\n"


def told(folder: Path) -> list[tuple[str, str]]:
    """Code and marked characters of all findings."""
    return [(each.code, marked(folder, each)) for each in findings(folder)]


KNOWN = {
    "a value": "- gain: {wine: 9 // you.coins if you.coins > 0 else 0}",
    "a rest": "- gain: {wine: 0 if you.coins == 0 else 9 % you.coins}",
    "unlike nothing": "- gain: {wine: 9 // you.coins if you.coins != 0 else 0}",
    "a difference": "- gain: {wine: 9 // (you.coins - round) if round < you.coins else 0}",
    "more than something": "- gain: {wine: 9 // you.coins if you.coins > round else 0}",
    "the same as another": "- gain: {wine: 9 // you.coins if round > 0 and you.coins == round else 0}",
    "when": "- gain: {coins: 9 // you.coins}\n  when: you.coins > 0",
    "if": "- if: you.coins > 0\n  then:\n    - set: {round: 2}\n    - gain: {coins: 9 // you.coins}",
    "else": "- if: you.coins < 1\n  then: []\n  else:\n    - gain: {coins: 9 // you.coins}",
    "a branch that leaves": "- if: you.coins == 0\n  then: [{end: over}]\n- gain: {coins: 9 // you.coins}",
    "conditions": "- choose: x\n  from: 0..3\n  where: {some: x > 0, few: 9 // x > 2}\n- gain: {coins: 9 // x}",
    "a way": "- either:\n    a: {where: round > 0, cost: {coins: 1}, do: [{gain: {wine: 9 // round}}]}",
    "a loop": "- each: x\n  in: region\n  where: x.size > 0\n  do:\n    - gain: {coins: 9 // x.size}",
    "a loop of members": "- gain: {coins: sum(9 // x.size for x in region if x.size > 0)}",
    "a repeat": "- repeat:\n    while: you.pieces > 0\n    do:\n      - gain: {coins: 9 // you.pieces}",
    "an argument": "- do: give(9 // round)\n  when: round > 0",
    "a number chosen": "- choose: x\n  from: 1..3\n- gain: {coins: 9 // x}",
    "a number rolled": "- roll: x\n  dice: 1d6\n- gain: {coins: 9 // x}",
    "a number counted": "- gain: {coins: 'sum(9 // x for x in range(1, 4))'}",
    "a name": "- let: {x: 'max(1, round)'}\n- gain: {coins: 9 // x}",
    "what a name was": "- let: {x: round}\n- if: x > 0\n  then:\n    - set: {round: 0}\n    - gain: {coins: 9 // x}",
    "memory": "- let: {x: {type: 1..9}}\n- gain: {coins: 9 // x}",
    "what never holds":
        "- gain: {coins: 9 // you.coins}\n  when: 0 < you.coins and you.coins < 1 and 9 // you.coins < 5",
    "an argument that is never given":
        "- do: give(9 // max(1, round))\n  when: 0 < you.coins and you.coins < 1 and 9 // you.coins < 5",
}  # fmt: skip

UNKNOWN = {
    "no check": "- gain: {wine: 9 // you.coins}",
    "a check that allows nothing": "- gain: {wine: 9 // you.coins if you.coins >= 0 else 0}",
    "one of two checks": "- gain: {wine: 9 // you.coins if you.coins > 0 or round > 0 else 0}",
    "the other branch": "- gain: {wine: 0 if you.coins > 0 else 9 // you.coins}",
    "it is lost": "- if: you.coins > 0\n  then:\n    - lose: {coins: 1}\n    - gain: {wine: 9 // you.coins}",
    "it is lost with it": "- lose: {coins: 1, wine: 9 // you.coins}\n  when: you.coins > 0",
    "it is paid with it": "- pay: {coins: 1, wine: 9 // you.coins}\n  when: you.coins > 0",
    "it is set": "- if: round > 0\n  then:\n    - set: {round: 0, you.flagged: 9 // round > 2}",
    "it is what a way costs":
        "- either:\n    a: {cost: {coins: 1}, where: you.coins > 0, do: [{gain: {wine: 9 // you.coins}}]}",
    "the next round": "- repeat:\n    times: 2\n    do:\n      - set: {round: 9 // round - 1}",
    "after a step with when": "- gain: {wine: 1}\n  when: round > 0\n- gain: {wine: 9 // round}",
    "an argument": "- do: give(9 // round)",
    "a number chosen": "- choose: x\n  from: 0..3\n- gain: {coins: 9 // x}",
}  # fmt: skip


@pytest.mark.parametrize("steps", KNOWN.values(), ids=KNOWN)
def test_what_a_check_shows_above_0_may_be_divided_by(tmp_path: Path, steps: str) -> None:
    assert told(small(tmp_path, steps, more=PROCEDURE)) == []


@pytest.mark.parametrize("steps", UNKNOWN.values(), ids=UNKNOWN)
def test_what_no_check_shows_above_0_or_what_changes_after_it_may_not_be_divided_by(tmp_path: Path, steps: str) -> None:
    ((code, text),) = told(small(tmp_path, steps, more=PROCEDURE))
    assert code == "division" and text in steps


RANGED = """
procedures:
  share: {of: {by: 1..9}, do: [{gain: {coins: 9 // by}}]}
terms:
  part: {of: {by: 1..9}, is: 9 // by}
"""

BOUNDED = {
    "the same range": "- choose: x\n  from: 1..9\n- do: share(x)",
    "a check": "- do: share(you.coins)\n  when: you.coins > 0",
    "a term": "- gain:\n    coins: part(max(1, min(9, round)))",
    "a loop": "- gain: {coins: 'sum(part(x) for x in range(1, 10))'}",
}

OUTSIDE = {
    "too few": ("- do: share(you.coins)", "you.coins", "`by` is 1..9, and this may be 0..9"),
    "too many": ("- gain: {coins: part(10)}", "10", "`by` is 1..9, and this is 10"),
    "a result": ("- gain: {coins: part(round - 1)}", "round - 1", "`by` is 1..9, and this may be"),
}


@pytest.mark.parametrize("steps", BOUNDED.values(), ids=BOUNDED)
def test_the_range_of_a_parameter_is_believed_where_calls_keep_to_it(tmp_path: Path, steps: str) -> None:
    errors = [each for each in findings(small(tmp_path, steps, more=RANGED)) if each.severity == "error"]
    assert errors == []


@pytest.mark.parametrize(("steps", "where", "message"), OUTSIDE.values(), ids=OUTSIDE)
def test_what_may_be_outside_of_the_range_of_a_parameter_is_not_given_to_it(
    tmp_path: Path, steps: str, where: str, message: str
) -> None:
    """The error is at the argument, with both ranges in words."""
    folder = small(tmp_path, steps, more=RANGED)
    (error,) = [each for each in findings(folder) if each.severity == "error"]
    assert error.code == "out-of-range" and marked(folder, error) == where and message in error.message


TWICE = """
- each: x
  in: "[red, red]"
  where: x.coins > 0
  do:
    - set: {x.coins: 9 // x.coins - 3}
"""


def test_a_list_may_hold_a_member_twice_which_then_has_changed(tmp_path: Path) -> None:
    assert told(small(tmp_path, TWICE)) == [("division", "x.coins")]
    assert told(small(tmp_path, TWICE.replace("[red, red]", "{red, blue}"))) == []


DIVIDING = """
- choose: x
  from: 0..3
  where: {some: x > 0, few: 9 // x > 3}
- set: {round: 9 // x}
- each: place
  in: region
  where: {sized: place.size > 1, large: 9 // (place.size - 1) > 2}
  do:
    - set: {round: round // place.size}
      when: place.size > 0
- set:
    round: >-
      sum(1 for r in region if x > 2 and r.size < 9 // (x - 2)) +
      sum(9 // r.size for r in region if r.size > 0) % 7
- set: {round: "min(9, share(0) + share(x))"}
- choose: y
  from: "{r for r in region if round > 4 and r.size < 9 // (round - 4) or r.size > 1 and 9 // r.size > 3}"
  if_possible: true
"""
SHARE = "terms:\n  share:\n    of: {n: number}\n    is: 9 // n if n > 0 else 0\n"


def test_both_engines_divide_only_where_the_check_holds(tmp_path: Path) -> None:
    """So does what tells why something is refused, though it asks every condition."""
    things = THINGS.replace("{worth: 2,", "{worth: 2, size: 0,").replace("wet: true}", "wet: true, size: 3}")
    folder = small(tmp_path, DIVIDING, more=SHARE, things=things)
    found = compare((str(folder), None, ()), games=20)
    assert found.difference is None and found.points >= 40
    refused = started(folder).why_not("0")
    assert [each.ids for each in refused] == [("some",), ("few",)]
