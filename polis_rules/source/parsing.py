"""Text in the grammar of Python's expressions to a syntax tree; nothing is evaluated."""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left

from polis_rules.diagnostics import Span
from polis_rules.source.tree import Text


def python_tree(text: str) -> ast.expr:
    """The syntax tree of an expression. Raises what Python's parser raises.

    Where Python wants parentheses around `n for x in K` in `min(n for x in K, default=0)`, they are put in for it, and
    the places in the tree are those of the text without them.
    """
    added: list[int] = []
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # doubtful spelling of numbers is no business of the terminal
                tree = ast.parse(text, mode="eval").body
            return _without(added, tree)
        except SyntaxError as error:
            if not error.msg.startswith("Generator expression must be") or not error.offset or not error.end_offset:
                if error.offset:
                    error.offset = _original(added, error.offset - 1) + 1
                raise
            begin, end = error.offset - 1, error.end_offset - 1
            first, last = len(text[:begin].encode()), len(text[:end].encode())
            text = f"{text[:begin]}({text[begin:end]}){text[end:]}"
            added = sorted([*(at + (at >= first) + (at >= last) for at in added), first, last + 1])


def _original(added: list[int], offset: int) -> int:
    """A place in a text before characters were put in at these places."""
    return offset - bisect_left(added, offset)


def _without(added: list[int], tree: ast.expr) -> ast.expr:
    for node in ast.walk(tree) if added else ():
        for name in ("col_offset", "end_col_offset"):
            if hasattr(node, name):
                setattr(node, name, _original(added, getattr(node, name)))
    return tree


def span_of(text: Text, node: ast.AST | None) -> Span:
    """The span of a part of an expression inside its file; all of a text that is not written as it reads."""
    if node is None or not hasattr(node, "col_offset"):
        return text.span
    raw = text.encode()
    start = len(raw[: node.col_offset].decode(errors="replace"))
    end_offset = getattr(node, "end_col_offset", None)
    return text.place(start, len(raw[:end_offset].decode(errors="replace")) if end_offset else start + 1)
