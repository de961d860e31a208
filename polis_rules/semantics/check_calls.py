"""Typecheck the step `do`: a procedure, a phase, or the effects that a member carries."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from polis_rules.diagnostics import Span
from polis_rules.semantics import ir
from polis_rules.semantics.check_expressions import FailedError
from polis_rules.semantics.expressions import Expr, Scope, Type, parse
from polis_rules.semantics.symbols import Attribute
from polis_rules.source import Text

if TYPE_CHECKING:
    from polis_rules.semantics.check_steps import StepChecker


def call_step(checker: StepChecker, text: Text, span: Span, scope: Scope) -> ir.Step | None:
    """`take(target, you)`, `last_phase`, `card.now`, `card.own[you]` or `card.after(place)` as a typed step."""
    tree = parse(text, checker.diagnostics)
    if tree is None:
        return None
    expressions = checker.expressions
    outer, expressions.text = expressions.text, text
    try:
        args: list[ast.expr] = []
        target = tree
        if isinstance(tree, ast.Call) and not tree.keywords:
            args, target = tree.args, tree.func
        if isinstance(target, ast.Name):
            return _procedure(checker, target, args, span, scope)
        return _effects(checker, target, args, span, scope)
    except FailedError:
        return None
    finally:
        expressions.text = outer


def _procedure(checker: StepChecker, target: ast.Name, args: list[ast.expr], span: Span, scope: Scope) -> ir.Step:
    expressions = checker.expressions
    if target.id not in checker.signatures:
        raise expressions.unknown("phase or procedure", target.id, list(checker.signatures), target)
    path, params = checker.signatures[target.id]
    expressions.note(path, target)
    checker.called(path, span)
    return ir.Do(span, path, _arguments(checker, target.id, params, args, target, scope))


def _effects(checker: StepChecker, target: ast.expr, args: list[ast.expr], span: Span, scope: Scope) -> ir.Step:
    expressions = checker.expressions
    indexes: list[ast.expr] = []
    if isinstance(target, ast.Subscript):
        indexes = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        target = target.value
    if not isinstance(target, ast.Attribute):
        raise expressions.fail("expression-word", "name a phase, a procedure or the effects of a member", target)
    found, owner = expressions.property_of(target, scope)
    if not isinstance(found, Attribute) or found.spec.kind != "effects":
        message = f"`{target.attr}` is not an attribute of type effects"
        raise expressions.fail("wrong-type", message, expressions.last_word(target))
    if len(indexes) != len(found.per):
        message = f"`{found.name}` has {len(found.per)} indexes, not {len(indexes)}"
        raise expressions.fail("missing-index", message, expressions.last_word(target))
    more = tuple(
        expressions.typed(part, scope, Type("ref", kind)) for part, (_, kind) in zip(indexes, found.per, strict=True)
    )
    checker.called(f"{found.owner}.{found.name}", span)
    given = _arguments(checker, found.name, found.params, args, target, scope)
    return ir.DoEffects(span, found.owner, found.name, (owner, *more), given)


def _arguments(
    checker: StepChecker, name: str, params: dict[str, Type], args: list[ast.expr], at: ast.AST, scope: Scope
) -> tuple[Expr, ...]:
    expressions = checker.expressions
    if len(args) != len(params):
        hint = f"write {name}({', '.join(params)})" if params else f"write {name}"
        message = f"`{name}` takes {len(params)} argument{'s' * (len(params) != 1)}, not {len(args)}"
        raise expressions.fail("wrong-arguments", message, at, hint=hint)
    return tuple(expressions.typed(part, scope, want) for part, want in zip(args, params.values(), strict=True))
