"""Pieces that come from nowhere or go nowhere: a supply whose reserve and places do not change together.

Why: the pieces of a supply must add up after every decision; one side changed alone breaks that in play.
Example: `set: {you.pieces: you.pieces - 1}` in a rule that never says where the piece is put; `move: 1`,
`from: you.pieces`, `to: you.coins`, where no place of the supply is `coins`; `set: {town.owner: none}` where a supply
counts the towns of a player, and nothing goes back to the reserve.
Pieces that a supply counts one by one are changed by `move` alone, and the compiler sees to it.
"""

from __future__ import annotations

from polis_rules.semantics import Supply, ir
from polis_rules.validation.analysis import Key, Rule, Subject, keys, walking


def check(subject: Subject) -> None:
    """Report `from-nowhere`."""
    called = subject.effects.callers.items()
    callers = {path: by for path, by in called if path.startswith(("procedures.", "phases."))}
    for supply in subject.rules.supplies:
        _reserve(supply, callers, subject)
        _owners(supply, callers, subject)
    _moves(subject)


def _reserve(supply: Supply, callers: dict[str, set[str]], subject: Subject) -> None:
    """A reserve that is set where no place is."""
    places = _places(supply, subject)
    for path, rule in subject.effects.units.items():
        step, near = _set(rule, keys(supply.reserve)), {path, *callers.get(path, ())}
        if step is not None and not any(subject.effects.writes(each) & places for each in near):
            message = f"this takes or gives pieces of `{supply.name}`, and the rule puts them nowhere"
            _report(message, step, supply, subject)


def _owners(supply: Supply, callers: dict[str, set[str]], subject: Subject) -> None:
    """Things that a supply counts by whose they are, given to somebody while all of its pieces stay where they are."""
    places = _places(supply, subject)
    of_things = keys(part for tree in supply.places.values() for part in tree.walk())
    whose = frozenset(key for key in places & of_things if _names(key, supply, subject))
    pieces = places - whose | keys(supply.reserve)
    for path, rule in subject.effects.units.items():
        step = _set(rule, whose)
        if step is not None and not _moved(path, pieces, callers, subject):
            message = f"this changes whose pieces of `{supply.name}` these are, and none is put anywhere or taken back"
            _report(message, step, supply, subject)


def _names(key: Key, supply: Supply, subject: Subject) -> bool:
    """Whether state says of a thing to whom of those it belongs that have such a supply."""
    return bool(key[0]) and supply.per != "" and subject.symbols.variable(*key).type.kind == supply.per


def _moved(path: str, pieces: frozenset[Key], callers: dict[str, set[str]], subject: Subject) -> bool:
    """Whether a procedure changes any of these, or each rule that calls it does, by itself or by one that it calls."""
    above = callers.get(path, set())
    if subject.effects.writes(path) & pieces:
        return True
    return bool(above) and all(_near(each, subject) & pieces for each in above)


def _near(path: str, subject: Subject) -> frozenset[Key]:
    """What a procedure changes itself, and what those that it calls by name change themselves."""
    called = (step.procedure for step in subject.effects.units[path].steps if isinstance(step, ir.Do))
    return frozenset[Key]().union(*(subject.effects.own(each).writes for each in (path, *called)))


def _moves(subject: Subject) -> None:
    """Pieces that are moved from or to where their supply does not count them."""
    for supply in subject.rules.supplies:
        inside = _places(supply, subject) | keys(supply.reserve)
        for step in subject.steps:
            outside = [load for load in step.targets() if (load.owner, load.name) not in inside]
            if isinstance(step, ir.Move) and len(outside) == 1:
                at, related = walking.place(outside[0]), (("the supply", supply.span),)
                lost = "there are no longer" if outside[0] is step.target else "from there were not"
                message = f"`{outside[0].name}` is not among the places of supply `{supply.name}`"
                message += f"; pieces moved {lost} counted"
                subject.found.warning("from-nowhere", message, at, related=related)


def _report(message: str, step: ir.Set, supply: Supply, subject: Subject) -> None:
    related = (("the supply", supply.span),)
    subject.found.warning("from-nowhere", message, walking.name_span(step), related=related, confidence="likely")


def _places(supply: Supply, subject: Subject) -> frozenset[Key]:
    """The state that a supply counts, the reserve left out."""
    places = frozenset[Key]().union(*(subject.effects.reads(tree) for tree in supply.places.values()))
    return places - keys(supply.reserve)


def _set(rule: Rule, states: frozenset[Key]) -> ir.Set | None:
    sets = (step for step in rule.steps if isinstance(step, ir.Set))
    return next((step for step in sets if (step.target.owner, step.target.name) in states), None)
