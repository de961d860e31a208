"""What the tree of native code means, said once more in plain Python, and random functions of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from polis_rules.interpreter.compiler.native.tree import (
    WORD,
    Binary,
    Break,
    Call,
    CallTable,
    Const,
    Continue,
    Copy,
    Do,
    Either,
    Expr,
    Function,
    If,
    Let,
    Load,
    Local,
    Loop,
    Pool,
    Return,
    Statement,
    Store,
    Trap,
    Unary,
    Unit,
    local_names,
)
from polis_rules.interpreter.runtime.native import TrappedError

Names = dict[str, int]

POOL_AT, BASE = 1 << 16, 1 << 20
PADDING = 16


def wrapped(value: int) -> int:
    """A number as a signed one of 64 bits."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def unsigned(value: int) -> int:
    return value % (1 << 64)


OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: unsigned(a) >> b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "below": lambda a, b: unsigned(a) < unsigned(b),
    "multiply_high": lambda a, b: unsigned(a) * unsigned(b) >> 64,
}


class Leave(Exception):  # noqa: N818 (no error)
    """A loop is left, or begun again, or a function answers."""

    def __init__(self, how: type, value: int = 0) -> None:
        self.how, self.value = how, value


class Evaluator:
    """An instance of a unit that goes through its tree."""

    def __init__(self, unit: Unit, words: int) -> None:
        self.unit, self.base = unit, BASE
        self.pool = [0] * PADDING + unit.pool
        self.words = [0] * words

    def call(self, name: str, *args: int) -> int:
        """The answer of a function."""
        function = self.unit.functions[name]
        names = dict.fromkeys(local_names(function), 0) | dict(zip(function.params, map(wrapped, args), strict=True))
        try:
            self.run(function.body, names)
        except Leave as left:
            return left.value
        return 0

    def word(self, base: int, index: int) -> tuple[list[int], int]:
        """Where a word is kept."""
        address = wrapped(base + WORD * index)
        if address >= BASE:
            return self.words, (address - BASE) // WORD
        at = (address - POOL_AT) // WORD + PADDING
        assert at >= 0
        return self.pool, at

    def run(self, body: tuple[Statement, ...], names: Names) -> None:
        """Do statements."""
        for each in body:
            self.do(each, names)

    def do(self, statement: Statement, names: Names) -> None:
        """Do a statement."""

        def value(expr: Expr) -> int:
            return self.value(expr, names)

        match statement:
            case Let(name, expr):
                names[name] = value(expr)
            case Store(base, index, offset, expr):
                where, at = self.word(value(base), value(index) + offset)
                where[at] = value(expr)
            case Copy(target, source, count):
                (where, at), (whence, begin), words = (
                    self.word(value(target), 0),
                    self.word(value(source), 0),
                    value(count),
                )
                where[at : at + words] = whence[begin : begin + words]
            case If(test, then, other):
                self.run(then if value(test) else other, names)
            case Loop(inside):
                self.loop(inside, names)
            case Return(expr):
                raise Leave(Return, value(expr))
            case Do(expr):
                value(expr)
            case Trap():
                raise TrappedError
            case _:
                raise Leave(type(statement))

    def loop(self, body: tuple[Statement, ...], names: Names) -> None:
        """Go round."""
        while True:
            try:
                self.run(body, names)
            except Leave as left:
                if left.how is Return:
                    raise
                if left.how is Break:
                    return

    def value(self, expr: Expr, names: Names) -> int:
        """What an expression is worth."""

        def value(expr: Expr) -> int:
            return self.value(expr, names)

        match expr:
            case Const(number):
                return number
            case Local(name):
                return names[name]
            case Pool(at):
                return POOL_AT + WORD * at
            case Load(base, index, offset):
                where, at = self.word(value(base), value(index) + offset)
                return where[at]
            case Binary(op, left, right):
                try:
                    return wrapped(int(OPERATORS[op](value(left), value(right))))
                except ZeroDivisionError:
                    raise TrappedError from None
            case Unary("not", operand):
                return int(not value(operand))
            case Unary("bits", operand):
                return unsigned(value(operand)).bit_count()
            case Unary("lowest", operand):
                bits = value(operand)
                return (bits & -bits).bit_length() - 1 if bits else 64
            case Unary(_, operand):
                return unsigned(value(operand)).bit_length()
            case Either(test, then, other):
                return value(then if value(test) else other)
            case Call(function, args):
                return self.call(function, *map(value, args))
            case CallTable(table, place, args):
                at, given, functions = value(place), [*map(value, args)], self.unit.tables[table]
                if not 0 <= at < len(functions) or not functions[at]:
                    raise TrappedError
                return self.call(functions[at], *given)
        raise TypeError(expr)


# -- random functions --------------------------------------------------------------------------------------------------

STATE_WORDS = 32
"""How many words the memory of random functions has; a state begins in the middle."""
MIDDLE = STATE_WORDS // 2

EDGES = (0, 1, -1, 2, -8, 63, 64, 1 << 31, 1 << 32, (1 << 63) - 1, -(1 << 63), 1 - (1 << 63), 7, 8, -(1 << 31))

NUMBERS = st.sampled_from(EDGES) | st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-9, 9)

PARAMS = ("s", "a", "b")
MADE = ("x", "y")


class Functions:
    """Draws functions that call only those before them and go round a few times, so that they end."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self.draw = draw
        self.unit = Unit(pool=draw(st.lists(NUMBERS, min_size=8, max_size=12)))
        self.names: list[str] = []
        self.loops = 0

    def one(self, *choices: Any) -> Any:
        """One of several things."""
        return self.draw(st.sampled_from(choices))

    def drawn(self) -> Unit:
        """A unit of a few functions, of which the last one is the most interesting."""
        for number in range(self.draw(st.integers(1, 3))):
            name = f"f{number}"
            first = self.one("s", "s", "t")
            self.names, self.loops, self.first = [first, *PARAMS[1:], *MADE], 0, first
            body = (*(Let(name, Const(self.draw(NUMBERS))) for name in MADE), *self.body(3))
            self.unit.functions[name] = Function(name, (first, *PARAMS[1:]), body)
            self.unit.tables[f"t{number}"] = tuple(self.one("", *self.unit.functions) for _ in range(3))
        self.unit.exports = tuple(self.unit.functions)
        return self.unit

    # -- statements

    def body(self, depth: int, inside: bool = False) -> tuple[Statement, ...]:
        """A few statements."""
        made: list[Statement] = []
        for _ in range(self.draw(st.integers(1, 3))):
            made += self.statement(depth, inside)
        return tuple(made)

    def statement(self, depth: int, inside: bool) -> list[Statement]:
        """One statement, or more where one needs them."""
        deep = ("if", "if", "loop") if depth else ()
        kind = self.one("let", "let", "store", "copy", "return", "do", "rare", *deep, *(("jump",) if inside else ()))
        match kind:
            case "let":
                return [Let(self.one(*MADE), self.expr(depth))]
            case "store":
                base, index, offset = self.place(depth, self.state())
                return [Store(base, index, offset, self.expr(depth))]
            case "copy":
                source = self.one(self.state(), Pool(0))
                return [Copy(self.state(), source, self.one(Const(3), Binary("&", self.expr(1), Const(7))))]
            case "do":
                return [Do(self.expr(depth))]
            case "if":
                other = self.body(depth - 1, inside) if self.draw(st.booleans()) else ()
                return [If(self.expr(depth), self.body(depth - 1, inside), other)]
            case "loop":
                return self.loop(depth)
            case "jump":
                return [If(self.expr(1), (self.one(Break(), Continue()),), self.body(0))]
            case "rare":
                return [If(self.expr(depth), (Trap(),))]
        return [If(self.expr(1), (Return(self.expr(depth)),))]

    def loop(self, depth: int) -> list[Statement]:
        """A loop of a few rounds."""
        counter = f"i{self.loops}"
        self.loops += 1
        self.names.append(counter)
        rounds = Const(self.draw(st.integers(0, 4)))
        body = self.body(depth - 1, inside=True)
        counted = Let(counter, Binary("+", Local(counter), Const(1)))
        return [
            Let(counter, Const(0)),
            Loop((If(Binary("<=", rounds, Local(counter)), (Break(),)), counted, *body)),
        ]

    # -- expressions

    def state(self) -> Expr:
        """The address of a word not far from the state."""
        here = Local(self.first)
        by = Const(WORD * self.draw(st.integers(0, 4)))
        return self.one(here, Binary("+", here, by), Binary("-", here, by), Binary("+", by, here))

    def place(self, depth: int, base: Expr, least: int = -4) -> tuple[Expr, Expr, int]:
        """Where a word is that is surely there."""
        index = self.one(Const(0), Const(3), Binary("&", self.expr(depth - 1), Const(3)))
        if self.draw(st.booleans()):
            index = Binary("+", index, Const(1))
        return base, index, self.draw(st.integers(least, 3))

    def expr(self, depth: int) -> Expr:
        """An expression that does not tell addresses."""
        leaf = Local(self.one(*self.names[1:])) if self.draw(st.booleans()) else Const(self.draw(NUMBERS))
        if depth <= 0:
            return leaf
        kind = self.one("leaf", "binary", "binary", "unary", "either", "and", "load", "load", "call", "table")
        before = list(self.unit.functions)
        match kind:
            case "binary":
                return self.binary(depth - 1)
            case "unary":
                return Unary(self.one("not", "not", "bits", "length", "lowest"), self.expr(depth - 1))
            case "either":
                return Either(self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1))
            case "and":
                first, second = self.expr(depth - 1), self.expr(depth - 1)
                return self.one(Either(first, second, Const(0)), Either(first, Const(1), second))
            case "load":
                return Load(
                    *self.place(depth, self.state()) if self.draw(st.booleans()) else self.place(depth, Pool(0))
                )
            case "call" if before:
                return Call(self.one(*before), self.given(depth))
            case "table" if before:
                index = self.one(self.expr(depth - 1), Binary("&", self.expr(depth - 1), Const(1)), Const(1))
                return CallTable(self.one(*self.unit.tables), index, self.given(depth))
        return leaf

    def given(self, depth: int) -> tuple[Expr, ...]:
        """What a function takes; all of them begin at the state itself, so that it does not wander off."""
        return (Local(self.first), self.expr(depth - 1), self.expr(depth - 1))

    def binary(self, depth: int) -> Expr:
        """An operation."""
        op = self.one(*OPERATORS)
        left, right = self.expr(depth), self.expr(depth)
        if op in ("<<", ">>"):
            right = Const(self.draw(st.integers(0, 63))) if self.draw(st.booleans()) else Binary("&", right, Const(63))
        return Binary(op, left, right)


@st.composite
def units(draw: Callable[[Any], Any]) -> Unit:
    """A unit whose functions take the address of a state and two numbers."""
    return Functions(draw).drawn()
