"""What only the rules as a whole show: circles, `you` where nobody acts, choices that wait, too much work."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from math import prod
from typing import NamedTuple

from polis_rules.diagnostics import Diagnostics, Related, Span
from polis_rules.semantics import ir
from polis_rules.semantics.dice import within_limits
from polis_rules.semantics.explanations import Name, called, every_part, explained, names_of, uses
from polis_rules.semantics.expressions import Expr, nodes as n
from polis_rules.semantics.intervals import ENDLESS, Interval
from polis_rules.semantics.lines import longest_walk
from polis_rules.semantics.made import Bounded, Made
from polis_rules.semantics.ranges import Ranges
from polis_rules.semantics.symbols import every_variable
from polis_rules.semantics.together import act_apart
from polis_rules.semantics.traversal import called_by, every_step, on_behalf, waiting_procedures
from polis_rules.semantics.typed_rules import TypedRules
from polis_rules.source import Once, spoken

MOST_WORK = 500_000
"""How many parts an expression may have to work out, everything that it calls and goes over counted."""

MOST_ASKED = 30_000_000
"""How many parts may have to be worked out to know which options a decision has."""

NEAR = 16
"""To ask what a route costs is a part more for so many spaces of its map: all of them may have to be gone to."""

MOST_FIXED_WORK = 4_000_000
"""How many parts all that is worked out before play may have, for all members together."""

DEEPEST = 200
"""How deep an expression may be, everything that it calls counted."""

UNKNOWN = 1000
"""How many numbers a range is taken to hold whose ends are not plain numbers; what is less is known."""

MOST_PARTS = 25_000
"""How many parts all expressions together may have."""

MOST_STEPS = 5000
"""How many steps all rules together may have."""

LONGEST_CHAIN = 60
"""How many rules may call each other one after the other."""

Steps = dict[str, list[ir.Step]]
"""All steps of each procedure, however deep."""

Calls = dict[str, dict[str, Span]]
"""What each procedure calls, with the place where it does so first."""

Derive = Callable[[TypedRules, Diagnostics], None]
"""Gives derived attributes their values, or says why not."""


class Shared:
    """What is found out once for all rulesets that are checked one after the other and have rules in common."""

    def __init__(self) -> None:
        self.steps = Once(every_step)
        self.uses = Once(uses)

    def begin(self) -> None:
        """Another ruleset is checked."""
        self.steps.begin()
        self.uses.begin()


def check_well_formed(
    rules: TypedRules,
    spans: dict[Name, Span],
    made: list[Made],
    bounded: list[Bounded],
    findings: Diagnostics,
    shared: Shared,
    derive: Derive,
) -> None:
    """Check typed rules that have no other mistake.

    `spans` are where what has a name is written, `made` all expressions, `bounded` numbers in them that have limits;
    `derive` works out derived attributes.
    """
    steps = {path: shared.steps(procedure.body) for path, procedure in rules.procedures.items()}
    calls = calls_of(rules, steps)
    if circles_of_terms(rules, spans, findings, shared) or circles_of_procedures(calls, findings):
        return
    if outside(rules, bounded, findings):
        return
    act_apart(rules, steps, findings)
    within_limits(rules, steps, findings)
    first_values(rules, findings)
    if fixed_values(rules, findings):
        derive(rules, findings)
    length(rules, made, steps, findings)
    chains(calls, findings)
    waiting_choices(rules, steps, findings)
    waiting_tells(rules, steps, findings)
    nobody_acts(rules, findings)
    if not work(rules, made, findings) and not options_work(rules, steps, findings):
        products(rules, made, findings)


# -- circles ----------------------------------------------------------------------------------------------------------


def circle(graph: dict[str, list[str]]) -> list[str]:
    """The first circle of a graph, its first node again at the end; empty where there is none.

    >>> circle({"a": ["b"], "b": ["c"], "c": ["b"]})
    ['b', 'c', 'b']
    """
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names = error.args[1][:0:-1]  # what is called stands before what calls it
        first = next(at for node in graph for at, each in enumerate(names) if each == node)
        return [*names[first:], *names[: first + 1]]
    return []


def circles_of_terms(rules: TypedRules, spans: dict[Name, Span], findings: Diagnostics, shared: Shared) -> bool:
    """Whether terms, routes, formulas or possible actions are explained by themselves."""
    known = explained(rules)
    names = {" ".join(name): name for name in known}
    graph = {
        key: [" ".join(used) for expr in known[name] for used in names_of(shared.uses(expr), rules)]
        for key, name in names.items()
    }
    round_about = circle(graph)
    if not round_about:
        return False
    shown = " -> ".join(names[key][1] for key in round_about)
    kind, name = names[round_about[0]]
    findings.error("endless-term", f"`{name}` uses itself: {shown}", spans.get((kind, name)))
    return True


def circles_of_procedures(calls: Calls, findings: Diagnostics) -> bool:
    """Whether phases, procedures, actions or effects call themselves."""
    round_about = circle({path: list(called) for path, called in calls.items()})
    if not round_about:
        return False
    shown = " -> ".join(path.partition(".")[2] for path in round_about)
    at = calls[round_about[-2]][round_about[-1]]
    related = tuple(
        (f"{here.partition('.')[2]} calls {there.partition('.')[2]}", calls[here][there])
        for here, there in pairwise(round_about[:-1])
    )
    hint = "rules must not call themselves in a circle: write a repeat"
    findings.error("endless-rule", f"recursive call: {shown}", at, hint=hint, related=related)
    return True


def calls_of(rules: TypedRules, steps: Steps) -> Calls:
    """What each procedure calls, with the place where it does so first."""
    calls: Calls = {path: {} for path in steps}
    for path, every in steps.items():
        for step in every:
            for callee in called_by(step, rules.symbols):
                calls[path].setdefault(callee, step.span)
    return calls


def length(rules: TypedRules, made: list[Made], steps: Steps, findings: Diagnostics) -> None:
    """Complain where there are too many steps or expressions to make code of."""
    parts = 0
    for each in made:
        parts += each.parts
        if parts > MOST_PARTS:
            message = f"all expressions together have more than {MOST_PARTS} parts"
            findings.error("too-much-work", message, each.span, hint="say as terms what is said again and again")
            return
    count = 0
    for path, every in steps.items():
        count += len(every)
        if count > MOST_STEPS:
            message = f"all rules together have more than {MOST_STEPS} steps"
            hint = "say with a loop or a procedure what is done again and again"
            findings.error("too-much-work", message, rules.procedures[path].span, hint=hint)
            return


def chains(calls: Calls, findings: Diagnostics) -> None:
    """Complain where too many rules call each other one after the other. There must be no circles."""
    lengths: dict[str, int] = {}
    for path in TopologicalSorter(calls).static_order():  # what is called before what calls it
        lengths[path] = 1 + max((lengths[called] for called in calls[path]), default=0)
        if lengths[path] > LONGEST_CHAIN:
            message = f"more than {LONGEST_CHAIN} rules call each other one after the other"
            findings.error("too-much-work", message, next(iter(calls[path].values())))
            return


def first_values(rules: TypedRules, findings: Diagnostics) -> None:
    """Complain about first values that depend on state, which is not there yet."""
    for variable in every_variable(rules.symbols):
        if variable.start is None or variable.start_expr is None:
            continue
        if any(isinstance(part, n.Load) for part in every_part([variable.start_expr], rules)):
            message = "a first value cannot depend on state: nothing has a value before it"
            hint = "set it in the phase `game`"
            findings.error("unfit-start", message, variable.start.span, hint=hint)


def fixed_values(rules: TypedRules, findings: Diagnostics) -> bool:
    """Whether derived attributes can be worked out: of nothing that changes in play, and without too much work."""
    symbols, work, before = rules.symbols, 0, len(findings.items)
    every = (each for kind in symbols.kinds.values() for each in kind.attributes.values())
    derived = [(each, each.is_, each.expr) for each in every if each.is_ is not None and each.expr is not None]
    if not derived:
        return True
    measure = measurer(rules)
    for attribute, text, expr in derived:
        own = {id(part) for part in expr.walk()}
        for part in every_part([expr], rules):
            if isinstance(part, (n.Load, n.Possible, n.RouteQuestion)):
                span = part.span if id(part) in own and part.span is not None else text.span
                what = f"`{part.name}`" if isinstance(part, n.Load) else "what is possible, or where a route leads,"
                message = f"this is worked out once before play, and {what} changes in play"
                findings.error("not-fixed", message, span, "ask for it in a term")
                break
        work += measure(expr).work * prod(symbols.sizes(attribute))
        if work > MOST_FIXED_WORK:
            hint = "find members by their place, as in `cell[x, y]`, instead of going over all of them"
            findings.error("too-much-work", "this takes too long to work out before play", text.span, hint)
            break
    return len(findings.items) == before


# -- who acts, and waiting --------------------------------------------------------------------------------------------


def waiting_choices(rules: TypedRules, every: Steps, findings: Diagnostics) -> None:
    """Complain where what is done at once with a choice waits or ends the game."""
    choices = [step for steps in every.values() for step in steps if isinstance(step, ir.Choose) and step.do]
    waiting = waiting_procedures(rules.symbols, rules.procedures) if choices else ()
    for choice in choices:
        for step in every_step(choice.do):
            calls = [path for path in called_by(step, rules.symbols) if path in waiting]
            if step.waits or calls:
                what = f", as `{calls[0].partition('.')[2]}` does" if calls else ""
                message = f"the `do` of a choice must not wait or end the game{what}"
                hint = "put it after the choice, in the list that the choice stands in"
                findings.error("waits-in-choice", message, step.span, hint=hint)


def waiting_tells(rules: TypedRules, every: Steps, findings: Diagnostics) -> None:
    """Complain where the game waits or ends in a step that says how all of it is told."""
    told = {path: steps for path, steps in every.items() if any(isinstance(step, ir.Tell) for step in steps)}
    waiting = waiting_procedures(rules.symbols, rules.procedures) if told else set()
    for steps in told.values():
        begun: list[ir.Tell] = []
        for step in steps:
            if isinstance(step, ir.Tell):
                begun = [*begun, step] if step.says is not None else begun[:-1]
            elif begun and (step.waits or not waiting.isdisjoint(called_by(step, rules.symbols))):
                message = (
                    "a step says how it is told only if nothing is chosen, rolled or drawn in it, nor ends the game"
                )
                findings.error("unfit-keys", message, begun[-1].span, hint="put `says` beside a step inside")
                break


def nobody_acts(rules: TypedRules, findings: Diagnostics) -> None:
    """Complain about every `you` in what is reached from the phase `game` without anybody acting."""
    reached: dict[str, Related] = {path: () for path in rules.procedures if path == "phases.game"}
    waiting = list(reached)
    hint = "say who acts with `as: player` or `each: you`"
    for path in waiting:
        spans: dict[Span, None] = {}
        for step, parts in on_behalf(rules.procedures[path].body):
            spans.update((part.span or step.span, None) for part in parts)
            if isinstance(step, ir.Perform) or (isinstance(step, ir.Choose) and step.who is None):
                spans[step.span] = None
            for inner in called_by(step, rules.symbols) if not isinstance(step, ir.Perform) else ():
                if inner not in reached:
                    message = f"nobody acts where {spoken(path.partition('.')[2])} calls this"
                    reached[inner] = ((message, step.span),)
                    waiting.append(inner)
        for span in spans:
            findings.error("nobody-acts", "nobody acts here, so there is no `you`", span, hint, reached[path])


# -- work -------------------------------------------------------------------------------------------------------------


class Weight(NamedTuple):
    """How much an expression is: parts to work out, and how deep they lie."""

    work: int
    depth: int


def work(rules: TypedRules, made: list[Made], findings: Diagnostics) -> bool:
    """Whether there are expressions that would take too long, or lie too deep, to work out."""
    measure = measurer(rules)
    terms = [Made(term.text.span, term.body) for term in rules.symbols.terms.values() if term.body is not None]
    for each in [*terms, *(each for each in made if each.leads_on)]:  # a text alone is neither too long nor too deep
        try:
            size = measure(each.expr)
        except RecursionError:
            size = Weight(0, DEEPEST + 1)
        if size.work > MOST_WORK or size.depth > DEEPEST:
            what = "goes over too much" if size.work > MOST_WORK else f"lies more than {DEEPEST} deep"
            message = f"with everything that it calls this expression {what}"
            findings.error("too-much-work", message, each.span, hint="say it with fewer loops inside one another")
            return True
    return False


def options_work(rules: TypedRules, steps: Steps, findings: Diagnostics) -> bool:
    """Whether there are choices and draws whose conditions would take too long to ask of all that may be chosen."""
    measure, kinds = measurer(rules), rules.symbols.kinds
    for each in (step for inside in steps.values() for step in inside if isinstance(step, (ir.Choose, ir.Draw))):
        many, asked = 1, each.conditions
        sources = [each.source, *(part.source for part in each.parts)] if isinstance(each, ir.Choose) else [each.source]
        for source in sources:
            if source is not None and source.type.base == "set":
                many *= max(len(kinds[source.type.kind].members), 1)
        if isinstance(each, ir.Choose):
            asked = each.tests
        if many * sum(measure(condition.test).work for condition in asked) > MOST_ASKED:
            message = f"these conditions go over too much: they are asked of {many} that may be chosen"
            findings.error("too-much-work", message, each.span, hint="say them with fewer loops inside one another")
            return True
    return False


def outside(rules: TypedRules, bounded: list[Bounded], findings: Diagnostics) -> bool:
    """Whether something may be divided by 0 or less, or a rule be given what its parameter does not allow, by the
    declared ranges and what is known there."""
    ranges, before = Ranges(rules.symbols, switches=True), len(findings.items)
    wrong: list[Expr] = []
    for each in bounded:
        if each.param and any(part is one for part in each.expr.walk() for one in wrong):
            continue  # nobody can say what comes of it
        span = ranges.number(each.expr, ranges.holding(each.facts))
        low, high = each.ends
        if low <= span.low and span.high <= high:
            continue
        wrong.append(each.expr)
        if each.param:
            message = f"`{each.param}` is {low}..{high}, and this {_possible(span)}"
            hint = f"write max({low}, min({high}, ...)), or check before that it lies between"
            findings.error("out-of-range", message, each.span, hint)
        else:
            least = "any number" if span.low == -ENDLESS else f"as little as {span.low}" if span.low else "0"
            message = f"numbers are divided by what is above 0, and this may be {least}"
            findings.error("division", message, each.span, "write max(1, ...), or check before that it is above 0")
    return len(findings.items) > before


def _possible(span: Interval) -> str:
    """Between which numbers something lies, in words."""
    low, high = span
    if low == high:
        return f"is {low}"
    if low > -ENDLESS and high < ENDLESS:
        return f"may be {low}..{high}"
    return (
        f"may be {low} or more" if low > -ENDLESS else f"may be {high} or less" if high < ENDLESS else "may be anything"
    )


def products(rules: TypedRules, made: list[Made], findings: Diagnostics) -> None:
    """Complain about products that are too large for a number by the declared ranges."""
    ranges = Ranges(rules.symbols)
    for each in made:
        for part in each.products:
            left, right = ranges.number(part.left, {}), ranges.number(part.right, {})
            most = max(abs(one * other) for one in left for other in right)
            if most > ENDLESS and not {-ENDLESS, ENDLESS} & {*left, *right}:
                message = f"this product may be as large as {most}, and numbers go up to {ENDLESS}"
                findings.error("out-of-range", message, part.span or each.span)
                return


def measurer(rules: TypedRules) -> Callable[[Expr], Weight]:
    """A function that measures expressions. There must be no circles."""
    known: dict[Name, Weight] = {}
    sizes: dict[int, Weight] = {}
    explanations = explained(rules)
    kinds, ranges = rules.symbols.kinds, Ranges(rules.symbols)

    def weight(name: Name) -> Weight:
        if name not in known:
            sizes = [measure(part) for part in explanations.get(name, ())]
            known[name] = Weight(sum(size.work for size in sizes), max((size.depth for size in sizes), default=0))
        return known[name]

    def measure(expr: Expr) -> Weight:
        if id(expr) not in sizes:  # what a term is explained by was made of a text as well
            sizes[id(expr)] = measured(expr)
        return sizes[id(expr)]

    def measured(expr: Expr) -> Weight:
        inside = [measure(child) for child in expr.children()]
        total, depth = sum(size.work for size in inside) + 1, max((size.depth for size in inside), default=0)
        match expr:
            case n.IfElse():
                test, then, other = inside
                total = test.work + max(then.work, other.work) + 1
            case n.Joined():
                total += ranges.most_listed(expr)
            case n.RouteCost():
                total += spaces(expr.route) // NEAR
            case n.Comp(func="walk"):
                around = measure(expr.domain).work
                total = around + max(longest_walk(expr, rules.symbols), 1) * (total - around)
            case n.Comp():
                around = measure(expr.domain).work
                total = around + times(expr.domain) * (total - around)
        if (name := called(expr)) is not None:
            more = weight(name)
            total, depth = total + more.work, depth + more.depth
        return Weight(total, depth + 1)

    @cache
    def spaces(route: str) -> int:
        """How many spaces a route may go over."""
        over = rules.symbols.routes[route].over
        return len({end for graph in over for edge in rules.symbols.graphs[graph] for end in edge[:2]})

    def times(domain: Expr) -> int:
        if isinstance(domain, n.Numbers):
            low, high = ranges.number(domain.low, {}), ranges.number(domain.high, {})
            most = max(high.high - low.low, 1)
            return most if low.low == low.high and high.low == high.high else min(most, UNKNOWN)
        if domain.type.base == "list":
            return max(ranges.most_listed(domain), 1)
        everybody = max(len(kinds[domain.type.kind].members), 1)
        if isinstance(domain, n.Attr):  # a set that never changes: the largest there is
            values = kinds[domain.owner].attributes[domain.name].values
            return max((value.bit_count() for value in values), default=everybody) or 1
        return everybody

    return measure
