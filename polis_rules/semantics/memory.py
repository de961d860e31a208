"""What rules remember, and state that is set back to its first values."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.diagnostics import Span
from polis_rules.schema import Document, Memory, steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import FALSE, NONE, Expr, Type, nodes as n, number, substitute
from polis_rules.semantics.symbols import Variable
from polis_rules.semantics.write_sets import every_written, lists_of_steps
from polis_rules.source import Text


def memories(document: Document) -> Iterator[tuple[str, Text, Memory]]:
    """Whatever rules remember: the path of the rule, the name, and how it is declared."""
    for path, steps in lists_of_steps(document):
        for step in every_written(steps):
            if isinstance(step, written.Let):
                yield from ((path, name, item) for name, item in step.let.items() if isinstance(item, Memory))


def first_value(variable: Variable) -> Expr:
    """What state begins with where nothing else is said."""
    kind = variable.type
    match kind.base:
        case "bool":
            return FALSE
        case "int":
            return number(variable.low if variable.low > 0 or variable.high < 0 else 0)
        case "set":
            return n.SetOf(kind, ())
        case "list":
            return n.ListOf(kind, ())
    return n.Const(NONE, -1) if kind.maybe else n.Const(kind, 0)


def restored(variable: Variable, first: Expr, at: Span) -> tuple[tuple[ir.Step, ...], dict[str, Type]]:
    """Steps that give all values of some state their first one, and the local names in them.

    `first` may name the member (`it`) and the indexes.
    """
    kinds = dict(zip(variable.names, variable.kinds, strict=True))
    names = {name: f"{name}_{kind}".upper() for name, kind in kinds.items()}  # ids of rulesets are lower case
    loops = {name: n.Var(Type("ref", kind), names[name]) for name, kind in kinds.items()}
    target = n.Load(variable.type, variable.owner, variable.name, tuple(loops.values()), span=at)
    steps: tuple[ir.Step, ...] = (ir.Set(at, target, substitute(first, dict(loops))),)
    for name, kind in reversed(kinds.items()):
        everyone = n.Everyone(Type("set", kind), span=at)
        steps = (ir.Each(at, names[name], everyone, None, None, steps),)
    return steps, {names[name]: Type("ref", kind) for name, kind in kinds.items()}
