"""A compiled ruleset: plain data that can be cached."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from polis_rules.interpreter.machine.layout import BACK, Layout
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


class MadeOf:
    """The rules that code was made of."""

    def __init__(self, rules: TypedRules, points: list[AnyPoint]) -> None:
        self.rules, self.points = rules, points
        self.sites: list[ir.Step] = []
        """the steps that code refers to by number"""


class Compiled:
    """Everything that running a ruleset needs.

    Games are played without looking at the rules, so that code out of the cache runs before these are read.

    Functions are written out for each acting player and each member, which is fast; or they are `compact`: each is
    generated on its first call, and then added to this.
    """

    def __init__(
        self,
        made_of: Sealed[MadeOf],
        layout: Layout,
        waits: list[Wait],
        players: int,
        routes: tuple[str, ...],
        ties: int,
        invariants: list[str],
        checks: bool,
        trace: bool,
        compact: bool,
    ) -> None:
        self.made_of = made_of
        self.layout = layout
        self.waits = waits
        """the points in short"""
        self.players = players
        self.routes = routes
        self.ties = ties
        """how many terms break a tie, one after the other"""
        self.invariants = invariants
        """in checked code: what must hold"""
        self.checks = checks
        self.trace = trace
        """whether functions tell what happens, to a list that they are given"""
        self.compact = compact
        self.readers: list[tuple[int, int, int]] = []
        """runs of slots, from one to before another, with the invariants (as bits) that depend on what they hold"""
        self.blocks = 0
        """how many blocks are entered by number"""
        self.begin = 0
        """the block that a game begins with"""
        self.first: tuple[int, ...] = ()
        """the state before the first step"""
        self.return_addresses: tuple[int, ...] = ()
        """the number of what follows each call of a procedure that waits, in the order of the calls in the rules; -1
        where none is needed; empty for compact code"""
        self.names: dict[Key, str] = {}
        """the names of functions; an empty name is a place that cannot be reached so"""
        self.pending: dict[str, Key] = {}
        """the functions that others call, but that are not generated yet"""
        self.parts: list[Part] = []
        """the generated functions, in the order in which they were generated"""
        self.constants: dict[str, object] = {}
        self.counter = 0
        """how many names have been given"""

    def carried(self, other: Compiled) -> Callable[[list[int]], list[int]]:
        """What turns a state of this code into the same position of other code of the same rules.

        Return addresses have other numbers there, and local names may have other slots. Neither code is compact.
        """
        numbers = dict(zip(self.return_addresses, other.return_addresses, strict=True))
        theirs = other.layout.runs()
        moves = [
            (slot, theirs[key][0], width, key[1] == BACK)
            for key, (slot, width) in self.layout.runs().items()
            if key in theirs  # of what only one has the other reads nothing
        ]
        lasting, rest = self.layout.variables, other.first[self.layout.variables :]

        def carry(state: list[int]) -> list[int]:
            found = [*state[:lasting], *rest]
            for slot, to, width, is_way in moves:
                found[to : to + width] = state[slot : slot + width]
                if is_way:
                    found[to] = numbers.get(found[to], found[to])
            return found

        return carry

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
