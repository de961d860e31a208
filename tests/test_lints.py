"""Checks beyond types find what they are for, at its very place, and say nothing about what is sound."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from small_ruleset import lay

from polis_rules.catalog import find, scenario_files, variants_of
from polis_rules.diagnostics import MESSAGES, Diagnostic
from polis_rules.lints import checks
from polis_rules.validation import validate

HERE = Path(__file__).parent
SMALL_GAMES = sorted(path.parent for path in (HERE / "rulesets").glob("*/ruleset.yaml"))

MANIFEST = """
format: 1
ruleset: market
title: Market
sources:
  book: {title: The rules}
files: [things.yaml, play.yaml, more.yaml]
scenario: standard
"""

SCENARIO = """
scenario: standard
title: Two traders
cite: book, page 1
grade: quoted
start:
  player.coins: {red: 2, blue: 3}
"""

THINGS = """
kinds:
  player:
    attributes:
      rival: player
    state:
      coins: {type: 0..9, spendable: true, title: coins}
      stock: {per: good, type: 0..9, start: 1, spendable: true, title: stock}
      pieces: 0..9
  good: {}
  spot:
    attributes:
      wet: {type: flag, default: false}
    state:
      owner: player or none
      units: {per: player, type: 0..9}
  card:
    attributes:
      copies: 1..3
    state:
      left: {type: 0..3, start: it.copies}
      held: {per: {holder: player}, type: 0..3, seen_by: viewer == holder}
state:
  round: 0..5
  shown: card or none
tables:
  player:
    red: {title: Red, rival: blue}
    blue: {title: Blue, rival: red}
  good:
    wine: {title: Wine}
    oil: {title: Oil}
  spot:
    north: {title: North}
    south: {title: South}
    east: {title: East}
    west: {title: West, wet: true}
  card:
    feast: {title: Feast, copies: 1}
    famine: {title: Famine, copies: 2}
graphs:
  roads:
    edges:
      north-south: {}
      south-east: {}
      east-west: {}
routes:
  walk:
    of: {who: player}
    over: [roads]
    through:
      spot: not space.wet and space.units[who.rival] == 0
terms:
  rent: {is: 2, cite: "book, page 2", grade: quoted}
  discount: {is: 0, cite: "book, page 2", grade: quoted}
  held:
    of: {who: player}
    is: count(s for s in spot if s.owner == who)
    cite: book, page 3
    grade: quoted
  hand_of:
    of: {who: player}
    is: sum(c.held[who] for c in card)
    cite: book, page 3
    grade: quoted
supplies:
  pieces:
    per: player
    total: 9
    reserve: owner.pieces
    places:
      units: sum(s.units[owner] for s in spot)
endings:
  over: {title: All is over, cite: "book, page 4", grade: quoted}
score:
  terms:
    spaces: held(who)
    coins: who.coins + who.stock[wine] + who.stock[oil]
"""

PLAY = """
actions:
  claim:
    title: Claim
    cite: book, page 5
    grade: quoted
    cost: {coins: rent - discount}
    requires:
      a_piece_is_left: you.pieces > 0
    choose:
      target:
        title: Which space?
        from: spot
        where:
          free: target.owner is none
          within_reach: target == north or route_exists(walk(you), north, target)
    do:
      - set: {target.owner: you}
      - move: 1
        from: you.pieces
        to: target.units[you]
  sell:
    title: Sell
    cite: book, page 5
    grade: quoted
    choose:
      ware:
        title: Which good?
        from: good
        where: you.stock[ware] > 0
    do:
      - pay: {ware: 1}
      - gain: {coins: 2}
  draw_one:
    title: Draw a card
    cite: book, page 6
    grade: quoted
    requires:
      few_held: hand_of(you) < 2
    do:
      - draw: card_drawn
        from: card
        where: card_drawn.left > 0
        if_possible: true
      - if: card_drawn is not none
        then:
          - move: 1
            from: card_drawn.left
            to: card_drawn.held[you]
          - set: {shown: card_drawn}
phases:
  game:
    - repeat:
        while: round < 5 and shown != famine
        do:
          - set: {round: round + 1}
          - each: you
            in: player
            do: [turn]
    - end: over
  turn:
    do:
      - choose: deed
        title: What do you do?
        from: action
        where: possible(deed)
        or:
          rest: {title: Rest}
      - if: deed is not none
        then:
          - perform: deed
"""


def market(
    folder: Path,
    more: str = "",
    edit: dict[str, str] | None = None,
    variant: str = "",
) -> list[tuple[str, str]]:
    """What is found in the market with another file, other texts or a variant: codes and marked texts."""
    return [(found.code, mark) for found, mark in findings(folder, more, edit, variant)]


def findings(
    folder: Path, more: str = "", edit: dict[str, str] | None = None, variant: str = ""
) -> list[tuple[Diagnostic, str]]:
    """The findings with the text that each points at."""
    files = {
        "ruleset.yaml": MANIFEST,
        "things.yaml": THINGS,
        "play.yaml": PLAY,
        "more.yaml": textwrap.dedent(more) or "terms: {}\n",
        "scenarios/standard.yaml": SCENARIO,
    }
    for old, new in (edit or {}).items():
        assert any(old in text for text in files.values()), f"nothing says {old}"
        files = {name: text.replace(old, new) for name, text in files.items()}
    lay(folder / "market", files)
    variants = []
    if variant:
        text = f"variant: other\ntitle: Other\nextends: market\nwhy: a test\n{textwrap.dedent(variant)}"
        variants = [lay(folder, {"other.yaml": text}) / "other.yaml"]
    found = validate(folder / "market", variants=variants)
    assert not found.skipped, found.findings
    return [(each, marked(each, found.sources)) for each in found.findings]


def marked(found: Diagnostic, sources: dict[str, str]) -> str:
    """The characters that a finding points at."""
    assert found.span is not None
    line = sources[found.span.file].split("\n")[found.span.line - 1]
    assert found.span.end_line == found.span.line
    return line[found.span.column - 1 : found.span.end_column - 1]


# -- what is sound ------------------------------------------------------------------------------------------------


def test_the_sound_market_has_no_findings(tmp_path: Path) -> None:
    assert market(tmp_path) == []


def shipped() -> list[tuple[str, str | None, tuple[str, ...]]]:
    """Every shipped ruleset with each of its scenarios, and with each variant that is written for it."""
    found: list[tuple[str, str | None, tuple[str, ...]]] = []
    for name in sorted(path.parent.name for path in find("yucata").parent.glob("*/ruleset.yaml")):
        found += [(name, scenario, ()) for scenario in scenario_files(find(name))]
        found += [(name, None, (variant,)) for variant in variants_of(name) if _is_for(variant, name)]
    return found


def _is_for(variant: str, name: str) -> bool:
    text = (find("yucata").parent / "variants" / f"{variant}.yaml").read_text(encoding="utf-8")
    return f"extends: {name}\n" in text


@pytest.mark.parametrize(("name", "scenario", "variants"), shipped())
def test_shipped_rulesets_have_no_findings(name: str, scenario: str | None, variants: tuple[str, ...]) -> None:
    assert validate(name, scenario, variants).findings == []


@pytest.mark.parametrize("folder", SMALL_GAMES, ids=lambda path: str(path.name))
def test_the_small_games_have_no_findings(folder: Path) -> None:
    assert validate(folder).findings == []


def test_every_check_says_what_why_and_gives_an_example() -> None:
    """Each file of a check opens with one line, then says why and shows an example."""
    from importlib import import_module

    names = [name for name, _ in checks()]
    assert len(names) > 12
    for name in names:
        text = import_module(f"polis_rules.lints.{name}").__doc__ or ""
        assert "\nWhy: " in text and "\nExample: " in text, name


# -- what is not --------------------------------------------------------------------------------------------------

Case = tuple[str, dict[str, str], str, str]

BROKEN: dict[str, Case] = {}
"""By name: more sections, texts to replace, the code of the finding, and the text that it points at."""


def case(name: str, code: str, mark: str, more: str = "", **edit: str) -> None:
    """Keep a case; the texts to replace come as pairs old, new."""
    BROKEN[name] = (more, dict(zip(list(edit.values())[::2], list(edit.values())[1::2], strict=True)), code, mark)


REQUIRES = "a_piece_is_left: you.pieces > 0"
WHERE = "free: target.owner is none"
AND = "\n          other: "
ALSO = "\n      other: "
ENDS = "- end: over"
TAKES = "- set: {target.owner: you}"
PAYS = "- pay: {ware: 1}"
HOW_MUCH = "- choose: amount\n        title: How much?\n        from: "
ROLLS = "- roll: eyes\n        dice: 1d6\n      "
SO_MUCH = "\n      - pay: {ware: amount}"
COST = "cost: {coins: rent - discount}"
SHOWS = "          - set: {shown: card_drawn}"
CITED = "cite: 'book, 1', grade: quoted"

# conditions
case(
    "above the range", "never-true", "you.pieces > 9", a=REQUIRES, b=REQUIRES + ALSO + "you.pieces > 9 or you.coins > 2"
)
case("below the range", "always-true", "you.coins >= 0", a=REQUIRES, b=REQUIRES + ALSO + "you.coins >= 0")
case("equal to itself", "always-true", "target == target", a=WHERE, b=WHERE + AND + "target == target")
case("count above the kind", "never-true", "held(you) > 4", a=REQUIRES, b=REQUIRES + ALSO + "held(you) > 4")
case("sum above all", "never-true", "len({s for s in spot if s.wet}) > 4", a=REQUIRES,
     b=REQUIRES + ALSO + '"len({s for s in spot if s.wet}) > 4"')  # fmt: skip
case("two ranges", "contradiction", "you.coins < 2", a=REQUIRES, b="a: you.coins > 3" + ALSO + "you.coins < 2")
case("two ranges in one", "contradiction", "you.coins < 2", a=REQUIRES, b="a: you.coins > 3 and you.coins < 2")
case("a sum of ranges", "contradiction", "you.coins < 3", a=REQUIRES, b="a: you.coins + 1 > 4" + ALSO + "you.coins < 3")
case("this one and not this one", "contradiction", "target != north", a=WHERE,
     b=WHERE + AND + "target == north and target != north")  # fmt: skip
case("two members at once", "contradiction", "target == south", a=WHERE,
     b=WHERE + AND + "target == north and target == south")  # fmt: skip
case("less and more", "contradiction", "you.coins > you.pieces", a=REQUIRES,
     b="a: you.coins < you.pieces" + ALSO + "you.coins > you.pieces")  # fmt: skip
case("a flag and its opposite", "contradiction", "target.wet", a=WHERE,
     b=WHERE + AND + "target.wet and not target.wet")  # fmt: skip
case("required and forbidden", "contradiction", "you.pieces == 0", a=WHERE, b=WHERE + AND + "you.pieces == 0")
case("none and somebody", "contradiction", "target.owner == you", a=WHERE, b=WHERE + AND + "target.owner == you")
case("outside of the set", "contradiction", "target == west", a=WHERE,
     b=WHERE + AND + '"target in {north, south} and target == west"')  # fmt: skip
case("an if that cannot be", "contradiction", "you.pieces == 0", a=TAKES,
     b=f"- if: you.pieces == 0\n        then:\n          - gain: {{coins: 1}}\n      {TAKES}")  # fmt: skip
case("just set", "contradiction", "round == 2", a="- set: {round: round + 1}",
     b="- set: {round: 1}\n          - if: round == 2\n            then: [{set: {round: 3}}]")  # fmt: skip
case(
    "the same twice",
    "said-twice",
    "you.pieces > 0",
    a=REQUIRES,
    b="a: you.coins > 1\n      b: you.pieces > 0" + ALSO + "you.pieces > 0",
)
case("a die too small", "never-true", "eyes > 6", a=PAYS,
     b=ROLLS + "- if: eyes > 6\n        then: [{gain: {coins: 1}}]\n      " + PAYS)  # fmt: skip
case("a term too large", "never-true", "round > latest", more=f"terms: {{latest: {{is: 7, {CITED}}}}}",
     a="while: round < 5 and", b="while: not round > latest and")  # fmt: skip

# payments
case(
    "paid and never gained",
    "never-gained",
    "oil",
    a=COST,
    b="cost: {oil: 1}",
    c="start: 1,",
    d="",
)
case("more than the range", "unpayable", "coins", a=COST, b="cost: {coins: 10}")
case("more than at the start", "unpayable", "2", a=PAYS, b="- pay: {wine: 2}")
case("set beyond the range", "never-fits", "6 + round", a="- set: {round: round + 1}", b="- set: {round: 6 + round}")

# options
case("a range without numbers", "no-option", "5..you.stock[wine] - 6", a=PAYS,
     b=f"{HOW_MUCH}5..you.stock[wine] - 6{SO_MUCH}")  # fmt: skip
case("perhaps no numbers", "no-option", "1..you.coins", a=PAYS,
     b=f"{HOW_MUCH}1..you.coins{SO_MUCH}")  # fmt: skip
case("more draws than cards", "short-draw", "dealt", more="procedures: {}", a="  game:\n", b="""  game:
    - repeat:
        times: 4
        do:
          - draw: dealt
            from: card
            where: dealt.left > 0
          - set: {dealt.left: dealt.left - 1}
""")  # fmt: skip

# the set-up, pieces, secrets, order
case("a set-up that breaks a rule", "broken-invariant", "all(p.coins > 2 for p in player)",
     more="invariants: {rich: all(p.coins > 2 for p in player)}")  # fmt: skip
case("a piece for nothing", "from-nowhere", "you.pieces", a=PAYS,
     b="- pay: {ware: 1}\n      - set: {you.pieces: you.pieces - 1}",
     c="units: sum(s.units[owner] for s in spot)", d="units: count(s for s in spot if s.owner == owner)",
     e="      - move: 1\n        from: you.pieces\n        to: target.units[you]\n",
     f="      - set:\n          you.pieces: you.pieces - 1\n          target.units[you]: 1\n")  # fmt: skip
case(
    "the cards of others",
    "hidden-state",
    "feast.held[you.rival] > 0",
    a=REQUIRES,
    b=REQUIRES + ALSO + "feast.held[you.rival] > 0",
)
case(
    "the cards of others by a term",
    "hidden-state",
    "hand_of(you.rival) > 0",
    a=REQUIRES,
    b=REQUIRES + ALSO + "hand_of(you.rival) > 0",
)
case("one after the other", "order-matters", "p.rival.coins", a=ENDS, b=f"""- each: p
      in: player
      do:
        - set:
            p.coins: p.rival.coins
    {ENDS}""")  # fmt: skip

# idle steps
case("after the end", "unreachable-step", "set", a=ENDS, b=f"{ENDS}\n    - set: {{round: 0}}")
case(
    "after a phase that ends",
    "unreachable-step",
    "set",
    a=ENDS,
    b="- finish\n    - set: {round: 0}\n  finish:\n    - end: over",
)
case("to itself", "no-effect", "round", a="- set: {round: round + 1}", b="- set: {round: round}")
case("nothing at all", "no-effect", "0", a="- gain: {coins: 2}", b="- gain: {coins: 0}")
case("set twice", "overwritten", "target.owner", a=TAKES, b=f"- set: {{target.owner: none}}\n      {TAKES}")
case("one way or the other", "same-branches", "if", a="- gain: {coins: 2}",
     b="- if: you.coins > 1\n        then: [{gain: {coins: 2}}]\n        else: [{gain: {coins: 2}}]")  # fmt: skip
case("for ever", "endless-repeat", "round < 5", a="while: round < 5 and shown != famine", b="while: round < 5",
     c="- set: {round: round + 1}\n", d="- set: {shown: none}\n")  # fmt: skip

# unused rules
case("an unused term", "unused-term", "price", more="terms: {price: {is: 3, cite: 'book, 1', grade: quoted}}")
case("an unused route", "unused-route", "swim", more="routes: {swim: {over: [roads]}}")
case("an unused graph", "unused-graph", "rivers", more="graphs: {rivers: {edges: {north-west: {}}}}")
case("an unused procedure", "unused-rule", "feed", more="procedures: {feed: [{set: {round: 0}}]}")
case("an unused phase", "unused-rule", "winter", more="phases: {winter: [{set: {round: 0}}]}")
case(
    "actions that nobody performs", "unused-rule", "claim", a="          - perform: deed", b="          - perform: sell"
)
case("effects that nobody does", "unused-rule", "now", a="copies: 1..3", b="copies: 1..3\n      now: effects",
     c="{title: Feast, copies: 1}", d="{title: Feast, copies: 1, now: [{set: {round: 0}}]}")  # fmt: skip
case(
    "an ending that never comes",
    "unused-ending",
    "flood",
    more="endings: {flood: {title: Flood, cite: 'book, 4', grade: quoted}}",
)
case("pieces that never move", "unused-supply", "marks", more="""
    state: {marks: 0..9, spent: 0..9}
    supplies: {marks: {total: 5, reserve: marks, places: {spent: spent}}}
""")  # fmt: skip

# unused names
case("a value without use", "unused-name", "price", a=PAYS, b="- let: {price: 2}\n      - pay: {ware: 1}")
case(
    "a die without use",
    "unused-name",
    "eyes",
    a=PAYS,
    b="- roll: eyes\n        dice: 1d6\n      - pay: {ware: 1}",
)
case("a choice without use", "unused-name", "ware", a=PAYS, b="- pay: {wine: 1}")
case("a parameter without use", "unused-parameter", "place", a="do: [turn]", b="do: [{do: turn(north)}]",
     c="  turn:\n", d="  turn:\n    of: {place: spot}\n")  # fmt: skip

# unused things
case("an unused kind", "unused-kind", "season", more="kinds: {season: {}}")
case(
    "an unused attribute",
    "unused-attribute",
    "size",
    a="copies: 1..3",
    b="copies: 1..3\n      size: {type: 0..3, default: 1}",
)
case("a name that nobody says", "unused-member", "blue_sky", more="""
    kinds: {weather: {}}
    tables: {weather: {rain: {title: Rain}, blue_sky: {title: Blue sky}}}
    state: {weather_now: weather or none}
    invariants: {dry: weather_now != rain}
    phases: {cloud_over: [{set: {weather_now: rain}}]}
""", a=ENDS, b=f"- cloud_over\n    {ENDS}")  # fmt: skip
case("unused state", "unused-state", "mood", more="state: {mood: 0..3}")
case(
    "changed and never read",
    "never-read",
    "mood",
    more="state: {mood: 0..3}",
    a=ENDS,
    b=f"- set: {{mood: mood + 1}}\n    {ENDS}",
)
case("read and never changed", "never-written", "mood", more="state: {mood: 0..3}",
     a="while: round < 5", b="while: round + mood < 5")  # fmt: skip

# maps
case("a forgotten space", "isolated-member", "west", a="      east-west: {}\n", b="")
case("an edge there and back", "same-edge", "west-east", a="east-west: {}", b="east-west: {}\n      west-east: {}")
case("crossing what is not there", "idle-entry", "good", a="    over: [roads]\n    through:\n",
     b="    over: [roads]\n    through:\n", more="""
    graphs: {wares: {edges: {wine-oil: {}}}}
    routes: {swap: {over: [wares], costs: {good: 1}}}
""")  # fmt: skip

# sources and titles
case("an unknown source", "unknown-source", "boook", a="cite: book, page 6", b="cite: boook, page 6")
case(
    "a missing cite",
    "missing-cite",
    "rent",
    a='rent: {is: 2, cite: "book, page 2", grade: quoted}',
    b="rent: {is: 2, grade: quoted}",
)
case(
    "a missing grade",
    "missing-grade",
    "rent",
    a='rent: {is: 2, cite: "book, page 2", grade: quoted}',
    b='rent: {is: 2, cite: "book, page 2"}',
)
case("options alike", "same-title", "North", a="south: {title: South}", b="south: {title: North}")
case("a space without a title", "missing-title", "south", a="south: {title: South}", b="south: {}")
case(
    "ways alike", "same-title", "Rest", a="rest: {title: Rest}", b="rest: {title: Rest}\n          sleep: {title: Rest}"
)


case("an island", "cut-off", "south", a="      north-south: {}\n      south-east: {}\n      east-west: {}\n",
     b="      north-east: {}\n      east-west: {}\n      wine-south: {}\n")  # fmt: skip
case("effects that no row has", "unused-attribute", "now", a="copies: 1..3", b="copies: 1..3\n      now: effects",
     c=SHOWS, d=SHOWS + "\n          - do: card_drawn.now")  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_found_at_its_place(tmp_path: Path, name: str) -> None:
    """One thing wrong with the market gives a finding of its code, which points at the very words."""
    more, edit, code, mark = BROKEN[name]
    found = market(tmp_path, more, edit)
    assert (code, mark) in found


def test_every_code_of_a_check_has_a_case() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (HERE.parent / "polis_rules" / "lints").glob("*.py"))
    reported = {code for code in MESSAGES if f'"{code}"' in text}
    tried = {code for _, _, code, _ in BROKEN.values()} | {"changes-nothing", "cut-off"}
    assert reported == tried


def test_one_contradiction_gives_one_finding(tmp_path: Path) -> None:
    edit = {WHERE: WHERE + AND + '"target in {north, south} and target == west"'}
    assert market(tmp_path, "", edit) == [("contradiction", "target == west")]


def test_a_contradiction_shows_the_other_half(tmp_path: Path) -> None:
    ((found, mark),) = findings(tmp_path, "", {REQUIRES: "a: you.coins > 3" + ALSO + "you.coins < 2"})
    ((what, there),) = found.related
    assert (mark, what, there.line) == ("you.coins < 2", "what holds here", found.span.line - 1 if found.span else 0)


def test_an_overlay_that_changes_nothing_is_found(tmp_path: Path) -> None:
    variant = "change:\n  terms.rent.is: {was: 2, to: 2}\n"
    assert market(tmp_path, variant=variant) == [("changes-nothing", "terms.rent.is")]


def test_a_replacement_of_which_a_part_is_new_is_sound(tmp_path: Path) -> None:
    variant = "replace:\n  terms.rent: {is: 2, cite: 'book, page 9', grade: quoted}\n"
    assert market(tmp_path, variant=variant) == []


def test_what_a_variant_leaves_unused_is_no_finding(tmp_path: Path) -> None:
    variant = "change:\n  terms.held.is: {was: count(s for s in spot if s.owner == who), to: 1 + 0 * order(who)}\n"
    assert market(tmp_path, variant=variant) == []


def test_what_a_variant_adds_and_does_not_use_is_one(tmp_path: Path) -> None:
    variant = "add:\n  terms.price: {is: 3, cite: 'book, page 9', grade: quoted}\n"
    assert market(tmp_path, variant=variant) == [("unused-term", "terms.price")]


# -- what looks like it -------------------------------------------------------------------------------------------

SOUND: dict[str, tuple[str, dict[str, str]]] = {}
"""By name: sections and texts that are sound, though they resemble what is wrong."""


def sound(name: str, more: str = "", **edit: str) -> None:
    SOUND[name] = (more, dict(zip(list(edit.values())[::2], list(edit.values())[1::2], strict=True)))


sound("a range within a range", a=REQUIRES, b="a: you.coins > 2" + ALSO + "you.coins < 5")
sound("one of two", a=REQUIRES, b="a: you.coins > 3 or you.coins < 2")
sound(
    "asked again after a change",
    a=TAKES,
    b="""- if: you.coins > 3
        then:
          - gain: {coins: 1}
      - if: you.coins < 2
        then:
          - gain: {coins: 1}
      - set: {target.owner: you}""",
)
sound(
    "asked again inside",
    a=TAKES,
    b="""- if: you.coins > 3
        then:
          - lose: {coins: 3}
          - if: you.coins < 2
            then:
              - gain: {coins: 1}
      - set: {target.owner: you}""",
)
sound("a switch for variants", a=REQUIRES, b=REQUIRES + ALSO + "discount >= 0 and not (discount > 3)")
sound(
    "of the one and of the other",
    a=WHERE,
    b=WHERE + AND + '"any(s == north for s in spot) and any(s == south for s in spot)"',
)
sound("another player", a=REQUIRES, b=REQUIRES + ALSO + "you.coins > 2 and you.rival.coins < 2")
sound("at the end of the range", a=REQUIRES, b=REQUIRES + ALSO + "you.coins >= 1 and you.coins != 9")
sound("defined for a none", a=WHERE, b="free: target.owner is none or target.owner != you")
sound(
    "paid and gained by effects",
    a=COST,
    b="cost: {coins: rent - discount, oil: 1}",
    c="- gain: {coins: 2}",
    d="- gain: {coins: 2, oil: 1}",
)
sound(
    "gained by name",
    a=COST,
    b="cost: {coins: rent - discount, oil: 1}",
    c="start: 1,",
    d="",
    e="- gain: {coins: 2}",
    f="- gain: {coins: 2}\n      - let: {more: ware}\n      - gain: {more: 1}",
)
sound("as much as the range", a=COST, b="cost: {coins: 7 + rent - discount}")
sound(
    "numbers from none on",
    a=PAYS,
    b=f"{HOW_MUCH}0..you.coins{SO_MUCH}",
)
sound("numbers asked for before", a="where: you.stock[ware] > 0", b="where: you.stock[ware] > 0 and you.coins > 0",
      c=PAYS, d=f"{HOW_MUCH}1..you.coins{SO_MUCH}")  # fmt: skip
sound(
    "as many draws as cards",
    a="  game:\n",
    b="""  game:
    - repeat:
        times: 3
        do:
          - draw: dealt
            from: card
            where: dealt.left > 0
          - set: {dealt.left: dealt.left - 1}
""",
)
sound("one's own cards", a=REQUIRES, b=REQUIRES + ALSO + "feast.held[you] > 0 or hand_of(you) > 0")
sound(
    "for each alone",
    a=ENDS,
    b=f"""- each: p
      in: player
      do:
        - set: {{p.coins: p.coins // 2}}
    {ENDS}""",
)
sound(
    "in an order that is said",
    a=ENDS,
    b=f"""- each: p
      in: player
      starting: red
      do:
        - set: {{p.coins: p.rival.coins}}
    {ENDS}""",
)
sound(
    "an end on one side",
    a=ENDS,
    b=f"- if: round == 3\n      then:\n        - end: over\n    - set: {{round: 0}}\n    {ENDS}",
)
sound(
    "a value asked for between",
    a=TAKES,
    b="""- set:
          target.owner: none
          shown: famine if target.owner is none else feast
          target.owner: you""".replace("          target.owner: you", "")
    + "      - set: {target.owner: you}",
)
sound("a loop that is left", a="while: round < 5 and shown != famine", b="while: round < 5",
      c="- set: {round: round + 1}\n",
      d="- if: all(p.coins == 0 for p in player) and shown == none\n            then: [{set: {round: 5}}, stop]\n",
      )  # fmt: skip
sound("a set-up that keeps a rule", more="invariants: {no_debts: all(p.coins >= 2 for p in player)}")
sound("used by a row", more="terms: {price: {is: 3, cite: 'book, 1', grade: quoted}}", a="copies: 1..3",
      b="copies: 1..3\n      worth: formula", c="copies: 1}", d="copies: 1, worth: price}",
      e="copies: 2}", f="copies: 2, worth: 2}", g="coins: who.coins +",
      h="coins: sum(c.worth * c.held[who] for c in card) + who.coins +")  # fmt: skip
sound("effects that are done", a="copies: 1..3", b="copies: 1..3\n      now: effects", c="{title: Feast, copies: 1}",
      d="{title: Feast, copies: 1, now: [{gain: {coins: 1}}]}", e=SHOWS,
      f=SHOWS + "\n          - do: card_drawn.now")  # fmt: skip
sound("words for people", a="copies: 1..3", b="copies: 1..3\n      story: {type: text, default: nothing}")
sound(
    "a route over two graphs",
    more="graphs: {rivers: {edges: {north-west: {}}}}",
    a="over: [roads]",
    b="over: [roads, rivers]",
)
sound("one way only", a="east-west: {}", b="east-west: {one_way: true}")
sound("two of three without a source", more="""
    procedures:
      feed: {do: [{gain: {coins: 1}}]}
      rest_well: {do: [{gain: {coins: 1}}], cite: "book, page 9", grade: quoted}
""", a="          - perform: deed", b="          - perform: deed\n        else: [feed, rest_well]")  # fmt: skip
sound("a title that two kinds have", a="feast: {title: Feast", b="feast: {title: North")


@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_is_left_alone(tmp_path: Path, name: str) -> None:
    """What resembles a mistake and is none gives no finding."""
    assert market(tmp_path, *SOUND[name]) == []
