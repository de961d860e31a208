"""Checks beyond types find what they are for, at its very place."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_market import (
    ALSO,
    AND,
    CITED,
    COST,
    ENDS,
    HOW_MUCH,
    ISLES,
    PAYS,
    REQUIRES,
    ROLLS,
    SHOWS,
    SO_MUCH,
    TAKES,
    WHERE,
    findings,
    market,
)

from polis_rules.diagnostics.codes import explanations

HERE = Path(__file__).parent

Case = tuple[str, dict[str, str], str, str]

BROKEN: dict[str, Case] = {}
"""By name: more sections, texts to replace, the code of the finding, and the text that it points at."""


def case(name: str, code: str, mark: str, more: str = "", **edit: str) -> None:
    """Keep a case; the texts to replace come as pairs old, new."""
    BROKEN[name] = (more, dict(zip(list(edit.values())[::2], list(edit.values())[1::2], strict=True)), code, mark)


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
case("a good that does not grow anywhere", "never-gained", "salt", a="start: 1,", b="", c="good: {}",
     d="good: {attributes: {grows: {type: flag, default: false}}}", e="oil: {title: Oil}",
     f="oil: {title: Oil, grows: true}\n    salt: {title: Salt}", g="wine: {title: Wine}",
     h="wine: {title: Wine, grows: true}", i=PAYS, j="""- choose: crop
        title: Which crop?
        from: good
        where: {it_must_grow: crop.grows}
        do: [{gain: {crop: 1}}]
      """ + PAYS)  # fmt: skip
case("more than the range", "unpayable", "coins", a=COST, b="cost: {coins: 10}")
case("more than at the start", "unpayable", "2", a=PAYS, b="- pay: {wine: 2}")
case("set beyond the range", "never-fits", "6 + round", a="- set: {round: round + 1}", b="- set: {round: 6 + round}")

# options
case("a range without numbers", "no-option", "5..you.stock[wine] - 6", a=PAYS,
     b=f"{HOW_MUCH}5..you.stock[wine] - 6{SO_MUCH}")  # fmt: skip
case("perhaps no numbers", "no-option", "1..you.coins", a=PAYS,
     b=f"{HOW_MUCH}1..you.coins{SO_MUCH}")  # fmt: skip
case("a draw each round", "short-draw", "draw", a="while: round < 5 and shown != famine", b="while: round < 5",
     c="- set: {round: round + 1}\n", d="""- set: {round: round + 1}
          - do: deal(1)
""", more="""
    procedures:
      deal:
        of: {cards: number}
        do:
          - repeat:
              times: cards
              do:
                - draw: dealt
                  from: card
                  where: dealt.left > 0
                - set: {dealt.left: dealt.left - 1}
    """)  # fmt: skip
case("a season without a card", "short-draw", "autumn", more="""
    kinds: {season: {}}
    tables: {season: {spring: {title: Spring}, summer: {title: Summer}, autumn: {title: Autumn}}}
    state: {season_now: season}
    """, a="copies: 1..3", b="copies: 1..3\n      comes_in: season", c="{title: Feast, copies: 1}",
     d="{title: Feast, copies: 1, comes_in: spring}", e="{title: Famine, copies: 2}",
     f="{title: Famine, copies: 2, comes_in: summer}", g="where: card_drawn.left > 0",
     h="where: card_drawn.left > 0 and card_drawn.comes_in == season_now", i="- set: {round: round + 1}\n",
     j="- set: {round: round + 1}\n          - set: {season_now: next(season_now)}\n")  # fmt: skip
case("no space to choose", "no-option", "choose", a=PAYS, b=f"""{PAYS}
      - choose: lost
        title: Which space do you lose?
        from: spot
        where: lost.owner == you
      - set: {{lost.owner: none}}""")  # fmt: skip
case("more draws than cards", "short-draw", "draw", more="procedures: {}", a="  game:\n", b="""  game:
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
case("pieces that become coins", "from-nowhere", "you.coins", a="        to: target.units[you]",
     b="        to: you.coins")  # fmt: skip
case("a space given back without its piece", "from-nowhere", "target.owner",
     a=TAKES, b="- do: leave_space(target)\n      " + TAKES + "\n      - set: {you.pieces: you.pieces - 1}",
     more="""
    procedures:
      leave_space: {of: {target: spot}, do: [{set: {target.owner: none}}]}
    """, c="units: sum(s.units[owner] for s in spot)", d="units: count(s for s in spot if s.owner == owner)",
     e="      - move: 1\n        from: you.pieces\n        to: target.units[you]\n", f="",
     g="          - perform: deed", h="          - perform: deed\n          - do: leave_space(north)")  # fmt: skip
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

case("an isle that one may only leave", "unreachable", "i5",
     more=ISLES.replace("i4-i5: {}", "i5-i4: {one_way: true}"))  # fmt: skip
case("an isle that one may not leave", "unreachable", "i5",
     more=ISLES.replace("i4-i5: {}", "i4-i5: {one_way: true}"))  # fmt: skip
case("two halves of a map", "cut-off", "i4",
     more=ISLES.replace("near: [i4]", "near: []").replace("near: [i1]", "near: [i5]"))  # fmt: skip
case("a lane to what is not crossed", "odd-edge", "rock", more=ISLES.replace("near: [i2]", "near: [i2, i3, i5]")
     .replace("3, near: [i4]", "3, near: [i4, i1, i5]").replace("near: [i1]", "near: [i1, rock, i2]"))  # fmt: skip

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


case("a value that no row gives", "always-default", "wet", a=", wet: true", b="")
case("only set to what it is", "never-written", "tired", more="state: {tired: flag}", a="while: round < 5",
     b="while: not tired and round < 5", c=ENDS, d=f"- set: {{tired: false}}\n    {ENDS}")  # fmt: skip
case("a second choice without an option", "unguarded-choice", "part", a="        where: you.stock[ware] > 0\n",
     b="""        where: you.stock[ware] > 0
      part:
        title: Where?
        from: spot
        where: part.owner == you
""", c=PAYS, d=PAYS + "\n      - set: {part.owner: none}")  # fmt: skip
case("performed in any case", "unguarded-action", "perform", a="        where: possible(deed)\n", b="")
case("performed by another rule", "unguarded-action", "do", a="        where: possible(deed)\n", b="",
     c="          - perform: deed", d="          - do: take(deed)",
     more="procedures: {take: {of: {chosen: action}, do: [{perform: chosen}]}}")  # fmt: skip
case("moved away and never there", "never-gained", "north.debts[you]", a=PAYS, b=PAYS + """
      - move: 1
        from: north.debts[you]
        to: south.claims[you]
      - move: 1
        from: south.claims[you]
        to: you.pieces""", c="units: {per: player, type: 0..9}", d="""units: {per: player, type: 0..9}
      debts: {per: player, type: 0..9}
      claims: {per: player, type: 0..9}""", e="sum(s.units[owner] for s in spot)",
     f="sum(s.units[owner] + s.debts[owner] + s.claims[owner] for s in spot)")  # fmt: skip
case(
    "less than none", "never-fits", "0 - 1 - you.coins", a="- gain: {coins: 2}", b="- gain: {coins: 0 - 1 - you.coins}"
)
case("twice in one", "said-twice", "you.pieces > 0", a=REQUIRES, b="a_piece_is_left: you.pieces > 0 and you.pieces > 0")
case("the same value in any case", "same-branches", "1 if you.coins > 1 else 1", a="- gain: {coins: 2}",
     b="- gain: {coins: 1 if you.coins > 1 else 1}")  # fmt: skip
case("a change to the same", "no-effect", "2", a="copies: 1..3", b="copies: 1..3\n      meanwhile: changes",
     c="  card:\n    attributes", d="  card:\n    in_force: shown == it\n    attributes",
     e="{title: Feast, copies: 1}", f="{title: Feast, copies: 1, meanwhile: {rent: 2}}")  # fmt: skip
case("crossed and not in the way", "idle-entry", "roads", a="    over: [roads]\n",
     b="    over: [roads]\n    also: {roads: who == red}\n")  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_found_at_its_place(tmp_path: Path, name: str) -> None:
    """One thing wrong with the market gives a finding of its code, which points at the very words."""
    more, edit, code, mark = BROKEN[name]
    found = market(tmp_path, more, edit)
    assert (code, mark) in found


def test_every_code_of_a_check_has_a_case() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in (HERE.parent / "polis_rules" / "validation" / "lints").glob("*.py")
    )
    reported = {code for code in explanations() if f'"{code}"' in text}
    tried = {code for _, _, code, _ in BROKEN.values()} | {"changes-nothing", "unknown-variant"}
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


def test_a_variant_named_wrongly_is_found(tmp_path: Path) -> None:
    (tmp_path / "long_game.yaml").write_text("variant: long_game\n")
    change = "change:\n  terms.rent.is: {was: 2, to: 3}\n"
    assert market(tmp_path, variant=f"conflicts: [long_gamme]\n{change}") == [("unknown-variant", "long_gamme")]
    assert market(tmp_path, variant=f"conflicts: [long_game, quite_another]\n{change}") == []
