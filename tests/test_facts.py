"""What is known not to be none is known as long as nothing that may be meant there has changed, and no longer."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from support.small_ruleset import THINGS, findings, marked, small


def told(folder: Path) -> list[tuple[str, str]]:
    """Code and marked characters of all findings."""
    return [(each.code, marked(folder, each)) for each in findings(folder)]


KNOWN_NO_LONGER = {
    "set": "- set: {you.seat: none}",
    "a procedure": "- do: leave_seat(you)",
    "effects": "- do: feast.now",
    "an action": "- perform: go_home",
    "a branch": "- if: round > 1\n  then:\n    - set: {you.seat: none}",
    "a loop": "- each: x\n  in: player\n  do:\n    - set: {x.seat: none}",
    "a choice": "- choose: x\n  from: player\n  do:\n    - set: {x.seat: none}",
    "a way": "- either:\n    leave:\n      do:\n        - set: {you.seat: none}",
}
LEAVING = """
actions:
  go_home: {title: Go home, do: [{set: {you.seat: none}}]}
procedures:
  leave_seat:
    of: {who_leaves: player}
    do: [{do: no_seat(who_leaves)}]
  no_seat:
    of: {who_leaves: player}
    do: [{set: {who_leaves.seat: none}}]
"""


@pytest.mark.parametrize("change", KNOWN_NO_LONGER.values(), ids=KNOWN_NO_LONGER)
def test_what_is_known_not_to_be_none_is_forgotten_when_it_may_have_changed(tmp_path: Path, change: str) -> None:
    things = THINGS.replace("- gain: {coins: 1}", "- set: {you.seat: none}")
    steps = "- if: you.seat is not none\n  then:\n" + textwrap.indent(change + "\n- set: {favourite: you.seat}", "    ")
    folder = small(tmp_path, steps, more=LEAVING, things=things)
    assert told(folder) == [("maybe-none", "you.seat")]


def test_what_is_known_stays_known_when_something_else_changes(tmp_path: Path) -> None:
    steps = """
    - if: you.seat is not none
      then:
        - set: {round: 1}
        - do: take(north, you)
        - gain: {coins: 1}
        - set: {favourite: you.seat}
    """
    assert told(small(tmp_path, steps)) == []


def test_a_set_value_is_known(tmp_path: Path) -> None:
    assert told(small(tmp_path, "- set: {you.seat: north}\n- set: {favourite: you.seat}")) == []


def test_after_a_branch_that_leaves_its_condition_is_known_not_to_hold(tmp_path: Path) -> None:
    steps = "- if: you.seat is none\n  then: [{end: over}]\n- set: {favourite: you.seat}"
    assert told(small(tmp_path, steps)) == []


def test_what_holds_before_a_loop_may_not_hold_when_it_goes_round(tmp_path: Path) -> None:
    steps = """
    - if: you.seat is not none
      then:
        - repeat:
            times: 2
            do:
              - set: {favourite: you.seat}
              - set: {you.seat: none}
    """
    assert told(small(tmp_path, steps)) == [("maybe-none", "you.seat")]


CHECKED_BEFORE_THE_LOOP = {
    "of the member": ("x.seat", "where: x.seat is not none", "- each: y\n  in: player\n  do: [{set: {y.seat: none}}]"),
    "of a fixed member": ("x.seat", "where: x.seat is not none", "- set: {red.seat: none}"),
    "of the member, on another's behalf": (
        "you.seat", "where: you.seat is not none", "- as: you.rival\n  do: [{set: {you.seat: none}}]",
    ),
    "of something else": ("you.seat", "where: you.seat is not none", "- set: {you.seat: none}"),
    "behind a label": ("x.seat", "where: {seated: x.seat is not none}", "- set: {red.seat: none}"),
    "by a procedure": ("x.seat", "where: x.seat is not none", "- do: leave_seat(red)"),
}  # fmt: skip


@pytest.mark.parametrize(("what", "where", "change"), CHECKED_BEFORE_THE_LOOP.values(), ids=CHECKED_BEFORE_THE_LOOP)
def test_what_the_members_of_a_loop_were_asked_may_not_hold_when_it_goes_round(
    tmp_path: Path, what: str, where: str, change: str
) -> None:
    name = what.removesuffix(".seat") if "as: " in change else "x"
    steps = f"- each: {name}\n  in: player\n  {where}\n  do:\n    - set: {{favourite: {what}}}\n"
    things = THINGS.replace("- gain: {coins: 1}", "- set: {you.seat: none}")
    folder = small(tmp_path, steps + textwrap.indent(change, "    "), more=LEAVING, things=things)
    assert told(folder) == [("maybe-none", what)]


def test_what_the_members_of_a_loop_were_asked_holds_where_nothing_of_it_changes(tmp_path: Path) -> None:
    steps = """
    - each: x
      in: player
      where: {seated: x.seat is not none, dry: not x.seat.wet}
      do:
        - set: {favourite: x.seat}
        - set: {round: 1}
    """
    assert told(small(tmp_path, steps)) == []


@pytest.mark.parametrize("name", ["x", "you"])
def test_what_a_member_of_a_loop_was_asked_holds_where_only_its_own_state_changes(tmp_path: Path, name: str) -> None:
    steps = f"""
    - each: {name}
      in: player
      where: {name}.seat is not none
      do:
        - set: {{favourite: {name}.seat, {name}.seat: none}}
    """
    assert told(small(tmp_path, steps)) == []


def test_a_check_before_a_loop_that_undoes_it_still_helps_to_ask_its_members(tmp_path: Path) -> None:
    steps = """
    - if: you.seat is not none
      then:
        - each: x
          in: player
          where: x != you and you.seat.wet
          do:
            - set: {you.seat: none}
    """
    assert told(small(tmp_path, steps)) == []


def test_what_is_known_of_you_says_nothing_of_another_you(tmp_path: Path) -> None:
    steps = "- if: you.seat is not none\n  then:\n    - as: you.rival\n      do:\n        - set: {favourite: you.seat}"
    assert told(small(tmp_path, steps)) == [("maybe-none", "you.seat")]


UNSEEN = {
    "under another name": ("north.guest[you]", '"north.heir[you].guest[you]": none'),
    "behind what rows work out": ("nth(region, north.worth(1)).owner", "round: 1"),
}  # fmt: skip

WITH_HEIRS = (
    THINGS.replace("near: set of region", "heir: {per: player, type: region}", 1)
    .replace("owner: player or none", "owner: player or none\n      guest: {per: player, type: player or none}", 1)
    .replace("pieces: 0..9", "pieces: 0..9\n      heirs: {per: player, type: player}", 1)
    .replace("worth: 2", "worth: round * times", 1)
    .replace("round: 0..9", "round: 0..9\n  last: player", 1)
)


@pytest.mark.parametrize(("what", "change"), UNSEEN.values(), ids=UNSEEN)
def test_what_is_known_is_forgotten_when_it_may_be_meant_by_what_changes(
    tmp_path: Path, what: str, change: str
) -> None:
    steps = f"""
    - if: {what} is not none
      then:
        - repeat:
            times: 2
            do:
              - set: {{last: "{what}"}}
              - set: {{{change}}}
    """
    assert told(small(tmp_path, steps, things=WITH_HEIRS)) == [("maybe-none", what)]
