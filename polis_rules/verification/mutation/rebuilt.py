"""Small changes to what is worked out while compiling: table values, first values, supplies, ranges, routes, dice.

Unlike the changes of `Mutator`, each needs rules that are compiled anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Any

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.interpreter.evaluator import derive
from polis_rules.schema import Document
from polis_rules.semantics import TypedRules, Variable, every_step, every_variable, ir, rows_of, value_of
from polis_rules.semantics.expressions import Expr
from polis_rules.verification.mutation.mutants import Mutant, Path, turned


def with_change(rules: TypedRules, mutant: Mutant) -> TypedRules:
    """The rules that have a change; as they are where a scenario says something else there."""
    if reduce(_part, mutant.path, rules) != mutant.was:
        return rules
    made: TypedRules = replaced(rules, mutant.path, mutant.becomes)
    return _derived_anew(made)


def _derived_anew(rules: TypedRules) -> TypedRules:
    """The rules with everything worked out again that is worked out before play; as they are where that cannot be."""
    kinds = {
        name: replace(kind, attributes={key: replace(each, values=()) if each.expr is not None else each
                                        for key, each in kind.attributes.items()})
        for name, kind in rules.symbols.kinds.items()
    }  # fmt: skip
    symbols, findings = replace(rules.symbols, kinds=kinds, graphs={**rules.symbols.graphs}), Diagnostics()
    made = replace(rules, symbols=symbols)
    derive(made, findings)
    return rules if findings.has_errors else made


def replaced(whole: Any, path: Path, part: object) -> Any:
    """The same thing with another part at a path.

    >>> replaced({"a": [1, 2], "b": 3}, ("a", 0), 7)
    {'a': [7, 2], 'b': 3}
    """
    if not path:
        return part
    key: Any = path[0]
    inner = replaced(_part(whole, key), path[1:], part)
    match whole:
        case dict():
            return {**whole, key: inner}
        case list() | tuple():
            return type(whole)((*whole[:key], inner, *whole[key + 1 :]))
    return replace(whole, **{key: inner})


def _part(whole: Any, key: Any) -> Any:
    return whole[key] if isinstance(whole, dict | list | tuple) else getattr(whole, key)


@dataclass(frozen=True, slots=True)
class _Number:
    """A number, or an expression with some, that can be changed; the rule that it is of and where it stands.

    `told` says how a change of it is told, and `word` is that of `Mutant`.
    """

    path: Path
    rule: str
    span: Span
    told: str = "{}"
    word: str = ""

    def changes(self, rules: TypedRules) -> Iterator[Mutant]:
        """The changes of it, one at a time."""
        was = reduce(_part, self.path, rules)
        for words, other in single(was):
            yield Mutant("number", self.rule, self.span, self.told.format(words), self.path, was, other, self.word)


def rebuilt(rules: TypedRules, document: Document) -> list[Mutant]:
    """Every change of this sort.

    >>> from polis_rules.pipeline import front
    >>> _, rules, document = front("yucata")
    >>> len(rebuilt(rules, document)) > 100
    True
    """
    numbers = chain(_tables(rules, document), _starts(rules), _first_values(rules), _supplies(rules))
    changes = [
        each for number in (*numbers, *_derived(rules), *_routes(rules, document)) for each in number.changes(rules)
    ]
    return [*changes, *_ranges(rules), *_counts(rules)]


def single(tree: Any) -> Iterator[tuple[str, Any]]:
    """A number or an expression with one number or comparison changed, for each of them, after the change in words."""
    if not isinstance(tree, Expr):
        yield f"{tree} becomes {tree + 1}", tree + 1
        return
    if change := turned(tree):
        yield change
    for number, child in enumerate(tree.children()):
        for words, part in single(child):
            yield words, _with_part(tree, number, part)


def _with_part(tree: Expr, number: int, part: Expr) -> Expr:
    """An expression in which one of the expressions that it is made of is another."""
    parts = iter(replaced([*tree.children()], (number,), part))
    return tree.rebuilt(lambda _: next(parts))


# -- numbers ----------------------------------------------------------------------------------------------------------


def _tables(rules: TypedRules, document: Document) -> Iterator[_Number]:
    """Every number that a row itself gives; nobody wrote those of a kind with `numbers`."""
    counted = {name for name, kind in document.kinds.items() if kind.numbers is not None}
    for kind in rules.symbols.kinds.values():
        rows = rows_of(document, kind.name) if kind.name not in counted else {}
        for attribute in kind.attributes.values():
            path = ("symbols", "kinds", kind.name, "attributes", attribute.name)
            per = len(attribute.values) // max(len(rows), 1)
            for number, (member, row) in enumerate(rows.items()):
                rule = f"tables.{kind.name}.{member}.{attribute.name}"
                if number in attribute.formulas:
                    yield _Number((*path, "formulas", number), rule, member.span, word=member)
                written = value_of(row, attribute.name)
                if written is None or attribute.spec.kind not in ("range", "number"):
                    continue
                for flat in range(number * per, (number + 1) * per):
                    if per == 1 or attribute.values[flat]:  # another 0 is a default, in all likelihood
                        yield _Number((*path, "values", flat), rule, written.span, word=member)


def _derived(rules: TypedRules) -> Iterator[_Number]:
    """What is worked out before play."""
    for kind in rules.symbols.kinds.values():
        for name, attribute in kind.attributes.items():
            if attribute.is_ is not None:
                path = ("symbols", "kinds", kind.name, "attributes", name, "expr")
                yield _Number(path, f"kinds.{kind.name}.{name}", attribute.is_.span)


def _starts(rules: TypedRules) -> Iterator[_Number]:
    """Every number that the scenario sets."""
    for number, start in enumerate(rules.starts):
        variable = rules.symbols.variable(start.owner, start.name)
        if variable.type.base == "int":
            member = _owner(rules, variable, start.index)
            rule = ".".join(filter(None, ("start", start.owner, member, start.name)))
            told = f"{{}} for {member}" if member else "{}"
            yield _Number(("starts", number, "value"), rule, start.span or variable.span, told, member)


def _owner(rules: TypedRules, variable: Variable, index: int) -> str:
    """The member of the owner that a flat index belongs to."""
    if not variable.owner:
        return ""
    members = rules.symbols.kinds[variable.owner].members
    return members[index // (variable.size // len(members))]


def _first_values(rules: TypedRules) -> Iterator[_Number]:
    """What state starts with."""
    for variable in every_variable(rules.symbols):
        if variable.start_expr is not None and variable.start is not None:
            path, rule = _declared(variable)
            yield _Number((*path, "start_expr"), rule, variable.start.span, "{} at the start")


def _declared(variable: Variable) -> tuple[Path, str]:
    """The path of a variable, and that of its declaration."""
    if not variable.owner:
        return ("symbols", "state", variable.name), f"state.{variable.name}"
    return ("symbols", "kinds", variable.owner, "state", variable.name), f"kinds.{variable.owner}.{variable.name}"


def _supplies(rules: TypedRules) -> Iterator[_Number]:
    for number, supply in enumerate(rules.supplies):
        yield _Number(("supplies", number, "total"), f"supplies.{supply.name}", supply.span)


def _routes(rules: TypedRules, document: Document) -> Iterator[_Number]:
    places = {str(name): name.span for name in document.routes}
    for name, route in rules.symbols.routes.items():
        for part in ("through", "costs", "also"):
            for key in getattr(route, part):
                yield _Number(("symbols", "routes", name, part, key), f"routes.{name}.{part}.{key}", places[name])


# -- ends of ranges, dice, repetitions --------------------------------------------------------------------------------


def _ranges(rules: TypedRules) -> Iterator[Mutant]:
    """Where ranges end."""
    for variable in every_variable(rules.symbols):
        if variable.type.base == "int" and variable.bounded and variable.high > variable.low:
            path, rule = _declared(variable)
            high = variable.high
            words = f"the range ends at {high - 1} instead of {high}"
            yield Mutant("number", rule, variable.span, words, (*path, "high"), high, high - 1)


def _counts(rules: TypedRules) -> Iterator[Mutant]:
    """The sides of dice, and how often something must at least be chosen."""
    for path, procedure in rules.procedures.items():
        for step in every_step(procedure.body):
            changed: ir.Step
            match step:
                case ir.Roll() if isinstance(step.sides, int):
                    words = f"dice of {step.sides} sides get {step.sides - 1}"
                    changed = replace(step, sides=step.sides - 1)
                case ir.Choices() if step.finish:
                    words = f"at least {step.at_least} becomes {step.at_least + 1}"
                    changed = replace(step, at_least=step.at_least + 1)
                case _:
                    continue
            body = _swapped(procedure.body, step, changed)
            yield Mutant("number", path, step.span, words, ("procedures", path, "body"), procedure.body, body)


def _swapped(steps: tuple[ir.Step, ...], old: ir.Step, new: ir.Step) -> tuple[ir.Step, ...]:
    return tuple(new if step is old else step.replace(steps=lambda part: _swapped(part, old, new)) for step in steps)
