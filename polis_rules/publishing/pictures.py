"""The pictures of a rulebook: the board as the scenario sets it up."""

from __future__ import annotations

from typing import NamedTuple

from polis_rules.board import Board, draw, seen
from polis_rules.ruleset import Ruleset


class Drawing(NamedTuple):
    """A picture as SVG, for light and for dark pages."""

    light: str
    dark: str


def set_up(rules: Ruleset) -> Drawing | None:
    """The board at the beginning, as all may see it; None where the game has no board."""
    board = Board.of(rules)
    if not board.spots:
        return None
    view = seen(rules.start(chance="manual"))
    return Drawing(draw(board, view, alone=True), draw(board, view, dark=True, alone=True))
