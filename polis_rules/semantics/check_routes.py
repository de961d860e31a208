"""Typecheck routes: over which graphs they lead, what may be crossed and what that costs."""

from __future__ import annotations

from polis_rules.schema import document as declared
from polis_rules.semantics.check_changes import ChangeChecker
from polis_rules.semantics.expressions import BOOL, INT, Scope, Type
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.symbols import Route


def typed_route(checker: ChangeChecker, item: declared.Route, route: Route) -> Route:
    """A route with what may be crossed and what that costs."""
    symbols, expressions = checker.symbols, checker.expressions
    scope = Scope().having(**route.params).knowing(route.params.facts)
    for graph in (*item.over, *item.also):
        if graph not in symbols.graphs:
            message = f"there is no graph `{graph}`"
            checker.diagnostics.unknown("unknown-name", message, graph.span, graph, symbols.graphs)
        expressions.references.words(graph, {graph: f"graphs.{graph}"})
    for section, want, tests in ((item.through, BOOL, route.through), (item.costs, INT, route.costs)):
        for kind, text in section.items():
            if not expressions.ask(Questions.in_graphs, str(kind)):
                message = f"no `{kind}` stands in a graph"
                checker.diagnostics.unknown("unknown-name", message, kind.span, kind, symbols.first_node)
                continue
            expressions.references.words(kind, {kind: f"kinds.{kind}"})
            test = checker.expr(text, scope.having(space=Type("ref", str(kind))), want)
            if test is not None:
                tests[str(kind)] = test
                if want is INT:
                    checker.not_negative(test, text)
    for graph, text in item.also.items():
        test = checker.expr(text, scope, BOOL)
        if test is not None:
            route.also[str(graph)] = test
    return route
