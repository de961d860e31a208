"""Effects for all players that read what they have changed for another player already.

Why: without `starting` they are done in table order, so whoever stands first in the table gets another result.
Example: `each: p`, `in: player`, `do: [{if: next(p).coins > 2, then: [{set: {p.coins: 0}}]}]`.
Where players decide something they act in turn, and `starting` says that the order is meant: both are left alone.
"""

from __future__ import annotations

from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Comp, Everyone, Expr, Load, Type, Var
from polis_rules.validation.analysis import Key, Subject, parts, walking

PLAYERS = Everyone(Type("set", "player"))


def check(subject: Subject) -> None:
    """Report `order-matters`."""
    for step in subject.steps:
        if isinstance(step, ir.Each) and step.starting is None and step.domain == PLAYERS:
            _each(step, subject)


def _each(step: ir.Each, subject: Subject) -> None:
    inside = every_step(step.body)
    waiting = (ir.Choose, ir.Perform, ir.Do, ir.DoEffects, ir.Draw, ir.Roll, ir.End, ir.Stop)
    if any(isinstance(each, waiting) for each in inside):
        return
    own: dict[Key, Load] = {}
    for each in inside:
        for load in each.targets():
            if any(isinstance(arg, Var) and arg.name == step.var for arg in load.args):
                own[load.owner, load.name] = load
    for each in inside:
        changed = each.targets()
        for tree in each.expressions():
            if any(tree is load for load in changed):
                continue
            other = _other(tree, own, step.var, subject)
            if other is not None:
                message = f"this reads `{other.name}` of other players, which the loop changes one by one"
                hint = "say where it begins with `starting`, or keep what it was with `let` before the loop"
                related = (("the loop", walking.name_span(step)),)
                subject.found.warning(
                    "order-matters", message, walking.place(tree), hint, related, confidence="possible"
                )
                return


def _other(tree: Expr, own: dict[Key, Load], name: str, subject: Subject) -> Load | None:
    """State that the loop changes for its own player, read here of another one."""
    looped = {part.var for part in tree.walk() if isinstance(part, Comp)}
    for load in (part for part in parts(tree, subject.symbols) if isinstance(part, Load)):
        mine = own.get((load.owner, load.name))
        for arg, at in zip(load.args, mine.args, strict=True) if mine is not None else ():
            same = isinstance(at, Var) and at.name == name
            if same and arg != at and not (isinstance(arg, Var) and arg.name not in looped):
                return load
    return None
