"""The values that explain a condition which asks a term: both sides of what the term compares.

The names of the term are told as what stood for them in the condition: `field.units[you]`, not `place.units[who]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from polis_rules.interpreter.evaluator import Evaluator, HiddenError, Names, NothingThereError, State, sides
from polis_rules.semantics import Symbols
from polis_rules.semantics.expressions import Bool, Call, Expr, Not


def sides_of_terms(
    symbols: Symbols, sight: Evaluator, condition: tuple[str, Expr], state: State, names: Names
) -> Iterator[tuple[str, Expr, Names]]:
    """Both sides of each comparison in the terms that a condition, with its text, asks: in words, with the names known
    there. Nothing of a term that is given what `sight` may not see, or what is not there."""
    text, test = condition
    try:
        calls = _written(ast.parse(" ".join(text.split()), mode="eval").body)
    except (SyntaxError, ValueError):
        return
    written = [(name, args) for name, args in calls if name in symbols.terms]
    asked = list(_asked(test))
    if [call.term for call in asked] != [name for name, _ in written]:
        return
    for call, (_, args) in zip(asked, written, strict=True):
        term = symbols.terms[call.term]
        assert term.body is not None
        try:
            inner = {param: sight.value(arg, state, names) for param, arg in zip(term.params, call.args, strict=True)}
        except (NothingThereError, HiddenError, KeyError):  # the last of a name that the player may not know
            continue
        given = dict(zip(term.params, args, strict=True))
        told = ((_with(side, given), tree, inner) for side, tree in sides(term.body))
        yield from (each for each in told if not each[0].isdecimal())


def _asked(test: Expr) -> Iterator[Call]:
    """The terms that a condition consists of, in their order; of one that is part of a number nothing is told."""
    if isinstance(test, Call):
        yield test
    for item in test.items if isinstance(test, Bool) else (test.item,) if isinstance(test, Not) else ():
        yield from _asked(item)


def _written(test: ast.expr) -> Iterator[tuple[str, list[str]]]:
    """The same as they are written, each with what it is given."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name):
        yield test.func.id, [ast.unparse(arg) for arg in test.args]
    inside = test.values if isinstance(test, ast.BoolOp) else [test.operand] if isinstance(test, ast.UnaryOp) else []
    for part in inside:
        yield from _written(part)


def _with(text: str, given: dict[str, str]) -> str:
    """The text of a term with what stands for its names."""
    if not given:
        return text
    name = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, given))})\b")
    return name.sub(
        lambda match: given[match[1]] if re.fullmatch(r"[\w.\[\]]+", given[match[1]]) else f"({given[match[1]]})", text
    )
