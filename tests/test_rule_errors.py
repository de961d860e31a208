"""A rule that fails while a game runs is a RuleError with its place and position, and the game is as it was."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from random import Random

import pytest
from support.sampling import sampled
from support.small_ruleset import GAME, THINGS, marked, small, started

import polis_rules
from polis_rules.diagnostics.errors import RuleError
from polis_rules.interpreter.game.game import Game
from polis_rules.interpreter.runtime import program as playing

CHOICE = "- choose: deed\n  from: action\n  where: possible(deed)\n"
"""One decision, so that there is a position before the rule fails."""

NUMBERS = THINGS.replace("round: 0..9", "round: number")
GOODS = ", ".join(f"g{number}: {{}}" for number in range(60))
MANY_GOODS = THINGS.replace("amber: {}}", f"amber: {{}}, {GOODS}}}", 1)
GHOSTS = THINGS + ("  ghosts:\n    total: 3\n    reserve: round\n    places: {shown: 1 if shown is none else 0}\n")


def procedures(count: int, last: str) -> str:
    """Procedures each of which calls the next one twice."""
    rules = "".join(f"  p{number}: {{do: [p{number + 1}, p{number + 1}]}}\n" for number in range(count))
    return f"procedures:\n{rules}  p{count}:\n    do:\n      - {last}\n"


# steps, part of the message, the characters at the place of the error, and what the ruleset is made with
FAILING: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "no option": ("- choose: x\n  from: region\n  where: x.size > 5", "nothing can be chosen here", "choose", {}),
    "no way": ("- either:\n    a: {where: round > 5}", "nothing can be chosen here", "either", {}),
    "nothing to draw": ("- draw: x\n  from: region\n  where: x.size > 5", "nothing can be chosen here", "draw", {}),
    "no weight": ("- draw: x\n  from: region\n  weight: round - 3", "nothing can be chosen here", "draw", {}),
    "who decides": ("- choose: x\n  from: region\n  who: nth(player, round + 9)", "there is no place 9", "choose", {}),
    "a set out of range": ("- set: {round: round + 20}", "round would be 20, outside of 0..9", "set", {}),
    "a move out of range": (
        "- move: 20\n  from: you.pieces\n  to: north.units[you]", "pieces would be -11, outside of 0..9", "move", {},
    ),
    "a range in a procedure": ("- do: count_up(20)", "round would be 20", "set", {
        "more": "procedures:\n  count_up:\n    of: {many: number}\n    do:\n      - set: {round: round + many}\n",
    }),
    "a range in a loop": (
        "- repeat:\n    times: 20\n    do:\n      - if: round >= 0\n        then:\n          - set: {round: round + 1}",
        "round would be 10", "set", {},
    ),
    "a payment": ("- pay: {coins: 5}", "this payment is more than there is: 5 of 3", "pay", {}),
    "a payment of a kind": ("- pay: {wine: 5}", "this payment is more than there is: 5 of 2", "pay", {}),
    "a payment with a choice": (
        "- choose: x\n  from: region\n  do:\n    - pay: {coins: 5}", "more than there is: 5 of 3", "pay", {},
    ),
    "a negative payment": ("- pay: {coins: round - 5}", "this amount is below 0: -5", "pay", {}),
    "a negative gain": ("- gain: {coins: 2 - 5}", "this amount is below 0: -3", "gain", {}),
    "a negative move": (
        "- move: round - 1\n  from: you.pieces\n  to: north.units[you]", "this amount is below 0: -1", "move", {},
    ),
    "a place outside of a table": ("- set: {favourite: 'nth(region, round + 3)'}", "there is no place 3", "set", {}),
    "a place outside of a table, in what nothing is taken from": (
        "- set: {round: 'count(x for x in {nth(region, round + 9)} if 1 > 2)'}", "there is no place 9", "set", {},
    ),
    "a place before a table": ("- set: {favourite: 'nth(region, round - 1)'}", "there is no place -1", "set", {}),
    "a place in a term": ("- set: {favourite: that_place}", "there is no place 3", "set", {
        "more": "terms: {that_place: {is: 'nth(region, round + 3)'}}",
    }),
    "an endless while": (
        "- repeat:\n    while: true\n    do:\n      - set: {round: 1}", "did not end after 100000 times", "repeat", {},
    ),
    "endless loops in a loop": (
        "- repeat:\n    while: true\n    do:\n      - repeat:\n          times: 90000\n          do: [count_down]",
        "more than 300000 times", "repeat", {"more": "procedures: {count_down: {do: [{set: {round: 0}}]}}"},
    ),
    "large loops in loops": (
        "".join(f"{'    ' * n}- each: {x}\n{'    ' * n}  in: good\n{'    ' * n}  do:\n" for n, x in enumerate("abcd"))
        + "    " * 4 + "- set: {round: 3}",
        "more than 300000 times", "each", {"things": MANY_GOODS},
    ),
    "an endless flow": (
        "- repeat:\n    while: true\n    do:\n      - if: round == 9\n        then: [{end: over}]",
        "without anybody deciding", "repeat", {},
    ),
    "endless dice": (
        "- repeat:\n    while: true\n    do:\n      - roll: x\n        dice: 1d6",
        "without anybody deciding", "roll", {},
    ),
    "endless empty choices": (
        "- repeat:\n    while: true\n    do:\n      - choose: x\n        from: region\n        where: x.size > 5\n"
        "        if_possible: true",
        "without anybody deciding", "choose", {},
    ),
    "procedures that double": ("- p0", "more than 300000 times", "p39, p39", {
        "more": procedures(40, "set: {round: 1}"),
    }),
    "waiting procedures that double": ("- p0", "without anybody deciding", "p3", {
        "more": procedures(40, "if: round == 9\n        then: [{end: over}]"),
    }),
    "numbers without end": (
        "- if: any(n > 9 for n in range(10, round + 1000000000)) and round > 8\n  then: [count_round]",
        "too many to go over", "if", {},
    ),
    "a choice of too many numbers": (
        "- set: {round: 999999999}\n- choose: x\n  from: 0..round",
        "too many to go over", "choose", {"things": NUMBERS},
    ),
    "a repeat of too many times": (
        "- set: {round: 999999999}\n- repeat:\n    times: round\n    do:\n      - set: {round: 3}",
        "more than 300000 times", "repeat", {"things": NUMBERS},
    ),
    "numbers that grow": (
        "- repeat:\n    times: 90\n    do:\n      - set: {round: round * round + 2}",
        "outside of -1000000000..1000000000", "set", {"things": NUMBERS},
    ),
    "an invariant": (
        "- gain: {coins: 5}", "this must always hold, and does not: few coins", "all(p.coins < 6 for p in player)",
        {"more": "invariants: {few_coins: all(p.coins < 6 for p in player)}"},
    ),
    "a route that costs less than nothing": (
        "- choose: x\n  from: region\n  where: cheapest_route(march(you), north, x) < 9",
        "cannot cost less than nothing", "choose",
        {"things": THINGS.replace("region: space.size", "region: space.size - round - 2")},
    ),
    "a supply": ("- set: {shown: feast}", "the supply of ghosts adds up", "ghosts", {"things": GHOSTS}),
}  # fmt: skip


@pytest.mark.parametrize("fault", sampled(FAILING, every=3, slow=2))
def test_a_failing_rule_is_told_with_its_place_and_leaves_the_game_as_it_was(tmp_path: Path, fault: str) -> None:
    steps, message, text, made = FAILING[fault]
    folder = small(tmp_path, CHOICE + steps, **made)
    game = started(folder)
    assert game.decision is not None
    before = game.hash(), game.log, game.report, game.decision, list(game.state)
    with pytest.raises(RuleError) as raised:
        game.apply("work")
        assert game.decision is not None
        before = game.hash(), game.log, game.report, game.decision, list(game.state)
        game.apply(game.decision.options[0])
    error = raised.value
    assert message in error.message
    assert error.span is not None
    lines = (folder.parent / error.span.file).read_text(encoding="utf-8").split("\n")
    assert lines[error.span.line - 1][error.span.column - 1 :].startswith(text)
    assert error.position == before[0]
    assert str(error).startswith(f"{error.span}: ")
    assert (game.hash(), game.log, game.report, game.decision, list(game.state)) == before


def test_a_game_that_stops_without_an_ending_is_a_mistake_of_the_rules(tmp_path: Path) -> None:
    folder = small(tmp_path, CHOICE, game=GAME.replace("    - end: over\n", ""))
    game = started(folder)
    game.apply("work")
    before = game.hash()
    with pytest.raises(RuleError, match="without an ending") as raised:
        game.apply("work")
    assert marked(folder, raised.value) == "game"
    assert (raised.value.position, game.hash()) == (before, before)


def test_a_rule_that_fails_before_the_first_decision_is_told_when_the_game_starts(tmp_path: Path) -> None:
    folder = small(tmp_path, "- choose: x\n  from: region\n  where: x.size > 5")
    with pytest.raises(RuleError, match="nothing can be chosen") as raised:
        started(folder)
    assert marked(folder, raised.value) == "choose"
    assert len(raised.value.position) == 16


def test_a_score_that_cannot_be_worked_out_is_told_with_its_place(tmp_path: Path) -> None:
    folder = small(tmp_path, CHOICE)
    play = folder / "play.yaml"
    play.write_text(play.read_text().replace("coins: who.coins", "coins: 'nth(region, who.coins).size'"))
    game = started(folder)
    game.apply("work")
    game.apply("work")
    assert game.finished
    with pytest.raises(RuleError, match="coins reads what is not there") as raised:
        _ = game.result
    assert marked(folder, raised.value).startswith("nth(region")


@pytest.mark.slow
def test_none_is_never_read_before_the_check_that_guards_it(tmp_path: Path) -> None:
    for test in (
        "you.seat is not none and route_exists(march(you), you.seat, west)",
        "you.seat is not none and west in reachable(march(you), you.seat)",
        "you.seat is not none and cheapest_route(march(you), you.seat, west) > 3",
        "north.owner is not none and route_exists(march(north.owner), north, west)",
        "you.seat is not none and you.seat.owner is not none and you.seat.owner.coins > 3",
    ):
        folder = small(tmp_path, CHOICE + f'- let:\n    found: "{test}"\n- set: {{you.flagged: found}}')
        game = started(folder)
        game.apply("work")
        assert game.view("red")["player"]["red"]["flagged"] is False  # type: ignore[index]


def test_stop_leaves_the_loop_of_its_own_procedure_only(tmp_path: Path) -> None:
    more = """
    procedures:
      count_to_three:
        do:
          - repeat:
              while: true
              do:
                - if: round % 3 == 2
                  then:
                    - count_round
                    - stop
                - count_round
    """
    steps = CHOICE + "- each: x\n  in: region\n  do: [count_to_three]"
    game = started(small(tmp_path, steps, more=more))
    game.apply("work")
    assert game.view("red")["game"]["round"] == 9  # type: ignore[index]


def quick_failure(folder: Path) -> RuleError:
    program = polis_rules.load(folder).program()
    state = program.new_state(0)
    with pytest.raises(RuleError) as raised:
        program.playout(state, Random(0))
    return raised.value


def test_the_fast_program_ends_an_endless_flow_too(tmp_path: Path) -> None:
    steps, message, *_ = FAILING["an endless flow"]
    folder = small(tmp_path, CHOICE + steps)
    assert message in quick_failure(folder).message


def test_the_fast_program_tells_a_place_outside_of_a_table(tmp_path: Path) -> None:
    steps, message, *_ = FAILING["a place outside of a table"]
    assert message in quick_failure(small(tmp_path, CHOICE + steps)).message


def test_a_playout_may_end_with_the_last_step_that_a_game_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One step less is too few."""
    program = polis_rules.load(small(tmp_path, CHOICE)).program()
    count = len([*program.steps(program.new_state(0), lambda _, options: options[0])])
    monkeypatch.setattr(playing, "LONGEST_GAME", count)
    assert program.playout(program.new_state(0), Random(0)).decisions == count
    monkeypatch.setattr(playing, "LONGEST_GAME", count - 1)
    with pytest.raises(RuleError, match="has not come to an end"):
        program.playout(program.new_state(0), Random(0))


def test_a_copy_is_not_touched_by_the_error_of_the_other(tmp_path: Path) -> None:
    game: Game = started(small(tmp_path, CHOICE + "- set: {round: round + 20}"))
    other = game.copy()
    with pytest.raises(RuleError):
        game.apply("work")
    assert (other.hash(), other.log, other.decision) == (game.hash(), game.log, game.decision)
    assert not game.undo()


TRIED = """
- choose: target
  from: region
  do:
    - do: take(target, you)
    - repeat: {times: 3, do: [count_round]}
  leaving: target.owner == you
"""


def test_asking_what_may_be_chosen_is_counted_anew_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polis_rules.interpreter.runtime.running.MOST_AT_ONCE", 50)
    game = started(small(tmp_path, TRIED))
    for _ in range(20):
        assert len(game.program.options(game.state)) == 3


def test_games_of_a_copied_program_are_counted_anew_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polis_rules.interpreter.runtime.running.MOST_AT_ONCE", 50)
    game = started(small(tmp_path, TRIED))
    for _ in range(20):
        program = copy(game.program)
        assert len(program.options(program.new_state())) == 3


def test_a_procedure_that_is_tried_out_tells_what_it_does_when_it_is_done(tmp_path: Path) -> None:
    things = THINGS.replace("owner: player or none", "owner: {type: player or none, title: owner}")
    game = started(small(tmp_path, TRIED, things=things))
    game.apply("west")
    assert any("owner" in line for line in game.report), game.report
