"""Long conditions and amounts in several sentences: each part of a sum or a condition, each branch, alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from polis_rules.documentation.rulebook.english import a
from polis_rules.documentation.rulebook.formulas import limited
from polis_rules.documentation.rulebook.phrases import Phrases, parts_of
from polis_rules.semantics import expressions as n
from polis_rules.semantics.expressions import Expr

Told = TypeVar("Told")

LONG = 30
"""What has more words is told in parts, if it has any."""
WHICH = {"and": "all of this holds", "or": "one of these holds"}


def is_long(text: str) -> bool:
    return len(text.split()) > LONG


def clause_or_parts(say: Phrases, expr: Expr) -> str:
    """A condition as a clause, or, if that is long, as clauses between semicolons."""
    text, expr = say.clause(expr), say.settled(expr)
    if not is_long(text):
        return text
    match expr:
        case n.Bool():
            return f"{WHICH[expr.op]}: {'; '.join(map(say.clause, expr.items))}"
        case n.IfElse():
            return "; ".join(f"{when}, {told}" for when, told in _branches(expr, say, say.clause))
        case n.Comp(func="any") if len(tests := parts_of(say.settled(expr.body))) > 1:
            inner = say.inside(expr)
            told = sorted(
                (clause_or_parts(inner, test) for test in tests), key=is_long
            )  # what has parts itself is last
            return f"there is {a(say.member(expr))} of which {WHICH['and']}: {'; '.join(told)}"
        case n.Comp(func="any") if isinstance(body := say.settled(expr.body), n.IfElse):
            inner = say.inside(expr)
            held = "; ".join(f"{when}, {told}" for when, told in _branches(body, inner, inner.clause))
            return f"there is {a(say.member(expr))} of which this holds: {held}"
    return text


def text_or_parts(say: Phrases, expr: Expr) -> str:
    """An amount in words, or, if these are many, as parts between semicolons."""
    text, expr = limited(say, expr), say.settled(expr)
    if not is_long(text):
        return text
    match expr:
        case n.MinMax(items=(first, second)) if isinstance(first, n.Const) or isinstance(second, n.Const):
            limit, rest = (first, second) if isinstance(first, n.Const) else (second, first)
            which = "higher" if expr.op == "max" else "lower"
            return f"the {which} of {say.text(limit)} and this: {'; '.join(_summed(say, rest))}"
        case n.Arith(op="+" | "-"):
            return "; ".join(_summed(say, expr))
        case n.Comp(func="min" | "max", test=n.Expr() as test):
            held = "; ".join(map(say.inside(expr).clause, parts_of(test)))
            none = f"; {say.text(expr.default)} if there is none" if expr.default is not None else ""
            return f"{say.text(replace(expr, test=None, default=None))} of which {WHICH['and']}: {held}{none}"
    return text


def sentences(say: Phrases, expr: Expr) -> list[str]:
    """What a condition or an amount is, in one sentence or in several."""
    if expr.type.base != "bool":
        if isinstance(expr, n.IfElse) and not say.is_one(expr) and is_long(say.text(expr)):
            return [f"{when}: {told}" for when, told in _branches(expr, say, lambda each: text_or_parts(say, each))]
        return [text_or_parts(say, expr)]
    if isinstance(expr, n.Bool) and (len(expr.items) > 2 or any(is_long(say.clause(each)) for each in expr.items)):
        return [f"this is so if {WHICH[expr.op]}", *(told for each in expr.items for told in _apart(say, each))]
    if isinstance(expr, n.IfElse) and is_long(say.clause(expr)):
        *first, (_, last) = _branches(expr, say, lambda each: each)
        told = [f"{when}, this is so if the following is: {clause_or_parts(say, each)}" for when, each in first]
        return [*told, *(f"otherwise {each}" if not at else each for at, each in enumerate(sentences(say, last)))]
    text = clause_or_parts(say, expr)
    return [f"this is {text} so" if text in ("always", "never") else f"this is so if {text}"]


def _apart(say: Phrases, expr: Expr) -> list[str]:
    """One condition of several."""
    if isinstance(expr, n.IfElse) and is_long(say.clause(expr)):
        return [f"{when}, {told}" for when, told in _branches(expr, say, lambda each: clause_or_parts(say, each))]
    return [clause_or_parts(say, expr)]


def _branches(expr: n.IfElse, say: Phrases, told: Callable[[Expr], Told]) -> Iterator[tuple[str, Told]]:
    """The conditions of a choice between values, each with its value."""
    other: Expr = expr
    while isinstance(other, n.IfElse) and not say.is_one(other):
        yield f"if {say.clause(other.test)}", told(other.then)
        other = say.settled(other.other)
    yield "otherwise", told(other)


def _summed(say: Phrases, expr: Expr) -> Iterator[str]:
    """What is added and taken away, each with its word."""
    if isinstance(expr, n.Arith) and expr.op in "+-":
        yield from _summed(say, say.settled(expr.left))
        right = [*_summed(say, say.settled(expr.right))] if expr.op == "+" else [say.text(expr.right)]
        yield f"{'plus' if expr.op == '+' else 'minus'} {right[0]}"
        yield from right[1:]
    else:
        yield say.text(expr)
