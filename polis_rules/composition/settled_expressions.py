"""Expressions that ask settings only: their values are known before play."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any

from polis_rules.diagnostics import Diagnostics, Span, quote
from polis_rules.source import Text, python_tree, span_of

Value = int | bool | str
"""A number, a flag, or the word of a setting with `one_of`."""

LARGEST = 10**18

_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda one, some: one in some, ast.NotIn: lambda one, some: one not in some,
}  # fmt: skip
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_COUNTED: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}  # fmt: skip
_FLAGS = {"true": True, "false": False}


class _UnsettledError(Exception):
    """Why an expression has no value before play, and at which part of it."""

    def __init__(self, code: str, message: str, at: ast.AST | None, name: str = "", hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.at, self.name, self.hint = code, message, at, name, hint


class Settled:
    """The values of settings, and what expressions over them come to.

    >>> from polis_rules.diagnostics import Diagnostics, Span
    >>> settled = Settled({"seats": 4, "size": "large"}, {"size": ["small", "large"]}, {"day"})
    >>> settled.value(Text("seats * 2 if size == large else 0", Span("a.yaml", 1, 1, 1, 33)), Diagnostics())
    8
    """

    def __init__(
        self, values: Mapping[str, Value], words: Mapping[str, Collection[str]], others: Collection[str] = ()
    ) -> None:
        self.values, self.choices = values, words
        self.words = {word for each in words.values() for word in each}
        """what settings with `one_of` may be"""
        self.others = others
        """what else the rules name"""
        self.named: list[tuple[str, Span]] = []
        """the paths of settings and their words, where expressions that came to a value name them"""

    def holds(self, text: Text, diagnostics: Diagnostics) -> bool | None:
        """Whether a condition holds; None after saying why that cannot be known."""
        value = self.value(text, diagnostics)
        if value is None or isinstance(value, bool):
            return value
        message = f"a condition is wanted, not {quote(str(value))}"
        diagnostics.error("wrong-type", message, text.span, "compare it, e.g. with == or >=")
        return None

    def number(self, text: Text, diagnostics: Diagnostics) -> int | None:
        """A number; None after saying why that cannot be known."""
        value = self.value(text, diagnostics)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        diagnostics.error("wrong-type", f"a number is wanted, not {quote(str(value).lower())}", text.span)
        return None

    def value(self, text: Text, diagnostics: Diagnostics) -> Value | None:
        """What an expression comes to; None after saying why that cannot be known.

        Errors: `not-settled`, `unknown-name`, `wrong-type`, `expression-syntax`.
        """
        try:
            inner = _stripped(text)
            tree = _read(inner)
            value = self._value(tree)
            self._note(inner, tree)
            return value
        except RecursionError:
            diagnostics.error("expression-size", "this expression is nested too deeply", text.span)
        except _UnsettledError as error:
            span = span_of(_stripped(text), error.at) if error.at is not None else text.span
            if error.code == "unknown-name":
                diagnostics.unknown(error.code, error.message, span, error.name, [*self.values, *self.words])
            else:
                diagnostics.error(error.code, error.message, span, error.hint)
        return None

    def _note(self, text: Text, tree: ast.expr) -> None:
        """Note where an expression names settings and their words."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in self.values:
                self.named.append((f"terms.{node.id}", span_of(text, node)))
            elif isinstance(node, ast.Name) and node.id in self.words:
                kind = next(name for name, words in self.choices.items() if node.id in words)
                self.named.append((f"tables.{kind}_choice.{node.id}", span_of(text, node)))

    def asks_settings_only(self, text: Text) -> bool:
        """Whether an expression names settings and nothing else, but for their words."""
        try:
            tree = _read(_stripped(text))
            self._value(tree)
        except (_UnsettledError, RecursionError):
            return False
        return any(isinstance(node, ast.Name) and node.id in self.values for node in ast.walk(tree))

    def _value(self, node: ast.AST) -> Value:
        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return number
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.BoolOp(op=op, values=parts):
                held = [self._flag(each) for each in parts]
                return all(held) if isinstance(op, ast.And) else any(held)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return not self._flag(inner)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self._number(inner)
            case ast.IfExp(test=test, body=body, orelse=other):
                one, two = self._value(body), self._value(other)
                return one if self._flag(test) else two
            case ast.Compare(left=left, ops=ops, comparators=right):
                sides = [left, *right]
                held = [self._compared(op, *sides[at : at + 2]) for at, op in enumerate(ops)]
                return all(held)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _COUNTED:
                return self._counted(op, left, right)
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_] as args, keywords=[]):
                return (min if name == "min" else max)(self._number(each) for each in args)
        raise _UnsettledError("not-settled", "this is not settled before play: only settings can be asked here", node)

    def _named(self, node: ast.AST, name: str) -> Value:
        if name in self.values:
            return self.values[name]
        if name in _FLAGS or name in self.words:
            return _FLAGS.get(name, name)
        if name in self.others:
            message = f"{quote(name)} is not settled before play: only settings can be asked here"
            raise _UnsettledError("not-settled", message, node, name)
        raise _UnsettledError("unknown-name", f"there is no setting {quote(name)}", node, name)

    def _flag(self, node: ast.AST) -> bool:
        value = self._value(node)
        if not isinstance(value, bool):
            raise _UnsettledError("wrong-type", "a condition is wanted here", node, hint="compare it")
        return value

    def _number(self, node: ast.AST) -> int:
        value = self._value(node)
        if isinstance(value, bool) or not isinstance(value, int):
            raise _UnsettledError("wrong-type", "a number is wanted here", node)
        if abs(value) > LARGEST:
            raise _UnsettledError("wrong-type", "this number is too large", node)
        return value

    def _counted(self, op: ast.operator, left: ast.AST, right: ast.AST) -> int:
        one, two = self._number(left), self._number(right)
        if isinstance(op, ast.FloorDiv | ast.Mod) and two <= 0:
            raise _UnsettledError("wrong-type", "divide by a number above 0", right)
        return _COUNTED[type(op)](one, two)

    def _compared(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> bool:
        if type(op) not in _COMPARED:
            raise _UnsettledError("not-settled", "a setting is never none", right)
        first = self._value(left)
        if isinstance(op, ast.In | ast.NotIn):
            if not isinstance(right, ast.Set):
                raise _UnsettledError("not-settled", "after `in` stands a set, such as {small, large}", right)
            return _COMPARED[type(op)](first, [self._value(each) for each in right.elts])
        second = self._value(right)
        self._among(left, right)
        self._among(right, left)
        alike = type(first) is type(second)
        if not alike or (isinstance(op, _ORDERS) and type(first) is not int):
            message = f"{ast.unparse(left)} cannot be compared with {ast.unparse(right)}"
            raise _UnsettledError("wrong-type", message, right)
        return _COMPARED[type(op)](first, second)

    def _among(self, setting: ast.expr, word: ast.expr) -> None:
        """Refuse a word that a setting with `one_of` never is."""
        known = self.choices.get(setting.id) if isinstance(setting, ast.Name) else None
        if known and isinstance(word, ast.Name) and word.id in self.words and word.id not in known:
            message = f"{ast.unparse(setting)} is never {quote(word.id)}"
            raise _UnsettledError("wrong-type", message, word, hint=f"it is one of {', '.join(known)}")


def _read(text: Text) -> ast.expr:
    try:
        return python_tree(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _UnsettledError("expression-syntax", "this expression cannot be read", None) from error


def _stripped(text: Text) -> Text:
    """A text without blanks around it."""
    begin = len(text) - len(text.lstrip())
    return text.part(begin, len(text.rstrip())) if text.strip() != text else text
