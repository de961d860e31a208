"""A small sound ruleset for tests of wrong ones: a test puts one wrong thing into it and looks at what is said."""

from __future__ import annotations

import textwrap
from pathlib import Path

import polis_rules
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.pipeline import front

MANIFEST = """
format: 2
ruleset: small
title: Small
files: [things.yaml, play.yaml]
scenario: standard
"""

SCENARIO = """
scenario: standard
title: Standard
"""

THINGS = """
kinds:
  player:
    attributes:
      rival: player
    state:
      coins: {type: 0..9, start: 3, spendable: true, title: coins}
      stock: {per: good, type: 0..9, start: 2, spendable: true}
      pieces: 0..9
      seat: region or none
      flagged: flag
  good: {}
  season: {}
  region:
    attributes:
      size: {type: 0..9, default: 1}
      wet: {type: flag, default: false}
      home: {type: player or none, default: none}
      ports: {type: set of region, default: []}
      yields: {type: 0..9, per: good, default: 1}
      worth: {type: formula, of: {times: number}}
      called: {type: text, default: nothing}
    state:
      owner: player or none
      units: {per: player, type: 0..9}
      near: set of region
  card:
    in_force: shown == it
    attributes:
      now: effects
      after: {type: effects, per: player}
      changes: {type: changes, default: {}}
state:
  round: 0..9
  shown: card or none
  favourite: region
tables:
  player:
    red: {rival: blue}
    blue: {rival: red}
  good: {wine: {}, oil: {}, amber: {}}
  season: {spring: {}, amber: {}}
  region:
    north: {worth: 2, home: red, ports: [south]}
    south: {worth: times + 1}
    west: {worth: "it.size * times", wet: true}
  card:
    feast:
      now:
        - gain: {coins: 1}
      changes: {limit: base + 1}
    famine:
      after:
        red:
          - lose: {coins: 1}
graphs:
  land:
    edges:
      north-south: {}
      south-west: {}
  ferries:
    edges:
      north-west: {}
routes:
  march:
    of: {who: player}
    over: [land]
    through:
      region: space.units[who.rival] == 0
    costs:
      region: space.size
    also:
      ferries: who.flagged
  wander:
    over: [land]
terms:
  limit: {is: 5}
  held:
    of: {who: player}
    is: count(s for s in region if s.owner == who)
  shares:
    of: {who: player, place: region}
    is: place.owner == who
supplies:
  pieces:
    per: player
    total: 9
    reserve: owner.pieces
    places:
      units: sum(s.units[owner] for s in region)
"""

PLAY = """
actions:
  work: {title: Work, do: [{gain: {coins: 1}}]}
  claim:
    title: Claim
    cost: {coins: 1}
    choose:
      target:
        from: region
        where:
          free: target.owner is none
    do:
      - set: {target.owner: you}
procedures:
  take:
    of: {place: region, taker: player}
    do:
      - set: {place.owner: taker}
  count_round:
    do:
      - set: {round: round + 1}
endings:
  over: {title: All is over}
score:
  terms:
    spaces: held(who)
    coins: who.coins
"""

GAME = """
phases:
  game:
    - each: you
      in: player
      do: [turn]
    - end: over
  turn:
"""

STEPS = """
- choose: deed
  from: action
  where: possible(deed)
- perform: deed
"""


def lay(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def small(folder: Path, steps: str = STEPS, more: str = "", things: str = THINGS, game: str = GAME) -> Path:
    """Write the small ruleset with these steps of a turn and `more` sections in a file of its own."""
    play = PLAY + game + textwrap.indent(textwrap.dedent(steps).strip("\n"), "    ") + "\n"
    files = {"things.yaml": things, "play.yaml": play, "scenarios/standard.yaml": SCENARIO}
    manifest = MANIFEST
    if more:
        manifest = MANIFEST.replace("play.yaml]", "play.yaml, more.yaml]")
        files["more.yaml"] = textwrap.dedent(more)
    return lay(folder / "small", {"ruleset.yaml": manifest, **files})


def findings(folder: Path) -> tuple[Diagnostic, ...]:
    """Everything that is found in a ruleset; nothing when it is sound and compiles."""
    try:
        rules = front(folder).rules
    except RulesetError as error:
        return error.diagnostics
    from polis_rules.interpreter.compiler import compile_rules

    compile_rules(rules, checks=True, trace=True)
    return ()


def marked(folder: Path, finding: Diagnostic) -> str:
    """The characters that a finding points at."""
    assert finding.span is not None
    span = finding.span
    lines = (folder.parent / span.file).read_text(encoding="utf-8").split("\n")
    assert span.line == span.end_line
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]


def started(folder: Path, seed: int = 0) -> polis_rules.Game:
    """A game of a ruleset."""
    return polis_rules.load(folder).start(seed=seed)
