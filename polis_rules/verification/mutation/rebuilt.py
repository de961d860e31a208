"""Small changes to what is worked out while compiling: table values, first values, supplies, ranges, routes, dice.

Unlike the changes of `Mutator`, each needs rules that are compiled anew.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from polis_rules.diagnostics import Span
from polis_rules.schema import Document
from polis_rules.semantics import Attribute, TypedRules, Variable, every_step, ir, rows_of, value_of
from polis_rules.semantics.expressions import Compare, Const, Expr
from polis_rules.source import Mapping, Node, Text
from polis_rules.verification.mutation.mutants import OTHER, Mutant


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A change, how to make the rules that have it, and a word by which cases that concern it may be known."""

    mutant: Mutant
    apply: Callable[[TypedRules], TypedRules]
    word: str = ""


def rebuilt(rules: TypedRules, document: Document) -> list[Rebuilt]:
    """Every change of this sort.

    >>> from polis_rules.pipeline import front
    >>> _, rules, document = front("yucata")
    >>> len(rebuilt(rules, document)) > 100
    True
    """
    several = (_tables(rules, document), _starts(rules, document), _state(rules), _supplies(rules))
    return [each for part in (*several, _routes(rules, document), _counts(rules)) for each in part]


def single(tree: Expr) -> Iterator[tuple[str, Expr]]:
    """An expression with one number or comparison changed, for each of them, with the change in words."""
    if isinstance(tree, Const) and tree.type.base == "int":
        yield f"{tree.value} becomes {tree.value + 1}", replace(tree, value=tree.value + 1)
    if isinstance(tree, Compare):
        yield f"{tree.op} becomes {OTHER[tree.op]}", replace(tree, op=OTHER[tree.op])
    for number, child in enumerate(tree.children()):
        for words, part in single(child):
            yield words, _with_part(tree, number, part)


def _with_part(tree: Expr, number: int, part: Expr) -> Expr:
    """An expression in which one of the expressions that it is made of is another."""
    parts = iter([part if at == number else child for at, child in enumerate(tree.children())])
    return tree.rebuilt(lambda _: next(parts))


# -- tables and state -------------------------------------------------------------------------------------------------


def _tables(rules: TypedRules, document: Document) -> Iterator[Rebuilt]:
    """Every number that a row itself gives."""
    for kind in rules.symbols.kinds.values():
        for attribute in kind.attributes.values():
            rows = rows_of(document, kind.name)
            per = len(attribute.values) // max(len(rows), 1)
            for number, (member, row) in enumerate(rows.items()):
                rule = f"tables.{kind.name}.{member}.{attribute.name}"
                if number in attribute.formulas:
                    for words, tree in single(attribute.formulas[number]):
                        change = _formula(attribute, number, tree)
                        yield Rebuilt(Mutant("number", rule, member.span, words), change, str(member))
                written = value_of(row, attribute.name)
                if written is None or attribute.spec.kind not in ("range", "number"):
                    continue
                for flat in range(number * per, (number + 1) * per):
                    if per > 1 and not attribute.values[flat]:
                        continue  # a default, in all likelihood
                    words = f"{attribute.values[flat]} becomes {attribute.values[flat] + 1}"
                    mutant = Mutant("number", rule, _span(written, member), words)
                    yield Rebuilt(mutant, _value(attribute, flat), str(member))


def _span(written: Node, member: Text) -> Span:
    return written.span if isinstance(written, (Text, Mapping)) else member.span


def _value(attribute: Attribute, flat: int) -> Callable[[TypedRules], TypedRules]:
    values = (*attribute.values[:flat], attribute.values[flat] + 1, *attribute.values[flat + 1 :])
    return lambda rules: _with_attribute(rules, replace(attribute, values=values))


def _formula(attribute: Attribute, member: int, tree: Expr) -> Callable[[TypedRules], TypedRules]:
    return lambda rules: _with_attribute(rules, replace(attribute, formulas={**attribute.formulas, member: tree}))


def _with_attribute(rules: TypedRules, attribute: Attribute) -> TypedRules:
    kind = copy.copy(rules.symbols.kinds[attribute.owner])
    kind.attributes = {**kind.attributes, attribute.name: attribute}
    return replace(rules, symbols=_with(rules.symbols, kinds={**rules.symbols.kinds, kind.name: kind}))


def _with(whole: Any, **changed: Any) -> Any:
    """The same thing with some parts replaced, whose names are known only while running."""
    return replace(whole, **changed)


def _starts(rules: TypedRules, document: Document) -> Iterator[Rebuilt]:
    """Every number that the scenario sets."""
    for number, start in enumerate(rules.starts):
        variable = rules.symbols.variable(start.owner, start.name)
        if variable.type.base != "int":
            continue
        key = f"{start.owner}.{start.name}" if start.owner else start.name
        span = next((name.span for name in document.scenario.start if name == key), variable.span)
        member = _owner(rules, variable, start.index)
        words = (
            f"{start.value} becomes {start.value + 1} for {member}"
            if member
            else f"{start.value} becomes {start.value + 1}"
        )
        yield Rebuilt(Mutant("number", f"start.{key}", span, words), _start(number), member)


def _owner(rules: TypedRules, variable: Variable, index: int) -> str:
    """The member of the owner that a flat index belongs to."""
    if not variable.owner:
        return ""
    members = rules.symbols.kinds[variable.owner].members
    return members[index // (variable.size // len(members))]


def _start(number: int) -> Callable[[TypedRules], TypedRules]:
    def apply(rules: TypedRules) -> TypedRules:
        old = rules.starts[number]
        return replace(
            rules, starts=[*rules.starts[:number], replace(old, value=old.value + 1), *rules.starts[number + 1 :]]
        )

    return apply


def _state(rules: TypedRules) -> Iterator[Rebuilt]:
    """Where ranges end, and what state starts with."""
    owners = [("", rules.symbols.state), *((kind.name, kind.state) for kind in rules.symbols.kinds.values())]
    for owner, variables in owners:
        for variable in variables.values():
            rule = f"kinds.{owner}.{variable.name}" if owner else f"state.{variable.name}"
            if variable.type.base == "int" and variable.bounded and variable.high > variable.low:
                words = f"the range ends at {variable.high - 1} instead of {variable.high}"
                yield Rebuilt(Mutant("number", rule, variable.span, words), _variable(variable, high=variable.high - 1))
            if variable.start_expr is not None and variable.start is not None:
                for words, tree in single(variable.start_expr):
                    mutant = Mutant("number", rule, variable.start.span, f"{words} at the start")
                    yield Rebuilt(mutant, _variable(variable, start_expr=tree))


def _variable(variable: Variable, **changed: Any) -> Callable[[TypedRules], TypedRules]:
    made = replace(variable, **changed)

    def apply(rules: TypedRules) -> TypedRules:
        symbols = rules.symbols
        if not variable.owner:
            return replace(rules, symbols=_with(symbols, state={**symbols.state, variable.name: made}))
        kind = copy.copy(symbols.kinds[variable.owner])
        kind.state = {**kind.state, variable.name: made}
        return replace(rules, symbols=_with(symbols, kinds={**symbols.kinds, kind.name: kind}))

    return apply


# -- supplies, routes, dice -------------------------------------------------------------------------------------------


def _supplies(rules: TypedRules) -> Iterator[Rebuilt]:
    for number, supply in enumerate(rules.supplies):
        for words, tree in single(supply.total):
            mutant = Mutant("number", f"supplies.{supply.name}", supply.span, words)
            yield Rebuilt(mutant, _supply(number, tree))


def _supply(number: int, total: Expr) -> Callable[[TypedRules], TypedRules]:
    def apply(rules: TypedRules) -> TypedRules:
        made = replace(rules.supplies[number], total=total)
        return replace(rules, supplies=[*rules.supplies[:number], made, *rules.supplies[number + 1 :]])

    return apply


def _routes(rules: TypedRules, document: Document) -> Iterator[Rebuilt]:
    places = {str(name): name.span for name in document.routes}
    for name, route in rules.symbols.routes.items():
        for part in ("through", "costs", "also"):
            for key, tree in getattr(route, part).items():
                for words, made in single(tree):
                    mutant = Mutant("number", f"routes.{name}.{part}.{key}", places[name], words)
                    yield Rebuilt(mutant, _route(name, part, key, made))


def _route(name: str, part: str, key: str, tree: Expr) -> Callable[[TypedRules], TypedRules]:
    def apply(rules: TypedRules) -> TypedRules:
        route = rules.symbols.routes[name]
        made = _with(route, **{part: {**getattr(route, part), key: tree}})
        return replace(rules, symbols=_with(rules.symbols, routes={**rules.symbols.routes, name: made}))

    return apply


def _counts(rules: TypedRules) -> Iterator[Rebuilt]:
    """The sides of dice, and how often something must at least be chosen."""
    for path, procedure in rules.procedures.items():
        for step in every_step(procedure.body):
            if isinstance(step, ir.Roll):
                words = f"dice of {step.sides} sides get {step.sides - 1}"
                changed: ir.Step = replace(step, sides=step.sides - 1)
            elif isinstance(step, ir.Choices) and step.finish:
                words = f"at least {step.at_least} becomes {step.at_least + 1}"
                changed = replace(step, at_least=step.at_least + 1)
            else:
                continue
            yield Rebuilt(Mutant("number", path, step.span, words), _swapped(path, step, changed))


def _swapped(path: str, old: ir.Step, new: ir.Step) -> Callable[[TypedRules], TypedRules]:
    def swap(steps: tuple[ir.Step, ...]) -> tuple[ir.Step, ...]:
        return tuple(new if step is old else step.replace(steps=swap) for step in steps)

    def apply(rules: TypedRules) -> TypedRules:
        procedure = rules.procedures[path]
        made = replace(procedure, body=swap(procedure.body))
        return replace(rules, procedures={**rules.procedures, path: made})

    return apply
