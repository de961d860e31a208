"""Spaces that no way leads to, or from, though ways lead to nearly all that are like them.

Why: a forgotten edge is not seen until somebody wants to go there; the space still stands on the map by other edges.
Example: a lake with a beach and without an edge to another lake; a space whose one edge is `one_way: true` from it.
Asked are all routes together that rules ask about between the same two kinds, so an island reached by boat is no
finding; a space may be crossed unless its fixed attributes forbid it, and only spaces with the same flags are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polis_rules.interpreter.machine import printed_steps
from polis_rules.semantics import Symbols
from polis_rules.semantics.expressions import RouteQuestion
from polis_rules.validation.analysis import Rule, Subject
from polis_rules.validation.lints.maps import lonely

MOST = 400
"""Maps with more nodes are left alone, since every way over them is tried."""

ENOUGH = 4
"""So many spaces that are alike there must be."""


def check(subject: Subject) -> None:
    """Report `unreachable`."""
    symbols = subject.symbols
    if symbols.nodes > MOST:
        return
    every = symbols.routes.values()
    ways = subject.kept.of(
        printed_steps, (symbols,), lambda: {route.name: printed_steps(symbols, route) for route in every}
    )
    said = set(lonely(subject))
    for (start, goal), names in sorted(_asked(subject).items()):
        for group in _alike(goal, symbols):
            starts = group if start == goal else _nodes(start, symbols)
            reached = {one: set[int]().union(*(ways[name][one] for name in names)) for one in starts}
            there = {one for one in group if any(one in goals for other, goals in reached.items() if other != one)}
            away = {one for one in starts if reached[one] & set(group) - {one}}
            for joined, of, word in ((there, group, "to"), (away, starts, "from")):
                for number in _few(of, joined, said):
                    said.add(number)
                    key, kind = subject.key(number), subject.nodes[number][0]
                    routes = ", ".join(f"`{name}`" for name in sorted(names))
                    message = f"no way leads {word} the {kind} `{key}` by {routes}, as {word} nearly all like it"
                    subject.found.warning("unreachable", message, key.span, confidence="likely")


def _asked(subject: Subject) -> dict[tuple[str, str], set[str]]:
    """The kinds between which rules ask for routes, and for which."""
    routes: dict[tuple[str, str], set[str]] = {}
    for *pair, route in set[tuple[str, str, str]]().union(*subject.in_each_rule(_asked_in)):
        if all(kind in subject.symbols.first_node for kind in pair):
            routes.setdefault((pair[0], pair[1]), set()).add(route)
    return routes


def _asked_in(subject: Subject, rule: Rule) -> set[tuple[str, str, str]]:
    questions = (part for part in rule.parts if isinstance(part, RouteQuestion))
    return {(each.start.type.kind, each.goal.type.kind, each.route) for each in questions}


def _nodes(kind: str, symbols: Symbols) -> list[int]:
    first = symbols.first_node[kind]
    return list(range(first, first + symbols.count(kind)))


def _alike(kind: str, symbols: Symbols) -> list[list[int]]:
    """The members of a kind by their flags, as nodes."""
    flags = [each for each in symbols.kinds[kind].attributes.values() if each.spec.kind == "flag" and not each.per]
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, number in enumerate(_nodes(kind, symbols)):
        groups.setdefault(tuple(flag.values[place] for flag in flags), []).append(number)
    return [group for group in groups.values() if len(group) >= ENOUGH]


def _few(group: Iterable[int], joined: set[int], said: set[int]) -> Iterator[int]:
    """Those of a group that are not among the found, where nearly all others are."""
    numbers = list(group)
    left = [number for number in numbers if number not in joined]
    if len(numbers) >= ENOUGH and len(left) * 4 <= len(numbers):
        yield from (number for number in left if number not in said)
