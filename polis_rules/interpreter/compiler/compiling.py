"""Typed rules to a compiled ruleset: slots, blocks, generated code."""

from __future__ import annotations

from polis_rules.interpreter.compiler.always import always
from polis_rules.interpreter.compiler.cutter import cut_blocks
from polis_rules.interpreter.compiler.python import Backend
from polis_rules.interpreter.evaluator import first_state
from polis_rules.interpreter.machine import Compiled, lay_out
from polis_rules.semantics import TypedRules


def compile_rules(rules: TypedRules, checks: bool = False, trace: bool = False) -> Compiled:
    """Compile typed rules.

    With `checks` every change is held against its declared range and the invariants are ready to be asked;
    with `trace` every change is told. Both cost speed, and nothing when off.
    """
    layout = lay_out(rules.symbols)
    blocks = cut_blocks(rules, layout)
    compiled = Compiled(rules, layout, blocks.points, _held(rules, checks), checks, trace, compact=False)
    backend = Backend(compiled)
    backend.add_all()
    compiled.blocks = len(backend.wanted)
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
    compiled = Compiled(rules, layout, blocks.points, _held(rules, checks), checks, trace, compact=True)
    compiled.blocks, compiled.begin = len(blocks.blocks), blocks.entries["phases.game"]
    compiled.first = first_state(rules, layout)
    return compiled


def _held(rules: TypedRules, checks: bool) -> list[str]:
    return [text for text, _ in always(rules)] if checks else []
