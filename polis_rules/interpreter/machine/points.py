"""The points where a game waits, and what compiled code tells of."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Load


@dataclass(slots=True)
class Point:
    """A place where the game waits."""

    procedure: str
    slot: int
    """where the answer is kept"""
    chosen: int = -1
    """block after a member, number or outcome"""
    leave: int = -1
    """block to go on with when there is no option; -1: that is an error"""


@dataclass(slots=True, kw_only=True)
class DecisionPoint(Point):
    """A player chooses."""

    step: ir.Choose
    ways: list[int] = field(default_factory=list)
    """blocks of the named alternatives"""
    finish: str = ""
    finished: int = -1
    count: int = -1
    """slot that counts how often the loop was gone through; -1: finishing is always offered"""
    at_least: int = 0


@dataclass(slots=True, kw_only=True)
class ChancePoint(Point):
    """Dice are rolled, or a member is drawn."""

    step: ir.Roll | ir.Draw
    shuffled: Load | None = None
    """the list that is being shuffled by this draw"""
    left: int = -1
    """slot that tells how many of it are still to be drawn"""


AnyPoint = DecisionPoint | ChancePoint


class Announce(ir.Step):
    """A phase with a title begins; without a title it ends."""

    title: str


Event = tuple[int, ...]
"""What happened: the number of a step, then the values that it worked with."""
