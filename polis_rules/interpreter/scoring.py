"""The end of a game: scores, tie-breaks, the winner."""

from __future__ import annotations

from collections.abc import Sequence

from polis_rules.interpreter.decision import Result
from polis_rules.interpreter.evaluate import Evaluator, State
from polis_rules.interpreter.layout import ENDING, SCORE, WINNER
from polis_rules.interpreter.program import Program


def result_of(program: Program, state: State, players: Sequence[str]) -> Result:
    """The result of a finished game. Where no ending names a winner, the highest total wins, then the tie-breaks."""
    rules = program.rules
    evaluator = Evaluator(rules, program.layout)
    scores: dict[str, dict[str, int]] = {}
    ranks: list[tuple[int, ...]] = []
    for number, player in enumerate(players):
        terms = {name: evaluator.value(term, state, {"who": number}) for name, term in rules.score.items()}
        ties = [evaluator.value(term, state, {"who": number}) for term in rules.tie_break.values()]
        total = sum(terms.values())
        scores[player] = {"total": total, **terms}
        ranks.append((total, *ties))
    ending = list(rules.endings)[state[ENDING]]
    if state[WINNER] != SCORE:
        winner = players[state[WINNER]] if state[WINNER] >= 0 else None
    else:
        best = max(ranks)
        winner = players[ranks.index(best)] if ranks.count(best) == 1 else None
    return Result(ending, rules.endings[ending], winner, scores)
