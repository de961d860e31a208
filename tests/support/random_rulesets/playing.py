"""Plays a ruleset by the compiled engine, with and without checks, and by the reference engine, side by side."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from unittest.mock import patch

from polis_rules import Game, PolisError, RuleError, RulesetError
from polis_rules.interpreter.compiler import compile_lazily, compile_rules
from polis_rules.interpreter.evaluator.evaluate import NothingThereError
from polis_rules.interpreter.machine import LEAVE, PC
from polis_rules.interpreter.runtime import Program, State
from polis_rules.pipeline import front
from polis_rules.semantics import TypedRules
from polis_rules.verification.differential.compare import Pair
from polis_rules.verification.differential.reference_engine import ReferenceEngine

MOST_POINTS = 150
"""After so many points a game is not played on."""

MOST_MOVES = 25
"""So many decisions are taken back and made again."""

ONLY_CHECKED = ("outside of", "more than there is", "is below 0", "must always hold", "more than 300000 times")
"""Parts of messages about what the reference engine, as the one without checks, does not look for."""


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a ruleset: why it was refused, or how many games were played and what was wrong."""

    refused: str = ""
    games: int = 0
    points: int = 0
    failed: int = 0
    """games that ended with an error of the rules that all engines agree about"""
    wrong: str = ""


SMALL = {
    "backend.MOST_PLAYERS": 1, "backend.DEEPEST": 1, "expressions.SHORT": 9, "expressions.MOST_VERSIONS": 1,
    "comprehensions.MOST_PARTS": 3, "comprehensions.MOST_NESTED": 1, "comprehensions.LONGEST": 30,
    "points.MOST_WRITTEN": 2, "pieces.WIDEST_UNION": 2,
}  # fmt: skip
"""Bounds of the compiler made so small that it writes the loops and functions that large rulesets need."""


def compiled_as_large(rules: TypedRules) -> Program:
    """The program of a small ruleset, in the shape of code that a large one becomes."""
    with ExitStack() as bounds:
        for name, value in SMALL.items():
            bounds.enter_context(patch(f"polis_rules.interpreter.compiler.python.{name}", value))
        program = Program(compile_rules(rules))
        assert program.whole is not None  # generated with these bounds, too
        return program


class Loaded:
    """The typed rules with all their engines."""

    def __init__(self, rules: TypedRules) -> None:
        self.typed = rules
        self.players = rules.symbols.kinds["player"].members
        self.checked = Program(compile_rules(rules, checks=True, trace=True))
        self.pair = Pair(self)  # type: ignore[arg-type]  # all that a pair asks of a ruleset is here
        self.programs = self.pair.program, compiled_as_large(rules), Program(compile_lazily(rules))

    def rules(self) -> TypedRules:
        return self.typed

    def program(self) -> Program:
        return Program(compile_rules(self.typed))


def examine(folder: Path, games: int, variants: Sequence[Path | str] = ()) -> Found:
    """Play some games of a ruleset in every way."""
    try:
        loaded = Loaded(front(folder, None, variants).rules)
    except RulesetError as error:
        return Found(refused=str(error))
    except Exception:
        return Found(wrong=f"loading: {traceback.format_exc()}")
    points = failed = 0
    for seed in range(games):
        try:
            wrong, more, at_fault = side_by_side(loaded, seed)
            points, failed = points + more, failed + at_fault
            if not wrong and seed == 0:
                wrong = back_and_forth(loaded.checked, seed)
            wrong = wrong or played_at_once(loaded.programs[seed % 2], seed)
        except Exception:
            wrong = traceback.format_exc()
        if wrong:
            return Found(games=seed + 1, points=points, wrong=f"game {seed}: {wrong}")
    return Found(games=games, points=points, failed=failed)


def side_by_side(loaded: Loaded, seed: int) -> tuple[str, int, bool]:
    """Play one game by all engines: what is different, how many points were met, whether the rules are at fault."""
    checked, pair, rng = loaded.checked, loaded.pair, Random(seed)
    pair.program = loaded.programs[seed % len(loaded.programs)]
    quick, reference = pair.program, pair.reference
    state: State = []
    other: State = []
    taken = option = LEAVE
    for points in range(MOST_POINTS):
        first = points == 0
        try:
            if first:
                state = checked.new_state(seed)
            else:
                checked.apply(state, taken)
            checked.check(state)
            options, option = _next(checked, state, rng)
        except RuleError as error:
            if any(part in error.message for part in ONLY_CHECKED):
                return "", points, True
            try:
                _go_on(reference, first, seed, taken)
            except NothingThereError:
                return "", points, True
            return f"only the compiled engine fails: {error}", points, False
        try:
            if first:
                other = quick.new_state(seed)
            else:
                quick.apply(other, taken)
        except RuleError as error:
            return f"only the engine without checks fails: {error}", points, False
        try:
            _go_on(reference, first, seed, taken)
        except NothingThereError:
            return "only the reference engine fails", points, False
        if other[pair.declared] != state[pair.declared]:
            return f"another state without checks at point {points}", points, False
        if state[PC] == checked.finished:
            return pair.differs_at_the_end(other), points, False
        if (quick_options := quick.options(other)) != options:
            return f"without checks {quick_options} against {options}", points, False
        if what := pair.differs(other, options, option):
            return what, points, False
        if not options and checked.points[state[PC]].leave < 0:
            return "", points, True
        taken = option
    return "", MOST_POINTS, False


def played_at_once(program: Program, seed: int) -> str:
    """Play a game at random by one function and point by point: how both differ."""
    ends = []
    for whole in (program.whole, None):
        state, end = program.copy(list(program.compiled.first)), ""
        with patch.object(program, "whole", whole), patch(f"{Program.__module__}.LONGEST_GAME", MOST_POINTS):
            try:
                state = program.new_state(seed)
                end = str(program.playout(state, Random(seed)))
            except RuleError as error:
                end = str(error)
        ends.append((end, state))
    if (
        ends[0] == ends[1] or "has not come to an end" in ends[1][0]
    ):  # which the function asks later, between two rounds
        return ""
    return f"played by one function: {ends[0]}, and point by point: {ends[1]}"


def _next(program: Program, state: State, rng: Random) -> tuple[list[int], int]:
    """The options now, and what is taken of them."""
    if state[PC] == program.finished:
        return [], LEAVE
    options = program.options(state)
    if program.is_chance[state[PC]]:
        return options, program.outcome(state)
    if not options:
        return [], LEAVE
    program.decider(state)  # which may fail, and is asked in every game
    return options, rng.choice(options)


def _go_on(reference: ReferenceEngine, first: bool, seed: int, taken: int) -> None:
    if first:
        reference.restart(seed)
    else:
        reference.answer(taken)


def back_and_forth(program: Program, seed: int) -> str:
    """Play a game with words; take everything back and make it again; what is then different."""
    rng = Random(seed)
    try:
        game = Game(program, seed)
    except RuleError:
        return ""
    hashes, logs = [game.hash()], [game.log]
    for _ in range(MOST_MOVES):
        decision = game.decision
        if decision is None:
            break
        for player in game.players:
            assert game.view(player)
            assert len(game.log_for(player)) == len(game.log)
            game.report_for(player)
        for option in decision.options:
            if game.why_not(option.id):
                return f"{option.id} is offered and refused"
        before = game.hash(), game.report
        try:
            game.apply(rng.choice(decision.options))
        except RuleError:
            if before != (game.hash(), game.report):
                return "a rule that fails leaves the game changed"
            break
        hashes.append(game.hash())
        logs.append(game.log)
    try:
        report, result = game.report, game.result
    except RuleError:
        return ""
    for place in reversed(range(len(hashes) - 1)):
        game.undo()
        if game.hash() != hashes[place] or game.log != logs[place]:
            return f"taken back to another position at move {place}"
    try:
        game.replay(logs[-1])
    except PolisError as error:
        return f"the same moves cannot be made again: {error}"
    if (game.hash(), game.log, game.report, game.result) != (hashes[-1], logs[-1], report, result):
        return "the same moves lead to another position"
    return ""
