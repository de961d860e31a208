"""Walking over typed steps: what lies inside a step, and what a step may run."""

from __future__ import annotations

from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Const
from polis_rules.semantics.symbols import Symbols

WAITING = (ir.Choose, ir.Roll, ir.Draw, ir.End, ir.Choices, ir.Perform)
"""Steps in which the game waits or ends."""


def children(step: ir.Step) -> tuple[tuple[ir.Step, ...], ...]:
    """The lists of steps inside a step."""
    return tuple(step.children())


def called_by(step: ir.Step, symbols: Symbols) -> list[str]:
    """The procedures that a step itself may run: of a plain `perform` the one action."""
    if isinstance(step, ir.Do):
        return [step.procedure]
    if isinstance(step, ir.DoEffects):
        return list(symbols.kinds[step.owner].attributes[step.name].procedures.values())
    if isinstance(step, ir.Perform):
        members = symbols.kinds["action"].members
        chosen = [members[step.action.value]] if isinstance(step.action, Const) else members
        return [f"actions.{name}" for name in chosen]
    return []


def inside(step: ir.Step) -> tuple[tuple[ir.Step, ...], ...]:
    """The lists of steps inside a step, what a decision leads to among them."""
    return (step.do, *(way.do for way in step.ways)) if isinstance(step, ir.Choose) else children(step)


def every_step(steps: tuple[ir.Step, ...]) -> list[ir.Step]:
    """All steps of a list, however deep; those inside decisions too."""
    found: list[ir.Step] = []
    for step in steps:
        found.append(step)
        for inner in inside(step):
            found.extend(every_step(inner))
    return found


def requirements(step: ir.Step) -> tuple[ir.Condition, ...]:
    """The labelled conditions of a decision or a draw, those of named ways among them."""
    if isinstance(step, ir.Choose):
        return (*step.conditions, *step.leaving, *(each for way in step.ways for each in way.conditions))
    return step.conditions if isinstance(step, ir.Draw) else ()


def waiting_procedures(symbols: Symbols, procedures: dict[str, ir.Procedure]) -> set[str]:
    """The procedures in which the game may wait or end, and all that call them."""
    waiting = {"phases.game"} & set(procedures)
    inside: dict[str, set[str]] = {}
    for path, procedure in procedures.items():
        steps = every_step(procedure.body)
        inside[path] = {name for step in steps for name in called_by(step, symbols)}
        if any(isinstance(step, WAITING) for step in steps):
            waiting.add(path)
    while True:
        more = {path for path, names in inside.items() if names & waiting} - waiting
        if not more:
            return waiting
        waiting |= more
