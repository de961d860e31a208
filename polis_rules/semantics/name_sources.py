"""What the local names at a step are made of, through `let`, loops, calls and answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from polis_rules.semantics import ir
from polis_rules.semantics.expressions import INT, Expr, Load, Var, free_names, substitute
from polis_rules.semantics.symbols import ANSWER, Symbols
from polis_rules.semantics.traversal import called_by, inside

FORGOTTEN = Var(INT, "(forgotten)")


class Source(NamedTuple):
    """An expression that a name is made of, and the procedure whose names it reads; "" if these mean nothing any more.

    `same_you` where whoever is `you` at the step was it there, too.
    """

    procedure: str
    tree: Expr
    same_you: bool


class Place(NamedTuple):
    """Where a step stands: the `as` and `each: you` around it, by identity, and which names mean what."""

    procedure: str
    around: tuple[int, ...]
    names: Mapping[str, Given]


@dataclass(frozen=True, eq=False, slots=True)
class Given:
    """A place where a name gets a value, with the expressions that this is made of: none of a choice, roll or draw."""

    place: Place
    trees: tuple[Expr, ...] = ()
    answer_to: ir.Do | None = None
    """the call whose answer it is"""


class Reader(NamedTuple):
    """A name that is read, and what gives it its value: None where it is a parameter."""

    procedure: str
    name: str
    given: Given | None
    around: tuple[int, ...] | None
    """the same as of a place; None where `you` is somebody else than at the step that is asked about"""
    gone: bool = False
    """whether that procedure has ended, so that its names are forgotten"""


class Sources:
    """Follows the local names of some procedures back to what they are made of there."""

    def __init__(self, procedures: Mapping[str, ir.Procedure], symbols: Symbols) -> None:
        self.procedures = procedures
        self.symbols = symbols
        self._places: dict[int, Place] = {}
        """of each step, by identity"""
        self._params: defaultdict[tuple[str, str], list[Given]] = defaultdict(list)
        """what is given to a procedure where it is called"""
        self._answers: defaultdict[str, list[Given]] = defaultdict(list)
        """by the state that holds an answer"""
        for path, procedure in procedures.items():
            self._walk(procedure.body, Place(path, (), {}))

    def of(self, step: ir.Step, name: str) -> tuple[set[tuple[str, str]], list[Source]]:
        """The names, each after its procedure, and the expressions that a name is made of where a step reads it."""
        place = self._places[id(step)]
        reached = dict.fromkeys(_read([name], place, place.around))
        waiting, sources = list(reached), []
        for reader in waiting:
            for source, readers in self._sources(reader):
                sources.append(source)
                waiting += [each for each in readers if each not in reached]
                reached |= dict.fromkeys(readers)
        return {(reader.procedure, reader.name) for reader in reached}, sources

    def _sources(self, reader: Reader) -> Iterator[tuple[Source, list[Reader]]]:
        """What a name is made of at once, and the names read there."""
        is_param = reader.given is None
        for given in [reader.given] if reader.given is not None else self._params[reader.procedure, reader.name]:
            fits = reader.around == (() if is_param else given.place.around)
            around = given.place.around if fits else None
            if given.answer_to is not None:
                yield from self._answered(given.place, given.answer_to, around, reader.gone)
                continue
            for tree in given.trees:
                source = Source("" if reader.gone else given.place.procedure, tree, fits)
                yield source, list(_read(free_names(tree), given.place, around, reader.gone))

    def _answered(
        self, place: Place, call: ir.Do, around: tuple[int, ...] | None, gone: bool
    ) -> Iterator[tuple[Source, list[Reader]]]:
        """What the answer to a call is made of: expressions of the rule that answers, of what the call says."""
        called = self.procedures.get(call.procedure)
        if called is None:
            return
        asked = [each for arg in call.args for each in _read(free_names(arg), place, around, gone)]
        known = dict.fromkeys(called.locals, FORGOTTEN) | dict(zip(called.params, call.args, strict=True))
        for answer in self._answers[f"{call.procedure}.{ANSWER}"]:
            same = around is not None and not answer.place.around
            for tree in answer.trees:
                source = Source("" if gone else place.procedure, substitute(tree, known), same)
                yield source, [*asked, *_read(free_names(tree), answer.place, () if same else None, True)]

    def _walk(self, steps: Iterable[ir.Step], place: Place) -> None:
        before: ir.Step | None = None
        for step in steps:
            self._places[id(step)] = place
            self._calls(step, place)
            names = {name: Given(place, trees) for name, trees in _given(step)}
            is_answer = isinstance(step, ir.Let) and isinstance(step.value, Load) and step.value.name.endswith(ANSWER)
            if is_answer and isinstance(before, ir.Do):
                names = {name: Given(place, answer_to=before) for name in names}
            inner = place._replace(names={**place.names, **names})
            if isinstance(step, ir.Several):
                self._places[id(step.choice)] = inner
            if isinstance(step, ir.As) or "you" in names:
                inner = inner._replace(around=(*place.around, id(step)))
            for part in inside(step):
                self._walk(part, inner)
            place = place if isinstance(step, ir.Each) else place._replace(names=inner.names)
            before = step

    def _calls(self, step: ir.Step, place: Place) -> None:
        """Note what a step gives to the rules that it calls, or as an answer."""
        match step:
            case ir.Give():
                self._answers[step.target.name].append(Given(place, (step.value,)))
            case ir.Do() if step.procedure in self.procedures:
                params = self.procedures[step.procedure].params
            case ir.DoEffects():
                params = self.symbols.kinds[step.owner].attributes[step.name].params
            case _:
                return
        if isinstance(step, ir.Do | ir.DoEffects):
            for called in called_by(step, self.symbols):
                for param, arg in zip(params, step.args, strict=True):
                    self._params[called, param].append(Given(place, (arg,)))


def _given(step: ir.Step) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """The names that a step gives values to, with what these are made of."""
    match step:
        case ir.Let():
            yield step.var, (step.value,)
        case ir.Each():
            yield step.var, (step.domain, *([step.test] if step.test is not None else ()))
        case ir.Choose():
            yield from ((name, ()) for name, _ in step.chosen)
        case ir.Roll() | ir.Draw() | ir.Several():
            yield step.var, ()


def _read(names: Iterable[str], place: Place, around: tuple[int, ...] | None, gone: bool = False) -> Iterator[Reader]:
    """Names that are read at a place, but `you`."""
    for name in sorted({*names} - {"you"}):
        yield Reader(place.procedure, name, place.names.get(name), around, gone)
