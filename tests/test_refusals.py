"""What a refusal tells of a condition that asks a term."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules import load

RULES = """\
format: 2
ruleset: camps
title: Camps
scenario: {scenario: standard, title: Standard}
kinds:
  player: {state: {purse: {type: 0..9, start: 3, title: purse%s}}}
  field: {state: {tents: {per: {who: player}, type: 0..9, start: 2, title: tents}, is_dry: {type: flag}}}
tables: {player: {ann: {title: Ann}, bob: {title: Bob}}, field: {plain: {title: Plain}, hill: {title: Hill}}}
terms:
  has_room: {of: {who: player, place: field, most: number}, is: "place.tents[who] < most and not place.is_dry"}
  is_rich: {of: {who: player}, is: who.purse > 5}
  twice: {of: {number: number}, is: number * 2}
phases:
  game:
    - as: ann
      do:
        - choose: goal
          from: field
          where: {it_must_fit: "%s"}
          or: {none_of_them: {title: None of them}}
    - {end: over}
endings: {over: {title: All is over}}
score: {terms: {none: 0}}
"""


def values(tmp_path: Path, condition: str, seen_by: str = "") -> dict[str, str]:
    """The values that explain to Ann why the hill is not offered."""
    (tmp_path / "ruleset.yaml").write_text(RULES % (seen_by, condition), encoding="utf-8")
    (refusal,) = load(tmp_path).start().why_not("hill")
    return dict(refusal.values)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("has_room(you, goal, 2)", {"goal.tents[you]": "2"}),
        ("has_room(bob, goal, 3 - 1)", {"goal.tents[bob]": "2", "(3 - 1)": "2"}),
        ("not has_room(you, goal, 3)", {"goal.tents[you]": "2"}),
        ("has_room(you, goal, 2) and is_rich(you)", {"goal.tents[you]": "2", "you.purse": "3"}),
        ("twice(you.purse) > 9", {"twice(you.purse)": "6"}),
        ("count(p for p in player if is_rich(p)) > 0", {"count(p for p in player if is_rich(p))": "0"}),
    ],
)
def test_a_condition_that_asks_a_term_is_refused_with_what_the_term_compares(
    tmp_path: Path, condition: str, told: dict[str, str]
) -> None:
    """The term's names are told as what it was given."""
    assert values(tmp_path, condition) == told


def test_what_a_term_compares_is_told_to_nobody_who_may_not_see_it(tmp_path: Path) -> None:
    """Nor what it is given."""
    hidden = ", seen_by: viewer == none"
    assert values(tmp_path, "is_rich(you)", hidden) == {"you.purse": "hidden"}
    assert values(tmp_path, "has_room(you, goal, you.purse - 1)", hidden) == {}
