"""A game as one object: its past, its copies, what it refuses, and what it tells to whom."""

from __future__ import annotations

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.small_ruleset import lay

import polis_rules
from polis_rules import Game, InvalidMove, PolisError
from polis_rules.interpreter.evaluator import Wording
from polis_rules.interpreter.game import Options
from polis_rules.interpreter.game.history import MOST_STATES
from polis_rules.interpreter.machine import YOU, Event
from polis_rules.interpreter.runtime import Program

SCENARIO = "scenario: standard\ntitle: Standard\n"
SMALL = Path(__file__).parent / "rulesets"


def game_of(folder: Path, rules: str, chance: str = "auto", seed: int = 0) -> Game:
    """A game of a ruleset with one file."""
    manifest = "format: 2\nruleset: tiny\ntitle: Tiny\nfiles: [all.yaml]\nscenario: standard\n"
    files = {"ruleset.yaml": manifest, "all.yaml": rules, "scenarios/standard.yaml": SCENARIO}
    ruleset = polis_rules.load(lay(folder / "tiny", files))
    return ruleset.start(seed, "manual" if chance == "manual" else "auto")


def play(game: Game, decisions: int, seed: int = 0) -> None:
    """Decide at random."""
    rng = Random(seed)
    for _ in range(decisions):
        if game.decision is not None:
            game.apply(rng.choice(game.decision.options))


ENDLESS = """
kinds:
  player: {state: {coins: {type: 0..20, start: 5}}}
  cell: {state: {near: {per: cell, type: 0..9}}}
tables:
  player: {red: {}, blue: {}}
  cell: {c1: {}, c2: {}, c3: {}}
state: {turn: 0..9}
phases:
  game:
    - each: you
      in: player
      do:
        - repeat:
            while: you.coins < 21
            do:
              - roll: luck
                dice: 1d6
              - either:
                  left: {title: L, do: [{set: {turn: luck}}]}
                  right: {title: R, do: [{set: {turn: 2}}]}
    - end: over
endings: {over: {title: O}}
score: {terms: {a: who.coins}}
"""


def test_a_long_past_keeps_few_states_and_loses_nothing(tmp_path: Path) -> None:
    """However long a game is, few states are kept, and all of it can be taken back and made again."""
    game = game_of(tmp_path, ENDLESS)
    begin, hashes = game.hash(), []
    for _ in range(300):
        hashes.append(game.hash())
        play(game, 1, len(hashes))
    assert len(game._history._states) <= MOST_STATES
    log, report = game.log, game.report
    other = game.copy()
    while game.undo():
        assert game.hash() == hashes.pop()
    assert (game.hash(), game.log[1:]) == (begin, ())
    assert (other.log, other.report) == (log, report)
    game.replay(log)
    assert (game.hash(), game.report) == (other.hash(), report)


def test_what_is_told_goes_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log and report are made when they are read; Ctrl-C then loses nothing and tells nothing twice."""
    game = polis_rules.load(SMALL / "dice_race").start(seed=3)
    play(game, 6)
    other = pickle.loads(pickle.dumps(game))

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    for place in ("unseen", "way"):
        with monkeypatch.context() as patch:
            patch.setattr(Options, place, stopped)
            with pytest.raises(KeyboardInterrupt):
                _ = game.report
    assert (game.log, game.report) == (other.log, other.report)


def test_texts_that_nobody_reads_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    game = polis_rules.load(SMALL / "dice_race").start(seed=3)
    with monkeypatch.context() as patch:
        for name in ("cost", "filled", "happened"):
            patch.delattr(Wording, name)
        play(game, 6)
        assert game.decision is not None
    assert [option.title for option in game.decision.options] and len(game.report) > 6


@pytest.mark.parametrize("name", ["yucata", SMALL / "dice_race"])
def test_what_a_move_may_have_broken_is_asked_after_it(name: str | Path) -> None:
    """Whichever single value becomes another one, an invariant that then fails is found as when all are asked."""
    program = polis_rules.load(name).program(checks=True)
    state = program.new_state(seed=1)
    program.check(state)
    for slot in range(YOU, program.layout.variables):
        wrong = [*state[:slot], 7, *state[slot + 1 :]]
        assert _broken(program, wrong, state) == _broken(program, wrong, None)


def _broken(program: Program, state: list[int], held: list[int] | None) -> str:
    try:
        program.check(state, held)
    except polis_rules.RuleError as error:
        return error.message
    except (IndexError, ValueError) as error:  # of values that no rule would set
        return type(error).__name__
    return ""


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_every_way_to_copy_a_game_gives_one_that_goes_its_own_way(way: object) -> None:
    """`copy`, `deepcopy` and `pickle` give a game with the same past, which shares nothing that changes."""
    game = polis_rules.load(SMALL / "dice_race").start(seed=3)
    play(game, 4)
    other = way(game)  # type: ignore[operator]
    before = (game.hash(), game.log, game.report, game.decision)
    assert (other.hash(), other.log, other.report, other.decision) == before
    other.undo()
    play(other, 3, seed=9)
    assert (game.hash(), game.log, game.report, game.decision) == before


@pytest.mark.parametrize("wrong", [3, None, ["walk"], b"walk"])
def test_what_is_no_text_is_refused_as_a_move(wrong: object) -> None:
    """An option, an outcome and a name have to be texts: anything else is an InvalidMove that says so."""
    game = polis_rules.load(SMALL / "dice_race").start(seed=3)
    waiting = polis_rules.load(SMALL / "dice_race").start(seed=3, chance="manual")
    for ask in (game.apply, waiting.answer, game.why_not):
        with pytest.raises(InvalidMove, match="is needed, not"):
            ask(wrong)  # type: ignore[arg-type, operator]


# -- secrets ----------------------------------------------------------------------------------------------------------

ROLLED = """
kinds:
  player:
    state: {die: {type: 1..6, seen_by: viewer == it}}
tables: {player: {ann: {title: Ann}, ben: {title: Ben}}}
phases:
  game:
    - each: you
      in: player
      do:
        - roll: thrown
          dice: 1d6
        - let: {kept: thrown}
        - do: hide(kept)
    - roll: seen
      dice: 1d6
    - as: ann
      do:
        - either: {go: {title: Go}, stay: {title: Stay}}
    - end: over
procedures:
  hide:
    of: {face: number}
    do:
      - set: {you.die: face}
endings: {over: {title: Over}}
score: {terms: {die: who.die}}
"""


@pytest.mark.parametrize("seed", ["x", None, 1.5, -1])
def test_a_seed_that_is_none_is_refused_in_words_that_blame_no_rule(seed: Any) -> None:
    with pytest.raises(PolisError, match="a seed is a whole number from 0, not "):
        polis_rules.load(SMALL / "dice_race").start(seed=seed)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"ruleset": 3}, "a ruleset is a name or a folder, not '3'"),
        ({"ruleset": None}, "a ruleset is a name or a folder, not 'None'"),
        ({"ruleset": SMALL / "dice_race", "scenario": 3}, "a scenario is an id or a file, not '3'"),
        ({"ruleset": SMALL / "dice_race", "variants": "quick"}, "variants are a list of names or files, not "),
        ({"ruleset": SMALL / "dice_race", "variants": [3]}, "a variant is a name or a file, not '3'"),
    ],
)
def test_a_ruleset_is_loaded_by_names_and_paths_and_anything_else_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(PolisError, match=words):
        polis_rules.load(**wrong)


def test_a_roll_into_hidden_state_is_told_to_those_who_may_see_it(tmp_path: Path) -> None:
    """A die that becomes a hidden value is in the report and log of its owner only, also through names and calls."""
    game = game_of(tmp_path, ROLLED, seed=5)
    ann, ben, seen = (outcome for _, _, outcome in game.log)
    assert game.report_for("ann") == [f"  thrown: {ann} on 1d6", f"  seen: {seen} on 1d6"]
    assert game.report_for("ben") == [f"  thrown: {ben} on 1d6", f"  seen: {seen} on 1d6"]
    assert [what for _, _, what in game.log_for("ann")] == [ann, "hidden", seen]
    assert [what for _, _, what in game.log_for("ben")] == ["hidden", ben, seen]


HIDDEN = """
kinds:
  player:
    attributes: {rival: player}
    state:
      coins: {type: 0..20, start: 5, spendable: true}
      hand: {type: 0..9, start: 4, seen_by: viewer == it, title: hand}
tables: {player: {red: {rival: blue}, blue: {rival: red}}}
terms:
  strong: {of: {who: player}, is: who.hand > 3}
actions:
  raid:
    title: Raid
    requires:
      rival_must_be_weak: you.rival.hand < 2 and not strong(you.rival)
    do: [{gain: {coins: 1}}]
  wait: {title: Wait, do: [{gain: {coins: 0}}]}
phases:
  game:
    - each: you
      in: player
      do:
        - choose: deed
          title: Deed with {you.hand} against {player.blue.hand}?
          from: action
          where: possible(deed)
        - perform: deed
    - end: over
endings: {over: {title: O}}
score: {terms: {coins: who.coins}}
"""


def test_an_action_is_refused_by_each_condition_with_the_members_it_refuses() -> None:
    """Each requirement has its own expression and place: one does not seem to explain the others."""
    game = polis_rules.load("yucata").start(seed=1)
    for _ in range(8):
        assert game.decision is not None
        game.apply(game.decision.options[0])
    refusals = {refusal.label.rpartition(": ")[2]: refusal for refusal in game.why_not("besiege_polis")}
    assert refusals["a capital cannot be besieged"].label.startswith("no polis Athenai, Sparta: ")
    assert refusals["a capital cannot be besieged"].expression == "not is_capital(target)"
    assert refusals["you must control its territory"].expression == "controls(you, target.territory)"
    assert " more: " in refusals["you must control its territory"].label


def test_refusals_and_titles_say_hidden_where_a_player_may_not_see(tmp_path: Path) -> None:
    """Neither `why_not`, a prompt nor the report of a decision tells a value to a player who may not see it."""
    game = game_of(tmp_path, HIDDEN)
    assert game.decision is not None
    assert game.decision.prompt == "Deed with 4 against hidden?"
    (refusal,) = game.why_not("raid")
    assert refusal.values == {"you.rival.hand": "hidden"}
    game.apply("wait")
    assert game.report_for("red") == ["Red: Deed with 4 against hidden - Wait"]
    assert game.report_for("blue") == ["Red: Deed with hidden against 4 - Wait"]


def test_copies_that_play_in_threads_keep_their_own_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens in one copy of a game is never told in the report of another."""
    game = polis_rules.load(SMALL / "dice_race").start(seed=3)
    alone, together, others = game.copy(), [game.copy() for _ in range(4)], threading.Barrier(4)
    play(alone, 8)
    whole = Program.apply

    def meeting(self: Program, state: list[int], option: int) -> list[Event]:
        """Wait for the other threads before and after what this one does, if they come."""
        meet()
        events = whole(self, state, option)
        meet()
        return events

    def meet() -> None:
        with suppress(threading.BrokenBarrierError):
            others.wait(timeout=0.2)

    monkeypatch.setattr(Program, "apply", meeting)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, together, [8] * 4))
    assert [each.report for each in together] == [alone.report] * 4


def test_what_is_chosen_after_an_action_is_refused_by_just_those_after_which_it_is_not_offered() -> None:
    """Where an action is asked for, a place is possible after an action if and only if that leads to an offer of it."""
    game, asked, draw = polis_rules.load("yucata").start(seed=3), 0, Random(1)
    titles = [title for kind in ("polis", "territory") for title in game.program.rules.symbols.kinds[kind].titles]
    while game.decision is not None and asked < 12:
        if "pass" in {option.id for option in game.decision.options}:
            asked += 1
            offered = {option.title: option for option in game.decision.options}
            for title in titles:
                for action, refusals in game.why_not_by_action(title).items():
                    other = game.copy()
                    if action in offered:
                        other.apply(offered[action])
                    after = other.decision.options if action in offered and other.decision is not None else ()
                    assert (not refusals) == (title in {option.title for option in after}), (action, title)
        game.apply(draw.choice(game.decision.options))
    assert asked > 5


def test_what_is_no_answer_is_told_in_titles_with_how_to_ask_about_it() -> None:
    game = polis_rules.load(SMALL / "dice_race").start(seed=3)
    with pytest.raises(InvalidMove, match=r"Mud is one of Card, and no answer to .*; ask about `play_a_card mud`"):
        game.why_not("mud")
    assert not game.why_not_by_action("walk") and not game.why_not_by_action("nothing")
