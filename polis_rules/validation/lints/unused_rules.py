"""Terms, routes, graphs, procedures, phases, actions, endings and supplies that play never comes to.

Why: a rule that nothing uses is a rule that its author believes to be in force.
Example: a phase `winter` that no other phase names; an ending that no `end` gives.
Of several unused rules that only use each other, the first is reported, and the others are counted with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.composition import SEATS
from polis_rules.diagnostics import first_of
from polis_rules.semantics import ir, requirements
from polis_rules.semantics.expressions import Const, Expr, Type
from polis_rules.source import spoken
from polis_rules.validation.analysis import Facts, MemberFlow, MemberRanges, Rule, Subject, keys, walking

ACTION = Type("ref", "action")


MOST_TOLD = 6
"""How many other unused rules a finding names."""

UNUSED = {"term": "unused-term", "route": "unused-route"}


def check(subject: Subject) -> None:
    """Report `unused-term`, `unused-route`, `unused-graph`, `unused-rule`, `unused-ending` and `unused-supply`."""
    document, rules = subject.document, subject.rules
    _explained(subject)
    open_graphs = {graph for route in subject.symbols.routes.values() for graph in (*route.over, *route.also)}
    for name in subject.unused(document.graphs, open_graphs):
        hint = "name it under `over` or `also` of a route"
        subject.found.warning("unused-graph", f"no route leads over the graph `{name}`", name.span, hint)
    _procedures(subject)
    _actions(subject)
    reached = {step.ending for step in subject.steps if isinstance(step, ir.End)}
    for name in subject.unused(document.endings, reached):
        subject.found.warning("unused-ending", f"the game never ends with `{name}`", name.span, f"write `end: {name}`")
    counters = {each.name: each.reserve or each.counted(subject.symbols) for each in rules.supplies}
    drawn_on = {name for name, loads in counters.items() if not keys(loads).isdisjoint(subject.changes)}
    for name in subject.unused(document.supplies, drawn_on):
        message = f"no step ever moves pieces of `{name}`"
        subject.found.warning("unused-supply", message, name.span, confidence="likely")


def _explained(subject: Subject) -> None:
    """Terms and routes."""
    plain = {symbol.partition(".")[2] for symbol, _ in subject.composed.named} | {SEATS}
    settings = {*subject.composed.settings}
    written = {f"term {name}": name for name in subject.document.terms if name not in plain & settings}
    written |= {f"route {name}": name for name in subject.document.routes}
    used_by: dict[str, set[str]] = {}
    for path in subject.effects.units:
        user = path.partition("_BASE_")[0]  # a term under its own name, whatever cards have made of it
        for name in subject.effects.own(path).names:
            used_by.setdefault(name, set()).add(user)
    used_by = {name: users - {name} for name, users in used_by.items()}
    for path, key in written.items():
        if not used_by.get(path) and subject.concerns(key.span):
            what = "setting" if key in settings else path.partition(" ")[0]
            alone = [other for other, users in used_by.items() if other in written and users == {path}]
            more = f"; only it uses {first_of((written[other] for other in alone), MOST_TOLD)}" if alone else ""
            subject.found.warning(UNUSED.get(what, "unused-term"), f"nothing uses the {what} `{key}`{more}", key.span)


def _procedures(subject: Subject) -> None:
    """Procedures, phases and actions, and the effects that rows carry."""
    effects = subject.effects
    left = {path: each for path, each in subject.rules.procedures.items() if path not in effects.reached}
    called = {inner for path in left for inner in effects.calls[path] if inner != path}
    carried: set[tuple[str, str]] = set()
    for path, procedure in left.items():
        section, _, name = path.partition(".")
        if path in called:
            continue
        if section == "tables":  # tables.kind.member.attribute: one finding for each attribute
            kind, _, attribute = name.split(".")[:3]
            carried.add((kind, attribute))
        elif subject.concerns(procedure.span):
            rest = [other for other in effects.from_there([path]) if other in left and other != path]
            more = (
                f"; it alone does {first_of((spoken(other.partition('.')[2]) for other in rest), MOST_TOLD)}"
                if rest
                else ""
            )
            what = {"procedures": "procedure", "phases": "phase", "actions": "action"}[section]
            verb = "performs" if section == "actions" else "does"
            subject.found.warning("unused-rule", f"no rule ever {verb} the {what} `{name}`{more}", procedure.span)
    for kind, declared in subject.document.kinds.items():
        for attribute in declared.attributes:
            if (kind, attribute) in carried and subject.concerns(attribute.span):
                message = f"no rule ever does the effects `{kind}.{attribute}`"
                hint = f"write `do: x.{attribute}` where they happen"
                subject.found.warning("unused-rule", message, attribute.span, hint)


def _actions(subject: Subject) -> None:
    """Actions that some rule could perform, if any choice ever offered them."""
    offered = set[int]().union(*subject.in_each_rule(_offered_in))
    for number, action in enumerate(subject.rules.actions):
        if action.procedure in subject.effects.reached and number not in offered and subject.concerns(action.span):
            message = f"no choice ever offers the action `{action.id}`"
            subject.found.warning("unused-rule", message, action.span, confidence="likely")


def _offered_in(subject: Subject, rule: Rule) -> set[int]:
    return {member for step in rule.steps for member in _offered(step, subject)}


def _offered(step: ir.Step, subject: Subject) -> Iterator[int]:
    """The actions that a step may give a name to, or names itself."""
    for tree in walking.values(step):
        yield from (part.value for part in tree.walk() if isinstance(part, Const) and part.type == ACTION)
    source = step.domain if isinstance(step, ir.Each) else getattr(step, "source", None)
    if isinstance(source, Expr) and source.type == Type("set", "action"):
        flow = MemberFlow(subject.effects, MemberRanges(subject.symbols))
        tests = [each.test for each in requirements(step)]
        yield from flow.member(source, tests, str(getattr(step, "var", "")), Facts(flow.ranges, subject.effects))[1]
