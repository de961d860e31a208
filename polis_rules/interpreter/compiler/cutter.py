"""Cut one procedure into blocks at the points where the game waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any

from polis_rules.diagnostics import Span
from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.blocks import Block, Blocks
from polis_rules.interpreter.compiler.rounds import LONG, count_rounds
from polis_rules.interpreter.machine import YOU, Announce, ChancePoint, DecisionPoint, Layout
from polis_rules.semantics import Ranges, TypedRules, called_by, ir
from polis_rules.semantics.expressions import BOOL, INT, Arith, Comp, Compare, Const, Everyone, Expr, Next, Type, Var

MOST_COPIED = 20_000
"""How many members of a list a loop in which the game waits may go through."""


@dataclass(slots=True)
class Loop:
    """An enclosing loop: where `stop` goes, and how many players-for-a-while are to be undone."""

    exit: int
    depth: int


def cut_blocks(rules: TypedRules, layout: Layout) -> Blocks:
    """The blocks and points of all procedures that wait."""
    blocks = Blocks(rules, layout)
    for path in blocks.entries:
        Cutter(blocks, rules.procedures[path]).cut()
    count_rounds(blocks, rules)
    return blocks


class Cutter:
    """Cuts one procedure."""

    def __init__(self, blocks: Blocks, procedure: ir.Procedure) -> None:
        self.blocks = blocks
        self.procedure = procedure
        self.path = procedure.path
        self.here = blocks.entries[procedure.path]
        self.loops: list[Loop] = []
        self.saved: list[int] = []
        self.temps = 0
        self.times_round = 1
        """how often the loops go round, in all, that are not counted here"""
        self.ranges = Ranges(blocks.symbols)
        self.waiting: dict[type[ir.Step], Callable[[Any], object]] = {
            ir.Choose: self.choose, ir.Roll: self.chance, ir.Draw: self.chance, ir.While: self.while_,
            ir.Times: self.times, ir.Choices: self.choices, ir.Each: self.each, ir.If: self.if_, ir.As: self.as_,
            ir.Together: self.each,
            ir.Do: lambda step: self.call(step.procedure, step.args, step.span),
            ir.Shuffle: self.shuffle, ir.Note: lambda step: self.steps(step.body),
            ir.Several: lambda step: self.steps(step.body), ir.AnyOf: lambda step: self.steps(step.body),
            ir.DoEffects: self.effects, ir.Perform: self.perform,
            ir.Stop: self.stop, ir.End: self.end,
        }  # fmt: skip
        """what is done with each step in which, or through which, the game waits"""

    def cut(self) -> None:
        if self.procedure.announce:
            self.block.steps.append(Announce(self.procedure.span, self.procedure.title))
        self.steps(self.procedure.body)
        if self.procedure.announce:
            self.block.steps.append(Announce(self.procedure.span, ""))
        if self.path == "phases.game":
            self.block.end = cut.Finish(self.procedure.span, "", None)
        else:
            self.block.end = cut.Return(self.blocks.back(self.path))

    @property
    def block(self) -> Block:
        return self.blocks.blocks[self.here]

    def new(self) -> int:
        return self.blocks.new(self.path, self.times_round)

    def go(self, target: int) -> None:
        """End the present block and go on writing in another one."""
        self.block.end = cut.Goto(target)
        self.here = target

    def temp(self) -> int:
        self.temps += 1
        return self.blocks.layout.local(self.path, f"({self.temps})")

    def local(self, name: str) -> int:
        return self.blocks.layout.local(self.path, name)

    def plain(self, step: ir.Step, in_loop: bool = False) -> bool:
        """Whether a step neither waits nor leaves a loop around it."""
        if isinstance(step, ir.Stop):
            return in_loop
        if step.waits:
            return False
        if any(name in self.blocks.waiting for name in called_by(step, self.blocks.symbols)):
            return False
        inner = in_loop or isinstance(step, (ir.While, ir.Times, ir.Each))
        return all(self.plain(part, inner) for steps in step.children() for part in steps)

    def steps(self, steps: tuple[ir.Step, ...]) -> None:
        for step in steps:
            if isinstance(step, ir.Let):
                self.block.steps.append(cut.Store(step.span, self.local(step.var), step.value))
            elif self.plain(step):
                self.block.steps.append(step)
            else:
                self.waiting[type(step)](step)

    def end(self, step: ir.End) -> None:
        self.block.end = cut.Finish(step.span, step.ending, step.winner)
        self.here = self.new()

    def suspend(self, point: DecisionPoint | ChancePoint) -> int:
        """End the present block at a point; the block that follows it."""
        self.blocks.points.append(point)
        self.block.end = cut.Suspend(len(self.blocks.points) - 1)
        point.chosen = self.new()
        return point.chosen

    # -- waiting ----------------------------------------------------------------------------------------------------

    def choose(self, step: ir.Choose) -> DecisionPoint:
        slot = self.local(step.var) if step.var else self.temp()
        point = DecisionPoint(self.path, slot, step=step)
        after = self.suspend(point)
        for way in step.ways:
            self.here = self.new()
            point.ways.append(self.here)
            for name in step.split(-1):
                self.block.steps.append(cut.Store(way.span, self.local(name), Const(INT, -1)))
            self.block.steps.extend(way.cost)
            self.steps(way.do)
            self.block.end = self.block.end or cut.Goto(after)
        if step.if_possible:
            point.leave = self.none_block(step, step.split(-1), after)
        self.here = after
        return point

    def none_block(self, step: ir.Step, names: Iterable[str], after: int) -> int:
        """A block in which what was to be chosen becomes none."""
        number = self.new()
        block = self.blocks.blocks[number]
        block.steps += [cut.Store(step.span, self.local(name), Const(INT, -1)) for name in names]
        block.end = cut.Goto(after)
        return number

    def chance(self, step: ir.Roll | ir.Draw) -> None:
        slot = self.local(step.var)
        point = ChancePoint(self.path, slot, step=step)
        self.blocks.layout.stream(step.stream)
        after = self.suspend(point)
        if isinstance(step, ir.Draw) and step.if_possible:
            point.leave = self.none_block(step, [step.var], after)
        self.here = after

    def shuffle(self, step: ir.Shuffle) -> None:
        points, left = len(self.blocks.points), step.body[0]
        assert isinstance(left, ir.Let)
        self.steps(step.body)
        for point in self.blocks.points[points:]:
            if isinstance(point, ChancePoint):
                point.shuffled, point.left = step.target, self.local(left.var)

    # -- loops ------------------------------------------------------------------------------------------------------

    @contextmanager
    def inside(self, head: int, out: int, span: Span, rounds: int = LONG) -> Iterator[None]:
        """What is cut within it is the inside of a loop, from the present block back to its head.

        It is counted unless it goes round few times: at most so many.
        """
        self.loops.append(Loop(out, len(self.saved)))
        before, often = self.times_round, self.times_round * rounds
        if often < LONG:
            self.times_round = often
        else:
            self.blocks.blocks[head].steps.insert(0, cut.Tick(span))
            self.times_round = 1
        yield
        self.times_round = before
        self.loops.pop()
        self.block.end = self.block.end or cut.Goto(head)
        self.here = out

    @contextmanager
    def loop(self, span: Span, test: Expr, rounds: int = LONG) -> Iterator[None]:
        """What is cut within it is gone through as long as a condition holds."""
        head, inside, out = self.new(), self.new(), self.new()
        self.go(head)
        self.block.end = cut.Branch(test, inside, out)
        self.here = inside
        with self.inside(head, out, span, rounds):
            yield

    def while_(self, step: ir.While) -> None:
        with self.loop(step.span, step.test):
            self.steps(step.body)

    def times(self, step: ir.Times) -> None:
        counter = self.temp()
        self.block.steps.append(cut.Store(step.span, counter, step.times))
        with self.loop(step.span, _more(counter)):
            self.block.steps.append(cut.Store(step.span, counter, _plus(counter, -1)))
            self.steps(step.body)

    def choices(self, step: ir.Choices) -> None:
        first = step.body[0]
        assert isinstance(first, ir.Choose)
        counter = self.temp() if step.finish and step.at_least else -1
        if counter >= 0:
            self.block.steps.append(cut.Store(step.span, counter, Const(INT, 0)))
        head, out = self.new(), self.new()
        self.go(head)
        with self.inside(head, out, step.span):
            point = self.choose(first)
            point.leave = out
            if step.finish:
                point.finish, point.finished = step.finish, out
                point.count, point.at_least = counter, step.at_least
            if counter >= 0:
                self.block.steps.append(cut.Store(step.span, counter, _plus(counter, 1)))
            self.steps(step.body[1:])

    def each(self, step: ir.Each) -> None:
        if step.domain.type.base == "list":
            self.each_listed(step)
            return
        kind = step.domain.type.kind
        count = self.blocks.symbols.count(kind)
        if count and isinstance(step.domain, Everyone) and step.test is None:
            self.each_of_all(step, count)
            return
        mask = self.temp()
        first = -1 if step.starting is None else self.temp()
        inner = Var(Type("ref", kind), step.var)
        chosen = Comp(Type("set", kind), "set", step.var, step.domain, step.test, inner)
        if step.starting is not None:
            self.block.steps.append(cut.Store(step.span, first, step.starting))
        self.block.steps.append(cut.Store(step.span, mask, chosen))
        if step.starting is not None:
            self.block.steps.append(cut.RotateMask(step.span, mask, first, count))
        self.go_through(step, _more(mask), count, lambda slot: cut.TakeNext(step.span, mask, slot, first, count))

    def each_of_all(self, step: ir.Each, count: int) -> None:
        """The same for all members of a kind: who comes next is counted. It is `you` that counts where all act."""
        kind, as_you = step.domain.type.kind, step.var == "you"
        slot = YOU if as_you else self.local(step.var)
        last: Expr = Const(INT, count - 1)
        start: Expr = Const(INT, 0)
        member = Var(Type("ref", kind), step.var)
        following: Expr = Arith(INT, "+", member, Const(INT, 1))
        if step.starting is not None:
            first = self.temp()
            self.block.steps.append(cut.Store(step.span, first, step.starting))
            start, following = cut.Slot(INT, first), Next(member.type, member)
        if as_you:
            self.save_you(step.span)
        head, inside, on, out = self.new(), self.new(), self.new(), self.new()
        self.block.steps.append(cut.Store(step.span, slot, start))
        self.go(inside)
        with self.inside(head, out, step.span, count):
            self.steps(step.body)
        more = Compare(BOOL, "<", member, last) if step.starting is None else Compare(BOOL, "!=", following, start)
        self.blocks.blocks[head].end = cut.Branch(more, on, out)
        self.blocks.blocks[on].steps.append(cut.Store(step.span, slot, following))
        self.blocks.blocks[on].end = cut.Goto(inside)
        if as_you:
            self.restore_you(step.span)

    def each_listed(self, step: ir.Each) -> None:
        """The same over a list, whose members are first copied."""
        member = Var(Type("ref", step.domain.type.kind), step.var)
        chosen = step.domain
        if step.test is not None:
            chosen = Comp(step.domain.type, "list", step.var, step.domain, step.test, member)
        at_most = min(self.ranges.most_listed(step.domain), MOST_COPIED)
        counter = self.temp()
        self.temps += 1
        run = self.blocks.layout.run(self.path, f"({self.temps})", 1 + at_most)
        self.block.steps.append(cut.StoreList(step.span, run, at_most, chosen, step.starting))
        self.block.steps.append(cut.Store(step.span, counter, Const(INT, 0)))
        more = Compare(BOOL, "<", cut.Slot(INT, counter), cut.Slot(INT, run))
        self.go_through(step, more, at_most, lambda slot: cut.TakeItem(step.span, run, slot, counter))

    def go_through(self, step: ir.Each, more: Expr, rounds: int, take: Callable[[int], ir.Step]) -> None:
        """The loop itself: as long as there are more members, the next one is taken into a slot."""
        as_you = step.var == "you"
        slot = self.temp() if as_you else self.local(step.var)
        if as_you:
            self.save_you(step.span)
        with self.loop(step.span, more, rounds):
            self.block.steps.append(take(slot))
            if as_you:
                self.become(step.span, cut.Slot(INT, slot))
            self.steps(step.body)
        if as_you:
            self.restore_you(step.span)

    def stop(self, step: ir.Stop) -> None:
        loop = self.loops[-1]
        if len(self.saved) > loop.depth:
            self.block.steps.append(cut.Store(step.span, YOU, cut.Slot(INT, self.saved[loop.depth])))
        self.block.end = cut.Goto(loop.exit)
        self.here = self.new()

    def if_(self, step: ir.If) -> None:
        yes, no, after = self.new(), self.new(), self.new()
        self.block.end = cut.Branch(step.test, yes, no)
        for start, steps in ((yes, step.then), (no, step.other)):
            self.here = start
            self.steps(steps)
            self.block.end = self.block.end or cut.Goto(after)
        self.here = after

    # -- who acts ---------------------------------------------------------------------------------------------------

    def save_you(self, span: Span) -> None:
        slot = self.temp()
        self.block.steps.append(cut.Store(span, slot, cut.Slot(INT, YOU)))
        self.saved.append(slot)

    def become(self, span: Span, player: Expr) -> None:
        """Somebody acts from here on; a new block begins, since blocks are made for one acting player."""
        self.block.steps.append(cut.Store(span, YOU, player))
        self.go(self.new())

    def restore_you(self, span: Span) -> None:
        self.become(span, cut.Slot(INT, self.saved.pop()))

    def as_(self, step: ir.As) -> None:
        self.save_you(step.span)
        self.become(step.span, step.player)
        self.steps(step.body)
        if self.block.end is None:
            self.restore_you(step.span)
        else:
            self.saved.pop()

    # -- calls ------------------------------------------------------------------------------------------------------

    def call(self, path: str, args: tuple[Expr, ...], span: Span) -> None:
        after = self.new()
        self._enter(path, args, span, after)
        self.here = after

    def _enter(self, path: str, args: tuple[Expr, ...], span: Span, after: int) -> None:
        layout = self.blocks.layout
        if path not in self.blocks.waiting:
            self.block.steps.append(ir.Do(span, path, args))
            self.block.end = cut.Goto(after)
            return
        for name, value in zip(self.blocks.procedures[path].params, args, strict=True):
            self.block.steps.append(cut.Store(span, layout.local(path, name), value))
        self.block.steps.append(cut.SaveReturn(span, self.blocks.back(path), after))
        self.block.end = cut.Goto(self.blocks.entries[path])

    def effects(self, step: ir.DoEffects) -> None:
        symbols = self.blocks.symbols
        attribute = symbols.kinds[step.owner].attributes[step.name]
        index = tuple(zip(step.index, symbols.strides(attribute), strict=True))
        self.one_of(index, prod(symbols.sizes(attribute)), attribute.procedures, step.args, step.span)

    def perform(self, step: ir.Perform) -> None:
        members = self.blocks.symbols.kinds["action"].members
        paths = {number: f"actions.{name}" for number, name in enumerate(members)}
        self.one_of(((step.action, 1),), len(members), paths, (), step.span)

    def one_of(
        self, index: tuple[tuple[Expr, int], ...], size: int, paths: dict[int, str], args: tuple[Expr, ...], span: Span
    ) -> None:
        """Call one of several procedures, by a number below `size`; for some there may be none."""
        switch, after = self.block, self.new()
        targets = [after] * size
        for number, path in paths.items():
            self.here = targets[number] = self.new()
            self._enter(path, args, span, after)
        switch.end = cut.Switch(index, tuple(targets))
        self.here = after


def _more(slot: int) -> Expr:
    """Whether a slot is above 0."""
    return Compare(BOOL, ">", cut.Slot(INT, slot), Const(INT, 0))


def _plus(slot: int, amount: int) -> Expr:
    """A slot and a number."""
    return Arith(INT, "+", cut.Slot(INT, slot), Const(INT, amount))
