"""How much steps may do at one go, and which expressions multiply."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from polis_rules.semantics import Ranges, TypedRules, called_by, ir, measurer
from polis_rules.semantics.expressions import Arith, Call, Const, Expr, Formula

LITTLE = 5000
"""Steps that work out at most so many parts of expressions are not counted while they run."""

COUNTED = 100
"""So many parts, worked out in what is counted, count like one round of a loop."""

STEP = 5
"""How many parts a step counts for, or a call, besides those of its expressions."""


class Work:
    """Measures the rules of one ruleset.

    What may be done between two points is bounded because loops and procedures that may do much are counted, by how
    much that is; what is not counted is little.
    """

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self.measure = measurer(rules)
        self.called = cache(self._called)
        self.known: dict[int, tuple[ir.Step, int]] = {}
        """how many parts the rounds of loops work out, by their identity"""
        self.multiplies = cache(self._multiplies)

    def counts(self, step: ir.Step) -> int:
        """How much a round of a loop counts for; 0 where the loop as a whole does little."""
        inside = self.inside(step)
        is_much = self.most_rounds(step) * inside > LITTLE
        return 1 + inside // COUNTED if is_much else 0

    def counts_call(self, path: str) -> int:
        """How much a call of a procedure counts for; 0 where it does little."""
        return self.counts_all(self.rules.procedures[path].body)

    def counts_all(self, steps: Iterable[ir.Step]) -> int:
        """How much steps count for that follow one another; 0 where they do little."""
        parts = self.all_of(steps)
        return parts // COUNTED if parts > LITTLE else 0

    def all_of(self, steps: Iterable[ir.Step]) -> int:
        """How many parts some steps work out at most that are not counted inside them."""
        return sum(map(self.parts, steps))

    def parts(self, step: ir.Step) -> int:
        """The same of one step."""
        own = STEP + sum(self.measure(each).work for each in step.expressions())
        own += max(map(self.called, called_by(step, self.rules.symbols)), default=0)
        match step:
            case ir.If():
                return own + max(self.all_of(step.then), self.all_of(step.other))
            case ir.Each() | ir.Times() | ir.While():
                return own if self.counts(step) else own + self.most_rounds(step) * self.inside(step)
        return own + sum(map(self.all_of, step.children()))

    def inside(self, step: ir.Step) -> int:
        """The same of one round of a loop."""
        if id(step) not in self.known:
            body = step.body if isinstance(step, (ir.Each, ir.Times, ir.While)) else ()
            self.known[id(step)] = step, STEP + self.all_of(body)
        return self.known[id(step)][1]

    def _called(self, path: str) -> int:
        """The same of a procedure, called once."""
        return STEP if self.counts_call(path) else STEP + self.all_of(self.rules.procedures[path].body)

    def most_rounds(self, step: ir.Step) -> int:
        """How often a loop goes round at most; more than LITTLE where nobody knows, 0 of what is no loop."""
        match step:
            case ir.Each() if step.domain.type.base == "list":
                return Ranges(self.rules.symbols).most_listed(step.domain)
            case ir.Each():
                return self.rules.symbols.count(step.domain.type.kind)
            case ir.Times(_, Const(_, times)):
                return times
            case ir.Times() | ir.While():
                return LITTLE + 1
        return 0

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
