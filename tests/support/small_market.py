"""A small sound ruleset without findings: tests put one thing into it and look at what is found."""

from __future__ import annotations

import textwrap
from pathlib import Path

from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.validation.validate import validate
from support.small_ruleset import lay

MANIFEST = """
format: 2
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
  player: {red: {coins: 2}, blue: {coins: 3}}
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
    return [(finding.code, mark) for finding, mark in findings(folder, more, edit, variant)]


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
    result = validate(folder / "market", variants=variants)
    assert not result.skipped, result.findings
    return [(each, marked(each, result.sources)) for each in result.findings]


def marked(finding: Diagnostic, sources: dict[str, str]) -> str:
    """The characters that a finding points at."""
    assert finding.span is not None
    line = sources[finding.span.file].split("\n")[finding.span.line - 1]
    assert finding.span.end_line == finding.span.line
    return line[finding.span.column - 1 : finding.span.end_column - 1]


# -- texts of it that tests replace -------------------------------------------------------------------------------

REQUIRES = "a_piece_is_left: you.pieces > 0"
WHERE = "free: target.owner is none"
AND = "\n          other: "
ALSO = "\n      other: "
