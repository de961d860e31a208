"""Of which members nobody ever has any: found by following, member by member, what steps could add to.

At first everything that starts empty counts as never had. Whatever a step could add to after all, by what rows say and
by what else could be had, no longer does; this is repeated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from polis_rules.semantics import Interval, Known, Members, RowRanges, Symbols, Value, ir, join, meet, members_in
from polis_rules.semantics.expressions import Attr, Expr, ListOf, Load, RouteExists, SetOf, Type, Var
from polis_rules.validation.analysis.effects import Key, keys
from polis_rules.validation.analysis.facts import Facts
from polis_rules.validation.analysis.flow import Flow, Seen
from polis_rules.validation.analysis.rule import Rule
from polis_rules.validation.analysis.subject import Subject


class Slot(NamedTuple):
    """All values of a state variable that have one member in one of its places: all that anybody has of amber."""

    key: Key
    place: int
    """0 is the member that has the state, where one has it; then follow those of `per`"""
    member: int


def never_had(subject: Subject) -> frozenset[Slot]:
    """The slots that hold 0 in the first state and for ever."""
    empty = frozenset(_empty_at_first(subject))
    while True:
        gains = _gains(subject, empty) & empty
        if not gains:
            return empty
        empty -= gains


def _empty_at_first(subject: Subject) -> set[Slot]:
    empty: set[Slot] = set()
    symbols = subject.symbols
    for owner, name in subject.layout.bases:
        variable = symbols.variable(owner, name)
        sizes = symbols.sizes(variable)
        if variable.type.base == "int" and sizes:
            first = zip(subject.first_values((owner, name)), product(*map(range, sizes)), strict=True)
            had = {each for value, members in first if value != 0 for each in enumerate(members)}
            every = {(place, member) for place, size in enumerate(sizes) for member in range(size)}
            empty.update(Slot((owner, name), *each) for each in every - had)
    return empty


Gains = dict[frozenset[Slot], frozenset[Slot]]
"""What a rule could add to, by those slots that stay empty and that it reads or changes."""


def _gains(subject: Subject, empty: frozenset[Slot]) -> frozenset[Slot]:
    """What any step could add to, when some slots are known to stay empty."""
    by_key: dict[Key, set[Slot]] = {}
    for slot in empty:
        by_key.setdefault(slot.key, set()).add(slot)
    ranges, gains = MemberRanges(subject.symbols, empty), set[Slot]()
    rules = zip(subject.effects.units.values(), subject.in_each_rule(_known_gains), strict=True)
    for rule, known in rules:
        if any(key in by_key for key in keys(_gaining(rule))):
            states = subject.effects.own(rule.path).writes | subject.effects.reads_in(rule.path)
            asked = frozenset().union(*(by_key.get(key, ()) for key in states))
            if asked not in known:
                known[asked] = _gains_in(subject, rule, ranges)
            gains |= known[asked]
    return frozenset(gains)


def _gaining(rule: Rule) -> Iterator[Load]:
    """The state that steps of a rule may add to."""
    for step in rule.steps:
        if isinstance(step, (ir.Set, ir.Move)) or (isinstance(step, ir.Amount) and step.verb == "gain"):
            yield step.target
        elif isinstance(step, ir.Banked):
            yield step.bank


def _known_gains(subject: Subject, rule: Rule) -> Gains:
    return {}


def _gains_in(subject: Subject, rule: Rule, ranges: MemberRanges) -> frozenset[Slot]:
    gains: set[Slot] = set()

    def see(seen: Seen) -> None:
        """Note what a step adds to, unless it adds nothing because one of the amounts is never above 0."""
        known = seen.facts.known
        match seen.step:
            case ir.Set(target=target) if seen.tree is target:
                amounts: tuple[Expr, ...] = ()
            case ir.Amount(verb="gain", target=target, amount=amount) if seen.tree is amount:
                amounts = (amount,)
            case ir.Banked(amount=amount, bank=target) if seen.tree is amount:
                amounts = (amount,)
            case ir.Move(amount=amount, source=source, target=target) if seen.tree is amount:
                amounts = amount, source
            case _:
                return
        if all(ranges.number(each, known).high > 0 for each in amounts):
            for place, arg in enumerate(target.args):
                members = ranges.meant(arg, known, ranges.symbols.count(arg.type.kind))
                gains.update(Slot((target.owner, target.name), place, member) for member in members)

    MemberFlow(subject.effects, ranges, see).rule(rule)
    return frozenset(gains)


class MemberRanges(RowRanges):
    """Ranges by what the rows of just those members say that are meant; slots that stay empty are 0."""

    def __init__(self, symbols: Symbols, empty: frozenset[Slot] = frozenset()) -> None:
        super().__init__(symbols)
        self.empty = empty

    def _of(self, tree: Expr, known: Known) -> Value:
        if isinstance(tree, Var) and tree.type.base == "ref":
            other = Var(Type("ref", tree.type.kind, not tree.type.maybe), tree.name)  # once a test has shown it is one
            return meet(self.of_type(tree.type), known[other].value) if other in known else self.of_type(tree.type)
        if isinstance(tree, Load) and tree.type.base == "int" and self._stays_empty(tree, known):
            return Interval(0, 0)
        if isinstance(tree, RouteExists) and self._neighbours(tree, known):
            return Interval(1, 1)
        return super()._of(tree, known)

    def _stays_empty(self, tree: Load, known: Known) -> bool:
        key = tree.owner, tree.name
        return any(
            isinstance(members := self.of(arg, known), frozenset)
            and all(Slot(key, place, member) in self.empty for member in members)
            for place, arg in enumerate(tree.args)
        )

    def _neighbours(self, tree: RouteExists, known: Known) -> bool:
        """Whether one edge leads from the start to the goal: neither needs to be crossed, so there is a route."""
        start, goal = (self._node(end, known) for end in (tree.start, tree.goal))
        edges = (edge for graph in self.symbols.routes[tree.route].over for edge in self.symbols.graphs[graph])
        return any(
            (start, goal) == (one, other) or ((goal, start) == (one, other) and not one_way)
            for one, other, one_way, _ in edges
        )

    def _node(self, end: Expr, known: Known) -> int | None:
        """The number in graphs of the one member that an expression can stand for."""
        members = self.of(end, known)
        one = min(members) if isinstance(members, frozenset) and len(members) == 1 else -1
        return self.symbols.first_node[end.type.kind] + one if one >= 0 else None

    def members(self, group: Expr, known: Known) -> Members:
        """The members that a set may hold."""
        every = frozenset(range(self.symbols.count(group.type.kind)))
        if isinstance(group, Attr):
            values = self.rows(group, known)
            if values:
                base, count = group.type.base, len(every)
                return frozenset[int]().union(*(members_in(base, value, count) for value in {*values}))
        if isinstance(group, (SetOf, ListOf)) and group.items:
            members = join(*(self.of(item, known) for item in group.items))
            return members & every if isinstance(members, frozenset) else every
        return every


class MemberFlow(Flow):
    """Goes through the rules knowing of each name which members it may stand for."""

    ranges: MemberRanges

    def member(self, source: Expr, tests: list[Expr], name: str, facts: Facts) -> tuple[Var, Members]:
        """The name, and the members of the set of which no condition says that it can never be met."""
        variable, _ = super().member(source, tests, name, facts)
        members = self.ranges.members(source, facts.known)
        if not tests:
            return variable, members
        assumed = {member: facts.having(variable, frozenset((member,))) for member in members}
        return variable, frozenset(
            member for member, known in assumed.items() if not any(known.verdict(test) is False for test in tests)
        )
