"""The rules one by one, and what stands in each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from polis_rules.semantics import TypedRules, every_step, ir, outside
from polis_rules.semantics.expressions import Expr
from polis_rules.validation.analysis import walking
from polis_rules.validation.analysis.keeping import Kept


@dataclass(frozen=True, eq=False)
class Rule:
    """A procedure with the conditions of its action, or expressions that stand outside of steps."""

    path: str
    """of the procedure; for what stands outside, what it is: `term rent`"""
    procedure: ir.Procedure | None
    action: ir.ActionRule | None
    outside: tuple[Expr, ...] = ()

    @property
    def possible(self) -> bool:
        """Whether this says only when an action is possible, which is looked at with the action."""
        return self.path.startswith("possible ")

    @property
    def conditions(self) -> tuple[ir.Condition, ...]:
        """What must hold before an action is begun."""
        return self.action.conditions if self.action is not None else ()

    @cached_property
    def steps(self) -> tuple[ir.Step, ...]:
        """Every step, however deep."""
        return tuple(every_step(self.procedure.body)) if self.procedure is not None else ()

    @cached_property
    def lists(self) -> tuple[tuple[ir.Step, ...], ...]:
        """Every list of steps, however deep."""
        return tuple(walking.lists(self.procedure.body)) if self.procedure is not None else ()

    @cached_property
    def repeated(self) -> tuple[ir.Step, ...]:
        """The first choices of what is repeated as long as they have an option."""
        return tuple(step.body[0] for step in self.steps if isinstance(step, ir.Choices) and step.body)

    @cached_property
    def expressions(self) -> tuple[Expr, ...]:
        """Every expression, outermost only."""
        inside = (tree for step in self.steps for tree in step.expressions())
        asked = (tree for condition in self.conditions for tree in condition.expressions())
        return (*inside, *asked, *self.outside)

    @cached_property
    def parts(self) -> tuple[Expr, ...]:
        """All parts of all expressions."""
        return tuple(part for tree in self.expressions for part in tree.walk())


def each_rule(rules: TypedRules, kept: Kept) -> dict[str, Rule]:
    """All rules by their paths; the very same as before where they have not changed."""
    actions = {action.procedure: action for action in rules.actions}
    by_path = {}
    for path, procedure in rules.procedures.items():
        action = actions.get(path)
        by_path[path] = kept.of((Rule, path), (procedure, action), partial(Rule, path, procedure, action))
    for word, trees in outside(rules).items():
        by_path[word] = kept.of((Rule, word), trees, partial(Rule, word, None, None, trees))
    return by_path
