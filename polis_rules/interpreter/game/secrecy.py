"""Which dice and draws end up in state that not everybody may see, so that their outcomes are told to few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from polis_rules.interpreter.evaluator import Evaluator, Names, NothingThereError, State, names_told, unseen_by
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import called_by, every_variable, inside, ir
from polis_rules.semantics.expressions import Expr, Load, Var


@dataclass(frozen=True, slots=True)
class Written:
    """A place of the state that an outcome is written to; `known` where its names mean there what they mean here."""

    target: Load
    known: bool


@dataclass(frozen=True, slots=True)
class Name:
    """A local name that holds what is made of an outcome; `inside` are the loops and `as` around, by identity.
    None where that is another procedure, in which somebody else may act."""

    procedure: str
    name: str
    inside: tuple[int, ...] | None


class Secrecy:
    """Follows the outcome of each roll and draw, through names and calls, into hidden state.

    What a condition makes of an outcome is not followed: a die that everybody sees may decide what is hidden.
    """

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self.program = program
        self.evaluator = evaluator
        self.symbols = program.rules.symbols
        self.everybody = (1 << len(self.symbols.kinds["player"].members)) - 1
        self._steps = cache(self._all_steps)
        self._hidden: dict[int, list[Written]] = {}
        self._named: dict[int, dict[str, list[int]]] = {}

    def concerns(self, point: int) -> bool:
        """Whether what comes out at a point of chance may be written to hidden state."""
        return bool(self._written(point))

    def unseen_by(self, point: int, names: Names, state: State) -> int:
        """The players (as bits) who may not know what came out at a point of chance.

        `names` are those known there, with the outcome; `state` is what it has led to.
        """
        bits = 0
        for written in self._written(point):
            if not written.known:
                return self.everybody  # who may see the place cannot be said here
            try:
                indexes = tuple(self.evaluator.value(arg, state, names) for arg in written.target.args)
            except NothingThereError:
                return self.everybody
            bits |= unseen_by(self.evaluator, written.target, state, indexes)
        return bits

    def named(self, point: int) -> dict[str, list[int]]:
        """The local names that the words of a decision read, each with the points where something secret may come out
        that it is made of."""
        if point not in self._named:
            here = self.program.points[point]
            told = names_told(here.step, self.program.rules)
            made = {source: self._made_of(source) for source in self._secret} if told else {}
            known = {name: [at for at, names in made.items() if (here.procedure, name) in names] for name in told}
            self._named[point] = {name: sources for name, sources in known.items() if sources}
        return self._named[point]

    @cached_property
    def _secret(self) -> list[int]:
        """The points at which something may be chosen, or come out, that not everybody is told."""
        steps = [point.step for point in self.program.points]
        return [
            number
            for number, step in enumerate(steps)
            if (step.secret if isinstance(step, ir.Choose) else self.concerns(number) or step.seen_by is not None)
        ]

    def _made_of(self, point: int) -> set[tuple[str, str]]:
        """The local names, each after its procedure, that hold what is made of what comes out at a point."""
        step, procedure = self.program.points[point].step, self.program.points[point].procedure
        names = [name for name, _ in step.chosen] if isinstance(step, ir.Choose) else [step.var]
        return {(each.procedure, each.name) for name in names for each in self._holding(Name(procedure, name, ()))}

    def _written(self, point: int) -> list[Written]:
        """The hidden state that an outcome is written to."""
        if all(each.open for each in every_variable(self.symbols)):
            return []
        if point not in self._hidden:
            step, procedure = self.program.points[point].step, self.program.points[point].procedure
            loops = next((around for each, around in self._steps(procedure) if each is step), ())
            fixed = {"you", step.var, *self.program.rules.procedures[procedure].params}
            fixed |= {each.var for each in loops if isinstance(each, ir.Each)}
            self._hidden[point] = list(self._reached(Name(procedure, step.var, tuple(map(id, loops))), fixed))
        return self._hidden[point]

    def _reached(self, first: Name, fixed: set[str]) -> Iterator[Written]:
        """Where what a name holds is written to; `fixed` are the names that mean the same as at the outcome."""
        for name in self._holding(first):
            usual = fixed if name.procedure == first.procedure else {"you"}
            for step, around in self._steps(name.procedure):
                if isinstance(step, (ir.Amount, ir.Move, ir.Set)):
                    here = name.inside == tuple(map(id, around))
                    for target in self._targets(step, name.name):
                        yield Written(target, here and _names(target) <= usual)

    def _holding(self, first: Name) -> dict[Name, None]:
        """A name, and all that are given a value made of what it holds."""
        found, waiting = {first: None}, [first]
        while waiting:
            name = waiting.pop()
            for step, around in self._steps(name.procedure):
                here = name.inside == tuple(map(id, around))
                new = [each for each in self._passed_on(step, name, here) if each not in found]
                waiting += new
                found.update(dict.fromkeys(new))
        return found

    def _passed_on(self, step: ir.Step, name: Name, here: bool) -> list[Name]:
        """The names that a step gives a value made of a name."""
        if isinstance(step, ir.Let):
            return [Name(name.procedure, step.var, name.inside)] if name.name in _names(step.value) else []
        if isinstance(step, ir.Do):
            params = self.program.rules.procedures[step.procedure].params
        elif isinstance(step, ir.DoEffects):
            params = self.symbols.kinds[step.owner].attributes[step.name].params
        else:
            return []
        given = [param for param, arg in zip(params, step.args, strict=True) if name.name in _names(arg)]
        return [Name(path, param, () if here else None) for path in called_by(step, self.symbols) for param in given]

    def _targets(self, step: ir.Step, name: str) -> list[Load]:
        """The hidden state that a step changes by a value, or at a place, that a name says."""
        trees = list(step.expressions())
        if not any(name in _names(tree) for tree in trees):
            return []
        places = [tree for tree in trees if isinstance(tree, Load)]
        return [each for each in places if not self.symbols.variable(each.owner, each.name).open]

    def _all_steps(self, procedure: str) -> list[tuple[ir.Step, tuple[ir.Step, ...]]]:
        """Every step of a procedure, and the loops and `as` around it that bind names."""
        return list(_walk(self.program.rules.procedures[procedure].body, ()))


def _walk(steps: tuple[ir.Step, ...], around: tuple[ir.Step, ...]) -> Iterator[tuple[ir.Step, tuple[ir.Step, ...]]]:
    for step in steps:
        yield step, around
        inner = (*around, step) if isinstance(step, (ir.Each, ir.As)) else around
        for part in inside(step):
            yield from _walk(part, inner)


def _names(tree: Expr) -> set[str]:
    return {part.name for part in tree.walk() if isinstance(part, Var)}
