"""State that is set back to its first values."""

from __future__ import annotations

from polis_rules.diagnostics import Span
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import (
    FALSE,
    NONE,
    Const,
    Everyone,
    Expr,
    ListOf,
    Load,
    SetOf,
    Type,
    Var,
    number,
    substitute,
)
from polis_rules.semantics.symbols import Variable


def first_value(variable: Variable) -> Expr:
    """What state begins with where nothing else is said."""
    kind = variable.type
    match kind.base:
        case "bool":
            return FALSE
        case "int":
            return number(variable.low if variable.low > 0 or variable.high < 0 else 0)
        case "set":
            return SetOf(kind, ())
        case "list":
            return ListOf(kind, ())
    return Const(NONE, -1) if kind.maybe else Const(kind, 0)


def restored(variable: Variable, first: Expr, at: Span) -> tuple[tuple[ir.Step, ...], dict[str, Type]]:
    """Steps that give all values of some state their first one, and the local names in them.

    `first` may name the member (`it`) and the indexes.
    """
    kinds = dict(zip(variable.names, variable.kinds, strict=True))
    names = {name: f"{name}_{kind}".upper() for name, kind in kinds.items()}  # ids of rulesets are lower case
    loops = {name: Var(Type("ref", kind), names[name]) for name, kind in kinds.items()}
    target = Load(variable.type, variable.owner, variable.name, tuple(loops.values()), span=at)
    steps: tuple[ir.Step, ...] = (ir.Set(at, target, substitute(first, dict(loops))),)
    for name, kind in reversed(kinds.items()):
        everyone = Everyone(Type("set", kind), span=at)
        steps = (ir.Each(at, names[name], everyone, None, None, steps),)
    return steps, {names[name]: Type("ref", kind) for name, kind in kinds.items()}
