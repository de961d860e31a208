"""What a ruleset wants of games between bots, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polis_rules.diagnostics import Span
from polis_rules.semantics.expressions import Expr

EVERY = "every"
"""Stands for each member of a kind that has no line of its own."""

Section = Literal["win_rate", "endings", "used", "at_the_end", "length"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of `targets`: what is measured should lie from `low` to `high`; None where that end is open."""

    section: Section
    names: tuple[str, ...]
    """A player, an ending, a kind and its member or EVERY, the name of what is true at the end and `games` or `wins`;
    none of a length."""
    low: float | None
    high: float | None
    unit: str
    """`%` of games, `decisions` or `rounds`."""
    text: str
    """As it is written."""
    span: Span


@dataclass(frozen=True, slots=True)
class AtTheEnd:
    """Something that is true or not when a game is over."""

    name: str
    kind: str
    """of whose members each is looked at, as `it`; empty where it is about none"""
    where: Expr | None
    """which of them, as play begins"""
    test: Expr
    """`who` is a player"""
    by_player: bool
    """whether it asks who"""
    text: str
    """the test, as it is written"""
