"""Typecheck supplies: how many pieces there are, and where they are counted."""

from __future__ import annotations

from polis_rules.schema import document as declared
from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.expressions import INT, Scope, Type, nodes as n
from polis_rules.semantics.typed_rules import Supply
from polis_rules.source import Text


def typed_supply(expressions: ExpressionChecker, name: Text, item: declared.Supply) -> Supply | None:
    """A counted piece; None where something is wrong with it."""
    scope, kinds = Scope(), expressions.symbols.kinds
    if item.per is not None:
        if item.per not in kinds:
            message = f"there is no kind `{item.per}`"
            expressions.diagnostics.unknown("unknown-name", message, item.per.span, item.per, kinds)
            return None
        expressions.references.words(item.per, {item.per: f"kinds.{item.per}"})
        scope = scope.having(owner=Type("ref", str(item.per)))
    total = expressions.check(item.total, scope, INT)
    reserve = _reserve(expressions, item.reserve, scope) if item.reserve is not None else ()
    places = {str(key): expressions.check(text, scope, INT) for key, text in item.places.items()}
    known = {key: value for key, value in places.items() if value is not None}
    if reserve is None or total is None or len(known) < len(places):
        return None
    return Supply(str(name), str(item.per or ""), total, reserve, known, name.span)


def _reserve(expressions: ExpressionChecker, text: Text, scope: Scope) -> tuple[n.Load] | None:
    """The number that counts the pieces of a supply that are nowhere else."""
    reserve = expressions.check(text, scope)
    if isinstance(reserve, n.Load) and reserve.type == INT:
        return (reserve,)
    if reserve is not None:
        hint = "what is in lists is counted in `places`, e.g. `pile: len(pile)`; a supply needs no reserve"
        code = "not-state" if reserve.type == INT else "wrong-type"
        expressions.diagnostics.error(code, f"`{text}` is no state that is a number", text.span, hint)
    return None
