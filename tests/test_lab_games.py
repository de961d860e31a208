"""Many games of bots as rows: `polis_rules.lab`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.small_ruleset import lay

import polis_rules
from polis_rules import Ruleset
from polis_rules.interpreter.runtime import Program
from polis_rules.interpreter.runtime.native import NativeMissingError, Wanted
from polis_rules.lab import Batch, LabError, Plan, Table, columns, play, played, spans, table_of
from polis_rules.play import bots

SHELF = Path(__file__).parent / "rulesets"

EMPTY_PILE = """\
variant: empty_pile
title: No card can be drawn
extends: dice_race
why: A draw from nothing is to be seen.

change:
  procedures.draw_a_card.do.drawn.where: {was: drawn.in_pile > 0, to: drawn.in_pile > 99}
"""


@cache
def batch(name: str, seed: int, bot: str = "random") -> Batch:
    """The rows of one game with decisions and rounds."""
    ruleset = polis_rules.load(name if "/" not in name else SHELF / name)
    return Table(ruleset, (bot,) * len(ruleset.players), decisions=True, rounds=True).play(0, seed)


def test_a_row_tells_what_a_game_played_by_the_same_bots_tells() -> None:
    """Ending, scores, winner, number of decisions, and what was chosen."""
    ruleset = polis_rules.load("yucata")
    game = ruleset.start(seed=7)
    seated = bots.seated(["random", "random"], 7)
    chosen: Counter[tuple[str, str, str]] = Counter()
    while (decision := game.decision) is not None:
        option = seated[ruleset.players.index(decision.player)].choose(game)
        if option.refers_to is not None:
            chosen[decision.player, *option.refers_to] += 1
        game.apply(option)
    result = game.result
    assert result is not None
    row = batch("yucata", 7).games[0]
    assert (row.ending, row.winners) == (result.ended_by, result.winners)
    assert dict(zip(ruleset.players, row.scores, strict=True)) == result.scores
    assert row.decisions == sum(kind == "decision" for kind, _, _ in game.log)
    assert row.chances == sum(kind == "chance" for kind, _, _ in game.log)
    assert row.rounds == game.rounds
    assert chosen.items() <= {(*each,): times for each, times in row.uses.items()}.items()


@pytest.mark.slow  # starts processes
def test_rows_are_the_same_for_any_number_of_processes() -> None:
    plan = Plan(SHELF / "leduc", games=20, seed=3, seats=("mcts:20", "random")).settled()
    wanted = [(begin, begin + 5) for begin in range(0, 20, 5)]
    assert list(play(plan, wanted, 2)) == list(play(plan, wanted, 1))


def test_where_there_is_no_compiler_the_same_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine of a cluster that has none, though the one that gives out the games has."""
    plan = Plan(SHELF / "leduc", games=2, seats=("mcts:5", "mcts:5")).settled()
    expected = [each.games for each in play(plan)]
    program = Ruleset.program

    def without_compiler(ruleset: Ruleset, native: Wanted | None = None) -> Program:
        if native == "c":
            raise NativeMissingError("there is no C compiler", "install one")
        return program(ruleset, native=native)

    monkeypatch.setattr(Ruleset, "program", without_compiler)
    assert [each.games for each in play(replace(plan, native="c"))] == expected


def test_all_that_was_taken_is_among_what_may_be_taken() -> None:
    table = Table(polis_rules.load("yucata"), ("random", "random"))
    for seed in range(5):
        assert set(table.play(0, seed).games[0].uses) <= set(table.things)


def test_a_draw_from_nothing_takes_nothing(tmp_path: Path) -> None:
    variant = tmp_path / "empty_pile.yaml"
    variant.write_text(EMPTY_PILE, "utf-8")
    ruleset = polis_rules.load(SHELF / "dice_race", variants=[variant])
    table = Table(ruleset, ("random",) * len(ruleset.players))
    row = table.play(0, 1).games[0]
    assert row.failed == ""
    assert row.ending
    assert not any(each.player == "" and each.kind == "card" for each in row.uses)


def test_rounds_and_decisions_add_up_to_the_game() -> None:
    whole = batch("yucata", 8)
    row = whole.games[0]
    assert [each.decision for each in whole.decisions] == list(range(1, row.decisions + 1))
    assert len(whole.rounds) == row.rounds
    assert sum(each.decisions for each in whole.rounds) == row.decisions
    uses: Counter[object] = Counter()
    for each in whole.rounds:
        uses.update(each.uses)
    assert uses == row.uses


def test_the_last_round_ends_with_the_final_score() -> None:
    whole = batch("yucata", 8)
    assert whole.rounds[-1].scores == tuple(each["total"] for each in whole.games[0].scores)


def test_a_bot_that_fails_in_one_game_does_not_end_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bots.seated

    def one_fails(names: list[str], seed: int) -> list[bots.SeatBot]:
        if seed == 1:
            raise ZeroDivisionError("no such plan")
        return made(names, seed)

    monkeypatch.setattr("polis_rules.play.bots.by_name.seated", one_fails)
    rows = list(played(Plan("yucata", games=3, seats=("random", "random"))))
    assert [row.failed for row in rows] == ["", "ZeroDivisionError: no such plan", ""]


def test_shares_of_the_win_add_up_to_one() -> None:
    """Also where several win or nobody does."""
    for name in ("rulesets/hearts", "rulesets/connect_four", "yucata"):
        ruleset = polis_rules.load(name if "/" not in name else SHELF.parent / name)
        table = Table(ruleset, ("random",) * len(ruleset.players))
        for seed in range(4):
            assert sum(table.play(0, seed).games[0].shares) == pytest.approx(1)


PATIENCE = """\
format: 2
ruleset: patience
title: Patience
files: [all.yaml]
scenario: standard
"""

ALONE = """\
kinds:
  player: {title: Player}
  a: {title: A}
  a__b: {title: A and B}
tables:
  player: {red: {title: Red}}
  a: {b__c: {title: One}, d: {title: Two}}
  a__b: {c: {title: Three}, d: {title: Four}}
phases:
  game:
    - choose: one
      who: red
      from: a
    - choose: other
      who: red
      from: a__b
    - if: other == a__b.d
      then:
        - end: won
          winner: red
    - end: lost
      winner: none
endings: {won: {title: Won}, lost: {title: Lost}}
score: {terms: {}}
"""


def test_who_plays_alone_and_does_not_win_has_nothing_of_a_win(tmp_path: Path) -> None:
    scenario = "scenario: standard\ntitle: Standard\n"
    files = {"ruleset.yaml": PATIENCE, "all.yaml": ALONE, "scenarios/standard.yaml": scenario}
    plan = Plan(lay(tmp_path, files), games=20, seats=("random",))
    assert {(row.ending, row.shares) for row in played(plan)} == {("won", (1.0,)), ("lost", (0.0,))}
    names = [
        each.name for each in columns(table_of(plan.settled()), "games") if each.name.startswith("uses__red__a__b")
    ]
    assert names == ["uses__red__a__b__c", "uses__red__a__b__c_2", "uses__red__a__b__d"], "ids may hold two underscores"


def test_more_games_or_greater_seeds_than_files_hold_are_refused_before_any_is_played() -> None:
    plan = Plan("yucata", seats=("random", "random"))
    for each in (replace(plan, games=10**12), replace(plan, seed=2**63 - 1)):
        with pytest.raises(LabError, match=r"games at most|no seed of a game"):
            next(played(each))


def test_what_is_done_is_not_played_again() -> None:
    plan = Plan("yucata", games=30, seats=("mcts:300", "mcts:300"))
    assert spans(plan, [(8, 16), (0, 4)]) == [(4, 8), (16, 24), (24, 30)]
    assert spans(plan, [(0, 30)]) == []


def test_rows_of_rounds_need_rules_that_count_them() -> None:
    with pytest.raises(LabError, match="does not say how its rounds are counted"):
        Plan(SHELF / "connect_four", rows=("rounds",)).settled()


def test_every_seat_needs_a_bot() -> None:
    with pytest.raises(LabError, match="1 bots for 2 players"):
        Plan("yucata", seats=("random",)).settled()
