"""What a bot deals anew for its tries depends on nothing that its player cannot see."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from polis_rules import load
from polis_rules.interpreter.runtime import Program, State
from polis_rules.play import bots
from polis_rules.play.bots.dealing import Dealer

GUESS = """\
format: 2
ruleset: guess
title: A guess
sources:
  own: {title: Written for these tests, grade: quoted}
cite: own, rules
scenario: {scenario: standard, title: One guess}
kinds:
  size: {title: Size}
  card: {title: Card}
  player:
    title: Player
    state:
      guessed: {type: size, title: guess}
      amount: {type: 0..6, title: amount, seen_by: viewer == it}
      limit: {type: 0..6, title: limit, seen_by: viewer == it}
      kept: {type: set of card, title: kept, seen_by: viewer == it}
      rest: {type: set of card, title: rest, seen_by: viewer == it}
      left: {type: list of card, at_most: 4, title: left, seen_by: viewer == it, size_seen_by: viewer == it}
      middle: {type: list of card, at_most: 4, title: middle, seen_by: viewer == it, size_seen_by: viewer == it}
      right: {type: list of card, at_most: 4, title: right, seen_by: viewer == it, size_seen_by: viewer == it}
tables:
  size:
    small: {title: Small}
    large: {title: Large}
  card:
    king: {title: King}
    queen: {title: Queen}
    jack: {title: Jack}
    ace: {title: Ace}
  player:
    ann: {title: Ann}
    bob: {title: Bob}
phases:
  game:
    - SECRET
    - choose: guessed
      title: Is it large?
      who: bob
      from: size
    - set: {bob.guessed: guessed}
    - when: (guessed == large) == (HIDDEN >= 2)
      end: hit
      winner: bob
    - end: missed
      winner: ann
endings:
  hit: {title: Bob was right}
  missed: {title: Bob was wrong}
score:
  terms:
    guess: order(who.guessed)
"""

LIMITED = """\
together: you
      in: player
      do:
        - choose: l
          title: What limit?
          from: 1..6
        - set: {you.limit: l}
    - together: you
      in: player
      do:
        - choose: a
          title: What amount?
          from: 0..5
          where: {it_must_be_below_your_limit: a < you.limit}
        - set: {you.amount: a}"""

ROLLED = """\
roll: luck
      dice: 1d4
      title: Luck
      seen_by: viewer == ann"""


PUT_AWAY = """\
roll: luck
      dice: 1d4
      title: Luck
    - set: {ann.amount: luck}"""

DRAWN = """\
draw: luck
      from: card
      title: Luck
    - set: {ann.kept: "{luck}", ann.rest: "{c for c in card if c != luck}"}"""


def guess(folder: Path, secret: str, hidden: str) -> Program:
    rules = GUESS.replace("SECRET", secret).replace("HIDDEN", hidden)
    (folder / "ruleset.yaml").write_text(rules, encoding="utf-8")
    return load(folder).program()


def told(program: Program, positions: list[State]) -> set[str]:
    """What of positions is told to Bob's bots: those that they deal, and what they choose."""
    dealer, found = Dealer(program), set[str]()
    for state in positions:
        assert program.decider(state) == 1
        picks = [bots.make(name, 1).pick(program, state, program.options(state)) for name in ("greedy", "mcts:60")]
        found.add(f"{dealer.worlds(state, 1, Random(1), 12)} {picks}")
    return found


def test_a_hidden_value_is_not_told_by_what_another_hidden_one_allows(tmp_path: Path) -> None:
    """How much Ann may have taken depends on her limit: it is that of the deal, not her own."""
    program = guess(tmp_path, LIMITED, "ann.amount")
    positions = []
    for limit in range(1, 7):
        state = program.new_state(1)
        for answer in (limit, 1, 0, 0):
            program.apply(state, answer)
        positions.append(state)
    assert len(told(program, positions)) == 1


def test_what_is_dealt_anew_keeps_to_what_its_rules_allow(tmp_path: Path) -> None:
    program = guess(tmp_path, LIMITED, "ann.amount")
    state = program.new_state(1)
    for answer in (6, 1, 5, 0):
        program.apply(state, answer)
    slots = {value.variable.name: value.slot for value in program.views.closed if value.indexes == (0,)}
    worlds = Dealer(program).worlds(state, 1, Random(1), 60)
    assert all(world[slots["amount"]] < world[slots["limit"]] for world in worlds)
    assert {world[slots["limit"]] for world in worlds} == {1, 2, 3, 4, 5, 6}


def test_dice_that_only_another_player_sees_are_rolled_anew(tmp_path: Path) -> None:
    """They stand in a local name until Bob has guessed."""
    program = guess(tmp_path, ROLLED, "luck")
    positions = []
    for answer in range(1, 5):
        position = program.new_state(1)
        program.apply(position, answer)
        positions.append(position)
    assert len({tuple(each) for each in positions}) == 4
    assert len(told(program, positions)) == 1


@pytest.mark.parametrize(("secret", "hidden"), [(PUT_AWAY, "luck"), (DRAWN, "order(luck)")])
def test_what_came_out_and_was_put_away_is_dealt_anew_under_its_name_too(
    secret: str, hidden: str, tmp_path: Path
) -> None:
    """It stands in a local name as well until Bob has guessed, and is the same as where it was put."""
    program = guess(tmp_path, secret, hidden)
    positions = []
    for answer in range(4):
        position = program.new_state(1)
        program.apply(position, answer + (secret == PUT_AWAY))
        positions.append(position)
    assert len({tuple(each) for each in positions}) == 4
    assert len(told(program, positions)) == 1
    local, put = (program.points[0].slot, {value.variable.name: value.slot for value in reversed(program.views.closed)})
    for world in Dealer(program).worlds(positions[1], 1, Random(1), 20):
        assert world[put["amount"]] == world[local] or world[put["kept"]] == 1 << world[local]


@pytest.mark.parametrize("other", [(4, 0, 2), (1, 4, 1), (2, 2, 2)])
def test_how_many_lie_in_each_of_several_uncounted_places_is_dealt_anew(
    tmp_path: Path, other: tuple[int, int, int]
) -> None:
    program = guess(tmp_path, "let: {luck: {type: 0..6, start: 1}}", "luck")
    positions = []
    for sizes in ((0, 2, 4), other):
        state = program.new_state(1)
        for value in program.views.closed:
            if value.variable.type.base == "list" and value.indexes == (0,):
                size = sizes[("left", "middle", "right").index(value.variable.name)]
                state[value.slot : value.slot + 5] = [size, *[0] * size, *[-1] * (4 - size)]
        positions.append(state)
    dealt = [Dealer(program).worlds(state, 1, Random(1), 12) for state in positions]
    assert dealt[0] == dealt[1]
