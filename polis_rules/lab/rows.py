"""What is kept of a game that bots played: one row of each game, and if asked for one of each decision and round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Used(NamedTuple):
    """What was taken: by which player (empty where dice or a draw took it), of which kind it is, and which it is.

    Where the rules offer named ways, their kind is the path of the rule that asks.
    """

    player: str
    kind: str
    name: str


Uses = Mapping[Used, int]
"""How often what was taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """How one game went. `seats`, `shares`, `places` and `scores` are in the order of the players."""

    game: int
    """its number, from 0"""
    seed: int
    seats: tuple[str, ...]
    """which bot played each player"""
    ending: str = ""
    winners: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    """what each player has of the win: 1 alone, equal parts where several won, and where nobody of several did"""
    places: tuple[int, ...] = ()
    scores: tuple[Mapping[str, int], ...] = ()
    """each player's `total` and the parts of the score by name"""
    decisions: int = 0
    chances: int = 0
    """how many dice and draws"""
    rounds: int | None = None
    """how many rounds began; None where the rules do not count them"""
    uses: Uses = field(default_factory=dict)
    held: tuple[int, ...] = ()
    """1 for what was true at the end, of `Table.ends`, and 0 for what was not"""
    failed: str = ""
    """why this game has no end: what a rule or a bot did wrong"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow:
    """One decision."""

    game: int
    seed: int
    decision: int
    """its number within the game, from 1"""
    round: int | None
    player: str
    rule: str
    """the path of the rule that asks"""
    options: int
    """how many were offered"""
    chosen: str
    scores: tuple[int | None, ...]
    """each player's score before it; None where that cannot be told yet"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """One round, and how things stood when the next one began, or the game was over."""

    game: int
    seed: int
    round: int
    """as the rules count it"""
    decisions: int
    uses: Uses
    scores: tuple[int | None, ...]
    state: tuple[int | str | None, ...]
    """the values of `Table.values`"""


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows of some games that follow each other."""

    begin: int
    end: int
    games: tuple[GameRow, ...]
    decisions: tuple[DecisionRow, ...] = ()
    rounds: tuple[RoundRow, ...] = ()

    @classmethod
    def of(cls, begin: int, played: Iterable[Batch]) -> Batch:
        """Several that follow each other, as one."""
        several = tuple(played)
        return cls(
            begin,
            several[-1].end if several else begin,
            tuple(row for each in several for row in each.games),
            tuple(row for each in several for row in each.decisions),
            tuple(row for each in several for row in each.rounds),
        )
