"""What an author wants of games between bots: how often who wins, how games end, what is used, how long they take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from polis_rules.diagnostics import Span
from polis_rules.schema.base import Model
from polis_rules.schema.values import Expression, MapOf, Name, Scalar
from polis_rules.source import Text

_NUMBER = r"([0-9]{1,6}(?:\.[0-9]{1,2})?)"
_BOUNDS = re.compile(rf"(?:{_NUMBER}\.\.{_NUMBER}|at least {_NUMBER}|at most {_NUMBER}) ?(%|decisions|rounds)?")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between which numbers something should lie, both inclusive; None where that end is open."""

    low: float | None
    high: float | None
    unit: str
    text: str
    """as it is written"""
    span: Span


def _bounds(text: Text, *units: str) -> Bounds | None:
    found = _BOUNDS.fullmatch(text)
    unit = "" if found is None else found[5] or ("%" if "%" in units else "")
    if found is None or unit not in units:
        return None
    low, high = (None if end is None else float(end) for end in (found[1] or found[3], found[2] or found[4]))
    if low is not None and high is not None and low > high:
        return None
    if unit == "%" and max(low or 0, high or 0) > 100:
        return None
    return Bounds(low, high, unit, str(text), text.span)


_TEXT = {"type": "string"}
Share = Annotated[
    Bounds,
    Scalar("a share of games such as 45..55 %, at least 2 % or at most 10 %", lambda text: _bounds(text, "%"), _TEXT),
]
"""In how many of a hundred games."""
Length = Annotated[
    Bounds,
    Scalar(
        "a length such as 80..200 decisions or at most 9 rounds",
        lambda text: _bounds(text, "decisions", "rounds"),
        _TEXT,
    ),
]
"""How long a game is on average."""


class AtTheEnd(Model):
    """What should be true when games are over, of how many of them, or of how many of those who win."""

    what: ClassVar[str] = "what is looked at when a game is over"

    of: Name | None = None
    """A kind: each of its members, which is `it`, is looked at by itself. Example: `card`."""
    where: Expression | None = None
    """Which of them, by what they are as play begins, e.g. `it.sort == hero`."""
    if_: Expression = Field(alias="if")
    """What should be true; `who` is any player, e.g. `it.owner == who`."""
    games: Share | None = None
    """In how many games it should be true, of one player at least, e.g. `at least 2 %`."""
    wins: Share | None = None
    """How much of the win the players should have of whom it is true, e.g. `20..30 %`."""


class Targets(Model):
    """What games between bots should be like; it changes no rule."""

    what: ClassVar[str] = "the targets"

    win_rate: MapOf[Name, Share] = Field(default_factory=dict)
    """How much each player should have of all wins, e.g. `{red: 45..55 %}`."""
    endings: MapOf[Name, Share] = Field(default_factory=dict)
    """How often games should end so, e.g. `{draw: at most 10 %}`."""
    used: MapOf[Name, MapOf[Name, Share]] = Field(default_factory=dict)
    """In how many games members of a kind, or actions, should be chosen by anybody, or drawn where nobody may
    choose them, e.g. `card: {every: at least 2 %}`; `every` stands for each that has no line of its own."""
    at_the_end: MapOf[Name, AtTheEnd] = Field(default_factory=dict)
    """What should be true when games are over, by a name of its own."""
    length: Length | None = None
    """How long games should be on average, e.g. `80..200 decisions`."""
