"""Statements and functions of generated Python as the tree of native code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from polis_rules.interpreter.compiler.native import tree as t
from polis_rules.interpreter.compiler.native.expressions import OPERATORS
from polis_rules.interpreter.compiler.native.reading import Read, is_list
from polis_rules.interpreter.compiler.native.wide import ANSWER, WideExpressions, word_name
from polis_rules.interpreter.compiler.native.words import ONE, STATE, ZERO, NotNativeError, apart, binary, load


class Statements(WideExpressions):
    """Lowers the statements of one function after another."""

    def __init__(self) -> None:
        super().__init__()
        self.givers: set[str] = set()
        """the functions whose answer is a list"""
        self.left: list[str] = []
        """for each loop that is being lowered, the local name that tells whether something left it, if that is asked"""
        self.put_back: list[tuple[t.Expr, int, t.Local]] | None = None
        """in a function that tries changes without a copy of the state: the slots that may be changed, and what they
        held"""
        self.first: list[t.Statement] = []
        """what comes before everything else in the present function"""
        self.gives_back = False
        """whether the present function gives back what working memory it takes"""

    def function(self, read: Read, takes: bool) -> t.Function:
        """A function. One that `takes` working memory gives it back at its end, unless its answer is a list in it."""
        node = read.node
        self.made = 0
        self.lists, self.growing, self.visited = set(), set(), set()
        self.most_added = dict(read.added)
        self.widths.function = node.name
        params = tuple(name for each in node.args.args for name in self.names_of(each.arg))
        self.gives_back = takes and node.name not in self.givers
        self.put_back = [] if read.tries else None
        self.first = []
        with self.inside() as body:
            if read.copies and not read.tries:
                params = ("given", *params[1:])
                self.block.append(t.Let("s", t.Local("given")))
            if self.gives_back:
                self.block.append(t.Let("top_", t.Load(t.Load(STATE, ZERO, -1), ZERO, 0)))
            self.statements(node.body)
        return t.Function(node.name, params, (*self.first, *body))

    def names_of(self, name: str) -> list[str]:
        """The local names of the words that a name of the generated code stands for."""
        return [word_name(name, at) for at in range(self.count if self.wide(ast.Name(name)) else 1)]

    def statements(self, nodes: Iterable[ast.stmt]) -> None:
        """Several statements."""
        for node in nodes:
            self.statement(node)

    def within(self, nodes: Iterable[ast.stmt]) -> tuple[t.Statement, ...]:
        """A block of its own."""
        with self.inside() as body:
            self.statements(nodes)
        return tuple(body)

    def statement(self, node: ast.stmt) -> None:
        """One statement."""
        match node:
            case ast.Pass() | ast.Expr(ast.Constant()):  # a docstring
                pass
            case ast.Expr(ast.Call() as call):
                self.done(call)
            case ast.If(test, body, orelse):
                condition, then, other = self.test(test), self.within(body), self.within(orelse)
                if other:
                    self.block.append(t.If(condition, then, other))
                else:
                    self.when(condition, then)
            case ast.For(target, over, body, orelse):
                self.loop(target, over, body, orelse)
            case ast.While(test, body, []):
                self.repeated(test, body)
            case ast.Break():
                if self.left[-1]:
                    self.block.append(t.Let(self.left[-1], ONE))
                self.block.append(t.Break())
            case ast.Continue():
                self.block.append(t.Continue())
            case ast.Return(value):
                self.returned(value)
            case ast.Assign([target], value):
                self.assigned(target, value)
            case ast.AugAssign(target, op, value):
                self.changed(target, op, value)
            case _:
                raise NotNativeError(ast.unparse(node))

    def done(self, call: ast.Call) -> None:
        """Something that is called for what it does."""
        match call:
            case ast.Call(ast.Name("trap" | "fail")):
                self.block.append(t.Trap())
            case ast.Call(ast.Attribute(ast.Name("s"), "insert"), [place, value]):
                at = self.simple(self.expr(place))
                self.block.append(t.Do(self.call("slot_in", STATE, at, self.expr(value))))
            case ast.Call(ast.Attribute(ast.Name("s"), "pop"), [place]):
                self.block.append(t.Do(self.call("slot_out", STATE, self.expr(place))))
            case ast.Call(ast.Attribute(ast.Name(name), "append"), [member]):
                self.appended(name, self.expr(member))
            case ast.Call(ast.Attribute(ast.Name(name), "add"), [member]):
                self.met(name, self.expr(member))
            case ast.Call(ast.Name("store"), [address, place, value]):
                index, offset = apart(self.expr(place))
                self.block.append(t.Store(self.expr(address), index, offset, self.expr(value)))
            case ast.Call(ast.Name("copy"), [target, source, words]):
                self.block.append(t.Copy(self.expr(target), self.expr(source), self.expr(words)))
            case ast.Call(ast.Name("tick"), [_, _, much]):
                self.block.append(t.Do(self.call("tick", STATE, self.expr(much))))
            case _:
                self.block.append(t.Do(self.expr(call)))

    def returned(self, value: ast.expr | None) -> None:
        answer = ZERO if value is None else self.expr(value)
        if isinstance(value, ast.Tuple):  # what crossing costs
            answer = self.keep(self.call("numbered", STATE, answer))
        if isinstance(value, ast.Name) and value.id in self.growing:
            self.ended(value.id)
        elif value is not None and self.widths.function in self.widths.answers:
            answer, *upper = map(self.simple, self.words(value))
            for at, word in enumerate(upper, 1):
                self.block.append(t.Store(t.Load(STATE, ZERO, -1), ZERO, ANSWER + at, word))
        gives_back = self.gives_back and not (isinstance(value, ast.Name) and value.id in self.growing)
        if (gives_back or self.put_back) and not isinstance(answer, t.Const):
            answer = self.keep(answer, "answer")
        for index, offset, was in reversed(self.put_back or ()):
            self.block.append(t.Store(STATE, index, offset, was))
        if gives_back:
            self.block.append(t.Store(t.Load(STATE, ZERO, -1), ZERO, 0, t.Local("top_")))
        self.block.append(t.Return(answer))

    def loop(self, target: ast.expr, over: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        """A loop; what is to be done where nothing leaves it comes after it."""
        self.left.append(self.keep(ZERO, "left").name if orelse else "")
        self.over(over, target, lambda: self.statements(body), changes=True)
        left = self.left.pop()
        if orelse:
            self.block.append(t.If(t.Unary("not", t.Local(left)), self.within(orelse)))

    def repeated(self, test: ast.expr, body: list[ast.stmt]) -> None:
        self.left.append("")
        with self.inside() as loop:
            if not (isinstance(test, ast.Constant) and test.value):
                self.block.append(t.If(t.Unary("not", self.test(test)), (t.Break(),)))
            self.statements(body)
        self.left.pop()
        self.block.append(t.Loop(tuple(loop)))

    # -- changes -------------------------------------------------------------------------------------------------------

    def assigned(self, target: ast.expr, value: ast.expr) -> None:
        """A name or a slot gets a value."""
        match target, value:
            case ast.Name("s"), _:
                self.block.append(t.Let("s", self.call("copied", STATE)))
            case ast.Name(name), ast.Set():
                self.visited.add(name)
                self.block.append(t.Let(name, self.call("zeroed", STATE, t.Const(self.set_words()))))
                for each in value.elts:
                    self.met(name, self.expr(each))
            case ast.Name(name), ast.List(elts) if not any(isinstance(each, ast.Starred) for each in elts):
                self.begun(name, len(elts))
                for each in elts:
                    self.appended(name, self.expr(each))
            case ast.Name(name), _ if name in self.most_added and self.is_list(value):
                self.most_added[name] = None
                self.begun(name)
                self.each_of(value, lambda each: self.appended(name, self.expr(each)))
            case ast.Name(name), _ if self.is_list(value):
                self.lists.add(name)
                self.growing.discard(name)
                self.block.append(t.Let(name, self.list_of_its_own(value)))
            case ast.Name(name), _ if self.wide(target):
                words = [*map(self.simple, self.words(value))]
                self.block += map(t.Let, self.names_of(name), words)
            case ast.Name(name), _:
                self.lists.discard(name)
                self.block.append(t.Let(name, self.expr(value)))
            case ast.Subscript(ast.Name("s"), place), _ if self.wide(target):
                words = [*map(self.simple, self.words(value))]
                index, offset = self.wide_slot(place)
                for at, word in enumerate(words):
                    self.stored(index, offset + at, word)
            case ast.Subscript(ast.Name("s"), place), _:
                index, offset = apart(self.expr(place))
                self.stored(index, offset, self.expr(value))
            case ast.Tuple(names), ast.Tuple(values):
                kept = [self.keep(self.expr(each)) for each in values]
                for made, known in zip(names, kept, strict=True):
                    assert isinstance(made, ast.Name)
                    self.block.append(t.Let(made.id, known))
            case _:
                raise NotNativeError(f"{ast.unparse(target)} = {ast.unparse(value)}")

    def stored(self, index: t.Expr, offset: int, value: t.Expr) -> None:
        """A slot gets a value."""
        if self.put_back is not None:
            index = self.noted(index, offset, self.put_back)
        self.block.append(t.Store(STATE, index, offset, value))

    def noted(self, index: t.Expr, offset: int, slots: list[tuple[t.Expr, int, t.Local]]) -> t.Expr:
        """A slot that is to be put back, which may not be changed at all: then another one is put back, as it is."""
        was = t.Local(self.name("was"))
        if isinstance(index, t.Const):
            if not any(slot == [index, offset] for *slot, _ in slots):
                self.first.append(t.Let(was.name, t.Load(STATE, index, offset)))
                slots.append((index, offset, was))
            return index
        place = t.Local(self.name("at"))
        self.first += [t.Let(place.name, t.Const(-offset)), t.Let(was.name, t.Load(STATE, ZERO, 0))]
        self.block += [t.Let(place.name, index), t.Let(was.name, t.Load(STATE, place, offset))]
        slots.append((place, offset, was))
        return place

    def changed(self, target: ast.expr, node_op: ast.operator, value: ast.expr) -> None:
        """A name or a slot is changed by something."""
        if self.wide(target):
            assert isinstance(target, (ast.Name, ast.Subscript))
            self.assigned(target, ast.BinOp(target, node_op, value))
            return
        op = OPERATORS[type(node_op)]
        match target:
            case ast.Name(name):
                self.block.append(t.Let(name, t.Binary(op, t.Local(name), self.expr(value))))
            case ast.Subscript(ast.Name("s"), place):
                index, offset = apart(self.expr(place))
                index = self.simple(index)
                self.stored(index, offset, t.Binary(op, t.Load(STATE, index, offset), self.expr(value)))
            case _:
                raise NotNativeError(ast.unparse(target))

    def is_list(self, value: ast.expr) -> bool:
        """Whether an expression is a list."""
        return is_list(value, self.lists, self.givers, self.is_costs)

    def is_costs(self, name: str) -> bool:
        """Whether a constant is a table of what routes cost."""
        raise NotImplementedError

    def set_words(self) -> int:
        """How many words a set of what was met needs."""
        raise NotImplementedError

    def list_of_its_own(self, value: ast.expr) -> t.Expr:
        """A list that stays as it is when what it was made of changes."""
        found = self.listed(value)
        match value:
            case ast.Subscript(ast.Name(id), place) if id != "s" and not isinstance(place, ast.Slice):
                return found  # a constant
            case ast.Subscript() | ast.Call(ast.Name("listed")):
                return found if isinstance(found, t.Call) else self.call("list_of", STATE, found)
        return found

    def met(self, name: str, member: t.Expr) -> None:
        """A member comes to a set of what was met."""
        member = self.simple(member)
        word = t.Binary(">>", member, t.Const(6))
        bit = t.Binary("<<", ONE, t.Binary("&", member, t.Const(63)))
        place = self.simple(word)
        self.block.append(t.Store(t.Local(name), place, 0, t.Binary("|", t.Load(t.Local(name), place), bit)))

    # -- loops ---------------------------------------------------------------------------------------------------------

    def over(self, node: ast.expr, target: ast.expr, body: Callable[[], None], changes: bool = False) -> None:
        """A loop over what an expression lists. Where the body `changes` the state, over what it is at first."""
        match node:
            case ast.Call(ast.Name("range" | "numbers" as which), args):
                bounds = [self.expr(each) for each in args]
                low, high = bounds if len(bounds) == 2 else (ZERO, bounds[0])
                self.counted(target, low, high, body, limited=which == "numbers")
            case ast.Call(ast.Name("members"), [mask]) | ast.Subscript(ast.Name("FEW"), mask):
                if self.wide(mask):
                    self.over_words(target, mask, body)
                else:
                    self.over_members(target, self.expr(mask), body)
            case ast.Call(ast.Name("enumerate"), [ast.Subscript(ast.Name("s"), ast.Slice(lower, upper))]):
                assert isinstance(target, ast.Tuple) and lower is not None and upper is not None
                self.over_slots(target, self.expr(lower), self.expr(upper), body)
            case ast.Name(id) if id in self.growing:
                self.over_list(t.Local(id), target, body, self.length_of(id))
            case ast.Name(id) if id in self.lists:
                self.over_list(t.Local(id), target, body)
            case ast.Tuple(elts) if all(isinstance(each, ast.Constant) for each in elts):
                members = [int(ast.literal_eval(each)) for each in elts]
                self.over_list(self.written(members), target, body)
            case _ if changes:
                self.over_list(self.list_of_its_own(node), target, body)
            case _:
                self.over_list(self.listed(node), target, body)

    def written(self, members: list[int]) -> t.Expr:
        """A list that is known, in the pool."""
        raise NotImplementedError

    def counted(self, target: ast.expr, low: t.Expr, high: t.Expr, body: Callable[[], None], limited: bool) -> None:
        assert isinstance(target, ast.Name)
        count, end = self.keep(low, "i"), self.simple(high)
        if limited:
            most = t.Const(self.numbers["MOST_NUMBERS"])
            self.block.append(t.If(t.Binary("<", most, t.Binary("-", end, count)), (t.Trap(),)))
        with self.inside() as loop:
            self.block.append(t.If(t.Unary("not", t.Binary("<", count, end)), (t.Break(),)))
            self.block += [t.Let(target.id, count), t.Let(count.name, t.Binary("+", count, ONE))]
            body()
        self.block.append(t.Loop(tuple(loop)))

    def over_words(self, target: ast.expr, mask: ast.expr, body: Callable[[], None]) -> None:
        """The same of a set of several words, one after the other."""
        assert isinstance(target, ast.Name)
        first, *rest = [self.keep(word, "word") for word in self.words(mask)]
        left, at = self.keep(first, "left"), self.keep(ZERO, "at")
        word: t.Expr = ZERO
        for place, each in reversed([*enumerate(rest, 1)]):
            word = each if word == ZERO else t.Either(t.Binary("==", at, t.Const(place)), each, word)
        on = (
            t.Let(at.name, t.Binary("+", at, ONE)),
            t.If(t.Binary("==", at, t.Const(self.count)), (t.Break(),)),
            t.Let(left.name, word),
            t.Continue(),
        )
        with self.inside() as loop:
            self.block.append(t.If(t.Unary("not", left), on))
            here = t.Binary("|", t.Binary("<<", at, t.Const(6)), t.Unary("lowest", left))
            self.block.append(t.Let(target.id, here))
            self.block.append(t.Let(left.name, t.Binary("&", left, t.Binary("-", left, ONE))))
            body()
        self.block.append(t.Loop(tuple(loop)))

    def over_members(self, target: ast.expr, mask: t.Expr, body: Callable[[], None]) -> None:
        assert isinstance(target, ast.Name)
        left = self.keep(mask, "left")
        with self.inside() as loop:
            self.block.append(t.If(t.Unary("not", left), (t.Break(),)))
            self.block.append(t.Let(target.id, t.Unary("lowest", left)))
            self.block.append(t.Let(left.name, t.Binary("&", left, t.Binary("-", left, ONE))))
            body()
        self.block.append(t.Loop(tuple(loop)))

    def over_slots(self, target: ast.Tuple, first: t.Expr, end: t.Expr, body: Callable[[], None]) -> None:
        """A loop over numbered slots of the state."""
        place, value = target.elts
        assert isinstance(value, ast.Name)

        def each() -> None:
            self.block.append(t.Let(value.id, load(STATE, binary("+", self.expr(place), first))))
            body()

        self.counted(place, ZERO, binary("-", end, first), each, limited=False)

    def over_list(
        self, members: t.Expr, target: ast.expr, body: Callable[[], None], count: t.Expr | None = None
    ) -> None:
        """A loop over the members of a list, also those that come to it on the way."""
        assert isinstance(target, ast.Name)
        members = self.simple(members)
        place = self.keep(ZERO, "i")
        with self.inside() as loop:
            self.block.append(t.If(t.Unary("not", t.Binary("<", place, count or load(members, ZERO))), (t.Break(),)))
            self.block.append(t.Let(target.id, load(members, binary("+", place, ONE))))
            self.block.append(t.Let(place.name, t.Binary("+", place, ONE)))
            body()
        self.block.append(t.Loop(tuple(loop)))
