"""Which dice and draws end up in state that not everybody may see, so that their outcomes are told to few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from polis_rules.interpreter.evaluator import Evaluator, Names, NothingThereError, State, may_see
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import calls, every_step, ir
from polis_rules.semantics.expressions import Expr, Load, Var

Written = tuple[str, Load]
"""A place of the state that is written to, and the procedure in which that happens."""

Name = tuple[str, str]
"""A local name and its procedure."""


class Secrecy:
    """Follows the outcome of each roll and draw, through names and calls, into hidden state.

    What a condition makes of an outcome is not followed: a die that everybody sees may decide what is hidden.
    """

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self.program = program
        self.evaluator = evaluator
        self.everybody = (1 << len(program.rules.symbols.kinds["player"].members)) - 1
        self._hidden: dict[int, list[Written]] = {}

    def concerns(self, point: int) -> bool:
        """Whether what comes out at a point of chance may be written to hidden state."""
        return bool(self._written(point))

    def unseen_by(self, point: int, names: Names, state: State) -> int:
        """The players (as bits) who may not know what came out at a point of chance.

        `names` are those known there, with the outcome; `state` is what it has led to.
        """
        bits = 0
        here = self.program.points[point].procedure
        for procedure, target in self._written(point):
            variable = self.program.rules.symbols.variable(target.owner, target.name)
            known = names if procedure == here else {}
            try:
                indexes = tuple(self.evaluator.value(arg, state, known) for arg in target.args)
            except (KeyError, NothingThereError):
                return self.everybody  # where it went cannot be told here
            for viewer in range(self.everybody.bit_length()):
                if not may_see(self.evaluator, variable, state, indexes, viewer):
                    bits |= 1 << viewer
        return bits

    def _written(self, point: int) -> list[Written]:
        """The hidden state that an outcome is written to."""
        if point not in self._hidden:
            step = self.program.points[point].step
            assert not isinstance(step, ir.Choose)
            self._hidden[point] = list(self._reached((self.program.points[point].procedure, step.var)))
        return self._hidden[point]

    def _reached(self, name: Name) -> Iterator[Written]:
        waiting, known = [name], {name}
        while waiting:
            procedure, var = waiting.pop()
            for step in every_step(self.program.rules.procedures[procedure].body):
                if isinstance(step, (ir.Amount, ir.Move, ir.Set)):
                    yield from ((procedure, target) for target in self._targets(step, var))
                found = [each for each in self._passed_on(procedure, step, var) if each not in known]
                waiting += found
                known.update(found)

    def _passed_on(self, procedure: str, step: ir.Step, var: str) -> list[Name]:
        """The names that a step gives a value made of a name."""
        if isinstance(step, ir.Let):
            return [(procedure, step.var)] if _reads(step.value, var) else []
        if isinstance(step, ir.Do):
            params = self.program.rules.procedures[step.procedure].params
        elif isinstance(step, ir.DoEffects):
            params = self.program.rules.symbols.kinds[step.owner].attributes[step.name].params
        else:
            return []
        given = [param for param, arg in zip(params, step.args, strict=True) if _reads(arg, var)]
        return [(path, param) for path in calls(step, self.program.rules.symbols) for param in given]

    def _targets(self, step: ir.Step, var: str) -> list[Load]:
        """The hidden state that a step changes by a value, or at a place, that a name says."""
        parts = [getattr(step, item.name) for item in fields(step)]
        trees = [part for part in parts if isinstance(part, Expr)]
        variable = self.program.rules.symbols.variable
        if not any(_reads(tree, var) for tree in trees):
            return []
        places = [tree for tree in trees if isinstance(tree, Load)]
        return [each for each in places if variable(each.owner, each.name).seen_expr is not None]


def _reads(tree: Expr, var: str) -> bool:
    return any(isinstance(part, Var) and part.name == var for part in tree.walk())
