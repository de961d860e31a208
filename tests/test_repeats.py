"""A question that is repeated says how often, where trying tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules import load
from polis_rules.play import HUMAN, Session

RULES = """\
format: 2
ruleset: harvest
title: Harvest
scenario: {scenario: standard, title: Standard}
kinds:
  player:
    state:
      fruit: {type: 0..9, title: fruit, spendable: true}
      secret: {type: 0..9, start: 2, seen_by: viewer == none}
  tree: {state: {fruit: {type: 0..9, start: 2, title: fruit}, is_high: {type: flag}}}
tables: {player: {ann: {title: Ann}}, tree: {fig: {title: Fig}, palm: {title: Palm}}}
phases:
  game:
    - as: ann
      do:
%s
    - as: ann
      do: [{either: {go: {title: Go}, stay: {title: Stay}}}]
    - {end: over}
procedures:
  throw: [{roll: luck, dice: 1d6}, {set: {you.fruit: luck}}]
  look_about: [{either: {left: {title: Left}, right: {title: Right}}}]
endings: {over: {title: All is over}}
score: {terms: {none: 0}}
"""
CHOOSE = "{choose: goal, from: tree, where: {it_must_bear: goal.fruit > 0}}"
PICK = f"{CHOOSE}, {{move: 1, from: goal.fruit, to: you.fruit}}"


def left(tmp_path: Path, steps: str, *answers: str) -> list[str]:
    """What is told of the first question, and after each answer."""
    (tmp_path / "ruleset.yaml").write_text(RULES % f"        - {steps}", encoding="utf-8")
    session = Session(load(tmp_path), {"ann": HUMAN}, seed=1, keep=False)
    told = [session.left_to_choose]
    for answer in answers:
        session.choose(answer)
        told.append(session.left_to_choose)
    return told


def test_a_question_with_a_limit_tells_how_often_it_can_be_answered(tmp_path: Path) -> None:
    """The trees bear four fruits; with each that is picked there is one less."""
    steps = f"repeat: {{at_least: 1, finish: Enough, do: [{PICK}]}}"
    told = left(tmp_path, steps, "fig", "palm", "palm", "fig")
    assert told == ["at most 4 times", "at most 3 times", "at most 2 times", "at most once", ""]


def test_ways_that_may_be_taken_again_tell_how_often(tmp_path: Path) -> None:
    """As long as none of them leaves the loop."""
    ways = "{either: {dry: {title: Dry it, where: {there_is_some: you.fruit < 2}, do: [{gain: {fruit: 1}}%s]}}}"
    steps = f"repeat: {{at_least: 1, finish: Enough, do: [{ways}]}}"
    assert left(tmp_path, steps % "", "dry", "dry") == ["at most 2 times", "at most once", ""]
    assert left(tmp_path, steps % ", stop", "dry") == ["", ""]


def test_a_question_that_is_asked_so_often_tells_how_often(tmp_path: Path) -> None:
    told = left(tmp_path, f"repeat: {{times: 3, do: [{PICK}]}}", "fig", "palm", "palm")
    assert told == ["3 times", "2 times", "once", ""]


def test_where_one_answer_leaves_less_than_another_the_most_is_told(tmp_path: Path) -> None:
    """A fig is picked with all that it bears."""
    pick = f'{CHOOSE}, {{move: "2 if goal == fig else 1", from: goal.fruit, to: you.fruit}}'
    steps = f"repeat: {{while: you.fruit < 2, do: [{pick}]}}"
    assert left(tmp_path, steps, "palm") == ["at most 2 times", "once"]


@pytest.mark.parametrize(
    "steps",
    [
        CHOOSE,
        f"{{each: p, in: player, do: [{PICK}]}}",
        "repeat: {times: 2, do: [{choose: number, from: 1..2}, {set: {you.fruit: number}}]}",
        f"repeat: {{times: 3, do: [{PICK}, look_about]}}",
        f"repeat: {{times: 3, do: [{PICK}, throw]}}",
        f"repeat: {{times: 3, do: [{PICK}, {{when: you.secret == 1, set: {{fig.is_high: true}}}}]}}",
    ],
)
def test_nothing_is_told_of_what_is_asked_once_or_is_not_known(tmp_path: Path, steps: str) -> None:
    """So it is too where something else is asked, or rolled, between, or what is hidden decides, and of numbers and
    what is asked about each of several, where it would be taken for a part of the question."""
    assert left(tmp_path, steps) == [""]


def test_of_what_needs_too_many_tries_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polis_rules.play.repeats.MOST_TRIES", 3)
    assert left(tmp_path, f"repeat: {{times: 3, do: [{PICK}]}}") == [""]
