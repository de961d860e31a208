"""Text of an expression to a Python syntax tree; what is not of the language is refused at its very character."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from keyword import iskeyword
from typing import NamedTuple

from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.semantics.words import BUILT_IN
from polis_rules.source import Text, python_tree, span_of

LONGEST = 2000
"""An expression's greatest length, in characters."""

DEEPEST = 40
"""How deep an expression's tree may be."""

LARGEST = 10**9
"""The largest number that can be written."""

ALLOWED: tuple[type[ast.AST], ...] = (
    ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.keyword, ast.Constant, ast.Compare,
    ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.IfExp, ast.GeneratorExp, ast.SetComp, ast.ListComp, ast.comprehension,
    ast.Set, ast.List, ast.Tuple, ast.And, ast.Or, ast.Not, ast.USub, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod,
    ast.BitOr, ast.BitAnd,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Load, ast.Store,
)  # fmt: skip

BETTER = {
    "Div": "use // : only whole numbers exist",
    "Slice": "one place stands in the brackets; `move: 3` takes so many from the top",
    "Dict": "block style helps: an expression that starts with { is a set",
    "Lambda": "declare a term",
    "NamedExpr": "use the step `let`",
    "Invert": "write not",
    "Pow": "write a * a",
}


BETTER_SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "−": "-", "–": "-", "÷": "//"}  # noqa: RUF001  (as typed)


class Mistake(NamedTuple):
    """Why a text is no expression, and where: at a part of its tree, at one of its characters, or as a whole."""

    code: str
    message: str
    at: ast.AST | int | None = None
    hint: str | None = None
    suggestion: str | None = None


def parse(text: Text, diagnostics: Diagnostics) -> ast.expr | None:
    """Parse one expression; None (and a diagnostic) when it is not of the language.

    The text is never evaluated. Errors: `expression-syntax`, `expression-word`, `expression-size`.
    """
    if len(text) <= LONGEST:
        reading = _read(str(text))
    else:
        message = f"an expression has at most {LONGEST} characters, this one {len(text)}"
        reading = Mistake("expression-size", message)
    if isinstance(reading, ast.expr):
        return reading
    at = reading.at
    span = text.place(at, at + 1) if isinstance(at, int) else span_of(text, at)
    diagnostics.error(reading.code, reading.message, span, reading.hint, suggestion=reading.suggestion)
    return None


@lru_cache(maxsize=2000)  # the largest ruleset that is shipped has 900, and each key in one makes another
def _read(text: str) -> ast.expr | Mistake:
    """The tree of an expression, or what is wrong: variants and editors read the same ones again and again."""
    for column, sign in enumerate("" if text.isascii() else text):
        meant = BETTER_SIGNS.get(sign, unicodedata.normalize("NFKC", sign))
        if meant != sign:  # Python would read a letter of another width as the plain one
            message = f"{quote(sign)} is no character of an expression"
            return Mistake("expression-syntax", message, column, suggestion=meant)
    if not text.strip():
        return Mistake("expression-syntax", "an expression is expected here")
    try:
        tree = python_tree(text)
    except SyntaxError as error:
        why = "" if error.msg.startswith("invalid syntax") else f": {error.msg}"
        at = _column(text, error.offset or 0)
        return Mistake("expression-syntax", f"this expression cannot be read here{why}", at, _syntax_hint(text))
    except (MemoryError, RecursionError, ValueError):
        return Mistake("expression-size", "this expression is nested too deeply")
    return _refused(tree) or tree


def _column(text: str, offset: int) -> int:
    """Where in the text the mistake is: 0 is how Python says that the text ends too soon."""
    if offset <= 0:
        return len(text)
    column = offset - 1
    return column - 1 if column and text[column - 1 : column + 1] in ("&&", "||") else column


_UNFINISHED = re.compile(r"([-+*/%<>.,(\[]|[<>=!]=|\b(?:and|or|not|in|if|else|for))\s*$")
"""What cannot be the end of an expression."""


def _syntax_hint(text: str) -> str | None:
    if end := _UNFINISHED.search(text):
        return f"something is missing after `{end[1]}`"
    for word in re.findall(r"\w+", text):
        if iskeyword(word) and word not in BUILT_IN:
            return f"no expression can hold the word `{word}`: if it is a name, choose another one"
    if "&&" in text or "||" in text:
        return "write `and`, `or`"
    if "!" in text.replace("!=", ""):
        return "write `not`"
    for turned, right in (("=>", ">="), ("=<", "<=")):
        if turned in text:
            return f"this comparison is written {right}"
    if re.search("(?<![<>=!])=(?!=)", text):
        return "a comparison is written =="
    return None


def _literal_hint(value: object) -> str | None:
    if value is None or isinstance(value, bool):
        return f"write {str(value).lower()}"
    return "names are written without quotation marks" if isinstance(value, str) else None


def _refused(tree: ast.expr) -> Mistake | None:
    """What of Python is not of the language."""
    for node, depth in _levels(tree):
        if depth > DEEPEST:
            return Mistake("expression-size", "this expression is nested too deeply: declare a term")
        if not isinstance(node, ALLOWED) and not (isinstance(node, ast.Dict) and not node.keys):  # {} is a set
            hint = BETTER.get(type(node).__name__)
            return Mistake("expression-word", "this is not part of the language", node, hint)
        if isinstance(node, ast.Constant) and type(node.value) is not int:
            return Mistake("expression-word", "only whole numbers can be written here", node, _literal_hint(node.value))
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > LARGEST:
            message = f"this number is too large: the largest that can be written is {LARGEST}"
            return Mistake("expression-word", message, node)
    return None


def _levels(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        if not isinstance(node, (ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context)):
            waiting.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
