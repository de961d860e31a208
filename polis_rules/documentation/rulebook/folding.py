"""Expressions as a reader needs them: terms that are always the same are replaced by what they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from polis_rules.documentation.rulebook.book import Book
from polis_rules.semantics import expressions as n
from polis_rules.semantics.expressions import Const, Expr


class Folding:
    """Folds the expressions of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.known: dict[str, Const | None] = {}
        self.silent: dict[str, bool] = {}
        """the rules of which it is known whether there is nothing to tell of them"""
        self.asked: set[str] = set()
        """the terms that the sentences made so far speak of"""

    @cached_property
    def changed(self) -> frozenset[str]:
        """The terms that some row changes while it is in force."""
        return frozenset(
            str(term)
            for kind, known in self.book.rules.symbols.kinds.items()
            for attribute, each in known.attributes.items()
            for member in (known.members if each.spec.kind == "changes" else ())
            for term in self.book.changed_terms(kind, member, attribute)
        )

    def constant(self, term: str) -> Const | None:
        """What a term always is, before any row changes it; None where that depends on something."""
        if term not in self.known:
            self.known[term] = None
            body = self.book.term(term)[1]
            if body is not None and isinstance(folded := self.fold(body), Const):
                self.known[term] = folded
        return self.known[term]

    def fold(self, expr: Expr) -> Expr:
        """The same expression, without what is settled anyway."""
        expr = expr.rebuilt(self.fold)
        match expr:
            case n.Call() if expr.term not in self.changed and (value := self.constant(expr.term)) is not None:
                return replace(value, type=expr.type)
            case n.Not(item=Const(value=value)):
                return Const(expr.type, int(not value))
            case n.Bool():
                return _joined(expr)
            case n.IfElse(test=Const(value=value)):
                return expr.then if value else expr.other
            case n.Arith(op="+" | "-", right=Const(value=0)):
                return expr.left
        return expr


def _joined(expr: n.Bool) -> Expr:
    ends = 1 if expr.op == "or" else 0
    items = [item for item in expr.items if not (isinstance(item, Const) and bool(item.value) != bool(ends))]
    if any(isinstance(item, Const) for item in items) or not items:
        return Const(expr.type, ends if items else 1 - ends)
    return items[0] if len(items) == 1 else replace(expr, items=tuple(items))
