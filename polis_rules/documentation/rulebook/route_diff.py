"""Which connections differ between two rulesets, as far as what is printed tells."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import some
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import upper_first
from polis_rules.documentation.tree_diff import Change
from polis_rules.interpreter.machine import printed_steps
from polis_rules.source import at, spoken

Member = tuple[str, str]
"""A kind and one of its members."""

Connections = dict[tuple[Member, Member], int]
"""From where to where, and over how many edges at least."""


def connections(book: Book, route: str) -> Connections:
    """All connections of a route between the kinds for which the rules ask, when nothing that changes in play bars it.

    What bars a route for good counts: a space that its conditions rule out by what is printed on it.
    """
    symbols, names, asked = book.rules.symbols, _nodes(book), book.routes_asked_for.get(route)
    return {
        (names[start], names[goal]): steps
        for start, goals in printed_steps(symbols, symbols.routes[route]).items()
        for goal, steps in goals.items()
        if goal != start and (not asked or (names[start][0], names[goal][0]) in asked)
    }


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
