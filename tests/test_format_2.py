"""From format 1 to format 2: what people wrote is written shorter, says the same, and keeps its comments."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.composing import lay

from polis_rules.authoring.format_2 import to_format_2
from polis_rules.authoring.migrations import migrate
from polis_rules.composition import compose
from polis_rules.composition.overlay import plain
from polis_rules.diagnostics import Diagnostics
from polis_rules.source import node_at
from polis_rules.validation import validate

MANIFEST = """\
format: 1                       # the first
ruleset: game
title: A game
sources:
  rulebook: {title: Rulebook}
  letters:
    title: Letters of the author
files: [play.yaml]
scenario: {scenario: only}
"""

PLAY = """\
kinds:
  player:
    state: {coins: {type: 0..9, spendable: true, title: coins}}
tables:
  player:
    red: {title: Red, cite: "rulebook, 1", grade: quoted}
    blue: {title: Blue, cite: "rulebook, 1", grade: quoted}
terms:
  limit:
    is: 3
    cite: rulebook, 2
    grade: quoted               # in so many words

  least:
    is: 1
    cite: letters
    grade: inferred
procedures:
  # what is done first
  begin:
    cite: rulebook, "3. Turns"
    grade: quoted
    do:
      # only once
      - if: limit > 2
        then:
          # as the rulebook says
          - gain: {coins: 1}
            who: red
      - if: least > 0
        then: [go_on]

  go_on:
    cite: rulebook, "3. Turns"
    grade: quoted
    do:
      - if: limit > 2
        then:
          - if: least > 0
            then:
              - gain: {coins: least}
                who: blue
        else:
          - gain: {coins: limit}
            who: red

  rest:
    cite: rulebook, "3. Turns"
    grade: inferred
    do: [begin]
phases:
  game:
    cite: letters
    grade: inferred
    do:
      - rest
      - end: over
endings:
  over: {cite: "letters", grade: inferred}
score: {terms: {coins: who.coins}}
"""

AFTER = """\
kinds:
  player:
    state: {coins: {type: 0..9, spendable: true, title: coins}}
tables:
  player:
    red: {title: Red, cite: "rulebook, 1"}
    blue: {title: Blue, cite: "rulebook, 1"}
terms:
  limit:
    is: 3
    cite: rulebook, 2
    # in so many words

  least:
    is: 1
    cite: letters
procedures:
  cite: rulebook, "3. Turns"

  # what is done first
  begin:
    do:
      # only once
      - when: limit > 2
        # as the rulebook says
        gain: {coins: 1}
        who: red
      - when: least > 0
        do: go_on

  go_on:
    do:
      - if: limit > 2
        then:
          - when: least > 0
            gain: {coins: least}
            who: blue
        else:
          - gain: {coins: limit}
            who: red

  rest:
    grade: inferred
    do: [begin]
phases:
  game:
    cite: letters
    do:
      - rest
      - end: over
endings:
  over: {cite: "letters"}
score: {terms: {coins: who.coins}}
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return lay(tmp_path / "game", {"ruleset.yaml": MANIFEST, "play.yaml": PLAY})


def test_a_ruleset_is_written_as_a_person_would(old: Path) -> None:
    """Grades go to the sources, shared citations stand above, single steps have a `when`; comments stay."""
    files = {path: path.read_text("utf-8") for path in sorted(old.glob("*.yaml"))}
    new = to_format_2(files)
    assert new[old / "play.yaml"] == AFTER
    assert "  rulebook: {title: Rulebook, grade: quoted}\n" in new[old / "ruleset.yaml"]
    assert "    title: Letters of the author\n    grade: inferred\n" in new[old / "ruleset.yaml"]


def test_what_is_in_the_new_format_is_left_alone(old: Path) -> None:
    files = {path: path.read_text("utf-8") for path in old.glob("*.yaml")}
    assert to_format_2(to_format_2(files)) == to_format_2(files)


def test_a_migrated_ruleset_is_sound_and_every_rule_is_cited_as_before(old: Path) -> None:
    """Citations and grades of the composed rules are those that were written before."""
    _, changes = migrate(old, Diagnostics())
    for each in changes:
        each.path.write_text(each.after, "utf-8")
    assert validate(old).errors == 0
    tree = plain(compose(old).tree)
    assert isinstance(tree, dict)
    procedures = tree["procedures"]
    assert isinstance(procedures, dict)
    cited = {id: (rule.get("cite"), rule.get("grade")) for id, rule in procedures.items() if isinstance(rule, dict)}
    turns = 'rulebook, "3. Turns"'
    assert cited == {"begin": (turns, "quoted"), "go_on": (turns, "quoted"), "rest": (turns, "inferred")}


EDITION = """\
format: 1
ruleset: second
extends: game
title: A second edition
change:
  tables.player.red.grade: {was: quoted, to: inferred}
  terms.least.cite: {was: letters, to: "rulebook, 4"}
"""


@pytest.mark.parametrize("order", [("game", "second"), ("second", "game")])
def test_an_edition_fits_over_a_ruleset_that_is_migrated_before_it_or_after_it(old: Path, order: list[str]) -> None:
    """A grade stays written where an edition beside alters it, or the citation that would tell it."""
    lay(old.parent / "second", {"ruleset.yaml": EDITION})
    for folder in order:
        for each in migrate(old.parent / folder, Diagnostics())[1]:
            each.path.write_text(each.after, "utf-8")
    assert validate(old.parent / "second").errors == 0
    tree = compose(old.parent / "second").tree
    grades = [node_at(tree, *path, "grade") for path in (("tables", "player", "red"), ("terms", "least"))]
    assert grades == ["inferred", "inferred"]


OLD_PATHS = """\
variant: rich
change:
  scenario.start.player.coins.red: {was: 1, to: 2}    # one more
  scenario.start.field.units.north.red: {was: 2, to: 1}
  scenario.start.player.discs:
    red: {was: 3, to: 4}
    blue: {was: 3, to: 4}
  scenario.start.lap: {was: 1, to: 2}
"""

NEW_PATHS = """\
variant: rich
change:
  scenario.start.player.red.coins: {was: 1, to: 2}    # one more
  scenario.start.field.north.units.red: {was: 2, to: 1}
  scenario.start.player.red.discs: {was: 3, to: 4}
  scenario.start.player.blue.discs: {was: 3, to: 4}
  scenario.start.lap: {was: 1, to: 2}
"""


def test_paths_of_variants_name_the_member_before_its_state() -> None:
    """So they do where the variant lies in the folder of the rules that say what is state; once is enough."""
    rules = "kinds:\n  player: {state: {coins: 0..9, discs: 0..9}}\n  field:\n    state:\n      units: {per: player}\n"
    for text in (OLD_PATHS, NEW_PATHS):
        assert to_format_2({Path("kinds.yaml"): rules, Path("rich.yaml"): text})[Path("rich.yaml")] == NEW_PATHS


VALUES = """\
scenario: short
start:                          # as the box says
  lap: 2

  # who holds what
  field.owner:                  # none is neutral
    north: red
    # the hill
    south: blue                 # by the river
  field.units: {north: {red: 3}, south: {blue: 1}}    # one each

  player.coins: {red: 2, blue: 3}
"""

CASES = """\
given: {lap: 3, player.coins: {red: 1}, player.hand: {red: [fox]}}
cases:
  a_case:
    do: [red: dig]
    then:
      player.coins: {red: 3}    # one more
      player.discs: {red: 1}
      weather: fair
    changes: {player.coins: {red: 1, blue: 0}, player.discs: {red: 1, blue: 0}, player.cubes: {red: 1, blue: 0}, lap: 0}
"""

NESTED_VALUES = """\
scenario: short
start:                          # as the box says
  lap: 2

  # who holds what
  # owner: none is neutral
  # owner: the hill
  # owner: by the river
  # units: one each
  field:
    north: {owner: red, units: {red: 3}}
    south: {owner: blue, units: {blue: 1}}

  player: {red: {coins: 2}, blue: {coins: 3}}
"""

NESTED_CASES = """\
given: {lap: 3, player: {red: {coins: 1, hand: [fox]}}}
cases:
  a_case:
    do: [red: dig]
    then:
      # coins: one more
      player: {red: {coins: 3, discs: 1}}
      weather: fair
    changes: {player: {red: {coins: 1, discs: 1, cubes: 1}, blue: {coins: 0, discs: 0, cubes: 0}}, lap: 0}
"""


@pytest.mark.parametrize(("old_text", "new_text"), [(VALUES, NESTED_VALUES), (CASES, NESTED_CASES)])
def test_first_values_and_those_of_cases_come_below_kinds_and_members(old_text: str, new_text: str) -> None:
    """What is said of one member comes together; comments stay, and say which state they are about."""
    path = Path("a.yaml")
    assert to_format_2({path: old_text}) == {path: new_text}
    assert to_format_2({path: new_text}) == {path: new_text}
