"""Numbers that might not fit a word trap: the game is then played in Python, whose numbers have no end.

What stands in states, lists and answers lies between -2**54 and 2**54, or a little beyond where small numbers were
added to it (a game never has time for 2**30 such steps). So one expression may add some hundred of them; what is stored
or answered is asked whether it still lies there, and factors whether they fit half a word, unless one of them is small.
"""

from __future__ import annotations

from polis_rules.interpreter.compiler.native import tree as t

FITS = 54
"""Numbers of so many bits are taken as they are."""
KNOWN = FITS + 1
"""Numbers that are not known are taken to have at most so many."""
SMALL = 20
"""What is added over and over may have so many."""
MOST = 62
"""Numbers of so many bits are never near the end of a word."""
HALF = 31
"""Factors have at most so many bits, where both are not small."""
ROUNDS = 4
"""A local name whose number grows after it was looked at so often grows in a loop."""


def guarded(function: t.Function) -> t.Function:
    """The same function with such questions: calls of `fits` and `factor` of the library."""
    guards = _Guards()
    lets = [each for each in t.statements(function.body) if isinstance(each, t.Let)]
    for number in range(2 * ROUNDS):
        for each in lets:
            guards.given(each, final=number >= ROUNDS)
    return t.Function(function.name, function.params, guards.block(function.body))


class _Guards:
    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        """how many bits the numbers of local names have, where these are known"""
        self.growing: set[str] = set()

    def given(self, each: t.Let, final: bool) -> None:
        """A local name gets a number."""
        known, bits = self.names.get(each.name, 0), self.asked(each.value)[1]
        if bits > known:
            if final or bits > MOST:
                self.growing.add(each.name)
                bits = KNOWN
            self.names[each.name] = max(bits, known)

    def block(self, body: tuple[t.Statement, ...]) -> tuple[t.Statement, ...]:
        """Statements."""
        return tuple(map(self.statement, body))

    def statement(self, each: t.Statement) -> t.Statement:
        match each:
            case t.Let(name, value):
                return t.Let(name, self.fitting(value) if name in self.growing else self.asked(value)[0])
            case t.Store(t.Load(), _, _, _):  # to a context
                return each
            case t.Store(base, index, offset, value):
                return t.Store(base, index, offset, self.fitting(value))
            case t.Return(value):
                return t.Return(self.fitting(value))
            case t.Do(value):
                return t.Do(self.asked(value)[0])
            case t.If(test, then, other):
                return t.If(self.asked(test)[0], self.block(then), self.block(other))
            case t.Loop(body):
                return t.Loop(self.block(body))
        return each

    def fitting(self, value: t.Expr) -> t.Expr:
        """A number that fits."""
        made, bits = self.asked(value)
        return t.Call("fits", (made,)) if bits > KNOWN else made

    def asked(self, value: t.Expr) -> tuple[t.Expr, int]:
        """An expression that is right or traps, and how many bits its number has at most.

        Those of sets and addresses do not matter.
        """
        match value:
            case t.Const(number):
                return value, min(number.bit_length(), KNOWN)
            case t.Local(name):
                return value, self.names.get(name, KNOWN)
            case t.Call(function, args):
                return t.Call(function, tuple(map(self.fitting, args))), KNOWN
            case t.CallTable(table, index, args):
                return t.CallTable(table, index, tuple(map(self.fitting, args))), KNOWN
            case t.Unary(op, operand):
                return t.Unary(op, self.asked(operand)[0]), 7
            case t.Either(test, then, other):
                (yes, first), (no, second) = self.asked(then), self.asked(other)
                return t.Either(self.asked(test)[0], yes, no), max(first, second)
            case t.Binary("+" | "-" | "*"):
                return self.calculated(value)
            case t.Binary(op, left, right):
                (one, _), (other, most) = self.asked(left), self.asked(right)
                bits = 1 if op in ("<", "<=", "==", "!=", "below") else most if op == "%" else KNOWN
                return t.Binary(op, one, other), bits
        return value, KNOWN

    def calculated(self, value: t.Binary) -> tuple[t.Expr, int]:
        """A sum, difference or product."""
        (left, first), (right, second) = self.asked(value.left), self.asked(value.right)
        if value.op == "*":
            if first + second > MOST:
                left, first = (left, first) if first <= HALF else (t.Call("factor", (left,)), HALF)
                right, second = (right, second) if second <= HALF else (t.Call("factor", (right,)), HALF)
            return t.Binary("*", left, right), first + second
        least, most = sorted((first, second))
        if most < MOST:
            return t.Binary(value.op, left, right), max(most, SMALL + 1) if least <= SMALL else most + 1
        left, right = self.fitting(left), self.fitting(right)
        return t.Binary(value.op, left, right), KNOWN + 1
