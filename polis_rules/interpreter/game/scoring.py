"""The end of a game: scores, tie-breaks, the winner."""

from __future__ import annotations

from collections.abc import Sequence

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.evaluator import Names, NothingThereError, State
from polis_rules.interpreter.game.decision import Result
from polis_rules.interpreter.machine import ENDING, SCORE, WINNER, winners
from polis_rules.interpreter.runtime import Program, fingerprint
from polis_rules.semantics.expressions import Expr


def worked_out(program: Program, name: str, tree: Expr, state: State, names: Names) -> int:
    """The value of a part of the score, a tie-break or `rounds`, by its name. Raises RuleError with its place."""
    try:
        return program.evaluator.value(tree, state, names)
    except NothingThereError:
        message = f"{name.replace('_', ' ')} reads what is not there"
        raise RuleError(message, program.rules.spans.get(name), fingerprint(state)) from None


def result_of(program: Program, state: State, players: Sequence[str]) -> Result:
    """The result of a finished game. Where no ending names a winner, the highest total wins, then the tie-breaks.

    Whoever an ending names stands before all others, who are placed by their totals; if it names nobody, there are no
    places.
    """
    rules = program.rules
    scores: dict[str, dict[str, int]] = {}
    ranks: list[tuple[int, ...]] = []
    for number, player in enumerate(players):
        terms = {name: worked_out(program, name, term, state, {"who": number}) for name, term in rules.score.items()}
        ties = [worked_out(program, name, term, state, {"who": number}) for name, term in rules.tie_break.items()]
        total = sum(terms.values())
        scores[player] = {"total": total, **terms}
        ranks.append((total, *ties))
    ending = list(rules.endings)[state[ENDING]]
    by_score = state[WINNER] == SCORE
    named = winners(state[WINNER])
    standing = [(number in named, () if number in named else rank) for number, rank in enumerate(ranks)]
    won = [player for player, each in zip(players, standing, strict=True) if each == max(standing)]
    if not by_score and not named:
        won = []
    places = {
        player: 1 + sum(other > each for other in standing) for player, each in zip(players, standing, strict=True)
    }
    if by_score and len(won) > 1 and not rules.shared:
        won = []
    winner = won[0] if len(won) == 1 else None
    shared = tuple(won) if len(won) > 1 else ()
    placed = places if len(players) > 2 and (by_score or named) else {}
    return Result(ending, rules.endings[ending], winner, scores, shared, placed)
