"""`extend`: an expression around the one that stands there, which it calls `base`."""

from __future__ import annotations

import ast
import re

from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.source import Hole, Spliced, Text, python_tree, span_of

BASE = "base"

_WORD = re.compile(rf"(?<![\w.]){BASE}(?!\w)")

LONGEST = 4000
"""How many characters the text may have that an extension makes; no expression has so many."""


def extended(old: Text, new: Text, diagnostics: Diagnostics) -> Text | None:
    """An expression with the old one in place of each `base`; None after saying why that cannot be."""
    words = [match.span() for match in _WORD.finditer(new)]
    if not words:
        message = f"this does not say `{BASE}`, which is the present value: {quote(old)}"
        hint = f"to put another value there, use `change`: {{was: {old}, to: {new}}}"
        diagnostics.error("extends-nothing", message, new.span, hint)
        return None
    if (length := len(new) + len(words) * len(old)) > LONGEST:
        message = f"with the expression that stands there, this one has {length} characters"
        diagnostics.error("expression-size", message, new.span, "give parts of it names, as terms")
        return None
    outer, inner = _tree(new), _tree(old)
    if inner is None or ".." in old:
        message = f"{quote(old)}, which stands there, is not one expression"
        diagnostics.error("not-an-extension", message, new.span, "use `change`")
        return None
    for name in _caught(outer, inner) if outer is not None else ():
        message = f"{quote(name.id)} means something else in the expression that is extended: {quote(old)}"
        diagnostics.error("shadowing", message, span_of(new, name), "call it otherwise")
        return None
    bracketed = not _is_clear(new, outer, inner, words, old)
    return Spliced(new, tuple(Hole(begin, end, old, bracketed) for begin, end in words))


def _tree(text: str) -> ast.expr | None:
    try:
        return python_tree(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None  # what is wrong is said where expressions are read


def _is_clear(new: Text, outer: ast.expr | None, inner: ast.expr, words: list[tuple[int, int]], old: Text) -> bool:
    """Whether the old expression means the same in the new one without brackets."""
    if outer is None:
        return False
    plain = _tree(Spliced(new, tuple(Hole(begin, end, old, False) for begin, end in words)))
    return plain is not None and _dump(plain) == _dump(_Put(inner).visit(outer))


class _Put(ast.NodeTransformer):
    """Puts a tree in place of each `base`."""

    def __init__(self, inner: ast.expr) -> None:
        self.inner = inner

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.inner if node.id == BASE else node


def _dump(tree: ast.expr) -> str:
    """A tree as text, in which `a and b and c` is the same as `(a and b) and c`."""
    return ast.dump(_Flat().visit(tree))


class _Flat(ast.NodeTransformer):
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        values: list[ast.expr] = []
        for each in node.values:
            same = isinstance(each, ast.BoolOp) and type(each.op) is type(node.op)
            values += each.values if same and isinstance(each, ast.BoolOp) else [each]
        return ast.BoolOp(node.op, values)


def _caught(outer: ast.expr, inner: ast.expr) -> list[ast.Name]:
    """The loop names around a `base` that the old expression uses for something else."""
    used = {each.id for each in ast.walk(inner) if isinstance(each, ast.Name)}
    return [
        target
        for loop in ast.walk(outer)
        if isinstance(loop, ast.GeneratorExp | ast.SetComp | ast.ListComp)
        if any(isinstance(each, ast.Name) and each.id == BASE for each in ast.walk(loop))
        for part in loop.generators
        for target in ast.walk(part.target)
        if isinstance(target, ast.Name) and target.id in used
    ]
