"""State that a player may not see, but could tell from the options or reads in a title.

Why: whoever is offered some options and not others learns what the state must be.
Example: `held: {per: {owner: player}, type: 0..5, seen_by: viewer == owner}`, and a choice of `you` with
`where: card.held[next(you)] > 0`, `from: 0..card.held[next(you)]` or `title: Beat {card.held[next(you)]}`.
"""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostics
from polis_rules.semantics import every_step, every_variable, ir
from polis_rules.semantics.expressions import Bool, Call, Comp, Compare, Expr, IfElse, Load, Type, Var, substitute
from polis_rules.validation.analysis import DEEPEST, Facts, Flow, Subject, explained, walking

YOU = Var(Type("ref", "player"), "you")


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `hidden-state`."""
    if any(variable.seen_expr is not None for variable in every_variable(subject.symbols)):
        _Secrets(subject, diagnostics).rules(_asks)


def _asks(procedure: ir.Procedure) -> bool:
    """Whether a procedure has a decision, as that of every action may have."""
    decides = any(isinstance(step, ir.Choose) for step in every_step(procedure.body))
    return decides or procedure.path.startswith("actions.")


class _Secrets(Flow):
    """Looks at everything that decides what a player is offered or reads, knowing what the conditions before it say."""

    def __init__(self, subject: Subject, diagnostics: Diagnostics) -> None:
        super().__init__(subject)
        self.diagnostics = diagnostics
        self.chooser: Expr = YOU

    def choose(self, step: ir.Choose, facts: Facts) -> Facts:
        outer, self.chooser = self.chooser, step.who or YOU
        for tree in (step.source, step.low, step.high):
            if tree is not None:
                self.ask(tree, facts, "could tell it from the options")
        for tree in walking.shown(step):
            self.ask(tree, facts, "reads it in the title")
        after = super().choose(step, facts)
        self.chooser = outer
        return after

    def conditions(self, step: ir.Step | None, conditions: tuple[ir.Condition, ...], facts: Facts) -> Facts:
        for condition in conditions if not isinstance(step, ir.Draw) else ():
            self.ask(condition.test, facts, "could tell it from the options")
            facts = facts.assuming(condition.test, True)
        return facts if not isinstance(step, ir.Draw) else super().conditions(step, conditions, facts)

    def ask(self, tree: Expr, facts: Facts, how: str) -> None:
        """Report the first part of an expression that tells something hidden."""
        load = self.hidden(tree, facts)
        if load is not None:
            variable = self.subject.symbols.variable(load.owner, load.name)
            message = f"whoever is asked here may not see `{load.name}`, but {how}"
            related = (("who sees it", variable.seen_by.span if variable.seen_by is not None else variable.span),)
            at = walking.place(tree)
            self.diagnostics.warning("hidden-state", message, at, related=related, confidence="likely")

    def hidden(self, tree: Expr, facts: Facts, deep: int = DEEPEST) -> Load | None:
        """State that the chooser may not see, and that an expression reads, terms followed."""
        parts: list[tuple[Expr, Facts]] = []
        match tree:
            case Bool():
                for item in tree.items:
                    parts.append((item, facts))
                    facts = facts.assuming(item, tree.op == "and")
            case IfElse():
                parts.append((tree.test, facts))
                parts += [(tree.then, facts.assuming(tree.test, True)), (tree.other, facts.assuming(tree.test, False))]
            case Comp():
                inner = facts.inside(tree)
                parts.append((tree.domain, facts))
                if tree.test is not None:
                    parts.append((tree.test, inner))
                    inner = inner.assuming(tree.test, True)
                parts.append((tree.body, inner))
            case Call():
                parts += [(arg, facts) for arg in tree.args]
                body = explained(tree, self.subject.symbols) if deep else None
                if body is not None:
                    parts.append((body, facts))
                deep -= 1
            case Compare():  # whether one sees something is no secret
                for side in (tree.left, tree.right):
                    parts += [(part, facts) for part in (side.children() if self.tells(tree, side) else (side,))]
            case Load() if not self.sees(tree, facts):
                return tree
            case _:
                parts += [(child, facts) for child in tree.children()]
        return next((load for part, known in parts if (load := self.hidden(part, known, deep)) is not None), None)

    def sight(self, load: Load) -> Expr | None:
        """The condition under which the chooser sees a value; None where everybody does."""
        variable = self.subject.symbols.variable(load.owner, load.name)
        names = (["it"] if variable.owner else []) + [name for name, _ in variable.per]
        given = {**dict(zip(names, load.args, strict=True)), "viewer": self.chooser}
        return substitute(variable.seen_expr, given) if variable.seen_expr is not None else None

    def sees(self, load: Load, facts: Facts) -> bool:
        """Whether the chooser certainly sees a value."""
        sight = self.sight(load)
        return sight is None or facts.verdict(sight) is True

    def tells(self, tree: Compare, side: Expr) -> bool:
        """Whether a comparison asks of a value just what decides whether the chooser sees it."""
        sight = self.sight(side) if isinstance(side, Load) else None
        same = isinstance(sight, Compare) and {sight.op, tree.op} <= {"==", "!="}
        return same and isinstance(sight, Compare) and {sight.left, sight.right} == {tree.left, tree.right}
