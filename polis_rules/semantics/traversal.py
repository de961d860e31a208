"""Walking over typed steps: what lies inside a step, and what a step may run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Const, Expr, Possible, Type, Var
from polis_rules.semantics.symbols import Symbols

N = TypeVar("N", bound=Hashable)

PLAYER = Type("ref", "player")
YOU = Var(PLAYER, "you")


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
    return (step.do, *(way.do for way in step.ways)) if isinstance(step, ir.Choose) else tuple(step.children())


def every_step(steps: tuple[ir.Step, ...]) -> list[ir.Step]:
    """All steps of a list, however deep; those inside decisions too."""
    every: list[ir.Step] = []
    for step in steps:
        every.append(step)
        for inner in inside(step):
            every.extend(every_step(inner))
    return every


def of_you(tree: Expr) -> list[Expr]:
    """The parts of an expression that depend on who acts."""
    return [part for part in tree.walk() if isinstance(part, Possible) or part == YOU]


def on_behalf(steps: Iterable[ir.Step]) -> Iterator[tuple[ir.Step, list[Expr]]]:
    """The steps that are done for whoever acts around them, each with those of its parts that depend on who that is."""
    for step in steps:
        trees, inner = list(step.expressions()), inside(step)
        if isinstance(step, ir.As):
            inner = ()
        elif isinstance(step, ir.Each) and step.var == "you":
            trees, inner = [tree for tree in (step.domain, step.starting) if tree is not None], ()
        yield step, [part for tree in trees for part in of_you(tree)]
        for each in inner:
            yield from on_behalf(each)


def requirements(step: ir.Step) -> tuple[ir.Condition, ...]:
    """The labelled conditions of a decision or a draw, those of named ways among them."""
    if isinstance(step, ir.Choose):
        return (*step.tests, *step.leaving, *(each for way in step.ways for each in way.conditions))
    return step.conditions if isinstance(step, ir.Draw) else ()


def waiting_procedures(symbols: Symbols, procedures: dict[str, ir.Procedure]) -> set[str]:
    """The procedures in which the game may wait or end, and all that call them."""
    waiting = {"phases.game"} & set(procedures)
    callers: defaultdict[str, set[str]] = defaultdict(set)
    for path, procedure in procedures.items():
        for step in every_step(procedure.body):
            if step.waits:
                waiting.add(path)
            for called in called_by(step, symbols):
                callers[called].add(path)
    return set(reached(callers, waiting))


def reached(graph: Mapping[N, Iterable[N]], starts: Iterable[N]) -> list[N]:
    """All nodes to which edges lead from some of them, those first.

    >>> reached({"a": ["b"], "b": ["a", "c"], "d": ["a"]}, ["a"])
    ['a', 'b', 'c']
    """
    seen = dict.fromkeys(starts)
    waiting = list(seen)
    for node in waiting:
        more = dict.fromkeys(each for each in graph.get(node, ()) if each not in seen)
        seen |= more
        waiting += more
    return waiting
