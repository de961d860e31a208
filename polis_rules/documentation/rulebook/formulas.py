"""Amounts that are worked out: formulas with signs, limits after them, and tables of their values."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Protocol

from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import listed
from polis_rules.documentation.rulebook.folding import Folding
from polis_rules.semantics import expressions as n
from polis_rules.semantics.expressions import Expr

SIGNS = {"+": "+", "-": "\N{MINUS SIGN}", "*": "\N{MULTIPLICATION SIGN}", "//": "÷", "%": "mod"}
WORKED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
}  # fmt: skip
SUMS = rf" (plus|minus|times|divided by|{'|'.join(map(re.escape, SIGNS.values()))}) "
LONGEST, MOST = 60, 12
"""A table of values goes over so many values at most, and has so many entries."""

Range = tuple[int, int]


class Says(Protocol):
    """Whoever says the parts of a formula."""

    @property
    def book(self) -> Book: ...

    @property
    def folding(self) -> Folding | None: ...

    def settled(self, expr: Expr) -> Expr: ...

    def text(self, expr: Expr) -> str: ...


def is_formula(say: Says, expr: Expr) -> bool:
    """Whether more than one thing is worked out in it."""
    parts = (expr.left, expr.right) if isinstance(expr, n.Arith) else ()
    return any(isinstance(say.settled(part), n.Arith) for part in parts)


def is_sum_of(expr: Expr, text: str) -> bool:
    """Whether a name stands for a sum, which is told in its place."""
    return isinstance(expr, n.Var) and re.search(SUMS, text) is not None


def formula(say: Says, expr: n.Arith) -> str:
    """`(your coins + 1) ÷ 5, rounded down`."""
    left, right = (_part(say, each, expr.op, at) for at, each in enumerate((expr.left, expr.right)))
    return f"{left} {SIGNS[expr.op]} {right}{', rounded down' * (expr.op == '//')}"


def _part(say: Says, expr: Expr, op: str, at: int) -> str:
    """One side of a sign, in brackets where it needs them."""
    expr = say.settled(expr)
    if not isinstance(expr, n.Arith):
        text = say.text(expr)
        whole = not isinstance(expr, n.IfElse | n.MinMax | n.Abs) and ", " not in text
        return text if whole and not is_sum_of(expr, text) else f"({text})"
    text = formula(say, expr)
    bare = expr.op == "*" or (op in "+-" and expr.op in "+-" and not (op == "-" and at))
    return text if bare and op in "+-*" and ", " not in text else f"({text})"


def limited(say: Says, expr: Expr) -> str:
    """An amount with its limits after it: `your coins minus 3, but at least 0`."""
    expr = say.settled(expr)
    if isinstance(expr, n.MinMax) and len(expr.items) == 2 and say.folding is not None:
        worked = [each for each in expr.items if isinstance(say.settled(each), n.Arith | n.MinMax)]
        if len(worked) == 1:
            limit = next(each for each in expr.items if each is not worked[0])
            inner = limited(say, worked[0])
            word = " and" if ", but at " in inner else ", but"
            return f"{inner}{word} at {'most' if expr.op == 'min' else 'least'} {say.text(limit)}"
    return say.text(expr)


def tables(say: Says, expr: Expr, ranges: Mapping[str, Range]) -> list[str]:
    """For each formula in an expression that rests on one number with a small range, which values it has.

    `ranges` are those of names.
    """
    expr = say.settled(expr)
    if not isinstance(expr, n.Arith | n.MinMax) or not (values := _values(say, expr, ranges)):
        return [table for part in expr.children() for table in tables(say, part, ranges)]
    return [f"{limited(say, expr)}, in numbers: {values}"]


def _values(say: Says, expr: Expr, ranges: Mapping[str, Range]) -> str:
    """`0 for 0 to 3, 1 for 4 to 8`: the values of a formula; nothing where it is plain or they are not known."""
    leaves = {*_leaves(expr)}
    hard = any(is_formula(say, each) or (isinstance(each, n.Arith) and each.op in ("//", "%")) for each in expr.walk())
    if len(leaves) != 1 or not hard:
        return ""
    leaf = leaves.pop()
    low, high = _range(say, leaf, ranges)
    if not 0 < high - low <= LONGEST:
        return ""
    values = ((number, _worked(expr, leaf, number)) for number in range(low, high + 1))
    runs = [[number for number, _ in same] + [value] for value, same in groupby(values, key=lambda each: each[1])]
    if not 1 < len(runs) <= MOST:
        return ""
    return listed(f"{run[-1]} for {run[0]}{f' to {run[-2]}' if len(run) > 2 else ''}" for run in runs)


def _leaves(expr: Expr) -> Iterator[Expr]:
    """What a formula rests on besides fixed numbers."""
    if isinstance(expr, n.Arith | n.MinMax | n.Abs):
        for part in expr.children():
            yield from _leaves(part)
    elif not isinstance(expr, n.Const):
        yield expr


def _range(say: Says, leaf: Expr, ranges: Mapping[str, Range]) -> Range:
    """The least and the greatest value of a number; the same twice where that is not known."""
    if isinstance(leaf, n.Var):
        return ranges.get(leaf.name, (0, 0))
    if isinstance(leaf, n.Load):
        variable = say.book.rules.symbols.variable(leaf.owner, leaf.name)
        if variable.bounded:
            return variable.low, variable.high
    return 0, 0


def _worked(expr: Expr, leaf: Expr, number: int) -> int:
    """The value of a formula where what it rests on is this number."""
    if expr == leaf:
        return number
    if isinstance(expr, n.Const):
        return expr.value
    parts = [_worked(each, leaf, number) for each in expr.children()]
    if isinstance(expr, n.MinMax):
        return min(parts) if expr.op == "min" else max(parts)
    return WORKED[expr.op](*parts) if isinstance(expr, n.Arith) else abs(parts[0])
