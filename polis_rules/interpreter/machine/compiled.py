"""A compiled ruleset: plain data that can be cached."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from polis_rules.interpreter.machine.layout import Layout
from polis_rules.pickles import Sealed

if TYPE_CHECKING:
    from polis_rules.interpreter.machine.points import AnyPoint
    from polis_rules.semantics import TypedRules, ir

Key = tuple[object, ...]
"""What a function does, and all that its code depends on beside the rules.

Whoever runs a game asks for `options`, `apply` and `chance` with the number of a point and who acts (-1 for nobody),
for `blocks` with that of a block and who acts, and for `who` (a point), `reach` and `costs` (a route), `score`, `worth`
and `invariant` (a number). What these call has keys of its own.
"""


class Wait(NamedTuple):
    """What running a game needs to know of a point."""

    is_chance: bool
    may_be_empty: bool
    """whether the game goes on where there is no option; elsewhere that is an error"""
    asks_who: bool
    """whether a rule says who decides"""


class Part:
    """Some generated functions: their code, marshalled, and their source, which is read where they fail."""

    __slots__ = ("_packed", "code", "length")

    def __init__(self, source: str, code: bytes) -> None:
        self._packed = zlib.compress(source.encode(), 1)
        self.code, self.length = code, len(source)

    @property
    def source(self) -> str:
        """The source."""
        return zlib.decompress(self._packed).decode()


@dataclass(slots=True)
class MadeOf:
    """The rules that code was made of."""

    rules: TypedRules
    points: list[AnyPoint]
    sites: list[ir.Step] = field(default_factory=list)
    """the steps that code refers to by number"""


@dataclass(slots=True)
class Compiled:
    """Everything that running a ruleset needs.

    Games are played without looking at the rules, so that code out of the cache runs before these are read.

    Functions are written out for each acting player and each member, which is fast; or they are `compact`: each is
    generated on its first call, and then added to this.
    """

    made_of: Sealed[MadeOf]
    layout: Layout
    waits: list[Wait]
    """the points in short"""
    players: int
    routes: tuple[str, ...]
    invariants: list[str]
    """in checked code: what must hold"""
    checks: bool
    trace: bool
    """whether functions tell what happens, to a list that they are given"""
    compact: bool
    readers: list[tuple[int, int, int]] = field(default_factory=list)
    """runs of slots, from one to before another, with the invariants (as bits) that depend on what they hold"""
    blocks: int = 0
    """how many blocks are entered by number"""
    begin: int = 0
    """the block that a game begins with"""
    first: tuple[int, ...] = ()
    """the state before the first step"""
    names: dict[Key, str] = field(default_factory=dict)
    """the names of functions; an empty name is a place that cannot be reached so"""
    pending: dict[str, Key] = field(default_factory=dict)
    """the functions that others call, but that are not generated yet"""
    parts: list[Part] = field(default_factory=list)
    """the generated functions, in the order in which they were generated"""
    constants: dict[str, object] = field(default_factory=dict)
    counter: int = 0
    """how many names have been given"""

    @property
    def rules(self) -> TypedRules:
        """The typed rules."""
        return self.made_of.value.rules

    @property
    def points(self) -> list[AnyPoint]:
        """The points where games wait."""
        return self.made_of.value.points

    @property
    def sites(self) -> list[ir.Step]:
        """The steps that code refers to by number."""
        return self.made_of.value.sites
