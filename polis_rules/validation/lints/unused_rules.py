"""Terms, routes, graphs, procedures, phases, actions, endings and supplies that play never comes to.

Why: a rule that nothing uses is a rule that its author believes to be in force.
Example: a phase `winter` that no other phase names; an ending that no `end` gives.
Of several unused rules that only use each other, the first is reported, and the others are counted with it.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import Members, Name, called_by, every_step, explained, ir, spoken, uses
from polis_rules.semantics.expressions import Const, Expr, Type, Var
from polis_rules.validation.analysis import Facts, MemberFlow, MemberRanges, Seen, Subject, targets, walking

UNUSED = {"term": "unused-term", "route": "unused-route"}


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `unused-term`, `unused-route`, `unused-graph`, `unused-rule`, `unused-ending` and `unused-supply`."""
    _explained(subject, diagnostics)
    _graphs(subject, diagnostics)
    _procedures(subject, diagnostics)
    _actions(subject, diagnostics)
    _endings(subject, diagnostics)
    _supplies(subject, diagnostics)


def _explained(subject: Subject, diagnostics: Diagnostics) -> None:
    """Terms and routes."""
    document = subject.document
    written = {("term", str(name)): name for name in document.terms}
    written |= {("route", str(name)): name for name in document.routes}
    used_by = _users(subject)
    for name, key in written.items():
        if not used_by.get(name) and subject.concerns(key.span):
            alone = [other for other, users in used_by.items() if other in written and users == {name}]
            more = f"; only it uses {', '.join(other for _, other in alone)}" if alone else ""
            diagnostics.warning(UNUSED[name[0]], f"nothing uses the {name[0]} `{key}`{more}", key.span)


def _users(subject: Subject) -> dict[Name, set[Name]]:
    """By term or route what uses it: other ones, or ("", "") for all else."""
    found: dict[Name, set[Name]] = {}
    for name, trees in explained(subject.rules).items():
        for tree in trees:
            for used in uses(tree, subject.rules):
                found.setdefault(used, set()).add(_plain(name))
    bodies = {id(term.body) for term in subject.symbols.terms.values()}
    routes = subject.symbols.routes.values()
    bodies |= {
        id(tree) for route in routes for part in (route.through, route.costs, route.also) for tree in part.values()
    }
    for tree in walking.expressions(subject.rules):
        if id(tree) not in bodies:
            for used in uses(tree, subject.rules):
                found.setdefault(used, set()).add(("", ""))
    for name, users in found.items():
        users.discard(name)
    return found


def _plain(name: Name) -> Name:
    """A term under its own name, whatever cards have made of it."""
    return name[0], name[1].partition("_BASE_")[0]


def _graphs(subject: Subject, diagnostics: Diagnostics) -> None:
    symbols = subject.symbols
    used = {graph for route in symbols.routes.values() for graph in (*route.over, *route.also)}
    for name in subject.document.graphs:
        if name not in used and subject.concerns(name.span):
            hint = "name it under `over` or `also` of a route"
            diagnostics.warning("unused-graph", f"no route leads over the graph `{name}`", name.span, hint)


def _procedures(subject: Subject, diagnostics: Diagnostics) -> None:
    """Procedures, phases and actions, and the effects that rows carry."""
    rules, reached = subject.rules, subject.effects.reached
    left = {path: procedure for path, procedure in rules.procedures.items() if path not in reached}
    called = {
        inner
        for path, procedure in left.items()
        for step in every_step(procedure.body)
        for inner in called_by(step, rules.symbols)
        if inner != path
    }
    carried: set[tuple[str, str]] = set()
    for path, procedure in left.items():
        section, _, name = path.partition(".")
        if path in called:
            continue
        if section == "tables":  # tables.kind.member.attribute: one finding for each attribute
            kind, _, attribute = name.split(".")[:3]
            carried.add((kind, attribute))
        elif subject.concerns(procedure.span):
            rest = [other for other in subject.effects.from_there([path]) if other in left and other != path]
            more = f"; it alone does {', '.join(spoken(other.partition('.')[2]) for other in rest)}" if rest else ""
            what = {"procedures": "procedure", "phases": "phase", "actions": "action"}[section]
            verb = "performs" if section == "actions" else "does"
            diagnostics.warning("unused-rule", f"no rule ever {verb} the {what} `{name}`{more}", procedure.span)
    for kind, declared in subject.document.kinds.items():
        for attribute in declared.attributes:
            if (kind, attribute) in carried and subject.concerns(attribute.span):
                message = f"no rule ever does the effects `{kind}.{attribute}`"
                hint = f"write `do: x.{attribute}` where they happen"
                diagnostics.warning("unused-rule", message, attribute.span, hint)


def _actions(subject: Subject, diagnostics: Diagnostics) -> None:
    """Actions that some rule could perform, if any choice ever offered them."""
    offered = _Offered(subject).members
    for number, action in enumerate(subject.rules.actions):
        if action.procedure in subject.effects.reached and number not in offered and subject.concerns(action.span):
            message = f"no choice ever offers the action `{action.id}`"
            diagnostics.warning("unused-rule", message, action.span, confidence="likely")


class _Offered(MemberFlow):
    """Finds the actions that a name may stand for, or that a step gives to others."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, self.given, MemberRanges(subject.symbols))
        self.members: set[int] = set()
        self.rules()

    def possible(self, variable: Var, source: Expr, tests: list[Expr], facts: Facts) -> Members:
        found = super().possible(variable, source, tests, facts)
        if variable.type.kind == "action":
            self.members |= found
        return found

    def given(self, seen: Seen) -> None:
        for part in seen.tree.walk() if seen.what == "value" else ():
            if isinstance(part, Const) and part.type == Type("ref", "action"):
                self.members.add(part.value)


def _endings(subject: Subject, diagnostics: Diagnostics) -> None:
    given = {step.ending for step in walking.steps(subject.rules) if isinstance(step, ir.End)}
    for name in subject.document.endings:
        if name not in given and subject.concerns(name.span):
            diagnostics.warning(
                "unused-ending", f"the game never ends with `{name}`", name.span, f"write `end: {name}`"
            )


def _supplies(subject: Subject, diagnostics: Diagnostics) -> None:
    """Supplies whose pieces never leave the reserve nor come back."""
    moved = {(load.owner, load.name) for step in walking.steps(subject.rules) for load in targets(step)}
    keys = {str(name): name for name in subject.document.supplies}
    for supply in subject.rules.supplies:
        if (supply.reserve.owner, supply.reserve.name) not in moved and subject.concerns(keys[supply.name].span):
            message = f"no step ever takes from or adds to the reserve of `{supply.name}`"
            diagnostics.warning("unused-supply", message, keys[supply.name].span, confidence="likely")
