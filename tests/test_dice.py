"""Dice whose number and sides are worked out, hits, and results that not everybody sees."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.diagnostics import RulesetError
from polis_rules.interpreter.machine import below, draw64, salt
from polis_rules.verification.differential import compare

SKIRMISH = Path(__file__).parent / "rulesets" / "skirmish"

POOL = """
format: 2
ruleset: pool
title: Pool
scenario: {scenario: standard, title: Standard}
settings: {few: 0..3}
kinds:
  player:
    state: {got: {type: 0..999}}
tables:
  player: {ann: {title: Ann}, bob: {title: Bob}}
state: {fleet: {type: 0..4}, size: {type: 2..8, start: 4}}
phases:
  game:
    - as: ann
      do:
        - choose: many
          from: 0..4
        - set: {fleet: many}
        - DICE
        - set: {you.got: result}
        - choose: last
          from: 0..0
    - end: over
endings:
  over: {title: Over}
score:
  terms: {got: who.got}
"""


def pool(folder: Path, roll: str) -> polis_rules.Ruleset:
    """A game of one roll; before it the number of ships is chosen."""
    home = folder / "pool"
    home.mkdir(exist_ok=True)
    indented = roll.replace("\n", "\n          ").replace("          - ", "        - ")
    text = POOL.replace("DICE", indented)
    (home / "ruleset.yaml").write_text(text, "utf-8")
    return polis_rules.load(home)


ROLLS = [
    ("(fleet)d6", lambda n: n, 6, None),
    ("(many)d6", lambda n: n, 6, None),
    ("(min(fleet * 2, 5))d(size + 1)", lambda n: min(n * 2, 5), 5, None),
    ("2d(size)", lambda n: 2, 4, None),
    ("(fleet)d6\nhits: die >= 5", lambda n: n, 6, {5, 6}),
    ("3d6\nhits: die > many + 2", lambda n: 3, 6, "above"),
    ("(fleet)d6\nhits: die > 6", lambda n: n, 6, set()),
    ("(fleet)d6\nhits: die > 0", lambda n: n, 6, {1, 2, 3, 4, 5, 6}),
    ("(few)d6", lambda n: 0, 6, None),
]


@pytest.mark.parametrize(("dice", "many", "sides", "hits"), ROLLS)
def test_dice_come_out_as_rolled_one_by_one(dice: str, many: Any, sides: int, hits: Any, tmp_path: Path) -> None:
    """What may come out is what some dice show, and the seed gives what its stream says die by die."""
    ruleset = pool(tmp_path, f"roll: result\ndice: {dice}\nstream: luck")
    for chosen, seed in product(range(5), range(6)):
        lucky = {die for die in range(1, sides + 1) if die > chosen + 2} if hits == "above" else hits
        game = ruleset.start(seed=seed, chance="manual")
        game.apply(str(chosen))
        number = many(chosen)

        def counted(eyes: tuple[int, ...], lucky: set[int] | None = lucky) -> int:
            return sum(eyes) if lucky is None else sum(die in lucky for die in eyes)

        possible = {counted(eyes) for eyes in product(range(1, sides + 1), repeat=number)}
        assert game.chance is not None and {*map(int, game.chance.outcomes)} == possible
        rolled = tuple(1 + below(draw64(seed, salt("luck"), at), sides) for at in range(number))
        assert int(game.rolled_by_seed()) == counted(rolled)


@pytest.mark.parametrize(("eyes", "got"), [("2+3+6", 2), ("3+3+3", 3), ("2+2+1", 0)])
def test_a_case_may_say_what_each_die_shows(eyes: str, got: int, tmp_path: Path) -> None:
    """The rule itself says which of the dice in a case are hits, with what it knows there."""
    pool(tmp_path, "roll: result\ndice: (fleet)d6\nhits: die > many - 1\nstream: luck")
    cases = tmp_path / "pool" / "cases"
    cases.mkdir()
    case = f"cases:\n  it: {{do: [ann: 3], rolled: {{luck: {eyes}}}, then: {{player: {{ann: {{got: {got}}}}}}}}}\n"
    (cases / "it.yaml").write_text(case, "utf-8")
    (result,) = run_cases(tmp_path / "pool")
    assert result.passed, str(result)


def test_hits_are_as_likely_as_dice_make_them(tmp_path: Path) -> None:
    """Two dice with one lucky side in three: the seeds give none, one and two hits about as often as 4 to 4 to 1."""
    ruleset = pool(tmp_path, "roll: result\ndice: 2d6\nhits: die >= 5")
    found = Counter[int]()
    for seed in range(900):
        game = ruleset.start(seed=seed)
        game.apply("0")
        view: Any = game.view("ann")
        found[view["player"]["ann"]["got"]] += 1
    assert abs(found[0] - 400) < 60 and abs(found[1] - 400) < 60 and abs(found[2] - 100) < 40


@pytest.mark.parametrize(("dice", "many", "sides", "hits"), ROLLS)
def test_both_engines_roll_alike(dice: str, many: Any, sides: int, hits: Any, tmp_path: Path) -> None:
    """The engine that compiles nothing gets the same numbers from the same stream, and as many of them."""
    pool(tmp_path, f"roll: result\ndice: {dice}\nstream: luck")
    assert compare((str(tmp_path / "pool"), None, ()), games=20).difference is None


def test_the_skirmish_plays_with_dice_for_ships() -> None:
    """Cases hold, and both engines play it alike."""
    assert [str(each) for each in run_cases(SKIRMISH) if not each.passed] == []
    assert compare((str(SKIRMISH), None, ()), games=20).difference is None


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ("(ann.got)d6", "this may be 999"),
        ("(fleet - 1)d6", "this may be -1"),
        ("1d(fleet)", "this may be 0"),
        ("1d(few)", "this may be 0"),
        ("(many * 30)d6", "this may be 120"),
        ("(ann)d6", "expected a number"),
        ("fleet d6", "write (fleet)d6"),
        ("2d6 + 1", "dice are written like 2d6"),
        ("()d6", "dice are written like 2d6"),
        ("200d6", "this may be 200"),
    ],
)
def test_dice_that_could_not_be_rolled_are_refused(dice: str, said: str, tmp_path: Path) -> None:
    """By the declared ranges there must be 0 to 99 dice, of 1 to 999 sides."""
    with pytest.raises(RulesetError) as error:
        pool(tmp_path, f"roll: result\ndice: {dice}")
    assert said in str(error.value)


def test_a_result_is_seen_by_whom_the_step_says() -> None:
    """Log and report tell a hidden roll to its player alone."""
    game = polis_rules.load(SKIRMISH).start(seed=3)
    (_, _, mine), (_, _, other) = game.log_for("red")[:2]
    assert mine == "6" and other == "hidden"
    assert "  hidden ships: 6 on 2d6" in game.report_for("red")
    assert "  hidden ships: 6 on 2d6" not in game.report_for("blue")
    game.apply("3")
    assert "  struck: 7 of 9d6" in game.report_for("blue")


def test_a_draw_is_seen_by_whom_the_step_says(tmp_path: Path) -> None:
    """What is drawn is named to nobody else, though it is written nowhere."""
    drawn = "draw: omen\nfrom: player\nseen_by: viewer == bob\n- let: {result: order(omen)}"
    game = pool(tmp_path, drawn).start(seed=1)
    game.apply("2")
    assert game.log_for("ann")[1][2] == "hidden" and game.log_for("bob")[1][2] in ("ann", "bob")
