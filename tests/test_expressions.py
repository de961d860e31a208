"""Every wrong expression gets one finding: its code, the very characters, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_ruleset import THINGS, findings, marked, small

from polis_rules.pipeline import front
from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions.parse import DEEPEST, LONGEST


def value(expression: str) -> str:
    """Steps in which the expression is the value of a name."""
    return f'- let:\n    found: "{expression}"'


# expression, code, the characters that the finding points at, part of what it says
WRONG = [
    # names
    ("nort", "unknown-name", "nort", "'north'"),
    ("you.coins + rund", "unknown-name", "rund", "'round'"),
    ("you.coin", "unknown-name", "coin", "'coins'"),
    ("red.rival.stck[wine]", "unknown-name", "stck", "'stock'"),
    ("region.nort", "unknown-name", "nort", "'north'"),
    ("helt(you)", "unknown-name", "helt", "'held'"),
    ("route_exists(marsh(you), north, west)", "unknown-name", "marsh", "'march'"),
    ("any(s.wet for s in regin)", "unknown-name", "regin", "'region'"),
    ("possible(wrk)", "unknown-name", "wrk", "'work'"),
    ("__class__", "unknown-name", "__class__", None),
    ("you.__class__", "unknown-name", "__class__", None),
    ("print(3)", "unknown-name", "print", None),
    ("base + 1", "unknown-name", "base", None),
    ("it.size", "unknown-name", "it", None),
    ("viewer == you", "unknown-name", "viewer", None),
    ("märz + 1", "unknown-name", "märz", None),
    ("you.coins + round + märz + nort", "unknown-name", "märz", None),
    # members of several kinds
    ("amber", "unclear-member", "amber", "good.amber or season.amber"),
    ("order(amber)", "unclear-member", "amber", "good.amber or season.amber"),
    ("amber == amber", "unclear-member", "amber", None),
    # none
    ("you.seat.size", "maybe-none", "you.seat", "you.seat is not none"),
    ("1 + north.owner.coins", "maybe-none", "north.owner", "north.owner is not none"),
    ("next(you.seat)", "maybe-none", "you.seat", None),
    ("held(north.owner)", "maybe-none", "north.owner", None),
    ("north.units[north.home]", "maybe-none", "north.home", None),
    ("cheapest_route(march(you), you.seat, west)", "maybe-none", "you.seat", None),
    ("{s.owner for s in region}", "maybe-none", "s.owner", None),
    ("first(s for s in region).size", "maybe-none", "first(s for s in region)", "`let`"),
    ("most(s.size for s in region).size", "maybe-none", "most(s.size for s in region)", "tie="),
    ("(north if round > 1 else none).size", "maybe-none", "north if round > 1 else none", "`let`"),
    ("you.seat is not none or you.seat.wet", "maybe-none", "you.seat", None),
    ("you.seat is none and you.seat.wet", "maybe-none", "you.seat", None),
    ("you.seat.wet and you.seat is not none", "maybe-none", "you.seat", None),
    ("(you.seat is not none or round > 1) and you.seat.wet", "maybe-none", "you.seat", None),
    ("you.seat != north and you.seat.wet", "maybe-none", "you.seat", None),
    ("you.seat == you.rival.seat and you.seat.wet", "maybe-none", "you.seat", None),
    ("you.rival.seat is not none and you.seat.wet", "maybe-none", "you.seat", None),
    ("you.seat.size if you.seat is none else 1", "maybe-none", "you.seat", None),
    ("1 if you.seat is not none else you.seat.size", "maybe-none", "you.seat", None),
    ("any(s.home.flagged for s in region if s.wet)", "maybe-none", "s.home", None),
    ("feast.now", "wrong-type", "feast.now", None),
    # types
    ("true + 1", "wrong-type", "true", None),
    ("1 + wine", "wrong-type", "wine", None),
    ("not 3", "wrong-type", "3", None),
    ("-true", "wrong-type", "true", None),
    ("north < south", "wrong-type", "north", None),
    ("1 < north < 3", "wrong-type", "north", None),
    ("north == red", "wrong-type", "red", None),
    ("round == none", "wrong-type", "none", None),
    ("north is red", "wrong-type", "red", None),
    ("north and south", "wrong-type", "north", None),
    ("round or true", "wrong-type", "round", None),
    ("1 if round else 2", "wrong-type", "round", None),
    ("1 if true else north", "wrong-type", "north", None),
    ("1 if true else none", "wrong-type", "none", None),
    ("1 // 0", "division", "0", None),
    ("5 % -1", "division", "-1", None),
    ("3[0]", "wrong-type", "3[0]", None),
    ("you.coins.size", "wrong-type", "you.coins", None),
    ("north.called", "wrong-type", "north.called", None),
    ("march", "wrong-type", "march", "route_exists"),
    ("none", "wrong-type", "none", None),
    # indexes
    ("north.units", "missing-index", "units", "units[...]"),
    ("north.units[wine]", "wrong-type", "wine", None),
    ("north.units[red, blue]", "missing-index", "north.units[red, blue]", None),
    ("north.size[red]", "missing-index", "north.size[red]", None),
    ("round[red]", "missing-index", "round[red]", None),
    # sets
    ("{north, red}", "wrong-type", "red", None),
    ("{1, 2}", "wrong-type", "1", None),
    ("{north} | {red}", "wrong-type", "red", None),
    ("{north} + {south}", "wrong-type", "{north} + {south}", None),
    ("red in region", "wrong-type", "red", None),
    ("none in region", "wrong-type", "none", None),
    ("north in you.seat", "wrong-type", "you.seat", None),
    ("len(3)", "wrong-type", "3", None),
    ("{s.size for s in region}", "wrong-type", "s.size", None),
    # loops
    ("sum(s.wet for s in region)", "wrong-type", "s.wet", None),
    ("any(s.size for s in region)", "wrong-type", "s.size", None),
    ("any(x > 1 for x in round)", "wrong-type", "round", None),
    ("count(s.wet for s in region)", "wrong-arguments", "s.wet", None),
    ("first(s.home for s in region)", "wrong-arguments", "s.home", None),
    ("first(n for n in range(0, 3))", "wrong-type", "range(0, 3)", None),
    ("min(s.size for s in region)", "wrong-arguments", "min(s.size for s in region)", "default=0"),
    ("sum(s.size for s in region, default=0)", "wrong-arguments", "sum(s.size for s in region, default=0)", None),
    ("any(you.flagged for you in player)", "shadowing", "you", None),
    ("sum(n for n in range(0, 3, 1))", "wrong-arguments", "range(0, 3, 1)", "range(low, high)"),
    ("range(0, 3)", "wrong-arguments", "range(0, 3)", None),
    ("any(x for x, y in region)", "expression-word", "x, y", None),
    # calls
    ("limit(3)", "wrong-arguments", "limit(3)", "write limit"),
    ("limit()", "wrong-arguments", "limit()", "write limit"),
    ("held", "wrong-arguments", "held", "held(who)"),
    ("held()", "wrong-arguments", "held()", "held(who)"),
    ("held(who=you)", "wrong-arguments", "held(who=you)", None),
    ("held(north)", "wrong-type", "north", None),
    ("shares(north, you)", "wrong-type", "north", None),
    ("len(region, 3)", "wrong-arguments", "len(region, 3)", None),
    ("min()", "wrong-arguments", "min()", None),
    ("min(1, north)", "wrong-type", "north", None),
    ("you.rival()", "wrong-arguments", "you.rival()", None),
    ("possible(you)", "wrong-type", "you", None),
    ("nth(north, 1)", "wrong-type", "north", None),
    ("nth({north}, 1)", "wrong-type", "{north}", None),
    ("nth(region, 3)", "out-of-range", "3", None),
    ("order(3)", "wrong-type", "3", None),
    ("abs(north)", "wrong-type", "north", None),
    # formulas
    ("north.worth", "wrong-arguments", "north.worth", "worth(times)"),
    ("north.worth(red)", "wrong-type", "red", None),
    ("north.worth(1, 2)", "wrong-arguments", "north.worth(1, 2)", None),
    ("north.size(1)", "wrong-arguments", "north.size(1)", None),
    # routes
    ("route_exists(march, north, west)", "wrong-arguments", "march", None),
    ("route_exists(march(north), north, west)", "wrong-type", "north", None),
    ("route_exists(march(you), north)", "wrong-arguments", "route_exists(march(you), north)", None),
    ("route_exists(march(you), red, west)", "wrong-type", "red", None),
    ("reachable(march(you), north)", "wrong-arguments", "reachable(march(you), north)", None),
    ("west in reachable(march(you))", "wrong-arguments", "reachable(march(you))", None),
    # what is no part of the language
    ("1 / 2", "expression-word", "1 / 2", "//"),
    ("1.5", "expression-word", "1.5", None),
    ("'wine'", "expression-word", "'wine'", "quotation marks"),
    ("True", "expression-word", "True", "write true"),
    ("None", "expression-word", "None", "write none"),
    ("[north, 3]", "wrong-type", "3", None),
    ("[north, south][:1]", "expression-word", ":1", "`move: 3`"),
    ("[north] | [south]", "wrong-type", "[north] | [south]", "one after the other"),
    ("place_of(s for s in region)", "wrong-type", "region", "order(x)"),
    ("{}", "wrong-type", "{}", "where the place tells its kind"),
    ("lambda: 3", "expression-word", "lambda: 3", "term"),
    ("2 ** 100", "expression-word", "2 ** 100", None),
    ("round + (y := 3)", "expression-word", "y := 3", "`let`"),
    ("10000000000", "expression-word", "10000000000", None),
    ("you.stock[0:1]", "expression-word", "0:1", None),
    ("(lambda: 3)()", "expression-word", "lambda: 3", None),
    # what cannot be read
    ("round +", "expression-syntax", None, "missing after `+`"),
    ("round > 1 and ", "expression-syntax", None, "missing after `and`"),
    ("round = 3", "expression-syntax", "=", "=="),
    ("round => 3", "expression-syntax", None, "written >="),
    ("round =< 3", "expression-syntax", None, "written <="),
    ("round > 1 && true", "expression-syntax", "&", "`and`"),
    ("!true", "expression-syntax", "!", "`not`"),
    ("(round + 1", "expression-syntax", "(", None),
    ("round +", "expression-syntax", None, None),
    ("you.stock[]", "expression-syntax", "]", None),
    ("a b", "expression-syntax", None, None),
    ("north.class > 1", "expression-syntax", None, "`class`"),
    # too much
    ("-" * 100 + "1", "expression-size", "-" * 100 + "1", "term"),
    ("1" + " + 1" * 600, "expression-size", None, None),
    ("sum(n for n in range(0, 1000000))", "too-much-work", "sum(n for n in range(0, 1000000))", None),
]


@pytest.mark.parametrize(("expression", "code", "text", "hint"), WRONG, ids=[str(row[0])[:60] for row in WRONG])
def test_a_wrong_expression_has_one_finding_at_its_very_characters(
    tmp_path: Path, expression: str, code: str, text: str | None, hint: str | None
) -> None:
    folder = small(tmp_path, value(expression))
    reported = findings(folder)
    assert [each.code for each in reported] == [code]
    assert text is None or marked(folder, reported[0]) == text
    assert hint is None or hint in f"{reported[0].message} {reported[0].advice}"


RIGHT = [
    "you.seat is not none and you.seat.wet",
    "you.seat is none or you.seat.wet",
    "not (you.seat is none) and you.seat.wet",
    "not (you.seat is none or round > 1) and you.seat.wet",
    "(you.seat is not none and round > 1) and you.seat.wet",
    "(you.seat == north or you.seat == south) and you.seat.wet",
    "you.seat == north and you.seat.wet",
    "north == you.seat and you.seat.wet",
    "you.seat in region and you.seat.wet",
    "you.seat.wet if you.seat is not none else false",
    "false if you.seat is none else you.seat.wet",
    "you.seat is not none and you.seat.owner is not none and you.seat.owner.flagged",
    "any(s.owner.flagged for s in region if s.owner is not none)",
    "any(s.owner.flagged for s in region if s.owner is not none if s.owner.flagged)",
    "any(s.owner is not none and s.owner.flagged for s in region)",
    "{s.owner for s in region if s.owner is not none}",
    "you.stock[amber] + you.stock[good.amber]",
    "amber in good",
    "season.amber == amber",
    "order(good.amber) == 2",
    "min(s.size for s in region, default=0)",
    "1 + max(s.size for s in region if s.wet, default=0) + min(s.size for s in region, default=-1)",
    "max((s.size for s in region), default=0)",
    "first(s for s in region if s.wet) == west",
    "nth(region, 2) == west",
    "next(west) == north",
    "west in reachable(march(you), north)",
    "route_exists(wander, north, west) or route_exists(wander(), north, west)",
    "cheapest_route(march(you), north, west) < 9999",
    "len({north} | region - {south} & region)",
    "north.worth(2) + west.worth(limit)",
    "sum(n for n in range(1, 4))",
    "count(p for s in region for p in player if s.owner == p)",
    "count(s for s in region for p in player if s.owner == p)",
    "north if round > 1 else none",
    "1 < 2 < 3",
]


@pytest.mark.parametrize("expression", RIGHT)
def test_a_sound_expression_has_no_finding(tmp_path: Path, expression: str) -> None:
    assert findings(small(tmp_path, value(expression))) == ()


def test_a_finding_after_a_default_without_parentheses_keeps_its_column(tmp_path: Path) -> None:
    first, second = "max(s.size for s in region, default=0)", "max(s.sze for s in region, default=0)"
    folder = small(tmp_path, value(f"{first} + märz + {second}"))
    assert [marked(folder, each) for each in findings(folder)] == ["märz"]
    folder = small(tmp_path, value(f"{first} + {second}"))
    assert [marked(folder, each) for each in findings(folder)] == ["sze"]


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("1 + you.coins", "1 + you.coins; 1; you.coins; you"),
        ("0 < round <= 4", "0 < round <= 4; 0 < round; 0; round; round <= 4; round; 4"),
        ("north not in region", "north not in region; north not in region; north; region"),
        (
            "count(s for s in region if s.wet if not s.wet)",
            "count(s for s in region if s.wet if not s.wet); region; "
            "s.wet if not s.wet; s.wet; s; not s.wet; s.wet; s; ",
        ),
        (
            "sum(s.size for s in region for n in range(0, 2))",
            "sum(s.size for s in region for n in range(0, 2)); region; "
            "(s.size for s in region for n in range(0, 2)); range(0, 2); 0; 2; s.size; s",
        ),
        ("held(you) if true else 0", "held(you) if true else 0; true; held(you); you; 0"),
    ],
)
def test_each_part_of_a_typed_expression_knows_its_very_characters(tmp_path: Path, expression: str, parts: str) -> None:
    """The checker gives every node the span of what it was made of."""
    rules = front(small(tmp_path, value(expression)), None, ()).rules
    step = next(step for step in every_step(rules.procedures["phases.turn"].body) if isinstance(step, ir.Let))
    begin = step.value.span
    assert begin is not None
    found = [expression[s.column - begin.column : s.end_column - begin.column] if (s := part.span) else ""
             for part in step.value.walk()]  # fmt: skip
    assert "; ".join(found) == parts


def test_conditions_of_one_list_rely_on_those_before_but_not_on_those_after(tmp_path: Path) -> None:
    def choice(first: str, second: str) -> str:
        return f"- choose: x\n  from: region\n  where:\n    one: {first}\n    two: {second}\n  if_possible: true"

    assert findings(small(tmp_path, choice("x.owner is not none", "x.owner.flagged"))) == ()
    folder = small(tmp_path, choice("x.owner.flagged", "x.owner is not none"))
    assert [(each.code, marked(folder, each)) for each in findings(folder)] == [("maybe-none", "x.owner")]


def test_an_expression_that_goes_over_a_large_kind_six_times_is_refused_at_once(tmp_path: Path) -> None:
    goods = ", ".join(f"g{number}: {{}}" for number in range(60))
    things = THINGS.replace("amber: {}}", f"amber: {{}}, {goods}}}", 1)
    test = " + ".join(f"you.stock[{name}]" for name in "abcdef")
    expression = f"any({test} > 3 " + " ".join(f"for {name} in good" for name in "abcdef") + ")"
    reported = findings(small(tmp_path, value(expression), things=things))
    assert [each.code for each in reported] == ["too-much-work"]
    twice = value("any(you.stock[a] > you.stock[b] for a in good for b in good)")
    assert findings(small(tmp_path, twice, things=things)) == ()


def test_sets_that_never_change_count_for_the_members_that_they_have(tmp_path: Path) -> None:
    """Each of 60 regions has two ports: going over the ports of ports of ports is little, over all regions much."""
    rows = "".join(f"    r{n}: {{worth: 1, ports: [r{(n + 1) % 60}, r{(n + 2) % 60}]}}\n" for n in range(60))
    things = THINGS.replace("  region:\n    north: {worth", f"  region:\n{rows}    north: {{worth", 1)
    loops = "any(d.size > 3 for a in region for b in a.{0} for c in b.{0} for d in c.{0})"
    assert findings(small(tmp_path, value(loops.format("ports")), things=things)) == ()
    reported = findings(small(tmp_path, value(loops.format("near")), things=things))
    assert [each.code for each in reported] == ["too-much-work"]


def test_terms_that_double_one_another_are_refused_where_it_becomes_too_much(tmp_path: Path) -> None:
    terms = "terms:\n  t0: {is: round}\n" + "".join(f"  t{n}: {{is: t{n - 1} * t{n - 1}}}\n" for n in range(1, 60))
    (finding,) = findings(small(tmp_path, value("t59"), more=terms))
    assert finding.code == "too-much-work"


@pytest.mark.parametrize("downward", [True, False])
def test_a_long_chain_of_terms_is_one_finding_in_either_order(tmp_path: Path, downward: bool) -> None:
    chain = [f"  t{n}: {{is: t{n - 1} + 1}}\n" for n in range(1, 1000)]
    terms = "terms:\n" + "".join(reversed(chain) if downward else chain) + "  t0: {is: round}\n"
    assert [each.code for each in findings(small(tmp_path, value("t999"), more=terms))] == ["too-much-work"]


@pytest.mark.parametrize("downward", [True, False])
def test_terms_that_are_long_themselves_may_be_explained_one_by_the_other(tmp_path: Path, downward: bool) -> None:
    """How they are arranged on the page makes no difference, and Python's stack none either."""
    chain = [f"  t{n}: {{is: 1 + (1 + t{n - 1})}}\n" for n in range(1, 58)]
    terms = "terms:\n" + "".join(reversed(chain) if downward else chain) + "  t0: {is: round}\n"
    assert findings(small(tmp_path, value("t57"), more=terms)) == ()


def test_a_long_circle_of_long_terms_is_a_finding(tmp_path: Path) -> None:
    """Python's recursion limit is no reason for a traceback."""
    circle = "".join(f"  t{n}: {{is: {'1 + (' * 20}t{(n + 1) % 50}{')' * 20}}}\n" for n in range(50))
    assert [each.code for each in findings(small(tmp_path, more=f"terms:\n{circle}"))] == ["too-much-work"]


def test_a_term_that_many_rows_change_stays_small(tmp_path: Path) -> None:
    cards = "".join(f"    c{n}: {{changes: {{limit: base + {n}}}}}\n" for n in range(40))
    things = THINGS.replace("    famine:\n", cards + "    famine:\n")
    assert findings(small(tmp_path, value("limit"), things=things)) == ()


@pytest.mark.parametrize("text", ["(" * 300, "[" * 300, "f(" * 300, "not " * 300, "x" + ".y" * 300, "(a," * 300])
def test_however_deep_an_expression_is_it_is_refused_with_a_finding(tmp_path: Path, text: str) -> None:
    (finding,) = findings(small(tmp_path, value(text)))
    assert finding.code in ("expression-syntax", "expression-size")


def test_a_number_that_is_too_large_is_told_the_largest(tmp_path: Path) -> None:
    [finding] = findings(small(tmp_path, "- let: {x: 900000000000}"))
    assert finding.message == "this number is too large: the largest that can be written is 1000000000"
    assert findings(small(tmp_path / "largest", "- let: {x: 1000000000}")) == ()


def test_the_limits_are_those_of_the_language() -> None:
    assert (LONGEST, DEEPEST) == (2000, 40)
