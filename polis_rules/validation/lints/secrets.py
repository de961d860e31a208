"""State that a player may not see, but that decides which options they have.

Why: whoever is offered some options and not others learns what the state must be.
Example: `held: {per: {owner: player}, type: 0..5, seen_by: viewer == owner}`, and a choice of `you` with
`where: card.held[next(you)] > 0`.
"""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import Symbols, Variable, ir
from polis_rules.semantics.expressions import Bool, Call, Compare, Const, Expr, Load, Not, Type, Var, substitute
from polis_rules.validation.analysis import Subject, walking

YOU = Var(Type("ref", "player"), "you")


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `hidden-state`."""
    if not any(_hidden(subject.symbols)):
        return
    for chooser, condition in _asked(subject):
        for load in loads(condition.test, subject.symbols):
            variable = subject.symbols.variable(load.owner, load.name)
            if variable.seen_expr is None or _sees(chooser, load, variable, variable.seen_expr):
                continue
            message = f"whoever is asked here may not see `{load.name}`, but could tell it from the options"
            related = (("who sees it", variable.seen_by.span if variable.seen_by is not None else variable.span),)
            at = condition.span
            diagnostics.warning("hidden-state", message, at, related=related, confidence="likely")
            break


def _hidden(symbols: Symbols) -> Iterator[bool]:
    for kind in symbols.kinds.values():
        yield from (variable.seen_expr is not None for variable in kind.state.values())
    yield from (variable.seen_expr is not None for variable in symbols.state.values())


def _asked(subject: Subject) -> Iterator[tuple[Expr, ir.Condition]]:
    """The conditions that decide what a player is offered, with the player."""
    for action in subject.rules.actions:
        yield from ((YOU, condition) for condition in action.conditions)
    for _, step in walking.steps(subject.rules):
        if isinstance(step, ir.Choose):
            chooser = step.who if step.who is not None else YOU
            for condition in (*step.conditions, *step.leaving, *(each for way in step.ways for each in way.conditions)):
                yield chooser, condition


def loads(tree: Expr, symbols: Symbols, deep: int = 8) -> Iterator[Load]:
    """The state that an expression reads, terms followed with what they are asked about."""
    for part in tree.walk():
        if isinstance(part, Load):
            yield part
        elif isinstance(part, Call) and deep:
            term = symbols.terms[part.term]
            if term.body is not None:
                given = dict(zip(term.params, part.args, strict=True))
                yield from loads(substitute(term.body, given), symbols, deep - 1)


def _sees(chooser: Expr, load: Load, variable: Variable, seen: Expr) -> bool:
    """Whether the chooser certainly sees a value."""
    names = (["it"] if variable.owner else []) + [name for name, _ in variable.per]
    given = {**dict(zip(names, load.args, strict=True)), "viewer": chooser}
    return _holds(substitute(seen, given)) is True


def _holds(tree: Expr) -> bool | None:
    """Whether a condition holds whatever the state is, as far as can be seen from its shape."""
    match tree:
        case Const():
            return bool(tree.value)
        case Compare(op="==") if tree.left == tree.right:
            return True
        case Not():
            inner = _holds(tree.item)
            return None if inner is None else not inner
        case Bool():
            parts = [_holds(item) for item in tree.items]
            decisive = tree.op == "or"
            if decisive in parts:
                return decisive
            return (not decisive) if all(part is (not decisive) for part in parts) else None
    return None
