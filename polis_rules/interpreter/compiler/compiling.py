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
    compiled = _begun(rules, checks, trace, compact=False)
    Backend(compiled).add_all()
    return compiled


def compile_lazily(rules: TypedRules, checks: bool = False, trace: bool = False) -> Compiled:
    """The same for those who play little: no function is generated before its first call. Games are the same."""
    return _begun(rules, checks, trace, compact=True)


def _begun(rules: TypedRules, checks: bool, trace: bool, compact: bool) -> Compiled:
    layout = lay_out(rules.symbols)
    cut = cut_blocks(rules, layout)
    return Compiled(
        rules, layout, cut.points, len(cut.blocks), cut.entries["phases.game"], first_state(rules, layout),
        [text for text, _ in always(rules)] if checks else [], checks, trace, compact,
    )  # fmt: skip
