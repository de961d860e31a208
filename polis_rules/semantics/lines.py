"""Lines along which walks go: what follows each member whatever the state, where an attribute tells the next one."""

from __future__ import annotations

from functools import lru_cache

from polis_rules.semantics.expressions import Attr, Comp, Var, free_names
from polis_rules.semantics.symbols import Symbols

Lines = tuple[tuple[int, ...], ...]
"""The members that follow each member, for each value that its attribute has."""

MOST_FOLLOWING = 100_000
"""How many members all lines together may have to be kept."""


def lines_of(walk: Comp, symbols: Symbols) -> Lines | None:
    """The lines that a walk goes along, in the order of its attribute's values; None where something else decides."""
    step = walk.body
    if not isinstance(step, Attr) or not isinstance(step.args[0], Var) or step.args[0].name != walk.var:
        return None
    if any(walk.var in free_names(arg) for arg in step.args[1:]):
        return None
    attribute = symbols.kinds[step.owner].attributes[step.name]
    return _lines(attribute.values, symbols.strides(attribute)[0])


def longest_walk(walk: Comp, symbols: Symbols) -> int:
    """How many members a walk may meet."""
    lines = lines_of(walk, symbols)
    return symbols.count(walk.type.kind) if lines is None else max(map(len, lines), default=0)


@lru_cache(maxsize=64)
def _lines(following: tuple[int, ...], stride: int) -> Lines | None:
    """For each value where it leads to, up to the end or to a member that was met before; None where it is too much."""
    lines, total = [], 0
    for at in range(len(following)):
        start, index = divmod(at, stride)
        met: dict[int, None] = {}
        member = following[at]
        while member >= 0 and member != start and member not in met:
            met[member] = None
            member = following[member * stride + index]
        lines.append(tuple(met))
        total += len(met)
        if total > MOST_FOLLOWING:
            return None
    return tuple(lines)
