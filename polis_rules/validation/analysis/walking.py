"""Walk over everything that rules say: all steps, all expressions, with the place where each stands."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, every_step, ir
from polis_rules.semantics.expressions import Expr


def steps(rules: TypedRules) -> Iterator[tuple[ir.Procedure, ir.Step]]:
    """Every step of every procedure, phase, action and carried effect, however deep."""
    for procedure in rules.procedures.values():
        for step in every_step(procedure.body):
            yield procedure, step


def parts(value: object) -> Iterator[tuple[Expr, Span | None]]:
    """The expressions that a step holds itself (not in the steps inside it), with a place where one is known."""
    if isinstance(value, Expr):
        yield value, None
    elif isinstance(value, ir.Condition):
        yield value.test, value.span
    elif isinstance(value, ir.Way):
        yield from parts(value.conditions)
        yield from parts(value.cost)
    elif isinstance(value, ir.Amount):
        for inner in (value.target, value.amount):
            yield inner, value.span
    elif isinstance(value, tuple):
        for part in value:
            yield from parts(part)


def of_step(step: ir.Step) -> Iterator[tuple[Expr, Span]]:
    """The expressions of one step, with their place or that of the step."""
    for name in step.__dataclass_fields__:
        if name not in ("body", "then", "other", "do"):
            for tree, span in parts(getattr(step, name)):
                yield tree, span or step.span


def expressions(rules: TypedRules) -> Iterator[tuple[Expr, Span]]:
    """Every expression of a ruleset, outermost only, with its place."""
    for _, step in steps(rules):
        yield from of_step(step)
    for action in rules.actions:
        for condition in action.conditions:
            yield condition.test, condition.span
    symbols = rules.symbols
    for term in symbols.terms.values():
        if term.body is not None:
            yield term.body, term.text.span
    for kind in symbols.kinds.values():
        for attribute in kind.attributes.values():
            for formula in attribute.formulas.values():
                yield formula, kind_place(rules)
        for variable in kind.state.values():
            for tree in (variable.start_expr, variable.seen_expr):
                if tree is not None:
                    yield tree, variable.span
        if kind.in_force is not None:
            yield kind.in_force, kind_place(rules)
    for variable in symbols.state.values():
        for tree in (variable.start_expr, variable.seen_expr):
            if tree is not None:
                yield tree, variable.span
    for route in symbols.routes.values():
        for section in (route.through, route.costs, route.also):
            for tree in section.values():
                yield tree, kind_place(rules)
    for invariant in rules.invariants:
        yield invariant.test, invariant.span
    for supply in rules.supplies:
        for tree in (supply.total, supply.reserve, *supply.places.values()):
            yield tree, supply.span
    for tree in (*rules.score.values(), *rules.tie_break.values(), *([rules.rounds] if rules.rounds else [])):
        yield tree, kind_place(rules)


def kind_place(rules: TypedRules) -> Span:
    """A place for what has none of its own: the beginning of the rules."""
    return next(iter(rules.procedures.values())).span
