"""Which connections differ between two rulesets: the routes of both, walked over their graphs with networkx."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import networkx as nx

from polis_rules.diagnostics import some
from polis_rules.documentation.rulebook.book import Book, at
from polis_rules.documentation.rulebook.english import upper_first
from polis_rules.documentation.tree_diff import Change
from polis_rules.semantics import Fact, Interval, Known, RowRanges, Value, every_step, explained
from polis_rules.semantics.expressions import Attr, Expr, RouteQuestion, Var
from polis_rules.source import spoken

Member = tuple[str, str]
"""A kind and one of its members."""

Connections = dict[tuple[Member, Member], int]
"""From where to where, and over how many edges at least."""


def connections(book: Book, route: str) -> Connections:
    """All connections of a route between the kinds for which the rules ask, when nothing that changes in play bars it.

    What bars a route for good counts: a space that its conditions rule out by what is printed on it.
    """
    symbols = book.rules.symbols
    known = symbols.routes[route]
    names = _nodes(book)
    graph: nx.DiGraph[Member] = nx.DiGraph()
    for name in (*known.over, *known.also):
        for one, other, one_way, _ in symbols.graphs[name]:
            graph.add_edge(names[one], names[other])
            if not one_way:
                graph.add_edge(names[other], names[one])
    crossable = {node for node in graph if _may_cross(book, route, node)}
    asked = _asked(book, route)
    distances: Connections = {}
    for start in graph:
        wanted = {goal for kind, goal in asked if kind == start[0]}
        if asked and not wanted:
            continue
        open_edges = [(a, b) for a, b in graph.edges if a == start or a in crossable]
        lengths = nx.single_source_shortest_path_length(nx.DiGraph([(start, start), *open_edges]), start)
        del lengths[start]
        distances |= {(start, goal): far for goal, far in lengths.items() if not asked or goal[0] in wanted}
    return distances


def changed_connections(first: Book, second: Book) -> list[Change]:
    """For each route of both rulesets whose connections differ, one change; each pair of places counts once."""
    changes = []
    for route in first.rules.symbols.routes:
        if route not in second.rules.symbols.routes:
            continue
        before, after = connections(first, route), connections(second, route)
        lines = tuple(_differing(first, second, before, after))
        if lines:
            title = str(at(second.document.routes, route).title or upper_first(spoken(route)))
            count = "1 connection changes" if len(lines) == 1 else f"{len(lines)} connections change"
            sentence = f"{title}: {count}, when nothing stands in the way."
            changes.append(
                Change(f"routes.{route}", "routes", "Map and routes", "", title, None, None, sentence, lines)
            )
    return changes


def _differing(first: Book, second: Book, before: Connections, after: Connections) -> Iterator[str]:
    """One line for each pair of places that both rulesets have and whose connection differs."""
    both = set(_nodes(first).values()) & set(_nodes(second).values())
    told: set[tuple[Member, Member]] = set()
    for pair in [*before, *(pair for pair in after if pair not in before)]:
        start, goal = pair
        old, new = before.get(pair), after.get(pair)
        if old == new or start not in both or goal not in both or (goal, start) in told:
            continue
        back = (goal, start)
        if (before.get(back), after.get(back)) == (old, new):
            told.add(pair)
        yield f"{second.full_title(*start)} to {second.full_title(*goal)}: {_length(new)}, was {_length(old)}"


def _length(length: int | None) -> str:
    return "no way" if length is None else some(length, "step")


def _nodes(book: Book) -> dict[int, Member]:
    """The members that stand in graphs, by the number of their node."""
    symbols = book.rules.symbols
    return {
        first + number: (kind, member)
        for kind, first in symbols.first_node.items()
        for number, member in enumerate(symbols.kinds[kind].members)
    }


def _asked(book: Book, route: str) -> set[tuple[str, str]]:
    """Between which kinds the rules ask for a route."""
    rules = book.rules
    steps = (step for procedure in rules.procedures.values() for step in every_step(procedure.body))
    trees = chain(
        *(step.expressions() for step in steps),
        *explained(rules).values(),
        rules.score.values(),
        *((supply.total, *supply.places.values()) for supply in rules.supplies),
        (condition.test for condition in rules.invariants),
    )
    return {
        (expr.start.type.kind, expr.goal.type.kind)
        for tree in trees
        for expr in tree.walk()
        if isinstance(expr, RouteQuestion) and expr.route == route
    }


class _Printed(RowRanges):
    """Ranges in which an attribute of a known member is what its row says."""

    def _of(self, tree: Expr, known: Known) -> Value:
        if isinstance(tree, Attr) and (values := self.symbols.kinds[tree.owner].attributes[tree.name].values):
            flat = 0
            for arg in tree.args:
                member = self.of(arg, known)
                if not isinstance(member, frozenset) or len(member) != 1 or -1 in member:
                    return super()._of(tree, known)
                flat = flat * self.count(arg.type.kind) + min(member)
            value = values[flat]
            return Interval(value, value) if tree.type.base in ("int", "bool") else frozenset((value,))
        return super()._of(tree, known)


def _may_cross(book: Book, route: str, member: Member) -> bool:
    """Whether print does not rule out a space; what play decides may come either way."""
    kind, name = member
    symbols = book.rules.symbols
    test = symbols.routes[route].through.get(kind)
    if test is None:
        return False
    space = Fact(frozenset((symbols.kinds[kind].index[name],)))
    known: Known = {part: space for part in test.walk() if isinstance(part, Var) and part.name == "space"}
    return _Printed(symbols).verdict(test, known) is not False
