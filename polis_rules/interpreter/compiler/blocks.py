"""Cut the typed rules into blocks at the points where the game waits."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.diagnostics import Span
from polis_rules.interpreter.machine import Layout
from polis_rules.semantics import Symbols, calls, every_step, ir, waiting_procedures
from polis_rules.semantics.expressions import Expr, Load


@dataclass(frozen=True, slots=True)
class Slot(Expr):
    """The value of a slot that only the compiler knows about."""

    slot: int


@dataclass(frozen=True, slots=True)
class Store(ir.Step):
    """A slot takes a value."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Remember(ir.Step):
    """A slot takes the place to come back to: a block."""

    slot: int
    block: int


@dataclass(frozen=True, slots=True)
class TakeNext(ir.Step):
    """The next member of a loop leaves its mask of waiting members; `first` turns the table order."""

    mask: int
    var: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Turn(ir.Step):
    """Turn a mask of `count` members so that the one in slot `first` comes first."""

    mask: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Round(ir.Step):
    """A loop goes round; checked code counts that."""


@dataclass(frozen=True, slots=True)
class Announce(ir.Step):
    """A phase with a title begins; without one here, it ends."""

    title: str


@dataclass(slots=True)
class Block:
    """Steps without waiting, then where to go on."""

    procedure: str
    steps: list[ir.Step] = field(default_factory=list)
    end: Goto | Branch | Switch | Wait | Back | Finish | None = None


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
class Wait:
    """Wait at a decision or a chance point."""

    point: int


@dataclass(frozen=True, slots=True)
class Back:
    """Back to where the procedure was called."""

    slot: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over."""

    span: Span
    ending: str
    winner: Expr | None


@dataclass(slots=True)
class Point:
    """Where the game waits: for a player's choice or for chance."""

    step: ir.Choose | ir.Roll | ir.Draw
    procedure: str
    slot: int
    chosen: int = -1
    """block after a member, number or outcome"""
    ways: list[int] = field(default_factory=list)
    leave: int = -1
    """block to go on with when there is no option; -1: that is an error"""
    finish: str = ""
    finished: int = -1
    count: int = -1
    """slot that counts how often the loop was gone through; -1: finishing is always offered"""
    at_least: int = 0


class Blocks:
    """All blocks and waiting points of a ruleset."""

    def __init__(self, symbols: Symbols, procedures: dict[str, ir.Procedure], layout: Layout) -> None:
        self.symbols = symbols
        self.procedures = procedures
        self.layout = layout
        self.blocks: list[Block] = []
        self.points: list[Point] = []
        self.entries: dict[str, int] = {}
        from polis_rules.interpreter.compiler.cutter import Cutter

        self.waiting = waiting_procedures(symbols, procedures)
        for path in sorted(self.waiting):
            self.entries[path] = self.new(path)
        for path in self.entries:
            Cutter(self, procedures[path]).cut()

    def new(self, procedure: str) -> int:
        """A new, empty block."""
        self.blocks.append(Block(procedure))
        return len(self.blocks) - 1

    def back(self, procedure: str) -> int:
        """The slot that holds where to go after a procedure."""
        return self.layout.local(procedure, "(back)")


def changed_by_trials(procedures: dict[str, ir.Procedure], symbols: Symbols) -> set[tuple[str, str]]:
    """The state that the steps of a choice with `leaving` move or set: tried out, it may be outside of its range.

    What is paid is there before, and what is gained or lost stops at the ends of a range.
    """
    choices = (step for each in procedures.values() for step in every_step(each.body) if isinstance(step, ir.Choose))
    waiting = [step for choice in choices if choice.leaving for step in every_step(choice.do)]
    found: set[tuple[str, str]] = set()
    entered: set[str] = set()
    while waiting:
        step = waiting.pop()
        targets: tuple[Load, ...] = ()
        if isinstance(step, ir.Move):
            targets = (step.source, step.target)
        elif isinstance(step, ir.Set):
            targets = (step.target,)
        found |= {(target.owner, target.name) for target in targets}
        for path in calls(step, symbols):
            if path not in entered:
                entered.add(path)
                waiting += every_step(procedures[path].body)
    return found
