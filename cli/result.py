"""How a game has ended, in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .table import table

if TYPE_CHECKING:
    from polis_rules import Game


def result_lines(game: Game, titles: dict[str, str]) -> Iterator[str]:
    """The ending, what each player has, and who has won; nothing of a game that goes on."""
    result = game.result
    if result is None:
        return
    whose = f" ({titles[game.acting]})" if game.acting is not None else ""
    yield f"\nThe game has ended: {result.ended_by_title}{whose}"
    terms = [term for term in next(iter(result.scores.values()), {}) if term != "total"] + ["total"]
    rows = [[term.replace("_", " "), *(score[term] for score in result.scores.values())] for term in terms]
    rows += [["place", *result.places.values()]] if result.places else []
    yield from table(["", *(titles[player] for player in result.scores)], rows)
    won = ", ".join(titles[player] for player in result.winners)
    yield f"Winner{'s' * bool(result.shared)}: {won}" if won else "Nobody wins: a tie"
