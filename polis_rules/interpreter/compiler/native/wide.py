"""Sets of several words in the tree of native code: one expression for each word, the lowest first."""

from __future__ import annotations

import ast
from collections.abc import Callable

from polis_rules.interpreter.compiler.native import tree as t
from polis_rules.interpreter.compiler.native.expressions import OPERATORS
from polis_rules.interpreter.compiler.native.gathering import Gathering
from polis_rules.interpreter.compiler.native.reading import chain
from polis_rules.interpreter.compiler.native.widths import MOST_MEMBERS, Widths
from polis_rules.interpreter.compiler.native.words import (
    ONE,
    STATE,
    ZERO,
    NotNativeError,
    apart,
    binary,
    combined,
    number,
)

Words = tuple[t.Expr, ...]

ANSWER = 8
"""The word of a context at which the upper words of an answer begin."""


class WideExpressions(Gathering):
    """Lowers expressions that are sets of several words."""

    widths: Widths
    wide_places: dict[int, int]
    """where the words of the first of some slots stand, by that slot"""

    def wide(self, node: ast.expr) -> bool:
        """Whether a value may need several words."""
        return self.widths.wide(node)

    @property
    def count(self) -> int:
        """How many words such a set has."""
        return self.widths.words

    # -- what narrower code asks of them ----------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> t.Expr:
        if self.count > 1:
            match node:
                case ast.BinOp(ast.BinOp(value, ast.RShift(), place), ast.BitAnd(), ast.Constant(1)):
                    if self.widths.reaches_up(value):
                        return self.bit(value, place)
                    if self.widths.function in self.widths.functions:
                        return self.bit_of_few(value, place)
                case ast.Call(ast.Attribute(value, "bit_count")) if self.wide(value):
                    return self.bits_of(self.words(value))
                case ast.Call(ast.Attribute(value, "bit_length")) if self.wide(value):
                    return self.highest([self.simple(word) for word in self.words(value)])
            if self.wide(node):
                return self.words(node)[0]
        return super().expr(node)

    def test(self, node: ast.expr) -> t.Expr:
        if self.count > 1 and self.wide(node):
            return self.any_of(self.words(node))
        return super().test(node)

    def compared(self, node: ast.Compare) -> t.Expr:
        sides = [node.left, *node.comparators]
        if self.count == 1 or not any(map(self.wide, sides)):
            return super().compared(node)
        match sides, node.ops:
            case [ast.Constant(0), value, ast.Constant(int() as most)], _ if (
                most >> MOST_MEMBERS and not most & most + 1
            ):
                return self.has_none_but(self.words(value), most)
        if len(sides) > 2:
            return super().compared(node)
        left, right = sides
        match node.ops[0], left, right:
            case ast.Lt(), ast.Constant(0), _:
                return self.any_of(self.words(right))
            case ((ast.Eq() | ast.NotEq()), _, _):
                pairs = zip(self.words(left), self.words(right), strict=True)
                differ = self.any_of(tuple(a if b == ZERO else t.Binary("^", a, b) for a, b in pairs))
                return differ if isinstance(node.ops[0], ast.NotEq) else t.Unary("not", differ)
        return super().compared(node)

    def has_none_but(self, words: Words, members: int) -> t.Expr:
        """Whether a set has no member but some."""
        others = zip(words, self.known(~members & (1 << 64 * self.count) - 1), strict=True)
        return t.Unary("not", self.any_of(tuple(wordwise("&", word, mask) for word, mask in others)))

    def any_of(self, words: Words) -> t.Expr:
        """Not 0 where one of some words is not."""
        whole = words[0]
        for word in words[1:]:
            whole = word if whole == ZERO else binary("|", whole, word)
        return whole

    def bits_of(self, words: Words) -> t.Expr:
        """How many bits are set."""
        whole: t.Expr = ZERO
        for word in words:
            bits = t.Unary("bits", word)
            whole = bits if whole == ZERO else t.Binary("+", whole, bits)
        return whole

    def highest(self, words: list[t.Expr]) -> t.Expr:
        """The place above the highest bit."""
        whole: t.Expr = t.Unary("length", words[0])
        for at, word in enumerate(words[1:], 1):
            whole = t.Either(word, t.Binary("+", t.Unary("length", word), t.Const(64 * at)), whole)
        return whole

    def bit(self, value: ast.expr, place: ast.expr) -> t.Expr:
        """Whether a member is in a set."""
        at = self.expr(place)
        if isinstance(at, t.Const):
            return t.Binary("&", binary(">>", self.joined(value)[at.value >> 6], t.Const(at.value & 63)), ONE)
        at = self.simple(at)
        which = t.Binary(">>", at, t.Const(6))
        match value:
            case ast.Subscript(ast.Name("s"), slot):
                index, offset = self.wide_slot(slot)
                word: t.Expr = t.Load(STATE, binary("+", index, which), offset)
            case _:
                words = [self.simple(each) for each in self.joined(value)]
                word = words[-1]
                for number_, each in reversed([*enumerate(words[:-1])]):
                    word = t.Either(t.Binary("==", which, t.Const(number_)), each, word)
        return t.Binary("&", t.Binary(">>", word, t.Binary("&", at, t.Const(63))), ONE)

    def bit_of_few(self, value: ast.expr, place: ast.expr) -> t.Expr:
        """Whether a member is in a set that fits a word: none from 64 on is, while a shift goes by the rest of 64."""
        word, at = self.expr(value), self.expr(place)
        if not isinstance(at, t.Const):
            at = self.simple(at)
            return t.Either(t.Binary("below", at, t.Const(64)), t.Binary("&", t.Binary(">>", word, at), ONE), ZERO)
        return t.Binary("&", t.Binary(">>", word, at), ONE) if at.value < 64 else ZERO

    def arguments(self, function: str, nodes: list[ast.expr]) -> list[t.Expr]:
        if self.count == 1 or function not in self.widths.functions:
            return super().arguments(function, nodes)
        # a generated function is given the state by every call
        pairs = zip(nodes, self.widths.functions[function].args.args, strict=True)
        return [
            word
            for node, param in pairs
            for word in (self.words(node) if (function, param.arg) in self.widths.names else (self.expr(node),))
        ]

    def one_of(self, node: ast.Call) -> t.Expr:
        bits, place = node.args
        if self.count == 1 or not self.wide(bits):
            return super().one_of(node)
        members = self.list_made(ast.Call(ast.Name("members"), [bits], []))
        return self.call("item", members, self.expr(place))

    # -- their words ---------------------------------------------------------------------------------------------------

    def words(self, node: ast.expr) -> Words:
        """The words of a set; those above the lowest are 0 for what fits a word."""
        if not self.wide(node):
            return (super().expr(node), *[ZERO] * (self.count - 1))
        match node:
            case ast.Constant(int() as value):
                return self.known(value)
            case ast.Name(id):
                return tuple(t.Local(word_name(id, at)) for at in range(self.count))
            case ast.UnaryOp(ast.Invert(), operand):
                return tuple(binary("^", word, t.Const(-1)) for word in self.words(operand))
            case ast.BinOp(left, ast.BitAnd(), ast.UnaryOp(ast.USub(), right)) if ast.dump(left) == ast.dump(right):
                return self.lowest([self.simple(word) for word in self.words(left)])
            case ast.BinOp(_, ast.BitOr(), _):
                columns = zip(*(self.joined(each) for each in chain(node)), strict=True)
                return tuple(combined("|", [each for each in words if each != ZERO] or [ZERO]) for words in columns)
            case ast.BinOp(left, (ast.BitAnd() | ast.BitXor()) as op, right):
                pairs = zip(self.joined(left), self.joined(right), strict=True)
                return tuple(wordwise(OPERATORS[type(op)], a, b) for a, b in pairs)
            case ast.BinOp(ast.Constant(1), ast.LShift(), place):
                return self.single(self.expr(place))
            case ast.BinOp(value, (ast.LShift() | ast.RShift()) as op, place):
                return self.shifted(self.words(value), self.expr(place), 1 if isinstance(op, ast.LShift) else -1)
            case ast.IfExp(test, body, orelse):
                return self.one_of_two(test, body, orelse, self.words)
            case ast.Subscript():
                return self.looked_up(node)
            case ast.Call(ast.Name("set_at"), [address]):
                base = self.simple(self.expr(address))
                return tuple(t.Load(base, ZERO, at) for at in range(self.count))
            case ast.Call(ast.Name("members_of"), [over]):
                return self.gathered_words(over, lambda member: self.single(self.simple(self.expr(member))))
            case ast.Call(ast.Name("sum"), [ast.SetComp() as over]):
                return self.gathered_words(over, self.words)
            case ast.Call():
                return self.answered(super().expr(node))
        raise NotNativeError(ast.unparse(node))

    def joined(self, node: ast.expr) -> Words:
        """The words of a set that others are joined to: of a known number below 0 all of them, as of any other set."""
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
                return self.known(-value)
            case ast.IfExp(test, body, orelse) if self.widths.reaches_up(node):
                return self.one_of_two(test, body, orelse, self.joined)
        return self.words(node)

    def known(self, value: int) -> Words:
        """The words of a number."""
        return tuple(number(value >> 64 * at & (1 << 64) - 1) for at in range(self.count))

    def single(self, member: t.Expr) -> Words:
        """The words of a set of one member."""
        if isinstance(member, t.Const):
            return self.known(1 << member.value)
        member = self.simple(member)
        which, place = t.Binary(">>", member, t.Const(6)), t.Binary("&", member, t.Const(63))
        return tuple(t.Binary("<<", t.Binary("==", which, t.Const(at)), place) for at in range(self.count))

    def shifted(self, words: Words, places: t.Expr, up: int) -> Words:
        """The words of a set whose members are moved up (1) or down (-1) by some places."""
        words, places = tuple(map(self.simple, words)), self.simple(places)
        whole = self.simple(t.Binary(">>", places, t.Const(6)))
        rest = self.simple(t.Binary("&", places, t.Const(63)))
        ends: tuple[t.Operator, t.Operator] = ("<<", ">>") if up > 0 else (">>", "<<")

        def part(at: int) -> t.Expr:
            """The word that is moved to some place by the rest, with what comes out of its neighbour."""
            here, beside = (words[each] if 0 <= each < self.count else ZERO for each in (at, at - up))
            spilt = t.Binary(ends[1], t.Binary(ends[1], beside, ONE), t.Binary("-", t.Const(63), rest))
            return t.Binary("|", t.Binary(ends[0], here, rest), ZERO if beside == ZERO else spilt)

        found: list[t.Expr] = []
        for at in range(self.count):
            word: t.Expr = ZERO
            for whole_words in reversed(range(self.count)):
                word = t.Either(t.Binary("==", whole, t.Const(whole_words)), part(at - up * whole_words), word)
            found.append(word)
        return tuple(found)

    def lowest(self, words: list[t.Expr]) -> Words:
        """The words of the set of its first member."""
        found: list[t.Expr] = []
        below: t.Expr = ZERO
        for word in words:
            here = t.Binary("&", word, t.Binary("-", ZERO, word))
            found.append(here if below == ZERO else t.Either(below, ZERO, here))
            below = word if below == ZERO else t.Binary("|", below, word)
        return tuple(found)

    def one_of_two(self, test: ast.expr, body: ast.expr, orelse: ast.expr, words: Callable[[ast.expr], Words]) -> Words:
        condition = self.test(test)
        with self.inside() as first:
            then = words(body)
        with self.inside() as second:
            other = words(orelse)
        if first or second:
            made = self.name("e")
            names = [word_name(made, at) for at in range(self.count)]
            one = (*first, *map(t.Let, names, then))
            two = (*second, *map(t.Let, names, other))
            self.block.append(t.If(condition, one, two))
            return tuple(map(t.Local, names))
        if sum(a != b for a, b in zip(then, other, strict=True)) > 1:
            condition = self.simple(condition)
        pairs = zip(then, other, strict=True)
        return tuple(a if a == b else t.Either(condition, a, b) for a, b in pairs)

    def looked_up(self, node: ast.Subscript) -> Words:
        match node.value, node.slice:
            case ast.Name("s"), place:
                index, offset = self.wide_slot(place)
                index = self.simple(index)
                return tuple(t.Load(STATE, index, offset + at) for at in range(self.count))
            case ast.Name(id), place:
                return self.wide_constant(id, self.expr(place))
        return self.answered(super().expr(node))

    def answered(self, answer: t.Expr) -> Words:
        """The words of what a function answers, which has left the upper ones in the context."""
        first = self.keep(answer)
        context = t.Load(STATE, ZERO, -1)
        return (first, *(self.keep(t.Load(context, ZERO, ANSWER + at)) for at in range(1, self.count)))

    def gathered_words(self, over: ast.expr, word: Callable[[ast.expr], Words]) -> Words:
        """All that comes of each round, together."""
        made = self.name("set")
        names = [word_name(made, at) for at in range(self.count)]
        self.block += [t.Let(name, ZERO) for name in names]

        def each(value: ast.expr) -> None:
            found = word(value)
            self.block += [
                t.Let(name, t.Binary("|", t.Local(name), part)) for name, part in zip(names, found, strict=True)
            ]

        self.each_of(over, each)
        return tuple(map(t.Local, names))

    def wide_slot(self, place: ast.expr) -> tuple[t.Expr, int]:
        """The place of the lowest word of a slot that holds a set of several words."""
        base = self.widths.run_of(place)
        assert base is not None
        index, offset = apart(self.expr(place))
        return binary("*", index, t.Const(self.count)), self.wide_places[base] + (offset - base) * self.count

    def wide_constant(self, name: str, place: t.Expr) -> Words:
        """The words at a place of a constant."""
        raise NotImplementedError


def word_name(name: str, at: int) -> str:
    """The local name of one word of a set; the lowest has the set's own."""
    return f"{name}_{at}w_" if at else name


def wordwise(op: t.Operator, left: t.Expr, right: t.Expr) -> t.Expr:
    """An operation on words, of which one may be known to be empty."""
    if op == "&" and ZERO in (left, right):
        return ZERO
    return right if left == ZERO and op != "&" else binary(op, left, right)
