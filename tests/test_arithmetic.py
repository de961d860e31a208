"""What the compiler works out about numbers is what comes out when they are worked out in play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as some
from support.small_ruleset import MANIFEST, SCENARIO, THINGS, small, started

import polis_rules
from polis_rules.diagnostics.errors import RuleError
from polis_rules.interpreter.compiler.python.numbers import Code, Piece, calculate, compare, interval_of, place
from polis_rules.semantics import Interval

RANGES = {"x": Interval(1, 6), "y": Interval(-2, 3)}
NAMES: dict[str, int] = {"x": 0, "y": 0, "z": 0}

Tree = Any
"""A number, a name, or (operator, left, right)."""

LEAVES = some.one_of(some.integers(-9, 30), some.sampled_from(sorted(NAMES)))
TREES = some.recursive(
    LEAVES,
    lambda inner: some.one_of(
        some.tuples(some.sampled_from("+-"), inner, inner),
        some.tuples(some.just("*"), inner, some.integers(-3, 3)),
        some.tuples(some.sampled_from(["//", "%"]), inner, some.integers(1, 5)),
    ),
    max_leaves=8,
)
VALUES = some.fixed_dictionaries({"x": some.integers(1, 6), "y": some.integers(-2, 3), "z": some.integers(-99, 99)})


def code_of(tree: Tree) -> Code:
    if isinstance(tree, tuple):
        op, left, right = tree
        return calculate(op, code_of(left), code_of(right))
    return Piece(tree, RANGES.get(tree)) if isinstance(tree, str) else int(tree)


def plain(tree: Tree) -> str:
    return f"({plain(tree[1])} {tree[0]} {plain(tree[2])})" if isinstance(tree, tuple) else f"({tree})"


@given(TREES, VALUES)
def test_a_sum_in_one_shape_is_the_same_sum(tree: Tree, values: dict[str, int]) -> None:
    """Its value is that of the expression as written, within the range that is told, and so it is as an index."""
    code, wanted = code_of(tree), eval(plain(tree), dict(values))
    assert eval(str(code), dict(values)) == wanted
    within = interval_of(code)
    assert within is None or within.low <= wanted <= within.high
    assert eval(str(place(7, [(code, 2)])), dict(values)) == 7 + 2 * wanted


@given(some.sampled_from(["<", "<=", ">", ">=", "==", "!="]), TREES, TREES, VALUES)
def test_a_comparison_that_is_decided_is_decided_rightly(
    op: str, left: Tree, right: Tree, values: dict[str, int]
) -> None:
    code = compare(op, code_of(left), code_of(right))
    assert bool(eval(str(code), dict(values))) == eval(f"{plain(left)} {op} {plain(right)}", dict(values))


CHOICE = """
phases:
  game:
    - choose: picked
      from: player
      who: ann
      or: {nobody: {title: Nobody}}
      do:
        - do: enrich(picked)
      leaving: {as_wanted: "%s"}
    - end: done
procedures:
  enrich: {of: {who: player}, do: [{set: {who.coins: who.coins + 5}}]}
endings: {done: {}}
score: {terms: {coins: who.coins}}
"""


def game_of(folder: Path, wanted: str) -> polis_rules.Game:
    (folder / "scenarios").mkdir(parents=True)
    files = {
        "ruleset": MANIFEST,
        "scenarios/standard": SCENARIO,
        "things": "kinds: {player: {state: {coins: {type: 0..9, start: 7}}}}\ntables: {player: {ann: {}, ben: {}}}",
        "play": CHOICE % wanted,
    }
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return polis_rules.load(folder).start()


def test_trying_a_choice_does_not_switch_the_checks_off(tmp_path: Path) -> None:
    """A procedure that a trial has used first still complains when the choice is carried out."""
    game = game_of(tmp_path / "small", "picked.coins > 9")
    with pytest.raises(RuleError, match=r"coins would be 12, outside of 0\.\.9"):
        game.apply("ann")


def test_a_trial_may_leave_a_range(tmp_path: Path) -> None:
    """What a trial brings out of its range is compared as it is, so that such a choice can be refused."""
    game = game_of(tmp_path / "small", "picked.coins <= 9")
    assert game.decision is not None
    assert [option.id for option in game.decision.options] == ["nobody"]


def test_numbers_under_a_condition_that_never_holds_are_no_options(tmp_path: Path) -> None:
    """A choice of numbers whose condition is known to fail is passed over; its loop had no inside."""
    steps = "- choose: many\n  from: 0..round\n  where: 1 > 2\n  if_possible: true\n- set: {round: round + 1}"
    game = started(small(tmp_path, steps))
    assert game.finished
    assert game.view("red")["game"] == {"round": 2, "shown": None, "favourite": "north"}


@pytest.mark.parametrize("asked", ["red in {x.home}", "x.home.worth(2) > 0"])
def test_what_is_known_to_be_none_behind_a_check_is_not_worked_out(tmp_path: Path, asked: str) -> None:
    """A check against none that is known to fail for a member keeps what relies on it from being compiled."""
    things = THINGS.replace("rival: player", "rival: player\n      worth: {type: formula, of: {times: number}}")
    things = things.replace("rival: blue}", "rival: blue, worth: times}").replace(
        "rival: red}", "rival: red, worth: 1}"
    )
    where = f"{{home: x.home is not none, asked: {asked!r}}}"
    game = started(small(tmp_path, f"- choose: x\n  from: region\n  where: {where}", things=things))
    assert game.decision is not None
    assert [option.id for option in game.decision.options] == ["north"]
