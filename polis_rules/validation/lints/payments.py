"""What nobody can ever pay or move, what is paid and never gained, and values that never fit their state.

Why: an action with such a cost is forbidden for ever, and a step that leaves a range stops the game.
Example: `cost: {amber: 1}`, where amber starts at 0 and no rule gains it; `pay: {coins: 12}` of coins 0..9.
"""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.semantics import ENDLESS, Interval, ir
from polis_rules.semantics.expressions import Attr, Const, Expr, Load
from polis_rules.validation.analysis import Facts, Flow, Seen, Slot, Subject, never_had, walking

ALL = None
"""Stands for every member where it is not clear which."""


@dataclass(frozen=True, slots=True)
class Demand:
    """So much of one thing is paid at a place."""

    load: Load
    member: int | None
    least: int
    at: Span
    """where it is said how much"""
    what: Span
    """where it is said of what"""


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `never-gained`, `unpayable` and `never-fits`."""
    found = _Payments(subject, diagnostics)
    Flow(subject, found.see).run()
    found.costs()
    found.report()


class _Payments:
    def __init__(self, subject: Subject, diagnostics: Diagnostics) -> None:
        self.subject = subject
        self.diagnostics = diagnostics
        self.demands: list[Demand] = []
        self.gained: set[tuple[str, str, int | None]] = set()
        """state and member that anything adds to"""

    def see(self, seen: Seen) -> None:
        step, tree = seen.step, seen.tree
        if isinstance(step, ir.Set) and seen.what == "place":
            self.gain(step.target)
        elif isinstance(step, ir.Set) and seen.what == "value":
            self.fits(step, seen)
        elif isinstance(step, (ir.Amount, ir.Move)) and tree is step.amount and self.number(tree, seen.facts).high < 0:
            message = "this is always below 0, and an amount never is"
            self.diagnostics.warning("never-fits", message, walking.place(seen.tree))
        elif isinstance(step, ir.Amount) and tree is step.amount:
            least = self.number(step.amount, seen.facts).low
            if step.verb == "pay":
                self.demand(step.target, least, walking.place(seen.tree), walking.name_span(step))
            elif step.verb == "gain" and self.number(step.amount, seen.facts).high > 0:
                self.gain(step.target)
        elif isinstance(step, ir.Move) and tree is step.amount:
            self.gain(step.target)
            least = self.number(step.amount, seen.facts).low
            self.demand(step.source, least, walking.place(seen.tree), walking.place(step.source))

    def number(self, tree: Expr, facts: Facts) -> Interval:
        return facts.ranges.number(tree, facts.plain().known)

    def costs(self) -> None:
        """What actions and ways cost."""
        empty = Facts(self.subject.ranges, self.subject.effects)
        for action in self.subject.rules.actions:
            for part in action.cost:
                self.demand(part.target, self.number(part.amount, empty).low, part.span, part.span)
        for step in walking.steps(self.subject.rules):
            for part in walking.costs(step):
                self.demand(part.target, self.number(part.amount, empty).low, part.span, part.span)

    def demand(self, load: Load, least: int, at: Span, what: Span) -> None:
        member = self.members(load)
        if member is not ALL and len(member) == 1:
            self.demands.append(Demand(load, next(iter(member)), least, at, what))
        elif member is ALL:
            self.demands.append(Demand(load, ALL, least, at, what))

    def members(self, load: Load) -> frozenset[int] | None:
        """The members that the last index may be; ALL where that is open, or where there is none."""
        if len(load.args) < 2:
            return ALL
        index = load.args[-1]
        if isinstance(index, Const):
            return frozenset((index.value,))
        if isinstance(index, Attr) and index.type.base == "ref":
            values = self.subject.symbols.kinds[index.owner].attributes[index.name].values
            return frozenset(value for value in values if value >= 0)
        return ALL

    def gain(self, load: Load) -> None:
        members = self.members(load)
        for member in (ALL,) if members is ALL else members:
            self.gained.add((load.owner, load.name, member))

    def fits(self, step: ir.Set, seen: Seen) -> None:
        variable = self.subject.symbols.variable(step.target.owner, step.target.name)
        value = self.number(step.value, seen.facts)
        if variable.type.base != "int" or not variable.bounded:
            return
        if value.low > variable.high or value.high < variable.low:
            message = f"`{variable.name}` is {variable.low}..{variable.high}, and this is never within"
            related = (("declared here", variable.span),)
            self.diagnostics.warning("never-fits", message, walking.place(seen.tree), related=related)

    # -- what was found ---------------------------------------------------------------------------------------------

    def report(self) -> None:
        said: set[tuple[str, str, int | None]] = set()
        places: set[Span] = set()
        for demand in self.demands:
            load, variable = demand.load, self.subject.symbols.variable(demand.load.owner, demand.load.name)
            key = (load.owner, load.name, demand.member)
            if demand.least < 1 or demand.at in places:
                continue
            related = (("declared here", variable.span),)
            if variable.bounded and demand.least > variable.high:
                message = f"this is at least {demand.least}, and `{variable.name}` is {variable.low}..{variable.high}"
                self.diagnostics.warning("unpayable", message, demand.at, related=related)
                places.add(demand.at)
                continue
            most = self.at_first(load, demand.member)
            if self.ever_gained(key) or most >= demand.least or key in said:
                continue
            said.add(key)
            what = self.name(load, demand.member)
            message = f"nobody can ever pay this: {what} starts at {most} and no rule adds to it"
            if most <= 0:
                self.diagnostics.warning("never-gained", message, demand.what, related=related)
            else:
                self.diagnostics.warning("unpayable", message, demand.at, related=related)
        self.members_without(said)

    def members_without(self, said: set[tuple[str, str, int | None]]) -> None:
        """Report what others of its kind are paid like, of which nobody ever has any."""
        paid = {(demand.load.owner, demand.load.name) for demand in self.demands if len(demand.load.args) > 1}
        empty = never_had(self.subject) if paid else frozenset()
        for key in sorted(paid):
            variable = self.subject.symbols.variable(*key)
            kind = self.subject.symbols.kinds[variable.per[-1][1]]
            place = len(self.subject.symbols.sizes(key[0], variable.per)) - 1
            without = [member for member in range(len(kind.members)) if Slot(key, place, member) in empty]
            if len(without) == len(kind.members):
                continue
            found = {kind.members[member] for member in without if (*key, member) not in said}
            rows = [name for table, rows in self.subject.document.tables.items() if table == kind.name for name in rows]
            for name in rows:
                if name in found and self.subject.concerns(name.span):
                    message = f"nobody ever has any `{name}`: its `{variable.name}` starts at 0 and no rule adds to it"
                    related = (("declared here", variable.span),)
                    self.diagnostics.warning("never-gained", message, name.span, related=related, confidence="likely")

    def at_first(self, load: Load, member: int | None) -> int:
        """The greatest first value of some state."""
        variable = self.subject.symbols.variable(load.owner, load.name)
        base = self.subject.layout.bases[load.owner, load.name]
        values = self.subject.first[base : base + variable.size]
        if member is not ALL:
            values = values[member :: len(self.subject.symbols.kinds[variable.per[-1][1]].members)]
        return max(values, default=ENDLESS)

    def ever_gained(self, key: tuple[str, str, int | None]) -> bool:
        owner, name, member = key
        return (
            (owner, name, ALL) in self.gained
            or key in self.gained
            or (member is ALL and any(each[:2] == (owner, name) for each in self.gained))
        )

    def name(self, load: Load, member: int | None) -> str:
        if member is ALL:
            return f"`{load.name}`"
        kind = self.subject.symbols.variable(load.owner, load.name).per[-1][1]
        return f"`{self.subject.symbols.kinds[kind].members[member]}`"
