"""Options that are listed without a jump, where their conditions are two numbers of the state each.

Whether such a condition holds is often as good as drawn, and a jump that the processor did not foresee costs more than
both numbers. A place that is known only in play is moved inside the state where it lies outside, so that it may be read
before the condition that comes earlier holds.
"""

from __future__ import annotations

from itertools import count

from polis_rules.interpreter.compiler.native import tree as t
from polis_rules.interpreter.compiler.native.words import conjuncts

FEWEST = 4
"""From so many on, options that follow each other are listed so."""
MOST_ASKED = 2
"""How many conditions an option may have."""


def straightened(function: t.Function, size: int) -> t.Function:
    """The same function, where a state has so many words."""
    return t.Function(function.name, function.params, _Straight(size).block(function.body))


class _Straight:
    def __init__(self, size: int) -> None:
        self.size = size
        self.numbers = count(1)

    def block(self, body: tuple[t.Statement, ...]) -> tuple[t.Statement, ...]:
        """Statements."""
        made: list[t.Statement] = []
        run: list[t.If] = []
        for each in body:
            if isinstance(each, t.If) and _listed(each):
                run.append(each)
                continue
            made += self.listed(run)
            run = []
            match each:
                case t.If(test, then, other):
                    made.append(t.If(test, self.block(then), self.block(other)))
                case t.Loop(inner):
                    made.append(t.Loop(self.block(inner)))
                case _:
                    made.append(each)
        return (*made, *self.listed(run))

    def listed(self, run: list[t.If]) -> list[t.Statement]:
        """Options that follow each other: each is written in any case, and counted where its conditions hold."""
        places: list[t.Load] = [each for one in run for part in conjuncts(one.test) for each in _moving(part)]
        indices: list[t.Expr] = []
        for place in places:
            if place.index not in indices:
                indices.append(place.index)
        ends = [_ends([place.offset for place in places if place.index == index]) for index in indices]
        if len(run) < FEWEST or not indices or any(high - low >= self.size for low, high in ends):
            return [*run]
        names = [t.Local(f"inside_{next(self.numbers)}_") for _ in indices]
        made: list[t.Statement] = []
        for name, index, (low, high) in zip(names, indices, ends, strict=True):
            inside = t.Binary("below", t.Binary("+", name, t.Const(low)), t.Const(self.size - (high - low)))
            made += [t.Let(name.name, index), t.Let(name.name, t.Either(inside, name, t.Const(-low)))]
        for one in run:
            match one:
                case t.If(test, (store, t.Let(listing, t.Binary(_, counted, _)))):
                    first, second = (_at(part, indices, names) for part in conjuncts(test))
                    made += [store, t.Let(listing, t.Binary("+", counted, t.Binary("&", first, second)))]
        return made


def _listed(each: t.If) -> bool:
    """Whether a statement lists an option, and its conditions only compare numbers of the state."""
    match each:
        case t.If(test, (t.Store(t.Local(), t.Local(at), 1, t.Const()), t.Let(name, t.Binary("+", t.Local(), _))), ()):
            parts = conjuncts(test)
            return name == at and len(parts) == MOST_ASKED and all(_is_asked(part, name) for part in parts)
    return False


def _is_asked(part: t.Expr, counted: str) -> bool:
    """Whether a condition is 1 or 0 and compares what does not depend on a local name."""
    match part:
        case t.Unary("not", operand):
            return _is_asked(operand, counted)
        case t.Binary("<" | "<=" | "==" | "!=", left, right):
            return all(_is_number(side, counted) for side in (left, right))
    return False


def _is_number(side: t.Expr, counted: str) -> bool:
    match side:
        case t.Const():
            return True
        case t.Load(base, index, _):
            return base == t.Local("s") and t.is_small(index) and not _names(index, counted)
    return False


def _names(expr: t.Expr, name: str) -> bool:
    match expr:
        case t.Local(here):
            return here == name
        case t.Unary(_, operand):
            return _names(operand, name)
        case t.Binary(_, left, right):
            return _names(left, name) or _names(right, name)
    return False


def _moving(part: t.Expr) -> list[t.Load]:
    """The numbers of a condition whose places are known only in play."""
    match part:
        case t.Unary(_, operand):
            return _moving(operand)
        case t.Binary(_, left, right):
            return [*_moving(left), *_moving(right)]
        case t.Load(_, index, _) if not isinstance(index, t.Const):
            return [part]
    return []


def _at(part: t.Expr, indices: list[t.Expr], names: list[t.Local]) -> t.Expr:
    """A condition that reads inside the state."""
    match part:
        case t.Unary(op, operand):
            return t.Unary(op, _at(operand, indices, names))
        case t.Binary(op, left, right):
            return t.Binary(op, _at(left, indices, names), _at(right, indices, names))
        case t.Load(base, index, offset) if index in indices:
            return t.Load(base, names[indices.index(index)], offset)
    return part


def _ends(offsets: list[int]) -> tuple[int, int]:
    return min(offsets), max(offsets)
