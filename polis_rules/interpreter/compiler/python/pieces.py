"""Pieces of code put together: conditions, sets, indexes; what is known is worked out."""

from __future__ import annotations

from polis_rules.interpreter.compiler.python.numbers import Code

WIDEST_UNION = 200
"""How many bits are joined without parentheses around some of them."""


def negate(code: Code) -> Code:
    """The opposite of a condition."""
    return int(not code) if isinstance(code, int) else f"(not {code})"


def join(op: str, items: list[Code]) -> Code:
    """`and` / `or` of conditions, without those that are known."""
    deciding = 0 if op == "and" else 1
    unknown: list[str] = []
    for item in items:
        if isinstance(item, str):
            if item not in unknown:
                unknown.append(item)
        elif bool(item) == bool(deciding):
            # what stands before it could still be evaluated, but has no effects
            return deciding
    if not unknown:
        return 1 - deciding
    return unknown[0] if len(unknown) == 1 else f"({f' {op} '.join(unknown)})"


def union(items: list[Code]) -> Code:
    """Bits of several pieces together."""
    known = 0
    unknown = []
    for item in items:
        if isinstance(item, int):
            known |= item
        else:
            unknown.append(item)
    if not unknown:
        return known
    parts = [*unknown, str(known)] if known else unknown
    while len(parts) > WIDEST_UNION:  # Python reads a long chain as a deep tree
        parts = [f"({' | '.join(each)})" for each in batched(parts)]
    return f"({' | '.join(parts)})"


def batched(parts: list[str]) -> list[list[str]]:
    """Parts in groups that can be written one beside the other."""
    return [parts[at : at + WIDEST_UNION] for at in range(0, len(parts), WIDEST_UNION)]


def shift(item: Code) -> Code:
    """The bit of a member."""
    if isinstance(item, int):
        return 1 << item if item >= 0 else 0  # none is never asked, for a check
    return f"(1 << {item})"
