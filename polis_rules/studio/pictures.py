"""Pictures of a board, where one that was drawn a moment ago is not drawn again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from polis_rules.board import Board, Key, Place, draw, places
from polis_rules.ruleset import Ruleset

KEPT = 6
"""So many pictures are kept: what all players see now and before, light and dark."""


class Pictures:
    """Draws a ruleset's board; what goods and cards change is not drawn, and most moves leave the board as it is."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._kept: deque[tuple[dict[Key, Place], bool, str]] = deque(maxlen=KEPT)

    @staticmethod
    def of(rules: Ruleset) -> Pictures:
        """Pictures of the board of a ruleset."""
        return Pictures(Board.of(rules))

    def draw(self, view: Mapping[str, object], dark: bool) -> str:
        """The board as SVG, as a view shows it; empty for a game without one."""
        if not self.board.spots:
            return ""
        found = places(self.board, view)
        for kept, was_dark, picture in self._kept:
            if was_dark == dark and kept == found:
                return picture
        picture = draw(self.board, view, dark, alone=True, named=True)
        self._kept.appendleft((found, dark, picture))
        return picture
