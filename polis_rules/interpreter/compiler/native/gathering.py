"""What generated Python makes of many values, and its lists, as the tree of native code."""

from __future__ import annotations

import ast
from collections.abc import Callable

from polis_rules.interpreter.compiler.native import tree as t
from polis_rules.interpreter.compiler.native.expressions import Expressions
from polis_rules.interpreter.compiler.native.words import ONE, STATE, ZERO, NotNativeError, binary


class Gathering(Expressions):
    """Lowers what goes over many values."""

    def __init__(self) -> None:
        super().__init__()
        self.functions |= {
            "min": self.extreme, "max": self.extreme, "any": self.gathered, "all": self.gathered, "sum": self.gathered,
            "next": self.gathered, "sorted": self.in_order, "members_of": self.as_set, "members": self.list_made,
            "list": lambda n: self.list_made(n.args[0]), "listed": self.listed_state,
        }  # fmt: skip

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
        over, tests, end = walked(first) or (first.iter, first.ifs, None)

        def one() -> None:
            if end is not None:
                beyond = t.Binary("<=", self.expr(end), self.expr(first.target))
                self.block.append(t.If(beyond, (t.Break(),)))
            if not tests:
                self.rounds(rest, then)
                return
            condition = self.test(tests[0]) if len(tests) == 1 else self.all_or_any(True, tests)
            with self.inside() as body:
                self.rounds(rest, then)
            self.when(condition, tuple(body))

        self.over(over, first.target, one)

    def when(self, test: t.Expr, then: tuple[t.Statement, ...]) -> None:
        """Statements for where a condition holds. A member that comes to a list is written in any case, if that is as
        simple as the condition, and counted without a jump."""
        match then:
            case [
                t.Store(_, t.Local(place), _, value) as store,
                t.Let(name, t.Binary("+", t.Local(count), t.Const(1))),
            ] if place == name == count and t.is_straight(test) and t.is_small(value):
                more = t.Either(test, ONE, ZERO)
                self.block += [store, t.Let(name, t.Binary("+", t.Local(name), more))]
            case _:
                self.block.append(t.If(test, then))

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
        most = most_rounds(node)
        if most is not None:
            self.most_added[made] = most
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


HARMLESS = (
    ast.Compare, ast.cmpop, ast.BinOp, ast.UnaryOp, ast.Add, ast.Sub, ast.USub, ast.Name, ast.Constant,
    ast.expr_context,
)  # fmt: skip
"""What can neither fail nor change anything."""


def walked(loop: ast.comprehension) -> tuple[ast.expr, list[ast.expr], ast.expr] | None:
    """A loop over numbers from 0 on that asks of each whether it is in a set, as one over the members of that set.

    They come first, then what else is asked, then the number before which the loop ends.
    """
    match loop.iter, loop.ifs:
        case ast.Call(ast.Name("range"), [end]), [ast.BoolOp(ast.And(), tests)] | tests:
            for at, test in enumerate(tests):
                match test:
                    case ast.BinOp(ast.BinOp(ast.Name() as held, ast.RShift(), asked), ast.BitAnd(), ast.Constant(1)):
                        if ast.unparse(asked) == ast.unparse(loop.target):
                            return ast.Call(ast.Name("members"), [held], []), tests[:at] + tests[at + 1 :], end
                if not is_harmless(test):
                    break
    return None


def is_harmless(test: ast.expr) -> bool:
    """Whether nothing depends on it that a condition is asked: it compares numbers and slots of the state."""
    return all(
        isinstance(each, HARMLESS)
        or (isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and each.value.id == "s")
        for each in ast.walk(test)
    )


def most_rounds(node: ast.expr) -> int | None:
    """How many rounds a comprehension has at most, where that is known."""
    match getattr(node, "generators", None):
        case [ast.comprehension(_, ast.Call(ast.Name("enumerate"), [ast.Subscript(_, ast.Slice(low, high))]))]:
            if isinstance(low, ast.Constant) and isinstance(high, ast.Constant):
                return max(int(str(high.value)) - int(str(low.value)), 0)
        case [ast.comprehension(_, ast.Call(ast.Name("range"), [ast.Constant(int() as high)]))]:
            return high
    return None
