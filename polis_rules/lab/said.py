"""What a file of rows says of itself, and whether it says all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Spot = tuple[str, str, str, float, float, list[list[tuple[float, float]]]]
"""Kind, member, title and place of a member, and the rims of what it fills, in parts of the board."""


@dataclass(frozen=True, slots=True)
class _Board:
    width: float
    height: float
    spots: list[Spot]


@dataclass(frozen=True, slots=True)
class _Said:
    polis_rules: str
    ruleset: str
    title: str
    scenario: str | None
    variants: list[str]
    settings: dict[str, str]
    hash: str
    players: dict[str, str]
    seats: list[str]
    endings: dict[str, str]
    first_seed: int
    rows: list[str]
    at_the_end: list[str]
    kinds: dict[str, str]
    members: dict[str, dict[str, str]]
    ordered: dict[str, list[str]]
    questions: dict[str, str]
    board: _Board
    games: int
    whole: bool
    sort: Literal["games", "decisions", "rounds"]


def check(said: dict[str, Any]) -> None:
    """Raises ValueError where something is missing, or of another type."""
    from pydantic import TypeAdapter  # takes time to import, and playing a game does not need it

    TypeAdapter(_Said).validate_python(said)
