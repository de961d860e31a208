"""Numbers and conditions of generated Python as the tree of native code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from polis_rules.interpreter.compiler.native import tree as t
from polis_rules.interpreter.compiler.native.reading import chain
from polis_rules.interpreter.compiler.native.words import (
    ONE,
    STATE,
    ZERO,
    NotNativeError,
    binary,
    combined,
    load,
    number,
)

OPERATORS: dict[type[ast.AST], t.Operator] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip

COMPARED: dict[type[ast.AST], tuple[t.Operator, bool]] = {
    ast.Lt: ("<", False), ast.LtE: ("<=", False), ast.Gt: ("<", True), ast.GtE: ("<=", True), ast.Eq: ("==", False),
    ast.NotEq: ("!=", False),
}  # fmt: skip
"""How a comparison is said in the tree, and whether the other way round."""


def same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions are the same."""
    return ast.dump(one) == ast.dump(other)


class Expressions:
    """Lowers expressions. What has to be done before an expression can be worked out goes to the present block."""

    def __init__(self) -> None:
        self.block: list[t.Statement] = []
        self.made = 0
        self.lists: set[str] = set()
        """the local names of the present function that are lists"""
        self.growing: set[str] = set()
        """those of them that are added to, whose length is kept in a local name"""
        self.most_added: dict[str, int | None] = {}
        """how many members are added to a list at most, where that is known"""
        self.visited: set[str] = set()
        """those that are sets of what was met"""
        self.numbers: dict[str, int] = {}
        """what names stand for that are numbers"""
        self.functions: dict[str, Callable[[ast.Call], t.Expr]] = {
            "abs": self.absolute, "len": self.length, "below": self.below, "located": self.located, "load": self.load,
            "call_table": self.call_table, "under": lambda n: self.plain("below", n),
            "multiply_high": lambda n: self.plain("multiply_high", n), "one_of": self.one_of,
            "lowest": lambda n: t.Unary("lowest", self.expr(n.args[0])),
        }  # fmt: skip
        self.called_for: set[str] = set()
        """the functions that something lowered calls"""
        self.callable: dict[str, int] = {}
        """the functions of the unit: how many values each is given, the state first; 0 where it is given none"""

    # -- what goes before ----------------------------------------------------------------------------------------------

    def name(self, stem: str) -> str:
        """A fresh local name."""
        self.made += 1
        return f"{stem}_{self.made}_"

    def keep(self, value: t.Expr, stem: str = "x") -> t.Local:
        """A local name with a value as it is now."""
        made = t.Local(self.name(stem))
        self.block.append(t.Let(made.name, value))
        return made

    def simple(self, value: t.Expr) -> t.Expr:
        """A value that may be repeated."""
        return value if isinstance(value, (t.Const, t.Local, t.Pool)) else self.keep(value)

    @contextmanager
    def inside(self) -> Iterator[list[t.Statement]]:
        """A block of its own."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    def either(self, test: t.Expr, then: Callable[[], t.Expr], other: Callable[[], t.Expr]) -> t.Expr:
        """One of two values, of which the other one is not worked out."""
        with self.inside() as first:
            yes = then()
        with self.inside() as second:
            no = other()
        if not first and not second:
            return t.Either(test, yes, no)
        made = t.Local(self.name("e"))
        self.block.append(t.If(test, (*first, t.Let(made.name, yes)), (*second, t.Let(made.name, no))))
        return made

    def call(self, function: str, *args: t.Expr) -> t.Expr:
        """A call of a function of the unit."""
        self.called_for.add(function)
        return t.Call(function, args)

    # -- conditions ----------------------------------------------------------------------------------------------------

    def test(self, node: ast.expr) -> t.Expr:
        """A condition: not 0 where it holds."""
        match node:
            case ast.BoolOp(op, values):
                return self.all_or_any(isinstance(op, ast.And), values)
            case ast.UnaryOp(ast.Not(), operand):
                return t.Unary("not", self.test(operand))
            case ast.Compare():
                return self.compared(node)
            case ast.IfExp(test, body, orelse):
                return self.either(self.test(test), lambda: self.test(body), lambda: self.test(orelse))
            case ast.Name(id) if id in self.lists:
                return self.length_of(id)
        return self.expr(node)

    def all_or_any(self, is_all: bool, values: list[ast.expr]) -> t.Expr:
        first, *rest = values
        test = self.test(first)
        if not rest:
            return test
        if is_all:
            return self.either(test, lambda: self.all_or_any(True, rest), lambda: ZERO)
        return self.either(test, lambda: ONE, lambda: self.all_or_any(False, rest))

    def compared(self, node: ast.Compare) -> t.Expr:
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            (place,) = node.comparators
            found = self.contained(self.expr(node.left), place)
            return t.Unary("not", found) if isinstance(node.ops[0], ast.NotIn) else found
        sides = [node.left, *node.comparators]
        if len(sides) == 2 and all(map(self.is_list, sides)):
            left, right = (self.simple(self.listed(each)) for each in sides)
            same = self.call("same_lists", left, right)
            return t.Unary("not", same) if isinstance(node.ops[0], ast.NotEq) else same
        values = [self.expr(each) for each in sides]
        values[1:-1] = [self.simple(each) for each in values[1:-1]]
        parts: list[t.Expr] = []
        for at, op in enumerate(node.ops):
            said, turned = COMPARED[type(op)]
            left, right = values[at : at + 2]
            parts.append(t.Binary(said, right, left) if turned else t.Binary(said, left, right))
        whole = parts[-1]
        for part in reversed(parts[:-1]):
            whole = t.Either(part, whole, ZERO)
        return whole

    def contained(self, member: t.Expr, place: ast.expr) -> t.Expr:
        if isinstance(place, ast.Name) and place.id in self.visited:
            member = self.simple(member)
            word = t.Load(t.Local(place.id), t.Binary(">>", member, t.Const(6)))
            return t.Binary("&", t.Binary(">>", word, t.Binary("&", member, t.Const(63))), ONE)
        return self.call("contains", self.listed(place), member)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> t.Expr:
        """The value of an expression; of a list its address."""
        match node:
            case ast.Constant(bool() | int() as value):
                return number(int(value))
            case ast.Name(id) if id in self.growing:
                return self.listed(node)
            case ast.Name(id):
                return t.Const(self.numbers[id]) if id in self.numbers else t.Local(id)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
                return number(-value)
            case ast.UnaryOp(ast.USub(), operand):
                return t.Binary("-", ZERO, self.expr(operand))
            case ast.UnaryOp(ast.Invert(), operand):
                return t.Binary("^", self.expr(operand), t.Const(-1))
            case ast.BinOp(_, ast.Add() | ast.BitOr() as op, _):
                return combined(OPERATORS[type(op)], [self.expr(each) for each in chain(node)])
            case ast.BinOp(left, op, right):
                return binary(OPERATORS[type(op)], self.expr(left), self.expr(right))
            case ast.BoolOp() | ast.Compare() | ast.UnaryOp(ast.Not()):
                return self.test(node)
            case ast.IfExp(_, body, ast.Call(ast.Name("nth")) as orelse) if same(body, orelse.args[0]):
                return self.expr(orelse)  # which asks the same
            case ast.IfExp(test, body, orelse):
                return self.either(self.test(test), lambda: self.expr(body), lambda: self.expr(orelse))
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.called(node)
            case ast.List() | ast.ListComp() | ast.Tuple():
                return self.listed(node)
        raise NotNativeError(ast.unparse(node))

    def called(self, node: ast.Call) -> t.Expr:
        match node.func:
            case ast.Attribute(value, "bit_count"):
                return t.Unary("bits", self.expr(value))
            case ast.Attribute(value, "bit_length"):
                return t.Unary("length", self.expr(value))
            case ast.Attribute(ast.Name("s"), "pop"):
                return self.keep(self.call("slot_out", STATE, self.expr(node.args[0])))
            case ast.Attribute(ast.Name("s"), "index"):
                member, first = node.args
                return self.call("slot_of", STATE, self.expr(member), self.expr(first))
            case ast.Attribute(value, "count"):
                return self.call("times_in", self.listed(value), self.expr(node.args[0]))
            case ast.Name(id) if id in self.functions:
                return self.functions[id](node)
            case ast.Name(id) if id in self.callable:
                args = self.arguments(id, node.args)
                if len(node.args) < self.callable[id]:
                    args = [STATE, *args]
                return self.call(id, *args)
        raise NotNativeError(ast.unparse(node))

    def arguments(self, function: str, nodes: list[ast.expr]) -> list[t.Expr]:
        """The values that a function is given."""
        return [self.expr(each) for each in nodes]

    def plain(self, op: t.Operator, node: ast.Call) -> t.Expr:
        left, right = node.args
        return t.Binary(op, self.expr(left), self.expr(right))

    def load(self, node: ast.Call) -> t.Expr:
        address, place = node.args
        return load(self.expr(address), self.expr(place))

    def call_table(self, node: ast.Call) -> t.Expr:
        table, index, *args = node.args
        assert isinstance(table, ast.Constant)
        return t.CallTable(str(table.value), self.expr(index), tuple(self.expr(each) for each in args))

    def below(self, node: ast.Call) -> t.Expr:
        bits, bound = node.args
        return t.Binary("multiply_high", self.expr(bits), self.expr(bound))

    def one_of(self, node: ast.Call) -> t.Expr:
        bits, place = node.args
        return self.call("bit_at", self.expr(bits), self.expr(place))

    def located(self, node: ast.Call) -> t.Expr:
        made = self.keep(ZERO, "flat")
        for part in node.args:
            assert isinstance(part, ast.Tuple)
            place, count = self.simple(self.expr(part.elts[0])), self.expr(part.elts[1])
            flat = binary("+", t.Binary("*", made, count), place)
            there = t.Either(t.Binary("<=", ZERO, made), t.Binary("below", place, count), ZERO)
            self.block.append(t.Let(made.name, t.Either(there, flat, t.Const(-1))))
        return made

    def absolute(self, node: ast.Call) -> t.Expr:
        value = self.simple(self.expr(node.args[0]))
        return t.Either(t.Binary("<", value, ZERO), t.Binary("-", ZERO, value), value)

    def length(self, node: ast.Call) -> t.Expr:
        match node.args[0]:
            case ast.Name(id) if id in self.lists:
                return self.length_of(id)
        return load(self.listed(node.args[0]), ZERO)

    def length_of(self, name: str) -> t.Expr:
        """How many members the list of a local name has now."""
        return t.Local(f"{name}_count_") if name in self.growing else load(t.Local(name), ZERO)

    # -- look-ups ------------------------------------------------------------------------------------------------------

    def subscript(self, node: ast.Subscript) -> t.Expr:
        match node.value, node.slice:
            case _, ast.Slice():
                return self.listed(node)
            case ast.Name("FEW"), _:
                return self.list_made(node)
            case ast.Name("s"), place:
                return load(STATE, self.expr(place))
            case ast.Name(id), place if id in self.lists:
                return load(t.Local(id), binary("+", self.expr(place), ONE))
            case ast.Name(id), place:
                return self.constant(id, self.expr(place))
            case ast.Subscript(ast.Name(id), opened), key:
                return self.route(id, self.expr(opened), key)
        return load(self.expr(node.value), binary("+", self.expr(node.slice), ONE))

    def constant(self, name: str, place: t.Expr) -> t.Expr:
        """The value at a place of one of the unit's constants; the address of a list of them."""
        raise NotImplementedError

    def route(self, name: str, opened: t.Expr, key: ast.expr) -> t.Expr:
        """What a route's table answers."""
        raise NotImplementedError

    def is_list(self, value: ast.expr) -> bool:
        """Whether an expression is a list."""
        raise NotImplementedError

    def listed(self, node: ast.expr) -> t.Expr:
        """The address of a list: of one in the state where it is that one."""
        raise NotImplementedError

    def list_made(self, node: ast.expr) -> t.Expr:
        """A new list of what comes of each round."""
        raise NotImplementedError
