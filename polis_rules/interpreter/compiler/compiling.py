"""Typed rules to a compiled ruleset: slots, blocks, generated code."""

from __future__ import annotations

from math import prod

from polis_rules.interpreter.compiler.always import always
from polis_rules.interpreter.compiler.cutter import cut_blocks
from polis_rules.interpreter.compiler.python import Backend
from polis_rules.interpreter.evaluator import first_state
from polis_rules.interpreter.machine import (
    YOU,
    AnyPoint,
    ChancePoint,
    Compiled,
    DecisionPoint,
    Layout,
    MadeOf,
    Wait,
    lay_out,
)
from polis_rules.pickles import Sealed
from polis_rules.semantics import TypedRules, every_part
from polis_rules.semantics.expressions import Expr, Load


def compile_rules(rules: TypedRules, checks: bool = False, trace: bool = False) -> Compiled:
    """Compile typed rules.

    With `checks` every change is held against its declared range and the invariants are ready to be asked;
    with `trace` every change is told. Both cost speed, and nothing when off.
    """
    layout = lay_out(rules.symbols)
    blocks = cut_blocks(rules, layout)
    compiled = _without_code(rules, layout, blocks.points, checks, trace, compact=False)
    backend = Backend(compiled)
    backend.add_all()
    compiled.blocks, compiled.return_addresses = len(backend.wanted), backend.return_addresses()
    compiled.first = first_state(rules, layout)
    return compiled


def compile_lazily(rules: TypedRules, checks: bool = False, trace: bool = False) -> Compiled:
    """The same for those who play little: no function is generated before its first call.

    Games are the same, though numbers of blocks and slots of local names may be others.
    """
    layout = lay_out(rules.symbols)
    blocks = cut_blocks(rules, layout)
    for path in blocks.entries:
        blocks.names(path, -1)
    compiled = _without_code(rules, layout, blocks.points, checks, trace, compact=True)
    compiled.blocks, compiled.begin = len(blocks.blocks), blocks.entries["phases.game"]
    compiled.first = first_state(rules, layout)
    return compiled


def _without_code(
    rules: TypedRules, layout: Layout, points: list[AnyPoint], checks: bool, trace: bool, compact: bool
) -> Compiled:
    """What is compiled before any function is generated."""
    waits = [
        Wait(
            isinstance(point, ChancePoint),
            point.leave >= 0,
            isinstance(point, DecisionPoint) and point.step.who is not None,
        )
        for point in points
    ]
    players = rules.symbols.count("player")
    held = always(rules) if checks else []
    invariants = [text for text, _ in held]
    made_of = Sealed(MadeOf(rules, points))
    routes, ties = tuple(rules.symbols.routes), len(rules.tie_break)
    compiled = Compiled(made_of, layout, waits, players, routes, ties, invariants, checks, trace, compact)
    compiled.readers = _readers([test for _, test in held], rules, layout)
    return compiled


def _readers(tests: list[Expr], rules: TypedRules, layout: Layout) -> list[tuple[int, int, int]]:
    """Runs of slots, each from one to before another, with the expressions (as bits) that may depend on what they hold.

    All of them may depend on who acts.
    """
    readers: dict[tuple[int, int], int] = {(YOU, YOU + 1): (1 << len(tests)) - 1}
    for number, test in enumerate(tests):
        for load in (part for part in every_part([test], rules) if isinstance(part, Load)):
            variable = rules.symbols.variable(load.owner, load.name)
            base = layout.bases[load.owner, load.name]
            run = (base, base + prod(rules.symbols.sizes(variable)) * variable.width)
            readers[run] = readers.get(run, 0) | 1 << number
    return [(*run, bits) for run, bits in readers.items()]
