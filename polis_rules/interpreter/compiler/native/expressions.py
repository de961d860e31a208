"""Expressions of generated Python as the tree of native code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from polis_rules.interpreter.compiler.native import tree as t

OPERATORS: dict[type[ast.AST], t.Operator] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip

COMPARED: dict[type[ast.AST], tuple[t.Operator, bool]] = {
    ast.Lt: ("<", False), ast.LtE: ("<=", False), ast.Gt: ("<", True), ast.GtE: ("<=", True), ast.Eq: ("==", False),
    ast.NotEq: ("!=", False),
}  # fmt: skip
"""How a comparison is said in the tree, and whether the other way round."""

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
    return place, 0


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
            "min": self.extreme, "max": self.extreme, "any": self.gathered, "all": self.gathered, "sum": self.gathered,
            "next": self.gathered, "abs": self.absolute, "len": self.length, "sorted": self.in_order,
            "members_of": self.as_set, "below": self.below, "located": self.located, "load": self.load,
            "call_table": self.call_table, "under": lambda n: self.plain("below", n),
            "multiply_high": lambda n: self.plain("multiply_high", n), "members": self.list_made,
            "list": lambda n: self.list_made(n.args[0]), "listed": self.listed_state, "one_of": self.one_of,
        }  # fmt: skip
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
        """A call of a function of the library."""
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
            case ast.BinOp(left, op, right):
                return binary(OPERATORS[type(op)], self.expr(left), self.expr(right))
            case ast.BoolOp() | ast.Compare() | ast.UnaryOp(ast.Not()):
                return self.test(node)
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
                return t.Call(id, tuple(args))
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

    # -- over many -----------------------------------------------------------------------------------------------------

    def extreme(self, node: ast.Call) -> t.Expr:
        """The least or the greatest of some values."""
        assert isinstance(node.func, ast.Name)
        if len(node.args) == 1:
            return self.gathered(node)
        least = node.func.id == "min"
        first, *rest = [self.simple(self.expr(each)) for each in node.args]
        for each in rest:
            test = t.Binary("<", each, first) if least else t.Binary("<", first, each)
            first = self.simple(t.Either(test, each, first))
        return first

    def gathered(self, node: ast.Call) -> t.Expr:
        """What comes of many values: whether any or all hold, their sum, the first, the least, the greatest."""
        assert isinstance(node.func, ast.Name)
        func, over = node.func.id, node.args[0]
        default = next((each.value for each in node.keywords), node.args[1] if func == "next" else None)
        start: t.Expr = ONE if func == "all" else ZERO
        if func in ("next", "min", "max"):
            start = self.expr(default) if default is not None else t.Const(-1)
        made = self.keep(start, func)
        first = self.keep(ONE, "first") if func in ("min", "max") else ZERO

        def each(value: ast.expr) -> None:
            if func in ("any", "all"):
                test = self.test(value)
                found = (t.Let(made.name, ONE if func == "any" else ZERO), t.Break())
                self.block.append(t.If(test if func == "any" else t.Unary("not", test), found))
            elif func == "next":
                self.block += [t.Let(made.name, self.expr(value)), t.Break()]
            elif func == "sum":
                self.block.append(t.Let(made.name, t.Binary("+", made, self.expr(value))))
            else:
                here = self.simple(self.expr(value))
                test = t.Binary("<", here, made) if func == "min" else t.Binary("<", made, here)
                better = (t.Let(made.name, here), t.Let(str(getattr(first, "name", "")), ZERO))
                self.block.append(t.If(t.Either(first, ONE, test), better))

        if isinstance(over, ast.SetComp):
            return self.as_bits(over, made)
        if isinstance(over, ast.Tuple):
            self.each_written(over, each)
        else:
            if func in ("any", "all", "next") and nested(over):
                raise NotNativeError(f"{func} over several names: {ast.unparse(over)}")
            self.each_of(over, each)
        return made

    def each_written(self, node: ast.Tuple, each: Callable[[ast.expr], None]) -> None:
        """Something is done with each item that is written out, some of them only if a condition holds."""
        for item in node.elts:
            match item:
                case ast.Starred(ast.IfExp(test, ast.Tuple([only]), ast.Tuple([]))):
                    condition = self.test(test)
                    with self.inside() as then:
                        each(only)
                    self.block.append(t.If(condition, tuple(then)))
                case ast.Starred():
                    raise NotNativeError(ast.unparse(item))
                case _:
                    each(item)

    def each_of(self, node: ast.expr, each: Callable[[ast.expr], None]) -> None:
        """Something is done with the value of each round of a comprehension, or with each member of a list."""
        if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
            self.rounds(node.generators, lambda: each(node.elt))
            return
        name = self.name("m")
        self.over(node, ast.Name(name), lambda: each(ast.Name(name)))

    def rounds(self, generators: list[ast.comprehension], then: Callable[[], None]) -> None:
        """Something is done in each round of some loops, inside one another, that pass their conditions."""
        if not generators:
            then()
            return
        (first, *rest) = generators

        def one() -> None:
            tests = [*first.ifs]
            if not tests:
                self.rounds(rest, then)
                return
            condition = self.test(tests[0]) if len(tests) == 1 else self.all_or_any(True, tests)
            with self.inside() as body:
                self.rounds(rest, then)
            self.block.append(t.If(condition, tuple(body)))

        self.over(first.iter, first.target, one)

    def over(self, node: ast.expr, target: ast.expr, body: Callable[[], None]) -> None:
        """A loop over what an expression lists."""
        raise NotImplementedError

    def as_bits(self, node: ast.SetComp, made: t.Local) -> t.Expr:
        """The sum of different powers of two: a set."""

        def each(value: ast.expr) -> None:
            self.block.append(t.Let(made.name, t.Binary("|", made, self.expr(value))))

        self.each_of(node, each)
        return made

    def as_set(self, node: ast.Call) -> t.Expr:
        """The members of a list as a set."""
        made = self.keep(ZERO, "set")

        def each(value: ast.expr) -> None:
            self.block.append(t.Let(made.name, t.Binary("|", made, t.Binary("<<", ONE, self.expr(value)))))

        self.each_of(node.args[0], each)
        return made

    # -- lists ---------------------------------------------------------------------------------------------------------

    def listed(self, node: ast.expr) -> t.Expr:
        """The address of a list: of one in the state where it is that one."""
        match node:
            case ast.Call(ast.Name("range" | "numbers")):
                return self.list_made(node)
            case ast.Name(id) if id in self.growing:
                self.block.append(t.Store(t.Local(id), ZERO, 0, self.length_of(id)))
                return t.Local(id)
            case ast.Name() | ast.Call():
                return self.expr(node)
            case ast.List([ast.Starred(value)]):
                return self.listed(value)
            case ast.List(elts) | ast.Tuple(elts) if not any(isinstance(each, ast.Starred) for each in elts):
                values = [self.expr(each) for each in elts]
                at = self.keep(self.call("room", STATE, t.Const(1 + len(values))), "list")
                for place, member in enumerate([t.Const(len(values)), *values]):
                    self.block.append(t.Store(at, ZERO, place, member))
                return at
            case ast.ListComp():
                return self.list_made(node)
            case ast.Set([ast.Starred(value)]):
                return self.call("distinct", STATE, self.listed(value))
            case ast.Subscript(ast.Name("s"), ast.Slice(ast.expr() as lower, ast.expr() as upper)):
                return self.slots(lower, upper)
            case ast.Subscript(value, ast.Slice(None, ast.expr() as upper)):
                return self.call("first_of", STATE, self.listed(value), self.expr(upper))
            case ast.Subscript() | ast.IfExp():
                return self.expr(node)
        raise NotNativeError(ast.unparse(node))

    def listed_state(self, node: ast.Call) -> t.Expr:
        return binary("+", STATE, binary("*", self.expr(node.args[1]), t.Const(t.WORD)))

    def slots(self, lower: ast.expr, upper: ast.expr) -> t.Expr:
        """The slots of a state from one place to another: where these are those of a list, that list."""
        first, end = self.expr(lower), self.expr(upper)
        if isinstance(first, t.Const):
            if end == t.Binary("+", first, t.Load(STATE, ZERO, first.value - 1)):
                return binary("+", STATE, t.Const(t.WORD * (first.value - 1)))
            count = t.Binary("-", end, first)
            return self.call("words_of", STATE, binary("+", STATE, t.Const(t.WORD * first.value)), count)
        raise NotNativeError("slots of no known place")

    def list_made(self, node: ast.expr) -> t.Expr:
        """A new list of what comes of each round."""
        made = self.name("list")
        self.begun(made)

        def each(value: ast.expr) -> None:
            # a condition is a member too where the places are asked at which it holds
            found = self.test(value) if isinstance(value, (ast.Compare, ast.BoolOp)) else self.expr(value)
            self.appended(made, found)

        self.each_of(node, each)
        return self.ended(made)

    def begun(self, name: str, members: int = 0) -> None:
        """A local name becomes an empty list, to which so many `members` come and then what is added to it.

        Half of the working memory that is left is reserved for it where nobody knows how many these are.
        """
        self.lists.add(name)
        self.growing.add(name)
        made, top = t.Local(name), t.Load(t.Load(STATE, ZERO, -1), ZERO, 0)
        most = self.most_added.get(name)
        if most is not None:
            self.block.append(t.Let(name, self.call("room", STATE, t.Const(1 + members + most))))
        else:
            room = t.Binary("-", t.Binary(">>", t.Binary("-", top, made), t.Const(3)), ONE)
            self.block += [t.Let(name, self.call("half", STATE)), t.Let(f"{name}_most_", room)]
        self.block.append(t.Let(f"{name}_count_", ZERO))

    def appended(self, name: str, member: t.Expr) -> None:
        """A member comes to such a list."""
        count = t.Local(f"{name}_count_")
        if self.most_added.get(name) is None:
            self.block.append(t.If(t.Binary("<=", t.Local(f"{name}_most_"), count), (t.Trap(),)))
        self.block += [t.Store(t.Local(name), count, 1, member), t.Let(count.name, t.Binary("+", count, ONE))]

    def ended(self, name: str) -> t.Local:
        """Such a list has come to its end, and what was reserved for more is free again."""
        made, count = t.Local(name), t.Local(f"{name}_count_")
        end = t.Binary("+", made, t.Binary("<<", t.Binary("+", count, ONE), t.Const(3)))
        self.block += [t.Store(made, ZERO, 0, count), t.Store(t.Load(STATE, ZERO, -1), ZERO, 0, end)]
        return made

    def in_order(self, node: ast.Call) -> t.Expr:
        over = node.args[0]
        if not node.keywords:
            if isinstance(over, ast.Set):
                return self.listed(over)
            return self.call("in_order", STATE, self.listed(over))
        key = node.keywords[0].value
        assert isinstance(key, ast.Lambda)
        members = self.keep(self.call("list_of", STATE, self.listed(over)), "list")
        name = key.args.args[0].arg
        self.lists.add(members.name)
        round_of = ast.comprehension(ast.Name(name), ast.Name(members.name), [], 0)
        keys = self.list_made(ast.ListComp(key.body, [round_of]))
        return self.call("sort_by", members, keys)


def nested(node: ast.expr) -> bool:
    """Whether a comprehension goes over several names."""
    return isinstance(node, ast.GeneratorExp) and len(node.generators) > 1
