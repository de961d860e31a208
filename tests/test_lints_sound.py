"""Checks beyond types say nothing about what is sound, least of all about what is shipped."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from support.small_market import (
    ALSO,
    AND,
    COST,
    ENDS,
    HOW_MUCH,
    ISLES,
    PAYS,
    REQUIRES,
    SHOWS,
    SO_MUCH,
    TAKES,
    WHERE,
    market,
)

from polis_rules.composition.catalog import find, scenario_files, variants_of
from polis_rules.validation.checks import checks
from polis_rules.validation.validate import validate

HERE = Path(__file__).parent
SMALL_GAMES = sorted(path.parent for path in (HERE / "rulesets").glob("*/ruleset.yaml"))

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
    names = [name for name, _ in checks()]
    assert len(names) > 12
    for name in names:
        text = import_module(f"polis_rules.validation.lints.{name}").__doc__ or ""
        assert "\nWhy: " in text and "\nExample: " in text, name


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


sound("a draw each round from a deck that is shuffled", a="while: round < 5 and shown != famine", b="while: round < 5",
      c="- set: {round: round + 1}\n", d="""- set: {round: round + 1}
          - draw: dealt
            from: card
            where: dealt.left > 0
          - set: {dealt.left: dealt.left - 1}
          - if: shown == famine
            then: [{set: {dealt.left: dealt.copies}}]
""")  # fmt: skip
sound("isles that are all reached", more=ISLES)
sound("an isle that another route leads to", more=ISLES.replace("over: [lanes, ferries]", "over: [lanes]").replace(
    "    terms:", "      ferry: {over: [ferries], through: {isle: space.calm}}\n    terms:").replace(
    "route_exists(sail, a, b)", "route_exists(sail, a, b) or route_exists(ferry, a, b)"))  # fmt: skip
sound("a space to choose that is asked for", a=PAYS, b=f"""{PAYS}
      - if: held(you) > 0
        then:
          - choose: lost
            title: Which space do you lose?
            from: spot
            where: lost.owner == you
          - set: {{lost.owner: none}}""")  # fmt: skip
sound("a value that one row gives", a="copies: 1..3", b="copies: 1..3\n      size: {type: 0..3, default: 1}",
      c="{title: Feast, copies: 1}", d="{title: Feast, copies: 1, size: 2}",
      e="coins: who.coins +", f="coins: sum(c.size * c.held[who] for c in card) + who.coins +")  # fmt: skip
sound("a second choice that the first asks for", a="        where: you.stock[ware] > 0\n",
      b="""        where: you.stock[ware] > 0 and any(s.owner == you for s in spot)
      part:
        title: Where?
        from: spot
        where: part.owner == you
""", c=PAYS, d=PAYS + "\n      - set: {part.owner: none}")  # fmt: skip
sound("performed by another rule", a="          - perform: deed", b="          - do: take(deed)",
      more="procedures: {take: {of: {chosen: action}, do: [{perform: chosen}]}}")  # fmt: skip
sound("a change to more", a="copies: 1..3", b="copies: 1..3\n      meanwhile: changes",
      c="  card:\n    attributes", d="  card:\n    in_force: shown == it\n    attributes",
      e="{title: Feast, copies: 1}", f="{title: Feast, copies: 1, meanwhile: {rent: base + 1}}")  # fmt: skip
sound("a flag that comes and goes", more="state: {tired: flag}", a="while: round < 5",
      b="while: not tired and round < 5", c=ENDS, d=f"- set: {{tired: true}}\n    {ENDS}")  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_is_left_alone(tmp_path: Path, name: str) -> None:
    """What resembles a mistake and is none gives no finding."""
    assert market(tmp_path, *SOUND[name]) == []
