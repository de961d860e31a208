"""Generated code does what the rules say where places, names and hoisted look-ups could come apart."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.little_ruleset import MANIFEST, PLAYERS, little, totals
from support.small_ruleset import lay

import polis_rules
from polis_rules import Ruleset
from polis_rules.verification.differential import compare

MARCH = """
routes:
  march:
    of: {who: player}
    over: [land]
    through: {region: not space.closed}
score: {terms: {coins: who.coins}}
"""


@pytest.mark.parametrize("checks", [False, True])
def test_the_place_of_a_piece_is_found_before_it_moves(tmp_path: Path, checks: bool) -> None:
    """`to: nth(region, coins)` means the coins before the step that takes one of them away."""
    rules = """
score: {terms: {heat: "west.heat * 100 + south.heat * 10 + north.heat"}}
phases:
  game:
    - set: {player.red.coins: 2}
    - move: 1
      from: player.red.coins
      to: nth(region, player.red.coins).heat
    - end: over
"""
    assert totals(little(tmp_path, rules), checks) == [100, 100]


@pytest.mark.parametrize("checks", [False, True])
def test_the_place_of_a_gain_is_found_once(tmp_path: Path, checks: bool) -> None:
    """What is gained stops at the end of its own range, though the place depends on what is gained."""
    rules = """
score: {terms: {goods: "sum(who.stock[g] for g in good)"}}
phases:
  game:
    - gain: {"nth(good, player.red.stock[good.wine])": 5}
      who: player.red
    - end: over
"""
    assert totals(little(tmp_path, rules), checks) == [2, 0]


def test_the_report_names_the_place_that_a_step_changed(tmp_path: Path) -> None:
    """What is told of a gain was worked out before it."""
    rules = """
score: {terms: {goods: "sum(who.stock[g] for g in good)"}}
phases:
  game:
    - gain: {"nth(good, player.red.stock[good.wine])": 2}
      who: player.red
    - end: over
"""
    assert polis_rules.load(little(tmp_path, rules)).start().report == ["  Red gains 2 wine"]


PLACES = {
    "the members of a choice": """
    - each: you
      in: player
      do:
        - choose: goal
          from: "{r for r in region if route_exists(march(you), you.home, r)}"
          if_possible: true
        - if: goal is not none
          then: [{set: {you.home: goal, goal.closed: not goal.closed}}]
    - end: over
""",
    "the members of a draw": """
    - each: you
      in: player
      do:
        - draw: goal
          from: "{r for r in region if route_exists(march(you), you.home, r)}"
          if_possible: true
        - if: goal is not none
          then: [{set: {you.home: goal, goal.closed: not goal.closed}}]
    - end: over
""",
    "the winner": """
    - each: you
      in: player
      do:
        - choose: goal
          from: region
        - set: {you.home: goal, goal.closed: not goal.closed}
    - end: over
      winner: "first(p for p in player if route_exists(march(p), p.home, region.east))"
""",
    "the members of an action's choice": """
    - each: you
      in: player
      do:
        - choose: deed
          from: action
          where: possible(deed)
        - perform: deed
    - end: over
actions:
  settle:
    title: Settle
    choose:
      goal:
        from: "{r for r in [r for r in region if route_exists(march(you), you.home, r)]}"
        where: goal.heat < 5
    do:
      - set: {you.home: goal}
""",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_route_may_be_asked_for_wherever_an_expression_stands(tmp_path: Path, place: str) -> None:
    """What is looked up before a statement is looked up there too: both engines play the same games."""
    folder = little(tmp_path, f"{MARCH}phases:\n  game:{PLACES[place]}")
    assert compare((folder, None, ()), games=4).difference is None


PERHAPS = """
routes:
  march:
    of: {{toward: region}}
    over: [land]
    through: {{region: toward not in toward.shut}}
terms:
  far: {{of: {{toward: region}}, is: "cheapest_route(march(toward), north, toward)"}}
  perhaps_far: {{of: {{toward: region or none}}, is: "0 if toward is none else far(toward)"}}
score: {{terms: {{turn: turn}}}}
phases:
  game:
    - as: red
      do:
        - choose: start
          from: region
        - draw: goal
          from: region
          where: goal == start and goal.heat > 4
          if_possible: true
        - set: {{turn: "{distance}"}}
    - end: over
"""


@pytest.mark.parametrize("distance", [
    "7 if goal is none else cheapest_route(march(goal), north, start)", "7 if goal is none else far(goal)",
    "7 if west.lost is none else far(west.lost)", "perhaps_far(goal)",
])  # fmt: skip
def test_no_route_is_looked_up_for_none(tmp_path: Path, distance: str) -> None:
    folder = little(tmp_path, PERHAPS.format(distance=distance))
    assert compare((folder, None, ()), games=2).difference is None


NAMES = {
    "a route with a parameter `start`": """
routes:
  march:
    of: {start: player}
    over: [land]
    through: {region: "space.heat < start.coins"}
score: {terms: {coins: who.coins}}
phases:
  game:
    - choose: spot
      from: region
      who: player.red
      where: route_exists(march(player.red), spot, region.north)
    - end: over
""",
    "parameters named like ranges": """
score: {terms: {turn: turn}}
terms:
  long:
    of: {x: number, x__0_9: number}
    is: "sum(x * x__0_9 + p.coins + x for p in player if p.coins > x)
      + sum(x * x__0_9 + p.coins + x * 7 for p in player if p.coins > x__0_9)
      + sum(x * x__0_9 + p.coins + x * 5 for p in player if p.coins > x__0_9)"
phases:
  game:
    - choose: spot
      from: region
      who: player.red
      do: [{set: {spot.heat: 3}}]
    - set: {turn: "min(60, max(0, long(spot.heat, turn * turn)))"}
    - end: over
""",
    "a parameter named like that of another term with its range": """
score: {terms: {points: who.pts}}
terms:
  first_term:
    of: {x: number}
    is: "sum(p.coins * x + p.pts * x + x for p in player if p.coins > x + 1)
      + sum(p.coins * x + p.pts * x + x * 3 for p in player if p.pts < x - 1)
      + sum(p.coins * x * 2 + p.pts * x + x for p in player if p.pts > x)"
  second_term:
    of: {x__0_9: number}
    is: "sum(p.coins * x__0_9 + p.pts + 1 for p in player if x__0_9 > 20)
      + sum(p.coins * x__0_9 + p.pts + 2 for p in player if x__0_9 > 21)
      + sum(p.coins * x__0_9 + p.pts + 3 for p in player if x__0_9 > 22)
      + sum(p.coins * 3 + p.pts + 3 for p in player if p.pts > 44)"
phases:
  game:
    - choose: spot
      from: region
      who: player.red
      do: [{set: {turn: 30, north.heat: 2}}]
    - set: {turn: "min(60, max(0, first_term(north.heat) + 25))"}
    - set: {player.red.pts: "min(50, second_term(turn * turn))"}
    - end: over
""",
}  # fmt: skip


@pytest.mark.parametrize("names", NAMES)
def test_no_name_of_a_parameter_changes_generated_code(tmp_path: Path, names: str) -> None:
    """Whatever parameters are called, both engines play the same games."""
    assert compare((little(tmp_path, NAMES[names]), None, ()), games=4).difference is None


def test_code_grows_no_faster_than_the_members_that_a_choice_asks_about(tmp_path: Path) -> None:
    """What goes over all members for each member is written out while they are few."""
    rules = """
phases:
  game:
    - choose: place
      who: red
      from: region
      where:
        crowded: any(closer(place, x) and closer(x, y) for x in region for y in region)
    - end: over
terms:
  closer:
    of: {one: region, other: region}
    is: one.heat + one.depth < other.heat + other.depth and not other.closed
score: {terms: {coins: who.coins}}
"""
    few, many = (code_length(tmp_path / str(count), rules, count) for count in (20, 40))
    assert many < 2.5 * few


LONG_TERM = f"""
phases:
  game:
    - repeat:
        times: 9
        do:
          - choose: place
            who: red
            from: region
            where:
              inviting: invites(place) and any(invites(x) and fits(place, x) for x in region)
              and_not_alone: count(x for x in region if fits(x, place)) > 0
          - set: {{place.heat: "min(place.heat + 1, 9)"}}
    - end: over
terms:
  invites:
    of: {{one: region}}
    is: {" and ".join(f"(one.heat != {n} or one.depth > {n % 5} or one.lost is none)" for n in range(30))}
  fits:
    of: {{one: region, other: region}}
    is: one.depth < 7 and ({" or ".join(f"one.heat + other.depth == {n}" for n in range(50))})
score: {{terms: {{coins: sum(r.heat for r in region)}}}}
"""


def test_a_long_term_is_written_once_however_many_members_it_is_asked_about(tmp_path: Path) -> None:
    """It is not written for each of them, and games are those of the reference engine."""
    few, many = (code_length(tmp_path / str(count), LONG_TERM, count) for count in (20, 40))
    assert many < 1.7 * few
    assert compare((str(tmp_path / "40"), None, ()), games=3).difference is None


def test_what_does_not_depend_on_the_member_is_asked_before_all_members_are_gone_through(tmp_path: Path) -> None:
    """Also where it stands behind what does, but not what looks up a place that may be none until then."""
    asked = "invites(x) and place.heat != 8 and (place.lost is none or place.lost.heat != 7) and fits(place, x)"
    rules = LONG_TERM.replace("invites(x) and fits(place, x)", asked)
    code = "".join(part.source for part in crowded(tmp_path, rules, 40).program().compiled.parts)
    (before, after), *_ = (
        each.split("for v_x", 1) for each in code.split("\ndef ") if re.match("over_.*for v_x", each, re.S)
    )
    assert (before.count("!= 8"), before.count("if not")) == (1, 2)  # and how deep it is, which `fits` asks
    assert "!= 7" in after
    assert compare((str(tmp_path), None, ()), games=3).difference is None


def code_length(folder: Path, rules: str, count: int) -> int:
    """How long the generated code of a ruleset with so many regions is."""
    return sum(part.length for part in crowded(folder, rules, count).program().compiled.parts)


def crowded(folder: Path, rules: str, count: int) -> Ruleset:
    """A ruleset with so many regions."""
    rows = ", ".join(f"place_{n}: {{depth: {n % 7}}}" for n in range(count))
    players = PLAYERS.replace("    state: {heat", "    attributes: {depth: 0..9}\n    state: {heat")
    players = players.replace("{north: {}, south: {}, west: {}, east: {}}", f"{{{rows}}}")
    players = players[: players.index("graphs:")]
    scenario = "scenario: standard\ntitle: Standard\n"
    files = {"ruleset.yaml": MANIFEST, "all.yaml": players + rules, "scenarios/standard.yaml": scenario}
    return polis_rules.load(lay(folder, files))


@pytest.mark.slow
def test_a_program_from_the_cache_needs_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warm game imports no module that compiles."""
    folder = little(tmp_path / "rules", "score: {terms: {a: 0}}\nphases:\n  game:\n    - end: over\n")
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "cache"))
    code = f"""
import sys
import polis_rules
from polis_rules import Ruleset
game = polis_rules.load({str(folder)!r}).start()
print(game.finished, *(name for name in sys.modules if "interpreter.compiler" in name))
"""
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout.startswith("True polis_rules.interpreter.compiler")
    assert runs[1].stdout == "True\n"


@pytest.mark.parametrize("checks", [False, True])
def test_a_fact_of_what_a_row_leaves_none_is_not_looked_up(tmp_path: Path, checks: bool) -> None:
    """`is not none` before it keeps the second look-up from being made, though all of it is known beforehand."""
    rules = """
score: {terms: {coins: "3 if inner.next[inner] is not none and inner.next[inner].width[inner.next[inner]] > 2 else 1"}}
phases:
  game:
    - end: over
"""
    gates = "gate: {attributes: {next: {type: gate or none, per: [gate]}, width: {type: 0..9, per: [gate]}}}\n"
    folder = little(tmp_path, rules)
    text = PLAYERS.replace("tables:\n", "tables:\n  gate: {inner: {next: {inner: none}, width: {inner: 3}}}\n")
    lay(folder, {"all.yaml": text.replace("  good: {}\n", f"  good: {{}}\n  {gates}") + rules})
    assert totals(folder, checks) == [1, 1]
