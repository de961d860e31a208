"""All steps and expressions of the rules, and what these ask about. Each expression knows where it is written."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Span
from polis_rules.semantics import Symbols, inside, ir
from polis_rules.semantics.expressions import Call, Comp, Contains, Expr, RouteExists, Size, substitute

DEEPEST = 8
"""Through so many terms that are explained one by the other an expression is followed."""


def lists(steps: tuple[ir.Step, ...]) -> Iterator[tuple[ir.Step, ...]]:
    """A list of steps and all lists inside it, but for those that nobody wrote."""
    yield steps
    for step in steps:
        for inner in inside(step) if not isinstance(step, ir.Generated) else ():
            yield from lists(inner)


def values(step: ir.Step) -> Iterator[Expr]:
    """The expressions that a step holds itself, its conditions and titles left out."""
    if isinstance(step, ir.AnyOf):
        every = [tree for part in (*step.parts, *step.named) for tree in (part.target, part.amount)]
        yield from {id(tree): tree for tree in every}.values()
    for name in step.__dataclass_fields__:
        value = getattr(step, name)
        if name != "test":
            yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Expr))


def tests(step: ir.Step) -> list[Expr]:
    """The conditions that a step asks itself."""
    if isinstance(step, (ir.Choose, ir.Draw)):
        return [each.test for each in (step.tests if isinstance(step, ir.Choose) else step.conditions)]
    test = getattr(step, "test", None)
    return [test] if isinstance(test, Expr) else []


def costs(step: ir.Step) -> tuple[ir.Amount, ...]:
    """What a decision and its ways cost, where there is one way to pay it."""
    if not isinstance(step, ir.Choose):
        return ()
    own = (each for each in step.cost if isinstance(each, ir.Amount))
    return (*own, *(each for way in step.ways for each in way.cost))


def name_span(step: ir.Step) -> Span:
    """Where the name is that a step gives or the state that it changes; otherwise its verb."""
    if isinstance(step, (ir.Set, ir.Amount)):
        return step.target.span or step.span
    return getattr(getattr(step, "var", ""), "span", step.span)


def place(tree: Expr) -> Span:
    """Where an expression is written. One that nobody wrote stands where its first written part does."""
    return next(part.span for part in tree.walk() if part.span is not None)


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


def looks_for(tree: Expr, step: ir.Choose, symbols: Symbols) -> bool:
    """Whether a condition goes over the kind of a choice, or asks for a set or a way: it may be meant for it."""
    kinds = {source.type.kind for _, source in step.chosen if source is not None}
    return any(
        (isinstance(part, Comp) and part.domain.type.kind in kinds)
        or isinstance(part, (Size, RouteExists))
        or (isinstance(part, Contains) and part.item.type.kind in kinds)
        for part in parts(tree, symbols)
    )
