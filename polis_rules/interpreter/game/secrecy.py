"""Which dice and draws end up in state that not everybody may see, so that their outcomes are told to few."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from polis_rules.diagnostics import Span
from polis_rules.interpreter.evaluator import (
    Evaluator,
    Names,
    NothingThereError,
    State,
    names_told,
    reads_hidden,
    unseen_by,
)
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import Source, Sources, called_by, every_variable, inside, ir
from polis_rules.semantics.expressions import Expr, Load, Var, free_names


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


class Made(NamedTuple):
    """What a local name is made of that not everybody may know: outcomes of points, and hidden state."""

    points: list[int]
    sources: list[Source]


class Secrecy:
    """Follows the outcome of each roll and draw, through names and calls, into hidden state.

    What a condition makes of an outcome is not followed: a die that everybody sees may decide what is hidden.
    """

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self.program = program
        self.evaluator = evaluator
        self.symbols = program.rules.symbols
        self.everybody = (1 << self.symbols.count("player")) - 1
        self._steps = cache(self._all_steps)
        self._hidden: dict[int, list[Written]] = {}
        self._named: dict[int, dict[str, Made]] = {}
        self._open: dict[Span, bool] = {}

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

    def places(self, point: int, names: Names, state: State) -> Iterator[tuple[Load, tuple[int, ...]]]:
        """The hidden places that an outcome or an answer is written to, as far as other names say which, each with its
        indexes."""
        outcome = self.program.points[point].step.var
        for written in self._written(point):
            if written.known and outcome not in _names(written.target):
                with suppress(NothingThereError, ArithmeticError, LookupError):
                    yield (
                        written.target,
                        tuple(self.evaluator.value(arg, state, names) for arg in written.target.args),
                    )

    def named(self, point: int) -> dict[str, Made]:
        """The local names that the words or the conditions of a point read, as far as they are made of a secret."""
        if point not in self._named:
            here = self.program.points[point]
            made = {name: self._made(here.step, name) for name in names_told(here.step, self.program.rules)}
            self._named[point] = {name: each for name, each in made.items() if each.points or each.sources}
        return self._named[point]

    def _made(self, step: ir.Step, name: str) -> Made:
        """The secrets that a name is made of where a step reads it."""
        names, sources = self._sources.of(step, name)
        rules = self.program.rules
        hidden = [source for source in sources if reads_hidden(source.tree, rules)]
        return Made([point for point, out in self._secret.items() if not out.isdisjoint(names)], hidden)

    def is_open(self, tell: ir.Tell) -> bool:
        """Whether everybody may know what stands in braces where a step says how it is told."""
        if tell.span not in self._open:
            trees = [tree for _, tree in tell.shown]
            names = sorted({name for tree in trees for name in free_names(tree)} - {"you"})
            made = [self._made(step, name) for step in self._tells[tell.span] for name in names]
            is_hidden = any(reads_hidden(tree, self.program.rules) for tree in trees)
            self._open[tell.span] = not is_hidden and not any(each.points or each.sources for each in made)
        return self._open[tell.span]

    @cached_property
    def _tells(self) -> dict[Span, list[ir.Tell]]:
        """The steps that say how something is told, by their place."""
        found: dict[Span, list[ir.Tell]] = {}
        for path in self.program.rules.procedures:
            for step, _ in self._steps(path):
                if isinstance(step, ir.Tell):
                    found.setdefault(step.span, []).append(step)
        return found

    @cached_property
    def _sources(self) -> Sources:
        return Sources(self.program.rules.procedures, self.symbols)

    @cached_property
    def _secret(self) -> dict[int, set[tuple[str, str]]]:
        """The points at which something may be chosen, or come out, that not everybody is told, with its names."""
        secret = {}
        for number, point in enumerate(self.program.points):
            step = point.step
            if step.secret if isinstance(step, ir.Choose) else self.concerns(number) or step.seen_by is not None:
                names = [name for name, _ in step.chosen] if isinstance(step, ir.Choose) else [step.var]
                secret[number] = {(point.procedure, name) for name in names}
        return secret

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
        if isinstance(step, ir.Give):
            got = self._answers.get(step.target.name, ()) if name.name in _names(step.value) else ()
            return [Name(procedure, var, None) for procedure, var in got]
        if isinstance(step, ir.Do):
            params = self.program.rules.procedures[step.procedure].params
        elif isinstance(step, ir.DoEffects):
            params = self.symbols.kinds[step.owner].attributes[step.name].params
        else:
            return []
        given = [param for param, arg in zip(params, step.args, strict=True) if name.name in _names(arg)]
        return [Name(path, param, () if here else None) for path in called_by(step, self.symbols) for param in given]

    @cached_property
    def _answers(self) -> dict[str, list[tuple[str, str]]]:
        """The names that the answers of rules are given, each after its procedure, by the state that holds them."""
        found: dict[str, list[tuple[str, str]]] = {}
        for path in self.program.rules.procedures:
            for step, _ in self._steps(path):
                if isinstance(step, ir.Let) and isinstance(step.value, Load):
                    found.setdefault(step.value.name, []).append((path, step.var))
        return found

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
