"""How much steps may do at one go, and which expressions multiply."""

from __future__ import annotations

from functools import cache

from polis_rules.semantics import Ranges, TypedRules, called_by, ir
from polis_rules.semantics.expressions import Arith, Call, Const, Expr, Formula

LITTLE = 1000
"""Loops that go round at most so often, those inside them counted, need no counting while they run."""


class Work:
    """Measures the rules of one ruleset."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self.procedure = cache(self._procedure)
        self.multiplies = cache(self._multiplies)

    def is_much(self, step: ir.Step) -> bool:
        """Whether a loop may go round more than LITTLE times, with all that it calls."""
        return self.rounds(step) > LITTLE

    def rounds(self, step: ir.Step) -> int:
        """How often loops go round in a step at most; more than LITTLE where nobody knows."""
        inside = sum(self.rounds(inner) for steps in step.children() for inner in steps)
        inside += max((self.procedure(path) for path in called_by(step, self.rules.symbols)), default=0)
        match step:
            case ir.Each() if step.domain.type.base == "list":
                return Ranges(self.rules.symbols).most_listed(step.domain) * (1 + inside)
            case ir.Each():
                return len(self.rules.symbols.kinds[step.domain.type.kind].members) * (1 + inside)
            case ir.Times(_, Const(_, times)):
                return times * (1 + inside)
            case ir.Times() | ir.While():
                return LITTLE + 1
        return inside

    def _procedure(self, path: str) -> int:
        """The same of a procedure, called once."""
        return sum(map(self.rounds, self.rules.procedures[path].body))

    def _multiplies(self, tree: Expr) -> bool:
        """Whether something that is not known is multiplied in an expression or in what it calls."""
        return any(map(self._part_multiplies, tree.walk()))

    def _part_multiplies(self, part: Expr) -> bool:
        if isinstance(part, Arith):
            return part.op == "*" and not isinstance(part.left, Const) and not isinstance(part.right, Const)
        if not isinstance(part, (Call, Formula)):
            return False
        called: list[Expr | None]
        if isinstance(part, Call):
            called = [self.rules.symbols.terms[part.term].body]
        else:
            called = [*self.rules.symbols.kinds[part.owner].attributes[part.name].formulas.values()]
        return any(body is not None and self.multiplies(body) for body in called)
