"""What one player may see of a position."""

from __future__ import annotations

from itertools import product

from polis_rules.interpreter.evaluate import Evaluator, State
from polis_rules.interpreter.layout import every_variable
from polis_rules.interpreter.program import Program
from polis_rules.interpreter.wording import Wording
from polis_rules.symbols import Variable


def may_see(evaluator: Evaluator, variable: Variable, state: State, indexes: tuple[int, ...], viewer: int) -> bool:
    """Whether a player may see one value of a state variable."""
    if variable.seen_expr is None:
        return True
    names = (["it"] if variable.owner else []) + [name for name, _ in variable.per]
    return evaluator.holds(variable.seen_expr, state, {**dict(zip(names, indexes, strict=True)), "viewer": viewer})


def view_of(program: Program, state: State, viewer: int) -> dict[str, object]:
    """Visible values as `{kind: {member: {name: value or {index: value}}}}`, the game's own under `game`.

    Values are numbers, true or false, ids, None and lists of ids. What the player may not see is left out.
    """
    evaluator = Evaluator(program.rules, program.layout)
    symbols = program.rules.symbols
    found: dict[str, object] = {}
    for variable in every_variable(symbols):
        kinds = ([variable.owner] if variable.owner else []) + [kind for _, kind in variable.per]
        members = [range(len(symbols.kinds[kind].members)) for kind in kinds]
        base = program.layout.bases[variable.owner, variable.name]
        for flat, indexes in enumerate(product(*members)):
            if not may_see(evaluator, variable, state, indexes, viewer):
                continue
            ids = [symbols.kinds[kind].members[index] for kind, index in zip(kinds, indexes, strict=True)]
            path = (
                [variable.owner, ids[0], variable.name, *ids[1:]] if variable.owner else ["game", variable.name, *ids]
            )
            _put(found, path, _plain(program, variable, state[base + flat]))
    return found


def _put(found: dict[str, object], path: list[str], value: object) -> None:
    here = found
    for key in path[:-1]:
        inner = here.setdefault(key, {})
        assert isinstance(inner, dict)
        here = inner
    here[path[-1]] = value


def _plain(program: Program, variable: Variable, value: int) -> object:
    kind = variable.type
    if kind.base == "bool":
        return bool(value)
    if kind.base == "int":
        return value
    members = program.rules.symbols.kinds[kind.kind].members
    if kind.base == "ref":
        return members[value] if value >= 0 else None
    return [member for number, member in enumerate(members) if value >> number & 1]


__all__ = ["Wording", "may_see", "view_of"]
