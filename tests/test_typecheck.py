"""Every verb used wrongly, and every declaration that does not fit, gets one finding at the very characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_ruleset import STEPS, THINGS, findings, marked, small

from polis_rules.diagnostics import Diagnostic
from polis_rules.validation import validate

Expected = list[tuple[str, str]]

# steps of a turn; code and marked characters of each finding, in order
STEPS_AND_FINDINGS: list[tuple[str, Expected]] = [
    # names that mean nothing
    ("- frobnicate", [("unknown-name", "frobnicate")]),
    ("- do: tak(north, you)", [("unknown-name", "tak")]),
    ("- do: feast.nwo", [("unknown-name", "nwo")]),
    ("- end: ovre", [("unknown-name", "ovre")]),
    ("- perform: wrok", [("unknown-name", "wrok")]),
    ("- pay: {coin: 1}", [("unknown-resource", "coin")]),
    ("- gain: {pieces: 1}", [("unknown-resource", "pieces")]),
    # calls
    ("- do: take(north)", [("wrong-arguments", "take(north)")]),
    ("- do: take", [("wrong-arguments", "take")]),
    ("- do: take(you, north)", [("wrong-type", "you")]),
    ("- do: north.size", [("wrong-type", "size")]),
    ("- do: feast.after", [("missing-index", "after")]),
    ("- do: feast.after[north]", [("wrong-type", "north")]),
    ("- do: shown.now", [("maybe-none", "shown")]),
    ("- do: 3", [("expression-word", "3")]),
    ("- do: take(north, you)(3)", [("expression-word", "take(north, you)")]),
    ("- perform: you", [("wrong-type", "you")]),
    # amounts
    ("- pay: {coins: -1}", [("negative-amount", "-1")]),
    ("- gain: {wine: -1}", [("negative-amount", "-1")]),
    ("- pay: {coins: true}", [("wrong-type", "true")]),
    ("- pay: {north: 1}", [("wrong-type", "north")]),
    ("- lose: {coins: 1}\n  who: north", [("wrong-type", "north")]),
    ("- lose: {coins: 1}\n  who: you.seat.owner", [("maybe-none", "you.seat")]),
    # moves
    ("- move: -1\n  from: you.pieces\n  to: north.units[you]", [("negative-amount", "-1")]),
    ("- move: true\n  from: you.pieces\n  to: north.units[you]", [("wrong-type", "true")]),
    ("- move: 1\n  from: you.flagged\n  to: north.units[you]", [("wrong-type", "you.flagged")]),
    ("- move: 1\n  from: you.pieces\n  to: north.size", [("not-state", "north.size")]),
    ("- move: 1\n  from: 3\n  to: north.units", [("not-state", "3"), ("missing-index", "units")]),
    # changes
    ("- set: {north.size: 3}", [("not-state", "north.size")]),
    ("- set: {limit: 3}", [("not-state", "limit")]),
    ("- set: {you: red}", [("not-state", "you")]),
    ("- set: {round: true}", [("wrong-type", "true")]),
    ("- set: {round: 99}", [("out-of-range", "99")]),
    ("- set: {favourite: none}", [("wrong-type", "none")]),
    ("- set: {favourite: you.seat}", [("maybe-none", "you.seat")]),
    ("- set: {you.pieces: 3}", [("not-moved", "you.pieces")]),
    ('- set: {"north.units[you]": 3}', [("not-moved", "north.units[you]")]),
    # names of one's own
    ("- let: {you: red}", [("shadowing", "you")]),
    ("- let: {any: 3}", [("shadowing", "any")]),
    ("- let: {x: 1}\n- let: {x: 2}", [("shadowing", "x")]),
    ("- let: {x: 1}\n- choose: x\n  from: region", [("shadowing", "x")]),
    ("- each: x\n  in: region\n  do:\n    - let: {x: 3}", [("shadowing", "x")]),
    ("- each: x\n  in: region\n  do: []\n- roll: x\n  dice: 1d6", [("shadowing", "x")]),
    ("- let: {x: none}\n- set: {favourite: x}", [("wrong-type", "none")]),
    # choices
    ("- choose: x\n  from: rgion\n- set: {favourite: x}", [("unknown-name", "rgion")]),
    ("- choose: x\n  from: 3", [("wrong-type", "3")]),
    ("- choose: x\n  from: region\n  where: x", [("wrong-type", "x")]),
    ("- choose: x\n  from: region\n  who: north", [("wrong-type", "north")]),
    ("- choose: x\n  from: region\n  leaving: y", [("unknown-name", "y")]),
    ("- choose: x\n  from: 0..1000000000", [("too-many-numbers", "0..1000000000")]),
    ("- choose: x\n  from: 5..2", [("too-many-numbers", "5..2")]),
    ("- choose: x\n  from: 0..you.flagged", [("wrong-type", "you.flagged")]),
    ("- choose: x\n  from: 0..you.coins + rund", [("unknown-name", "rund")]),
    ("- choose: x\n  from: region\n  or:\n    north: {title: No}", [("shadowing", "north")]),
    ("- choose: x\n  from: region\n  or:\n    no: {}\n- set: {favourite: x}", [("maybe-none", "x")]),
    (
        "- choose: x\n  from: region\n  or: {no: {do: [{each: x, in: region, do: []}]}}",
        [("shadowing", "x")],
    ),
    ("- choose: x\n  from: region\n  if_possible: true\n- set: {favourite: x}", [("maybe-none", "x")]),
    ("- choose: x\n  from: 0..3\n  or:\n    no: {}\n- gain: {coins: x}", [("unknown-name", "x")]),
    ("- choose: x\n  from: region\n  do:\n    - roll: r\n      dice: 1d6", [("waits-in-choice", "roll")]),
    ("- choose: x\n  from: region\n  do:\n    - perform: work", [("waits-in-choice", "perform")]),
    ("- choose: x\n  from: region\n  do:\n    - end: over", [("waits-in-choice", "end")]),
    ("- either: {}", [("unfit-value", "either")]),
    ("- either:\n    a: {cost: {coins: -1}}", [("negative-amount", "-1")]),
    ("- either:\n    a: {where: nort}\n    b: {do: [tke]}", [("unknown-name", "nort"), ("unknown-name", "tke")]),
    # loops
    ("- stop", [("nothing-to-stop", "stop")]),
    (
        "- repeat:\n    times: 3\n    do:\n      - choose: x\n        from: region\n        do: [stop]",
        [("nothing-to-stop", "stop")],
    ),
    ("- repeat:\n    while: 3\n    do: []", [("wrong-type", "3")]),
    ("- repeat:\n    times: true\n    do: []", [("wrong-type", "true")]),
    ("- repeat:\n    times: 1000000000\n    do: [count_round]", [("endless-loop", "1000000000")]),
    ("- repeat:\n    times: -1\n    do: [count_round]", [("endless-loop", "-1")]),
    ("- repeat:\n    at_least: round\n    do:\n      - choose: x\n        from: region", [("wrong-type", "round")]),
    (
        "- repeat:\n    finish: Done\n    do:\n      - either:\n          finish: {title: Done}",
        [("shadowing", "Done")],
    ),
    ("- each: x\n  in: 3\n  do:\n    - set: {favourite: x}", [("wrong-type", "3")]),
    ("- each: you\n  in: region\n  do: []", [("wrong-type", "you")]),
    ("- each: x\n  in: region\n  starting: red\n  do: []", [("wrong-type", "red")]),
    ("- each: x\n  in: region\n  starting: x\n  do: []", [("unknown-name", "x")]),
    # branches and acting
    ("- if: round\n  then: [count_rund]", [("wrong-type", "round"), ("unknown-name", "count_rund")]),
    ("- as: north\n  do: []", [("wrong-type", "north")]),
    ("- as: nobody\n  do:\n    - set: {you.seat: nort}", [("unknown-name", "nobody"), ("unknown-name", "nort")]),
    # chance
    ("- roll: x\n  dice: banana\n- gain: {coins: x}", [("wrong-dice", "banana")]),
    ("- roll: x\n  dice: 0d6", [("wrong-dice", "0d6")]),
    ("- draw: x\n  from: rgion\n- set: {favourite: x}", [("unknown-name", "rgion")]),
    ("- draw: x\n  from: region\n  weight: true", [("wrong-type", "true")]),
    ("- draw: x\n  from: region\n  if_possible: true\n- set: {favourite: x}", [("maybe-none", "x")]),
    # the end
    ("- end: over\n  winner: north", [("wrong-type", "north")]),
    # circles
    ("- turn", [("endless-rule", "turn")]),
    ("- do: turn", [("endless-rule", "do")]),
    ("- do: game", [("endless-rule", "do")]),
    # several at once
    (
        "- set: {rund: 1}\n- gain: {coin: 1}\n- do: take(nort, you)",
        [("unknown-name", "rund"), ("unknown-resource", "coin"), ("unknown-name", "nort")],
    ),
]


def validated(folder: Path, *codes: str) -> list[Diagnostic]:
    """The errors, and the other findings of these codes, that validation reports."""
    return [each for each in validate(folder).findings if each.severity == "error" or each.code in codes]


def told(folder: Path) -> Expected:
    """Code and marked characters of all findings."""
    return [(each.code, marked(folder, each)) for each in findings(folder)]


def test_what_is_paid_is_kept_in_one_state_alone(tmp_path: Path) -> None:
    """Where two spendable states hold the same kind of thing, neither is taken because it stands first or last."""
    things = THINGS.replace(
        "      pieces: 0..9\n", "      pieces: 0..9\n      debts: {per: good, type: 0..9, spendable: true}\n"
    )
    assert told(small(tmp_path, "- gain: {wine: 1}", things=things)) == [("unknown-resource", "wine")]


@pytest.mark.parametrize(("steps", "expected"), STEPS_AND_FINDINGS, ids=[row[0][:70] for row in STEPS_AND_FINDINGS])
def test_a_wrong_step_has_exactly_these_findings(tmp_path: Path, steps: str, expected: Expected) -> None:
    assert told(small(tmp_path, steps)) == expected


NOBODY = """
phases:
  game:
    - turn
    - end: over
  turn:
"""


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ("- set: {you.seat: north}", "you"),
        ("- gain: {coins: 1}", "gain"),
        ("- choose: x\n  from: region", "choose"),
        ("- either: {a: {}}", "either"),
        ("- perform: work", "perform"),
        ("- if: possible(work)\n  then: [count_round]", "possible(work)"),
        ("- do: feast.now", "gain"),
        ("- do: take(north, you)", "you"),
        ("- as: you.rival\n  do: [count_round]", "you"),
        ("- each: you\n  in: player\n  starting: you\n  do: [count_round]", "you"),
    ],
)
def test_you_where_nobody_acts_is_found_at_its_use(tmp_path: Path, steps: str, text: str) -> None:
    folder = small(tmp_path, steps, game=NOBODY)
    reported = findings(folder)
    assert [(each.code, marked(folder, each)) for each in reported] == [("nobody-acts", text)]


@pytest.mark.parametrize(
    "steps",
    [
        "- as: red\n  do:\n    - set: {you.seat: north}\n    - perform: work",
        "- each: you\n  in: player\n  where: you.coins > 1\n  do: [{gain: {coins: 1}}]",
        "- gain: {coins: 1}\n  who: red",
        "- choose: x\n  from: region\n  who: red",
        "- as: red\n  do: [{do: feast.now}]",
    ],
)
def test_who_acts_may_be_said(tmp_path: Path, steps: str) -> None:
    assert told(small(tmp_path, steps, game=NOBODY)) == []


def test_where_nobody_acts_is_told_through_calls(tmp_path: Path) -> None:
    more = "procedures:\n  outer: {do: [inner]}\n  inner:\n    do:\n      - gain: {coins: 1}\n"
    folder = small(tmp_path, "- outer", more=more, game=NOBODY)
    (finding,) = findings(folder)
    assert (finding.code, marked(folder, finding)) == ("nobody-acts", "gain")
    assert [text for text, _ in finding.related] == ["nobody acts where outer calls this"]


CIRCLES = {
    "procedures": ("procedures:\n  a: {do: [b]}\n  b: {do: [c]}\n  c: {do: [a]}", "endless-rule", "a"),
    "an action": ("actions: {again: {title: Again, do: [{perform: again}]}}", "endless-rule", "perform"),
    "terms": ("terms:\n  one: {is: two + 1}\n  two: {is: one + 1}", "endless-term", "two + 1"),
    "a term": ("terms: {one: {is: one + 1}}", "endless-term", "one + 1"),
    "possible": ("actions: {again: {title: A, requires: possible(again), do: []}}", "endless-term", "again"),
}


@pytest.mark.parametrize(("more", "code", "text"), CIRCLES.values(), ids=CIRCLES)
def test_what_calls_itself_in_a_circle_is_found(tmp_path: Path, more: str, code: str, text: str) -> None:
    folder = small(tmp_path, STEPS, more=more)
    reported = findings(folder)
    assert [each.code for each in reported] == [code]
    assert marked(folder, reported[0]) == text
    assert " -> " in reported[0].message


def test_a_route_may_not_ask_for_itself_through_a_term(tmp_path: Path) -> None:
    more = "terms:\n  open_to:\n    of: {place: region}\n    is: route_exists(wander, north, place)\n"
    wander = "  wander:\n    over: [land]\n"
    things = THINGS.replace(wander, f"{wander}    through: {{region: open_to(space)}}\n")
    (finding,) = findings(small(tmp_path, STEPS, more=more, things=things))
    assert finding.code == "endless-term"
    assert "wander" in finding.message


def test_many_rules_in_a_chain_are_refused(tmp_path: Path) -> None:
    rules = "".join(f"  p{n}: {{do: [p{n + 1}, p{n + 1}]}}\n" for n in range(300))
    (finding,) = findings(small(tmp_path, "- p0", more=f"procedures:\n{rules}  p300: {{do: [count_round]}}\n"))
    assert finding.code == "too-much-work"


def test_loops_inside_one_another_have_a_limit(tmp_path: Path) -> None:
    steps = "".join(f"{'    ' * n}- each: x{n}\n{'    ' * n}  in: good\n{'    ' * n}  do:\n" for n in range(25))
    assert told(small(tmp_path, steps + "    " * 25 + "- count_round")) == [("nested-loops", "each")]


# what is replaced in the things, by what, and the findings
DECLARED: list[tuple[str, str, Expected]] = [
    ("rival: player\n", "rival: playr\n", [("unknown-name", "playr")]),
    ("coins: {type: 0..9,", "coins: {type: 0..x,", [("unknown-type", "0..x")]),
    ("coins: {type: 0..9,", "coins: {type: 9..0,", [("unknown-type", "9..0")]),
    ("stock: {per: good", "stock: {per: goods", [("unknown-name", "goods")]),
    ("seat: region or none", "seat: set of regin", [("unknown-name", "regin")]),
    ("near: set of region", "near: set of regin", [("unknown-name", "regin")]),
    ("units: {per: player,", "units: {per: {you: player},", [("shadowing", "you")]),
    ("      owner: player or none\n", "      owner: player or none\n      size: 0..3\n", [("shadowing", "size")]),
    ("start: 3", "start: 30", [("unfit-start", "30")]),
    ("start: 3", "start: rund", [("unknown-name", "rund")]),
    ("start: 3", "start: round + 1", [("unfit-start", "round + 1")]),
    ("start: 3", "start: held(it)", [("unfit-start", "held(it)")]),
    ("  good: {}\n", "  good: {}\n  action: {}\n", [("shadowing", "action")]),
    ("rival: blue", "rival: blu", [("unknown-name", "blu")]),
    ("season: {spring: {}, amber: {}}", "season: {round: {}}", [("shadowing", "round")]),
    ("season: {}\n", "season: {}\n  empty: {}\n", []),
    ("favourite: region", "favourite: region\n  kept: nothing", [("unknown-name", "nothing")]),
    ("worth: times + 1", "worth: tims + 1", [("unknown-name", "tims")]),
    ("worth: times + 1", "worth: you.coins", [("nobody-acts", "you")]),
    ("worth: 2", "worth: north.worth(1)", [("endless-term", "worth")]),
    ("changes: {limit: base + 1}", "changes: {limt: base + 1}", [("unknown-name", "limt")]),
    ("changes: {limit: base + 1}", "changes: {limit: north}", [("wrong-type", "north")]),
    ("changes: {limit: base + 1}", "changes: {limit: limit + 1}", [("endless-term", "limit")]),
    ("in_force: shown == it", "in_force: shown", [("wrong-type", "shown")]),
    ("in_force: shown == it", "in_force: shown == it and limit > 3", [("endless-term", "limit")]),
    ("    in_force: shown == it\n", "", [("never-in-force", "limit")]),
    ("north-south: {}", "nrth-suth: {}", [("unknown-edge", "nrth"), ("unknown-edge", "suth")]),
    ("north-south: {}", "north-amber: {}", [("unclear-member", "amber")]),
    ("north-south: {}", "north-north: {}", [("unknown-edge", "north-north")]),
    ("over: [land]", "over: [lnd]", [("unknown-name", "lnd")]),
    ("ferries: who.flagged", "ferris: who.flagged", [("unknown-name", "ferris")]),
    ("region: space.size", "regin: space.size", [("unknown-name", "regin")]),
    ("region: space.size", "region: -2", [("negative-amount", "-2")]),
    ("region: space.size", "region: space.wet", [("wrong-type", "space.wet")]),
    ("limit: {is: 5}", "limit: {is: none}", [("wrong-type", "none")]),
    ("limit: {is: 5}", "limit: {is: you.coins}", [("nobody-acts", "you")]),
    ("limit: {is: 5}", "limit: {is: possible(work)}", [("nobody-acts", "possible(work)")]),
    ("of: {who: player}\n    is:", "of: {who: plaier}\n    is:", [("unknown-name", "plaier")]),
    ("place: region}\n    is:", "you: region}\n    is:", [("shadowing", "you"), ("unknown-name", "place")]),
    ("total: 9", "total: true", [("wrong-type", "true")]),
    ("total: 9", "total: 12", [("unfit-start", "pieces")]),
    ("reserve: owner.pieces", "reserve: 3", [("not-state", "3")]),
    ("per: player\n    total", "per: plyer\n    total", [("unknown-name", "plyer")]),
]


@pytest.mark.parametrize(("old", "new", "expected"), DECLARED, ids=[f"{row[1]!r}"[:60] for row in DECLARED])
def test_a_wrong_declaration_has_exactly_these_findings(tmp_path: Path, old: str, new: str, expected: Expected) -> None:
    assert old in THINGS
    assert told(small(tmp_path, STEPS, things=THINGS.replace(old, new, 1))) == expected


MORE: list[tuple[str, Expected]] = [
    ("invariants: {odd: nort}", [("unknown-name", "nort")]),
    ("invariants: {odd: 3}", [("wrong-type", "3")]),
    ("procedures: {turn: {do: []}}", [("shadowing", "turn")]),
    (
        "procedures: {a: {of: {x: regin}, do: [{set: {favourite: x}}]}, b: {do: [{do: a(3)}]}}",
        [("unknown-name", "regin")],
    ),
    (
        "actions: {x: {title: X, choose: {t: {from: regin, where: t.wet}}, do: [{set: {favourite: t}}]}}",
        [("unknown-name", "regin")],
    ),
    ("actions: {x: {title: X, cost: {coins: tt.size}, do: []}}", [("unknown-name", "tt")]),
    ("actions: {x: {title: X, cost: {coin: 1}, do: []}}", [("unknown-resource", "coin")]),
    ("actions: {x: {title: X, requires: {odd: round}, do: []}}", [("wrong-type", "round")]),
    ("state: {north: 0..3}", [("shadowing", "north")]),
    ("state: {tokens: {per: [good, region, card, season], type: effects}}", [("unknown-type", "effects")]),
    ("graphs: {roads: {from: region.prts}}", [("unknown-edge", "region.prts")]),
    ("graphs: {roads: {from: region.size}}", [("unknown-edge", "region.size")]),
]


@pytest.mark.parametrize(("more", "expected"), MORE, ids=[row[0][:60] for row in MORE])
def test_a_wrong_rule_of_another_section_has_exactly_these_findings(
    tmp_path: Path, more: str, expected: Expected
) -> None:
    assert told(small(tmp_path, STEPS, more=more)) == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("{rund: 1}", [("unknown-name", "rund")]),
        ("{round: 99}", [("out-of-range", "99")]),
        ("{round: true}", [("wrong-type", "true")]),
        ("{round: [1]}", [("unfit-value", "[1]")]),
        ("{player: 3}", [("unfit-value", "player")]),
        ("{player: {red: 3}}", [("unfit-value", "red")]),
        ("{player: {coins: {red: 3}}}", [("unknown-name", "coins")]),
        ("{player: {red: {coin: 3}}}", [("unknown-name", "coin")]),
        ("{player.coins: {red: 3}}", [("unknown-name", "player.coins")]),
        ("{red: {coins: 3}}", [("unknown-name", "red")]),
        ("{player: {red: {coins: 3}, bleu: {coins: 3}}}", [("unknown-name", "bleu")]),
        ("{player: {red: {coins: {blue: 3}}}}", [("unfit-value", "{blue: 3}")]),
        ("{player: {red: {pieces: 3}}}", [("unfit-start", "pieces")]),
        ("{region: {north: {near: [south, red]}}}", [("wrong-type", "red")]),
        ("{region: {north: {units: {red: 9}}, south: {units: {red: 9}}}}", [("unfit-start", "9")]),
        ("{favourite: none}", [("wrong-type", "none")]),
        ("{round: order(west)}", [("unfit-value", "order(west)")]),
    ],
)
def test_a_wrong_start_of_a_scenario_is_found(tmp_path: Path, start: str, expected: Expected) -> None:
    folder = small(tmp_path, STEPS)
    path = folder / "scenarios" / "standard.yaml"
    path.write_text(f"scenario: standard\ntitle: Standard\nstart: {start}\n")
    assert told(folder) == expected


def test_a_ruleset_without_players_is_no_ruleset(tmp_path: Path) -> None:
    rows = "  player:\n    red: {rival: blue}\n    blue: {rival: red}\n"
    reported = findings(small(tmp_path, STEPS, things=THINGS.replace(rows, "").replace("home: red, ", "")))
    assert "empty-kind" in [each.code for each in reported]


def test_a_value_of_a_kind_without_members_cannot_be(tmp_path: Path) -> None:
    things = THINGS.replace("kinds:\n", "kinds:\n  ghost: {}\n").replace("  round:", "  seen: ghost\n  round:")
    assert told(small(tmp_path, STEPS, things=things)) == [("empty-kind", "ghost")]


def test_a_reserve_of_pieces_that_only_say_whose_something_is_may_be_set(tmp_path: Path) -> None:
    things = THINGS.replace("      pieces: 0..9\n", "      pieces: 0..9\n      marks: 0..9\n") + (
        "  marks:\n    per: player\n    total: 3\n    reserve: owner.marks\n"
        "    places: {owned: count(s for s in region if s.owner == owner)}\n"
    )
    steps = "- if: north.owner is none\n  then:\n    - set: {north.owner: you, you.marks: you.marks - 1}"
    assert told(small(tmp_path, steps, things=things)) == []


@pytest.mark.parametrize("members", [300, pytest.param(9000, marks=pytest.mark.slow)])
def test_large_tables_compile(tmp_path: Path, members: int) -> None:
    goods = ", ".join(f"g{number}: {{}}" for number in range(members))
    things = THINGS.replace("amber: {}}", f"amber: {{}}, {goods}}}", 1)
    steps = """
    - choose: x
      from: good
      where: you.stock[x] > 0
    - draw: y
      from: good
      where: you.stock[y] > 0
    - let:
        z: first(g for g in good if you.stock[g] > 3)
        n: sum(you.stock[g] for g in good if you.stock[g] > 3)
    - each: g
      in: good
      where: you.stock[g] > 1
      do: [count_round]
    """
    assert findings(small(tmp_path, steps, things=things)) == ()


@pytest.mark.slow
def test_a_state_with_too_many_values_is_one_finding(tmp_path: Path) -> None:
    goods = ", ".join(f"g{number}: {{}}" for number in range(11000))
    things = THINGS.replace("amber: {}}", f"amber: {{}}, {goods}}}", 1)
    assert told(small(tmp_path, "- gain: {wine: 1}", things=things)) == [("too-large", "stock")]


@pytest.mark.parametrize(
    "steps", ["- let: {north: 3}\n- set: {round: north}", "- each: wine\n  in: region\n  do: [count_round]"]
)
def test_a_local_name_wins_over_a_member_without_a_word(tmp_path: Path, steps: str) -> None:
    """A row that is added later, by a variant too, cannot break a rule that has a local name of its id."""
    assert validated(small(tmp_path, steps), "shadowing") == []


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("- let: {round: 3}\n- gain: {coins: round}", "`round` is also state; from here on the local name is meant"),
        (
            "- let: {region: 3}\n- gain: {coins: region}",
            "`region` is also a kind; from here on the local name is meant",
        ),
        (
            "- gain: {coins: count(limit for limit in region)}",
            "`limit` is also a term; from here on the local name is meant",
        ),
    ],
)
def test_a_local_name_that_hides_what_is_declared_is_a_warning_with_both_places(
    tmp_path: Path, steps: str, message: str
) -> None:
    """What a name hides is said, with its place, and the ruleset can be used."""
    (finding,) = validated(small(tmp_path, steps), "shadowing")
    assert (finding.severity, finding.message, len(finding.related)) == ("warning", message, 1)


def test_a_cost_of_what_a_supply_counts_is_refused_like_a_payment(tmp_path: Path) -> None:
    """Pieces that a supply counts go nowhere by `cost`, as by `pay`; a game that paid one would fail."""
    more = "supplies: {money: {total: 30, reserve: round, places: {purses: sum(p.coins for p in player)}}}"
    steps = "- either:\n    a: {cost: {coins: 1}}\n    b: {}"
    assert ("not-moved", "coins") in told(small(tmp_path, steps, more))


def test_one_mistake_in_who_decides_is_reported_once(tmp_path: Path) -> None:
    """The player of an `either` is looked at once, so a wrong name is one finding."""
    assert told(small(tmp_path, "- either: {a: {}, b: {}}\n  who: rde")) == [("unknown-name", "rde")]


def test_what_follows_from_a_broken_condition_is_not_reported(tmp_path: Path) -> None:
    """While it is not known what a condition says of none, `set` forgets nothing of that."""
    steps = "- if: rund > 1 and you.seat is not none\n  then:\n    - set: {round: 1}\n    - set: {favourite: you.seat}"
    assert told(small(tmp_path, steps)) == [("unknown-name", "rund")]


def test_an_edge_may_name_a_member_by_its_kind(tmp_path: Path) -> None:
    """Where two kinds share an id, `kind.member` says which of both an edge joins."""
    more = "kinds: {wind: {}}\ntables: {wind: {north: {}}}\n"
    things = THINGS.replace("north-south", "region.north-south").replace("north-west", "region.north-west")
    assert told(small(tmp_path / "b", more=more, things=things)) == []
    assert told(small(tmp_path / "a", more=more)) == [("unclear-member", "north")]


@pytest.mark.parametrize(
    ("old", "new", "at", "suggestion"),
    [
        ("you.seat", "y\uff4fu.seat", "\uff4f", "o"),
        ("you.seat", "you.seat\u2212", "\u2212", "-"),
    ],
)
def test_letters_of_other_widths_are_refused(tmp_path: Path, old: str, new: str, at: str, suggestion: str) -> None:
    """An expression holds plain characters: a letter that only looks like one is no part of a name."""
    folder = small(tmp_path, f"- set: {{favourite: {new}}}")
    (finding,) = findings(folder)
    assert (finding.code, marked(folder, finding), finding.suggestion) == ("expression-syntax", at, suggestion)
