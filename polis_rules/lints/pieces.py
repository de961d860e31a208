"""Pieces that come from nowhere: a reserve that is set while nothing that its supply counts is.

Why: the pieces of a supply must add up after every decision; a reserve changed alone breaks that in play.
Example: `set: {you.pieces: you.pieces - 1}` in a rule that never says where the piece is put.
Pieces that a supply counts one by one are changed by `move` alone, and the compiler sees to it.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.interpreter import ir
from polis_rules.interpreter.blocks import every_step
from polis_rules.interpreter.rules import Supply
from polis_rules.lints.effects import Key
from polis_rules.lints.subject import Subject


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `from-nowhere`."""
    callers = _callers(subject)
    for supply in subject.rules.supplies:
        reserve = (supply.reserve.owner, supply.reserve.name)
        places = _places(supply, subject)
        for path, procedure in subject.rules.procedures.items():
            step = _set(procedure, reserve)
            if step is not None and not any(
                subject.effects.writes(each) & places for each in {path, *callers.get(path, ())}
            ):
                message = f"this takes or gives pieces of `{supply.name}`, and the rule puts them nowhere"
                related = (("the supply", supply.span),)
                at = subject.places.key(step)
                diagnostics.warning("from-nowhere", message, at, related=related, confidence="likely")


def _places(supply: Supply, subject: Subject) -> frozenset[Key]:
    """The state that a supply counts, the reserve left out."""
    found = frozenset[Key]().union(*(subject.effects.reads(tree) for tree in supply.places.values()))
    return found - {(supply.reserve.owner, supply.reserve.name)}


def _set(procedure: ir.Procedure, key: Key) -> ir.Set | None:
    for step in every_step(procedure.body):
        if isinstance(step, ir.Set) and (step.target.owner, step.target.name) == key:
            return step
    return None


def _callers(subject: Subject) -> dict[str, set[str]]:
    """By path the procedures that call it by name."""
    found: dict[str, set[str]] = {}
    for path, procedure in subject.rules.procedures.items():
        for step in every_step(procedure.body):
            if isinstance(step, ir.Do):
                found.setdefault(step.procedure, set()).add(path)
    return found
