"""What stands on the table, which rules and views name by ids, in the words of the page."""

from __future__ import annotations

from polis_rules.semantics import Symbols, Variable
from polis_rules.source import spoken

MEMBERS = ("ref", "set", "list")
"""What holds ids of members."""


def title_of(symbols: Symbols, kind: str, member: str) -> str:
    """What a member is called; what the rules do not know, by its id in words."""
    known = symbols.kinds.get(kind)
    number = known.index.get(member) if known is not None else None
    return spoken(member) if known is None or number is None else known.titles[number]


def called(symbols: Symbols, path: str) -> str:
    """What a value is called that stands at a path of a view: of what it is the value, and what it tells of that.

    >>> called(Symbols(), "player.red.coins"), called(Symbols(), "game.days_left")
    ('red, coins', 'days left')
    """
    variable, parts = _variable(symbols, path), path.split(".")
    ids = parts[2:] if variable is None or not variable.owner else [parts[1], *parts[3:]]
    if variable is None or len(ids) != len(variable.kinds):  # other rules have it, or had it for other things
        return ", ".join(map(spoken, parts[1:] or parts))
    titles = [title_of(symbols, kind, id) for kind, id in zip(variable.kinds, ids, strict=True)]
    owners = titles[:1] if variable.owner else []
    return ", ".join([*owners, variable.heading, *titles[len(owners) :]])


def value_of(symbols: Symbols, path: str, value: str) -> str:
    """A value at a path of a view; ids of members by their titles.

    >>> value_of(Symbols(), "game.days_left", "3")
    '3'
    """
    variable = _variable(symbols, path)
    if variable is None or variable.type.base not in MEMBERS:
        return value
    known = symbols.kinds[variable.type.kind].index
    return "; ".join(
        title_of(symbols, variable.type.kind, each) if each in known else each for each in value.split(", ")
    )


def _variable(symbols: Symbols, path: str) -> Variable | None:
    """What the state at a path of a view is declared as; None where these rules have no such state."""
    owner, *parts = path.split(".")
    if owner == "game" and parts:
        return symbols.state.get(parts[0])
    known = symbols.kinds.get(owner)
    return known.state.get(parts[1]) if known is not None and len(parts) > 1 else None
