"""What an expression asks about, terms followed with what they are given."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.semantics import Symbols, ir
from polis_rules.semantics.expressions import Call, Comp, Contains, Expr, Load, RouteExists, Size, substitute

DEEPEST = 8
"""Through so many terms that are explained one by the other an expression is followed."""


def explained(tree: Call, symbols: Symbols) -> Expr | None:
    """What a term means for what it is given."""
    term = symbols.terms[tree.term]
    return substitute(term.body, dict(zip(term.params, tree.args, strict=True))) if term.body is not None else None


def parts(tree: Expr, symbols: Symbols, deep: int = DEEPEST) -> Iterator[Expr]:
    """All parts of an expression and of the terms in it."""
    for part in tree.walk():
        yield part
        body = explained(part, symbols) if isinstance(part, Call) and deep else None
        if body is not None:
            yield from parts(body, symbols, deep - 1)


def reads_through(tree: Expr, symbols: Symbols) -> Iterator[Load]:
    """The state that an expression reads."""
    return (part for part in parts(tree, symbols) if isinstance(part, Load))


def looks_for(tree: Expr, step: ir.Choose, symbols: Symbols) -> bool:
    """Whether a condition goes over the kind of a choice, or asks for a set or a way: it may be meant for it."""
    kind = step.source.type.kind if step.source is not None else ""
    for part in parts(tree, symbols):
        if isinstance(part, Comp) and part.domain.type.kind == kind:
            return True
        if isinstance(part, (Size, RouteExists)) or (isinstance(part, Contains) and part.item.type.kind == kind):
            return True
    return False
