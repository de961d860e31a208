"""Spaces that no way leads to, or from, though ways lead to nearly all that are like them.

Why: a forgotten edge is not seen until somebody wants to go there; the space still stands on the map by other edges.
Example: a lake with a beach and without an edge to another lake; a space whose one edge is `one_way: true` from it.
Asked are all routes together that rules ask about between the same two kinds, so an island reached by boat is no
finding; a space may be crossed unless its fixed attributes forbid it, and only spaces with the same flags are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import Route, Symbols, rows_of
from polis_rules.semantics.expressions import (
    Attr,
    Bool,
    Call,
    Const,
    Expr,
    Not,
    RouteCost,
    RouteExists,
    Type,
    substitute,
)
from polis_rules.validation.analysis import Subject, walking
from polis_rules.validation.lints.maps import lonely, node

MOST = 400
"""Maps with more nodes are left alone, since every way over them is tried."""

ENOUGH = 4
"""So many spaces that are alike there must be."""


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unreachable`."""
    symbols = subject.symbols
    if symbols.nodes > MOST:
        return
    ways = {name: _Ways(route, symbols) for name, route in symbols.routes.items()}
    said = set(lonely(subject))
    for (start, goal), names in sorted(_asked(subject).items()):
        for group in _alike(goal, symbols):
            starts = group if start == goal else _nodes(start, symbols)
            reached = {one: frozenset().union(*(ways[name].from_there(one) for name in names)) for one in starts}
            there = {one for one in group if any(one in goals for other, goals in reached.items() if other != one)}
            away = {one for one in starts if reached[one] & set(group) - {one}}
            for found, of, word in ((there, group, "to"), (away, starts, "from")):
                for number in _few(of, found, said):
                    said.add(number)
                    kind, place = node(symbols, number)
                    key = list(rows_of(subject.document, kind))[place]
                    routes = ", ".join(f"`{name}`" for name in sorted(names))
                    message = f"no way leads {word} the {kind} `{key}` by {routes}, as {word} nearly all like it"
                    diagnostics.warning("unreachable", message, key.span, confidence="likely")


def _asked(subject: Subject) -> dict[tuple[str, str], set[str]]:
    """The kinds between which rules ask for routes, and for which."""
    found: dict[tuple[str, str], set[str]] = {}
    for tree in walking.expressions(subject.rules):
        for part in tree.walk():
            if isinstance(part, (RouteExists, RouteCost)):
                pair = part.start.type.kind, part.goal.type.kind
                if all(kind in subject.symbols.first_node for kind in pair):
                    found.setdefault(pair, set()).add(part.route)
    return found


def _nodes(kind: str, symbols: Symbols) -> list[int]:
    first = symbols.first_node[kind]
    return list(range(first, first + len(symbols.kinds[kind].members)))


def _alike(kind: str, symbols: Symbols) -> list[list[int]]:
    """The members of a kind by their flags, as nodes."""
    flags = [each for each in symbols.kinds[kind].attributes.values() if each.spec.kind == "flag" and not each.per]
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, number in enumerate(_nodes(kind, symbols)):
        groups.setdefault(tuple(flag.values[place] for flag in flags), []).append(number)
    return [group for group in groups.values() if len(group) >= ENOUGH]


def _few(group: Iterable[int], found: set[int], said: set[int]) -> Iterator[int]:
    """Those of a group that are not among the found, where nearly all others are."""
    numbers = list(group)
    left = [number for number in numbers if number not in found]
    if len(numbers) >= ENOUGH and len(left) * 4 <= len(numbers):
        yield from (number for number in left if number not in said)


class _Ways:
    """One route over the whole map, whoever travels and whatever stands there now."""

    def __init__(self, route: Route, symbols: Symbols) -> None:
        self.next: dict[int, set[int]] = {}
        for name in (*route.over, *route.also):
            for start, goal, one_way, _ in symbols.graphs[name].edges:
                self.next.setdefault(start, set()).add(goal)
                if not one_way:
                    self.next.setdefault(goal, set()).add(start)
        self.open = {number for number in self.next if _may_cross(number, route, symbols)}

    def from_there(self, start: int) -> frozenset[int]:
        """All nodes that may be reached from one, itself left out unless a way leads back to it."""
        found: set[int] = set()
        waiting = [start]
        while waiting:
            for number in self.next.get(waiting.pop(), ()):
                if number not in found:
                    found.add(number)
                    if number in self.open:
                        waiting.append(number)
        return frozenset(found)


def _may_cross(number: int, route: Route, symbols: Symbols) -> bool:
    kind, place = node(symbols, number)
    tree = route.through.get(kind)
    return (
        tree is not None and _fixed(substitute(tree, {"space": Const(Type("ref", kind), place)}), symbols) is not False
    )


def _fixed(tree: Expr, symbols: Symbols, deep: int = 8) -> bool | None:
    """Whether a condition holds by fixed attributes alone; None where it depends on more."""
    match tree:
        case Const():
            return bool(tree.value)
        case Attr(args=(Const() as member,)) if tree.type.base == "bool":
            return bool(symbols.kinds[tree.owner].attributes[tree.name].values[member.value])
        case Not():
            inner = _fixed(tree.item, symbols, deep)
            return None if inner is None else not inner
        case Bool():
            parts = [_fixed(item, symbols, deep) for item in tree.items]
            decisive = tree.op == "or"
            if decisive in parts:
                return decisive
            return (not decisive) if all(part is (not decisive) for part in parts) else None
        case Call() if deep and symbols.terms[tree.term].body is not None:
            term = symbols.terms[tree.term]
            given = dict(zip(term.params, tree.args, strict=True))
            return None if term.body is None else _fixed(substitute(term.body, given), symbols, deep - 1)
    return None
