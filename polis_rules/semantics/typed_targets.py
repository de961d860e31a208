"""What a ruleset wants of games between bots, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polis_rules.diagnostics import Span

EVERY = "every"
"""Stands for each member of a kind that has no line of its own."""

Section = Literal["win_rate", "endings", "used", "length"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of `targets`: what is measured should lie from `low` to `high`; None where that end is open."""

    section: Section
    names: tuple[str, ...]
    """A player, an ending, or a kind and its member or EVERY; none of a length."""
    low: float | None
    high: float | None
    unit: str
    """`%` of games, `decisions` or `rounds`."""
    text: str
    """As it is written."""
    span: Span
