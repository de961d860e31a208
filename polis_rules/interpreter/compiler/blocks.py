"""The form between typed rules and code: blocks of steps without waiting, each with where to go on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from polis_rules.diagnostics import Span
from polis_rules.interpreter.machine import BACK, AnyPoint, Layout
from polis_rules.semantics import TypedRules, ir, waiting_procedures
from polis_rules.semantics.expressions import Expr


class Slot(Expr):
    """The value of a slot that only the compiler knows about."""

    slot: int


class Hidden(ir.Step):
    """A step that only the compiler knows about."""


class Store(Hidden):
    """A slot takes a value."""

    slot: int
    value: Expr


class SaveReturn(Hidden):
    """A slot takes the place to come back to: a block."""

    slot: int
    block: int


class TakeNext(Hidden):
    """The next member of a loop leaves its mask of waiting members; `first` turns the table order, unless it is -1."""

    mask: int
    var: int
    first: int
    count: int


class RotateMask(Hidden):
    """Rotate a mask of `count` members so that the one in slot `first` comes first."""

    mask: int
    first: int
    count: int


class StoreList(Hidden):
    """A run of slots takes the members of a list, from `starting` around: first how many, then each of them."""

    slot: int
    at_most: int
    value: Expr
    starting: Expr | None


class TakeItem(Hidden):
    """A slot takes the member of a run of slots at the place that `counter` tells, which then goes on."""

    slot: int
    var: int
    counter: int


class Tick(Hidden):
    """A loop goes round or a procedure begins, which is counted."""


@dataclass(slots=True)
class Block:
    """Steps without waiting, then where to go on."""

    procedure: str
    steps: list[ir.Step] = field(default_factory=list)
    end: Goto | Branch | Switch | Suspend | Return | Finish | None = None
    times: int = 1
    """how often loops that are not counted may go through it"""


@dataclass(frozen=True, slots=True)
class Goto:
    """On to another block."""

    target: int


@dataclass(frozen=True, slots=True)
class Branch:
    """One of two blocks."""

    test: Expr
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class Switch:
    """One of several blocks, by a number."""

    index: tuple[tuple[Expr, int], ...]
    """expressions with their strides; the sum is the number"""
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Suspend:
    """Wait at a decision or a chance point."""

    point: int


@dataclass(frozen=True, slots=True)
class Return:
    """Back to where the procedure was called."""

    slot: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over."""

    span: Span
    ending: str
    winner: Expr | None


class Blocks:
    """All blocks and waiting points of a ruleset; at first one empty block for each procedure that waits."""

    def __init__(self, rules: TypedRules, layout: Layout) -> None:
        self.symbols = rules.symbols
        self.procedures = rules.procedures
        self.layout = layout
        self.blocks: list[Block] = []
        self.points: list[AnyPoint] = []
        self.waiting = waiting_procedures(rules.symbols, rules.procedures)
        self.entries = {path: self.new(path) for path in sorted(self.waiting)}
        self.slots = cache(self._slots)

    def new(self, procedure: str, times: int = 1) -> int:
        """A new, empty block."""
        self.blocks.append(Block(procedure, times=times))
        return len(self.blocks) - 1

    def names(self, procedure: str, you: int | str) -> dict[str, int | str]:
        """Where the local names of a procedure are kept."""
        return {"you": you, **self.slots(procedure)}

    def _slots(self, procedure: str) -> dict[str, str]:
        names = (*self.procedures[procedure].locals, *self.procedures[procedure].params)
        return {name: f"s[{self.layout.local(procedure, name)}]" for name in names}

    def back(self, procedure: str) -> int:
        """The slot that holds where to go after a procedure."""
        return self.layout.local(procedure, BACK)
