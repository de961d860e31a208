"""What a file of games comes to, in a few figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

from polis_rules.lab.files import library, metadata, table_in


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """How one player did."""

    player: str
    title: str
    bot: str
    share: float
    """of all wins"""
    interval: tuple[float, float]
    """in which that lies, with 95 % confidence"""
    score: float
    """on average"""


@dataclass(frozen=True, slots=True)
class Summary:
    """How the games of a file went, those left out that failed."""

    games: int
    decisions: float
    """a game"""
    players: tuple[PlayerSummary, ...]
    endings: tuple[tuple[str, float], ...]
    """their titles and shares, the most frequent first"""


def interval(won: float, games: int, error: float = 0.05) -> tuple[float, float]:
    """The interval in which the share of so many wins lies, but for the probability `error` (Wilson, 1927).

    >>> [round(end, 2) for end in interval(8, 10)]
    [0.49, 0.94]
    """
    if not games:
        return 0.0, 1.0
    z, share = -NormalDist().inv_cdf(error / 2), won / games
    middle = share + z * z / (2 * games)
    wide = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    low, high = (middle - wide) / (1 + z * z / games), (middle + wide) / (1 + z * z / games)
    return max(low, 0.0) if won > 0 else 0.0, min(high, 1.0) if won < games else 1.0  # without an error of rounding


def summary(path: Path) -> Summary:
    """What a file of games comes to. Raises LabError where it is none, and OSError."""
    said = metadata(path)
    names = [f"{what}__{player}" for player in said["players"] for what in ("share", "score")]
    table = table_in(path, [*names, "decisions", "ending"])
    whole = table.filter(library("pyarrow.compute").is_valid(table["ending"]))
    games = whole.num_rows
    counted = library("pyarrow.compute").value_counts(whole["ending"]).to_pylist()
    ends = Counter({each["values"]: each["counts"] for each in counted})
    players = []
    for (player, title), bot in zip(said["players"].items(), said["seats"], strict=True):
        won = _sum(whole[f"share__{player}"])
        scored = _sum(whole[f"score__{player}"]) / max(games, 1)
        players.append(PlayerSummary(player, title, bot, won / max(games, 1), interval(won, games), scored))
    endings = tuple((said["endings"][each], times / games) for each, times in ends.most_common())
    return Summary(games, _sum(whole["decisions"]) / max(games, 1), tuple(players), endings)


def _sum(column: Any) -> float:
    return float(library("pyarrow.compute").sum(column).as_py() or 0)
