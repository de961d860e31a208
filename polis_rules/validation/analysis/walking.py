"""All steps and expressions of the rules. Each expression knows where it is written."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Span
from polis_rules.semantics import TypedRules, every_step, every_variable, inside, ir
from polis_rules.semantics.expressions import Expr, Load


def steps(rules: TypedRules) -> Iterator[ir.Step]:
    """Every step of every procedure, phase, action and carried effect, however deep."""
    for procedure in rules.procedures.values():
        yield from every_step(procedure.body)


def lists(steps: tuple[ir.Step, ...]) -> Iterator[tuple[ir.Step, ...]]:
    """A list of steps and all lists inside it."""
    yield steps
    for step in steps:
        for inner in inside(step):
            yield from lists(inner)


def values(step: ir.Step) -> Iterator[Expr]:
    """The expressions that a step holds itself, its conditions and titles left out."""
    for name in step.__dataclass_fields__:
        value = getattr(step, name)
        if name != "test":
            yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Expr))


def shown(step: ir.Step) -> Iterator[Expr]:
    """What stands in the titles of a decision and of its ways."""
    if isinstance(step, ir.Choose):
        yield from (tree for shown in (step.shown, *(way.shown for way in step.ways)) for _, tree in shown)


def costs(step: ir.Step) -> tuple[ir.Amount, ...]:
    """What a decision and its ways cost."""
    return (*step.cost, *(each for way in step.ways for each in way.cost)) if isinstance(step, ir.Choose) else ()


def targets(step: ir.Step) -> tuple[Load, ...]:
    """The state that a step itself changes; what a way costs is paid when the way is taken."""
    if isinstance(step, (ir.Set, ir.Amount)):
        return (step.target,)
    if isinstance(step, ir.Move):
        return step.source, step.target
    if isinstance(step, ir.Choose):
        return tuple(part.target for way in step.ways for part in way.cost)
    return ()


def outside(rules: TypedRules) -> Iterator[Expr]:
    """Every expression that stands outside of steps and actions, the invariants left out."""
    symbols = rules.symbols
    yield from (term.body for term in symbols.terms.values() if term.body is not None)
    for kind in symbols.kinds.values():
        yield from (tree for attribute in kind.attributes.values() for tree in attribute.formulas.values())
        if kind.in_force is not None:
            yield kind.in_force
    for variable in every_variable(symbols):
        yield from (tree for tree in (variable.start_expr, variable.seen_expr) if tree is not None)
    for route in symbols.routes.values():
        yield from (tree for section in (route.through, route.costs, route.also) for tree in section.values())
    for supply in rules.supplies:
        yield from (supply.total, supply.reserve, *supply.places.values())
    yield from (*rules.score.values(), *rules.tie_break.values(), *([rules.rounds] if rules.rounds else []))


def expressions(rules: TypedRules, inside_steps: bool = True) -> Iterator[Expr]:
    """Every expression of a ruleset, outermost only."""
    for step in steps(rules) if inside_steps else ():
        yield from step.expressions()
    for action in rules.actions:
        yield from (condition.test for condition in action.conditions)
    yield from outside(rules)
    yield from (invariant.test for invariant in rules.invariants)


def name_span(step: ir.Step) -> Span:
    """Where the name is that a step gives or the state that it changes; otherwise its verb."""
    if isinstance(step, (ir.Set, ir.Amount)):
        return step.target.span or step.span
    return getattr(getattr(step, "var", ""), "span", step.span)


def place(tree: Expr) -> Span:
    """Where an expression is written. One that nobody wrote stands where its first written part does."""
    return next(part.span for part in tree.walk() if part.span is not None)
