"""How many dice are rolled, and of how many sides: both must lie within limits, by the declared ranges."""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import INT, Expr, Var
from polis_rules.semantics.intervals import Interval, join
from polis_rules.semantics.ranges import Fact, Ranges
from polis_rules.semantics.typed_rules import TypedRules

DICE, SIDES = Interval(0, 99), Interval(1, 999)


def within_limits(rules: TypedRules, steps: dict[str, list[ir.Step]], findings: Diagnostics) -> None:
    """Complain about dice that may be too many, or have no sides. `steps` are all of each procedure, by its path."""
    ranges = Ranges(rules.symbols, switches=True)
    for every in steps.values():
        rolls = [step for step in every if isinstance(step, ir.Roll)]
        known = _numbers(every, ranges) if any(not step.plain for step in rolls) else {}
        for step in rolls:
            for what, part, limits in (
                ("the number of dice", step.dice, DICE),
                ("the number of sides", step.sides, SIDES),
            ):
                may = ranges.number(part, known) if isinstance(part, Expr) else Interval(part, part)
                if may.low < limits.low or may.high > limits.high:
                    message = f"{what} must be {limits.low} to {limits.high}, and this may be {_outside(may, limits)}"
                    at = (part.span if isinstance(part, Expr) else None) or step.span
                    findings.error(
                        "out-of-range", message, at, hint=f"limit it: min(max(n, {limits.low}), {limits.high})"
                    )


def _outside(may: Interval, limits: Interval) -> str:
    return str(may.low if may.low < limits.low else may.high)


def _numbers(steps: list[ir.Step], ranges: Ranges) -> dict[Expr, Fact]:
    """What the local names of a rule may be that stand for numbers."""
    known: dict[Expr, Fact] = {}
    for step in steps:
        match step:
            case ir.Choose() if step.low is not None and step.high is not None:
                low, high = ranges.number(step.low, known), ranges.number(step.high, known)
                value = Interval(low.low, max(low.low, high.high))
            case ir.Let() if step.value.type == INT:
                value = ranges.number(step.value, known)
            case ir.Roll():
                value = ranges.rolled(step, known)
            case _:
                continue
        name = Var(INT, str(step.var))
        known[name] = Fact(join(known[name].value, value) if name in known else value)
    return known
