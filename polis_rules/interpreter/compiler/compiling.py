"""Typed rules to a compiled ruleset: slots, blocks, generated code."""

from __future__ import annotations

from polis_rules.interpreter.compiler.cutter import cut_blocks
from polis_rules.interpreter.compiler.python import Backend
from polis_rules.interpreter.machine import Compiled, lay_out
from polis_rules.semantics import TypedRules


def compile_rules(rules: TypedRules, checks: bool = False, trace: bool = False) -> Compiled:
    """Compile typed rules.

    With `checks` every change is held against its declared range and the invariants are ready to be asked;
    with `trace` every change is told. Both cost speed, and nothing when off.
    """
    layout = lay_out(rules.symbols)
    return Backend(rules, cut_blocks(rules, layout), layout, checks, trace).generate()
