"""What nobody can ever pay or move, what is paid and never gained, and values that never fit their state.

Why: an action with such a cost is forbidden for ever, and a step that leaves a range stops the game.
Example: `cost: {amber: 1}`, where amber starts at 0 and no rule gains it; `pay: {coins: 12}` of coins 0..9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.semantics import ENDLESS, Interval, Symbols, ir, rows_of
from polis_rules.semantics.expressions import Expr, Load
from polis_rules.validation.analysis import Facts, MemberRanges, Rule, Seen, Slot, Subject, never_had, walking

Cell = tuple[str, str, int]
"""A state variable, and a member in the last of several places that it has; 0 where it has one place or none."""


@dataclass(frozen=True, slots=True)
class Demand:
    """So much of one thing is paid at a place."""

    load: Load
    cells: frozenset[Cell]
    """what may be meant: one member, or any"""
    least: int
    at: Span
    """where it is said how much"""
    what: Span
    """where it is said of what"""


def check(subject: Subject) -> None:
    """Report `never-gained`, `unpayable` and `never-fits`."""
    demands: list[Demand] = []
    gained: set[Cell] = set()
    for paid in subject.in_each_rule(_paid_in):
        demands += paid.demands
        gained |= paid.gained
        subject.found.items += paid.diagnostics.items
    said = {demand.cells for demand in _unpayable(subject, demands, gained)}
    _members_without(subject, demands, said)


def _paid_in(subject: Subject, rule: Rule) -> _Payments:
    payments = _Payments(subject.symbols)
    for seen in subject.seen(rule):
        payments.see(seen)
    costs = [each for each in rule.action.cost if isinstance(each, ir.Amount)] if rule.action is not None else []
    nothing = Facts(subject.ranges, subject.effects)
    for part in (*costs, *(part for step in rule.steps for part in walking.costs(step))):
        at = part.target.span or part.span
        payments.demand(part.target, _number(part.amount, nothing).low, at, at)
    return payments


def _number(tree: Expr, facts: Facts) -> Interval:
    """The range of a number, whatever conditions say."""
    return facts.ranges.number(tree, facts.plain.known)


BELOW_0 = "this is always below 0, and an amount never is"


class _Payments:
    """What is paid in a rule, and what anything adds to."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.diagnostics = Diagnostics()
        self.ranges = MemberRanges(symbols)
        self.demands: list[Demand] = []
        self.gained: set[Cell] = set()

    def see(self, seen: Seen) -> None:
        step, tree = seen.step, seen.tree
        if isinstance(step, ir.Set) and tree is step.target:
            self.gained |= self.cells(step.target)
        elif isinstance(step, ir.Set) and tree is step.value:
            self.fits(step.target, seen)
        elif isinstance(step, ir.AnyOf) and tree is step.parts[0].amount:
            if _number(tree, seen.facts).high < 0:
                self.diagnostics.warning("never-fits", BELOW_0, walking.place(tree))
        elif isinstance(step, (ir.Amount, ir.Move)) and tree is step.amount:
            amount, at = _number(tree, seen.facts), walking.place(tree)
            if amount.high < 0:
                self.diagnostics.warning("never-fits", BELOW_0, at)
            elif isinstance(step, ir.MoveMembers):
                self.gained |= self.cells(step.target)
                at_most = self.symbols.variable(step.source.owner, step.source.name).at_most
                if step.source.type.base == "int":
                    self.demand(step.source, 1, at, walking.place(step.source))
                elif step.amount.type.base == "int" and amount.low > at_most:
                    message = f"this is at least {amount.low}, and `{step.source.name}` holds at most {at_most}"
                    self.diagnostics.warning("unpayable", message, at)
            elif isinstance(step, ir.Move):
                self.gained |= self.cells(step.target)
                self.demand(step.source, amount.low, at, walking.place(step.source))
            elif step.verb == "pay":
                self.demand(step.target, amount.low, at, walking.name_span(step))
            elif step.verb == "gain" and amount.high > 0:
                self.gained |= self.cells(step.target)
            if isinstance(step, ir.Banked) and step.verb != "gain":
                self.gained |= self.cells(step.bank)

    def fits(self, target: Load, seen: Seen) -> None:
        variable = self.symbols.variable(target.owner, target.name)
        value = _number(seen.tree, seen.facts)
        apart = value.low > variable.high or value.high < variable.low
        if variable.type.base == "int" and variable.bounded and apart:
            message = f"`{variable.name}` is {variable.low}..{variable.high}, and this is never within"
            related = (("declared here", variable.span),)
            self.diagnostics.warning("never-fits", message, walking.place(seen.tree), related=related)

    def count(self, load: Load) -> int:
        """How many members the last of several places has."""
        return self.ranges.symbols.count(load.args[-1].type.kind) if len(load.args) > 1 else 1

    def cells(self, load: Load) -> frozenset[Cell]:
        """What state stands for."""
        members = self.ranges.meant(load.args[-1], {}, self.count(load)) if len(load.args) > 1 else [0]
        return frozenset((load.owner, load.name, member) for member in members)

    def demand(self, load: Load, least: int, at: Span, what: Span) -> None:
        """Note that something is paid, unless it is one of some members only."""
        cells = self.cells(load)
        if len(cells) in (1, self.count(load)):
            self.demands.append(Demand(load, cells, least, at, what))


def _unpayable(subject: Subject, demands: list[Demand], gained: set[Cell]) -> Iterator[Demand]:
    """Report what nobody can ever pay, each once."""
    said: set[frozenset[Cell]] = set()
    places: set[Span] = set()
    for demand in demands:
        if demand.least < 1 or demand.at in places:
            continue
        places.add(demand.at)
        load, cells, at = demand.load, demand.cells, demand.at
        variable = subject.symbols.variable(load.owner, load.name)
        code, related = "unpayable", (("declared here", variable.span),)
        if variable.bounded and demand.least > variable.high:
            message = f"this is at least {demand.least}, and `{load.name}` is {variable.low}..{variable.high}"
        else:
            most = _at_first(subject, load, cells)
            if cells & gained or most >= demand.least or cells in said:
                continue
            said.add(cells)
            name = load.name
            if len(load.args) > 1 and len(cells) == 1:
                name = subject.symbols.kinds[load.args[-1].type.kind].members[min(cells)[-1]]
            message = f"nobody can ever pay this: `{name}` starts at {most} and no rule adds to it"
            if most <= 0:
                code, at = "never-gained", demand.what
            yield demand
        subject.found.warning(code, message, at, related=related)


def _at_first(subject: Subject, load: Load, cells: Iterable[Cell]) -> int:
    """The greatest first value of some state."""
    values = subject.first_values((load.owner, load.name))
    count = subject.ranges.symbols.count(load.args[-1].type.kind) if load.args[1:] else 1
    return max((value for *_, member in cells for value in values[member::count]), default=ENDLESS)


def _members_without(subject: Subject, demands: list[Demand], said: set[frozenset[Cell]]) -> None:
    """Report what others of its kind are paid like, of which nobody ever has any."""
    paid = {(demand.load.owner, demand.load.name) for demand in demands if len(demand.load.args) > 1}
    empty = never_had(subject) if paid else frozenset()
    for key in sorted(paid):
        variable = subject.symbols.variable(*key)
        kind = variable.per[-1][1]
        place = len(subject.symbols.sizes(variable)) - 1
        rows = list(enumerate(rows_of(subject.document, kind)))
        without = [(member, name) for member, name in rows if Slot(key, place, member) in empty]
        for member, name in without if len(without) < len(rows) else ():
            if frozenset(((*key, member),)) not in said and subject.concerns(name.span):
                message = f"nobody ever has any `{name}`: its `{variable.name}` starts at 0 and no rule adds to it"
                related = (("declared here", variable.span),)
                subject.found.warning("never-gained", message, name.span, related=related, confidence="likely")
