"""What terms, routes, formulas and possible actions are explained by, and which of them an expression relies on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polis_rules.semantics.expressions import Expr, nodes as n
from polis_rules.semantics.symbols import every_variable
from polis_rules.semantics.typed_rules import TypedRules

Name = tuple[str, str]
"""Something that is explained by expressions: ("term", name), ("route", name), ("possible", action) or a formula."""


def explained(rules: TypedRules) -> dict[Name, list[Expr]]:
    """Everything that has a name and is explained by expressions."""
    symbols = rules.symbols
    known: dict[Name, list[Expr]] = {}
    for term in symbols.terms.values():
        known["term", term.name] = [term.body] if term.body is not None else []
    for route in symbols.routes.values():
        known["route", route.name] = [*route.through.values(), *route.costs.values(), *route.also.values()]
    for kind in symbols.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.formulas:
                known["formula", f"{kind.name}.{attribute.name}"] = list(attribute.formulas.values())
    for action in rules.actions:
        first = action.first
        tests = [*action.conditions, *(first.conditions if first is not None else ())]
        ends = (first.source, first.low, first.high) if first is not None else ()
        known["possible", action.id] = [*(test.test for test in tests), *(end for end in ends if end is not None)]
    return known


def outside(rules: TypedRules) -> dict[str, tuple[Expr, ...]]:
    """The expressions that stand outside of steps, by what they explain (`term rent`) or what they are for."""
    declared = [kind.in_force for kind in rules.symbols.kinds.values()]
    for kind in rules.symbols.kinds.values():
        declared += (attribute.expr for attribute in kind.attributes.values())
    for variable in every_variable(rules.symbols):
        declared += (variable.start_expr, variable.seen_expr, variable.size_seen_expr)
    for supply in rules.supplies:
        declared += (supply.total, *supply.reserve, *supply.places.values())
    end = (rules.rounds, *rules.score.values(), *rules.tie_break.values())
    return {
        **{" ".join(name): tuple(trees) for name, trees in explained(rules).items()},
        "declared": tuple(tree for tree in declared if tree is not None),
        "end": tuple(tree for tree in end if tree is not None),
        "invariants": tuple(invariant.test for invariant in rules.invariants),
    }


def uses(expr: Expr) -> list[Name | n.Possible]:
    """The names that an expression itself relies on, and its questions for possible actions."""
    parts = (part if isinstance(part, n.Possible) else called(part) for part in expr.walk())
    return [part for part in parts if part is not None]


def names_of(used: Iterable[Name | n.Possible], rules: TypedRules) -> Iterator[Name]:
    """What an expression uses, with the names of the actions."""
    for each in used:
        if not isinstance(each, n.Possible):
            yield each
        elif isinstance(each.action, n.Const):
            yield "possible", rules.actions[each.action.value].id
        else:
            yield from (("possible", action.id) for action in rules.actions)


def called(part: Expr) -> Name | None:
    """The name of what a part of an expression calls, if it calls anything."""
    match part:
        case n.Call():
            return "term", part.term
        case n.RouteQuestion():
            return "route", part.route
        case n.Formula():
            return "formula", f"{part.owner}.{part.name}"
    return None


def every_part(trees: Iterable[Expr], rules: TypedRules) -> Iterator[Expr]:
    """All parts of some expressions, and of everything that they rely on."""
    waiting, known = list(trees), explained(rules)
    followed: set[Name] = set()
    while waiting:
        tree = waiting.pop()
        yield from tree.walk()
        for name in {*names_of(uses(tree), rules)} - followed:
            followed.add(name)
            waiting += known.get(name, ())
