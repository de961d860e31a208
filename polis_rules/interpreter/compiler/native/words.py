"""Small expressions of native code, worked out as far as they are known."""

from __future__ import annotations

from polis_rules.interpreter.compiler.native import tree as t

ZERO, ONE = t.Const(0), t.Const(1)
STATE = t.Local("s")


class NotNativeError(Exception):
    """Something in the rules has no native form; its text says what."""


def binary(op: t.Operator, left: t.Expr, right: t.Expr) -> t.Expr:
    """An operation, worked out where both numbers are known."""
    if isinstance(left, t.Const) and isinstance(right, t.Const):
        match op:
            case "+":
                return number(left.value + right.value)
            case "-":
                return number(left.value - right.value)
            case "*":
                return number(left.value * right.value)
    if op in "+-|^" and right == ZERO:
        return left
    return t.Binary(op, left, right)


def combined(op: t.Operator, values: list[t.Expr]) -> t.Expr:
    """Many values with `+`, `|`, `&` or `^` between them, as a tree that is nowhere deep."""
    while len(values) > 1:
        pairs = [binary(op, left, right) for left, right in zip(values[::2], values[1::2], strict=False)]
        values = pairs + values[len(pairs) * 2 :]
    return values[0]


def number(value: int) -> t.Const:
    """A number as the word that holds it."""
    if not -(1 << 63) <= value < 1 << 64:
        raise NotNativeError("a number of more than 64 bits")
    return t.Const(value - (1 << 64) if value >> 63 > 0 else value)


def load(base: t.Expr, place: t.Expr) -> t.Load:
    """A word, with what is known of its place taken apart from the rest."""
    index, offset = apart(place)
    return t.Load(base, index, offset)


def apart(place: t.Expr) -> tuple[t.Expr, int]:
    """A place as a sum of what is not known and what is."""
    match place:
        case t.Const(value):
            return ZERO, value
        case t.Binary("+", left, t.Const(value)):
            index, offset = apart(left)
            return index, offset + value
        case t.Binary("+", t.Const(value), right):
            index, offset = apart(right)
            return index, offset + value
        case t.Binary("-", left, t.Const(value)):
            index, offset = apart(left)
            return index, offset - value
        case t.Binary("-", t.Const(value), right):
            index, offset = apart(right)
            return t.Binary("-", ZERO, index), value - offset
    return place, 0


def conjuncts(test: t.Expr) -> list[t.Expr]:
    """What all has to hold for a condition."""
    found: list[t.Expr] = []
    while isinstance(test, t.Either) and test.other == ZERO:
        found += conjuncts(test.test)
        test = test.then
    return [*found, test]
