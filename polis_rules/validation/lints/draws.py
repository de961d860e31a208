"""Stacks that cannot fill their rounds: more draws than there is to draw, or a round for which there is nothing.

Why: a draw from nothing stops the game, unless it says `if_possible: true`; then it only brings nothing.
Example: `repeat: {times: 5}` around a draw from three cards; `repeat: {while: day < 4}`, where each day begins with a
draw from three; `where: card.season == season_now` and a season that no card names.
Counted is what is drawn in any case: a draw under an `if` or in the hands of players counts once.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.semantics import Fact, ir, rows_of
from polis_rules.semantics.expressions import INT, Expr, nodes as n, number
from polis_rules.validation.analysis import Key, Subject

MOST = 2000
"""So many procedures, each with what its parameters are, are followed at most."""


def check(subject: Subject) -> None:
    """Report `short-draw`."""
    counts = _Counts(subject)
    for path in ("phases.game", *subject.rules.procedures):
        counts.procedure(path, 1, {})
    for step, times in counts.found.items():
        there = _there(step, subject)
        if there is not None and there < times:
            message = f"this is drawn at least {times} times, and there are {there} to begin with"
            hint = "draw fewer, or add `if_possible: true`"
            subject.found.warning("short-draw", message, step.span, hint, confidence="likely")
    for each in subject.steps:
        if isinstance(each, ir.Draw):
            _rounds(each, subject)


class _Counts:
    """How often each draw is made in one game at least, what rules do in loops and for each other followed."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.found: dict[ir.Draw, int] = {}
        self.seen: set[tuple[object, ...]] = set()

    def procedure(self, path: str, times: int, known: dict[Expr, Fact]) -> None:
        """Follow a procedure with what its parameters are, unless that has been done."""
        key = (path, times, *((each, fact.value) for each, fact in known.items()))
        if key not in self.seen and len(self.seen) < MOST:
            self.seen.add(key)
            self.steps(self.subject.rules.procedures[path].body, times, known)

    def steps(self, steps: tuple[ir.Step, ...], times: int, known: dict[Expr, Fact]) -> None:
        ranges = self.subject.ranges
        for step in steps:
            again = times
            if isinstance(step, ir.Draw):
                self.found[step] = max(self.found.get(step, 0), times)
            elif isinstance(step, ir.Do):
                params = self.subject.rules.procedures[step.procedure].params.items()
                facts: dict[Expr, Fact] = {
                    n.Var(kind, name): Fact(ranges.of(arg, known))
                    for (name, kind), arg in zip(params, step.args, strict=True)
                }
                self.procedure(step.procedure, times, facts)
            elif isinstance(step, ir.Times):
                again = times * max(0, ranges.number(step.times, known).low)
            elif isinstance(step, ir.Each) and isinstance(step.domain, n.Everyone) and step.test is None:
                again = times * self.subject.symbols.count(step.domain.type.kind)
            elif isinstance(step, ir.While):
                again = times * _times(step, self.subject)
            elif isinstance(step, (ir.Choices, ir.If, ir.Each)):
                again = 1
            for inner in step.children():
                self.steps(inner, again, known)


def _times(step: ir.While, subject: Subject) -> int:
    """How often a loop goes round at least: one that counts up to a number, or through a table to its end."""
    match step.test:
        case n.Compare(op="<" | "<=" as op, left=n.Load() as load, right=end):  # `day < last`, and each time one more
            one_more = (n.Arith(INT, "+", load, number(1)), n.Arith(INT, "+", number(1), load))
            if _only_change(load, step, subject) in one_more:
                begin, *_ = subject.first_values((load.owner, load.name))
                return max(0, subject.ranges.number(end, {}).low - begin + (op == "<="))
        case n.Not(item=n.Attr(args=(n.Load() as load,)) as flag):  # `not round.last`, and each time the next round
            value = _only_change(load, step, subject)
            if isinstance(value, n.Next) and value.item == load:
                begin, *_ = subject.first_values((load.owner, load.name))
                flags = subject.symbols.kinds[flag.owner].attributes[flag.name].values
                return next((at for at, last in enumerate(flags[begin:]) if last and begin >= 0), 1)
    return 1


def _only_change(load: n.Load, step: ir.While, subject: Subject) -> Expr | None:
    """What state without an owner is set to by the one step of the rules that changes it."""
    key = load.owner, load.name
    changes = subject.changes.get(key, []) if not load.owner else []
    only = changes[0] if len(changes) == 1 else None
    return only.value if isinstance(only, ir.Set) and key in subject.effects.list_writes((step,)) else None


# -- how many there are ---------------------------------------------------------------------------------------------


def _there(step: ir.Draw, subject: Subject) -> int | None:
    """How many draws there are at the start, each counted down when it is drawn and never again counted up."""
    if step.if_possible or not isinstance(step.source, n.Everyone) or len(step.conditions) != 1:
        return None
    counter = _counter(step.conditions[0].test, step.var)
    if counter is None:
        return None
    changes = subject.changes.get(counter, [])
    if not changes or not all(_takes(each, counter) for each in changes):
        return None
    return sum(max(value, 0) for value in subject.first_values(counter))


def _counter(test: Expr, name: str) -> Key | None:
    """The state that says how many of a card are left: of `x.left > 0`, or of `x.is_left`."""
    match test:
        case n.Compare(op=">", left=left, right=n.Const(value=0)):
            return _counter(left, name)
        case n.Load(args=(n.Var() as member,)) if member.name == name:
            return test.owner, test.name
    return None


def _takes(step: ir.Step, counter: Key) -> bool:
    """Whether a step only takes away."""
    match step:
        case ir.Move():
            return (step.target.owner, step.target.name) != counter
        case ir.Set(value=n.Const(value=0)):
            return True
        case ir.Set(value=n.Arith(op="-", left=before)):
            return before == step.target
    return False


# -- what there is for each round -----------------------------------------------------------------------------------


def _rounds(step: ir.Draw, subject: Subject) -> None:
    """Members of another kind that a draw is for, and that no row names though nearly all of them have some."""
    for attribute in _asked(step, subject):
        kind = attribute.type.kind
        values = set(subject.symbols.kinds[attribute.owner].attributes[attribute.name].values)
        rows = rows_of(subject.document, kind)
        without = [key for number, key in enumerate(rows) if number not in values]
        if without and len(without) * 4 <= len(rows) + 3:
            for key in without:
                message = f"no {attribute.owner} has the {attribute.name} `{key}`, so nothing can be drawn for it"
                related = (("drawn here", step.span),)
                subject.found.warning("short-draw", message, key.span, related=related, confidence="likely")


def _asked(step: ir.Draw, subject: Subject) -> Iterator[n.Attr]:
    """The attributes of a row that must be what the state of the game says: of `card.season == season_now`."""
    for condition in step.conditions:
        test = condition.test
        for part in test.items if isinstance(test, n.Bool) and test.op == "and" else (test,):
            sides = ((part.left, part.right), (part.right, part.left)) if isinstance(part, n.Compare) else ()
            for pair in sides if getattr(part, "op", "") == "==" else ():
                match pair:
                    case n.Attr(args=(n.Var(name=step.var),)) as own, n.Load(owner="") if own.type.base == "ref":
                        yield own
