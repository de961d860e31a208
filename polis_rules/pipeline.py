"""From a ruleset's files to a running program: the stages, in order. Read this first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.diagnostics import Diagnostics, RuleError

if TYPE_CHECKING:
    from polis_rules.composition import Composed
    from polis_rules.schema import Document
    from polis_rules.semantics import TypedRules

STAGES = (
    ("source", "YAML text to a tree in which everything knows its place", "polis_rules.source"),
    ("compose", "manifest, editions, scenario and variants to one tree", "polis_rules.composition.composed"),
    ("schema", "tree to typed document, tables against their generated schemas", "polis_rules.schema"),
    ("resolve", "names to symbols", "polis_rules.semantics.resolver"),
    ("typecheck", "expressions and steps to typed trees", "polis_rules.semantics.rules_checker"),
    ("compile", "typed rules to slots, blocks and code", "polis_rules.interpreter.runtime.program"),
    ("run", "code to a game", "polis_rules.interpreter.game"),
)
"""Name, what goes in and comes out, and the module of each stage."""


def documented(
    ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> tuple[Composed, Document]:
    """Everything up to the typed document, for those who read rules instead of running them. Raises RulesetError."""
    from polis_rules.composition import compose
    from polis_rules.schema import build

    composed = compose(ruleset, scenario, variants)
    diagnostics = Diagnostics(sources=composed.sources)
    document = build(composed.tree, diagnostics)
    diagnostics.raise_if_errors()
    assert document is not None
    return composed, document


def front(ruleset: str | Path, scenario: str | None, variants: Sequence[str | Path]) -> tuple[Composed, TypedRules]:
    """Everything up to typed rules. Raises RulesetError with all findings of the stages that could still run."""
    from polis_rules.interpreter.evaluator import first_state
    from polis_rules.interpreter.machine import lay_out
    from polis_rules.schema import check_tables
    from polis_rules.semantics import resolve, typecheck

    composed, document = documented(ruleset, scenario, variants)
    diagnostics = Diagnostics(sources=composed.sources)
    check_tables(document, diagnostics)
    symbols = resolve(document, diagnostics)
    rules = typecheck(document, symbols, diagnostics)
    diagnostics.raise_if_errors()
    try:
        first_state(rules, lay_out(rules.symbols))
    except RuleError as error:
        diagnostics.error("unfit-start", error.message, error.span)
    diagnostics.raise_if_errors()
    return composed, rules


__all__ = ["STAGES", "documented", "front"]
