"""What one player may see of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import and_, itemgetter, or_
from typing import Generic, NamedTuple, TypeVar, cast

from polis_rules.interpreter.evaluator.evaluate import Evaluator, Names, State
from polis_rules.interpreter.machine import YOU, Layout
from polis_rules.semantics import (
    ANSWER,
    BEGUN,
    COVER,
    Symbols,
    TypedRules,
    Variable,
    every_part,
    every_variable,
    ir,
    requirements,
)
from polis_rules.semantics.expressions import Expr, Load, Size, Var

T = TypeVar("T")


def may_see(evaluator: Evaluator, variable: Variable, state: State, indexes: tuple[int, ...], viewer: int) -> bool:
    """Whether a player may see one value of a state variable."""
    return _shown(evaluator, variable.seen_expr, variable, state, indexes, viewer)


def may_count(evaluator: Evaluator, variable: Variable, state: State, indexes: tuple[int, ...], viewer: int) -> bool:
    """Whether a player may see how many members a list holds."""
    return _shown(evaluator, variable.size_seen_expr, variable, state, indexes, viewer)


def _shown(
    evaluator: Evaluator,
    seen: Expr | None,
    variable: Variable,
    state: State,
    indexes: tuple[int, ...],
    viewer: int,
) -> bool:
    if seen is None and not variable.apart:
        return True
    names = {**dict(zip(variable.names, indexes, strict=True)), "viewer": viewer, "you": state[YOU]}
    begun = {word: state[evaluator.layout.bases["", name]] for word, name in variable.begun.items()}
    return all(evaluator.holds(each, state, names) for each in variable.apart) and (
        seen is None or evaluator.holds(seen, state, {**names, **begun})
    )


def unseen_by(evaluator: Evaluator, load: Load, state: State, indexes: tuple[int, ...]) -> int:
    """The players, as bits, who may not see one value of a state variable."""
    variable = evaluator.symbols.variable(load.owner, load.name)
    if variable.open:
        return 0
    viewers = range(evaluator.symbols.count("player"))
    return sum(1 << viewer for viewer in viewers if not may_see(evaluator, variable, state, indexes, viewer))


Told = list[tuple[Load, tuple[int, ...]]]
"""The values that something which happened tells of."""


def only_counting(evaluator: Evaluator, step: ir.Step, told: Told, state: State) -> int:
    """The players, as bits, who may count what went from list to list, and not see what it was."""
    if not isinstance(step, ir.MoveMembers) or step.amount.type.base == "ref":
        return 0
    return reduce(and_, (unseen_by(evaluator, load, state, indexes) for load, indexes in told))


def untold_to(evaluator: Evaluator, step: ir.Step, told: Told, state: State) -> int:
    """The players, as bits, who may not be told that a step has changed some values.

    Whoever may see one of two lists knows what went from one to the other, and whoever may count them how many did.
    """
    unseen = [(load, unseen_by(evaluator, load, state, indexes)) for load, indexes in told]
    lists = [bits for load, bits in unseen if load.type.base == "list"]
    if not isinstance(step, ir.MoveMembers):
        return reduce(or_, (bits for _, bits in unseen), 0)
    hidden = reduce(or_, (bits for load, bits in unseen if load.type.base != "list"), 0)
    if step.amount.type.base == "ref":
        hidden |= reduce(and_, lists)
    viewers = range(evaluator.symbols.count("player"))
    for load, indexes in told:
        variable = evaluator.symbols.variable(load.owner, load.name)
        hidden |= sum(1 << each for each in viewers if not may_count(evaluator, variable, state, indexes, each))
    return hidden


class HiddenError(Exception):
    """An expression reads what a player may not see."""


class SeenBy(Evaluator):
    """Evaluates what one player may know, and raises HiddenError where an expression reads anything else.

    Of the local names only those are given that the player may know.
    """

    def __init__(self, rules: TypedRules, layout: Layout, viewer: int) -> None:
        super().__init__(rules, layout)
        self.viewer = viewer
        self.everything = Evaluator(rules, layout)
        self.kinds[Var] = self.local

    def local(self, tree: Var, state: State, names: Names) -> int:
        if tree.name not in names:
            raise HiddenError
        return names[tree.name]

    def slot(self, tree: Load, state: State, names: Names) -> int:
        variable = self.symbols.variable(tree.owner, tree.name)
        if not variable.open:
            indexes = tuple(self.value(arg, state, names) for arg in tree.args)
            if not may_see(self.everything, variable, state, indexes, self.viewer):
                raise HiddenError
        return super().slot(tree, state, names)

    def size(self, tree: Size, state: State, names: Names) -> int:
        if not isinstance(tree.group, Load) or tree.group.type.base != "list":
            return super().size(tree, state, names)
        variable = self.symbols.variable(tree.group.owner, tree.group.name)
        if variable.size_seen_expr is not None or variable.apart:
            indexes = tuple(self.value(arg, state, names) for arg in tree.group.args)
            if not may_count(self.everything, variable, state, indexes, self.viewer):
                raise HiddenError
        return state[super().slot(tree.group, state, names)]


def tells_hidden(step: ir.Step, rules: TypedRules) -> bool:
    """Whether the words of a decision, with its titles and prices, come of state that not everybody may see.

    Those of a roll are its dice.
    """
    return any(reads_hidden(tree, rules) for tree in _words(step, rules))


def reads_hidden(tree: Expr, rules: TypedRules) -> bool:
    """Whether an expression reads state that not everybody may see."""
    loads = (part for part in every_part([tree], rules) if isinstance(part, Load))
    return any(not rules.symbols.variable(load.owner, load.name).open for load in loads)


def names_told(step: ir.Step, rules: TypedRules) -> set[str]:
    """The local names that the words and the conditions of a decision or of chance read, but those that it makes."""
    conditions = (tree for condition in requirements(step) for tree in condition.expressions())
    read = {part.name for tree in (*_words(step, rules), *conditions) for part in tree.walk() if isinstance(part, Var)}
    return (
        read - {name for name, _ in step.chosen} if isinstance(step, ir.Choose) else read - {getattr(step, "var", "")}
    )


def _words(step: ir.Step, rules: TypedRules) -> Iterator[Expr]:
    """What the titles and prices of a decision, or the dice of a roll, are worked out of."""
    if isinstance(step, ir.Roll):
        yield from (each for each in (step.dice, step.sides) if not isinstance(each, int))
    if not isinstance(step, ir.Choose):
        return
    paid: list[ir.Payment] = [*step.cost, *(each for each in step.do if isinstance(each, ir.Amount))]
    for way in step.ways:
        paid += (*way.cost, *(each for each in way.do if isinstance(each, ir.AnyOf)))
    if step.source is not None and step.source.type.kind == "action":
        paid += (each for action in rules.actions for each in action.cost)
    for shown in (step.shown, *(way.shown for way in step.ways)):
        yield from (tree for _, tree in shown)
    for each in (part for payment in paid for part in payment.parts):
        yield from (each.amount, *each.target.args)


class Watched:
    """A state of which it is noted what is read."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.read = set[int]()

    def __getitem__(self, slot: int | slice) -> int | State:
        self.read.update(range(slot.start, slot.stop) if isinstance(slot, slice) else (slot,))
        return self.state[slot]


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """An answer about a state: it holds for every state that has the same in the slots that were read for it."""

    answer: T
    read: Callable[[State], object]
    values: object
    """what stood there"""

    @staticmethod
    def about(state: State, ask: Callable[[State], T]) -> Answered[T]:
        """What is answered to a question about a state."""
        watched = Watched(state[:])
        answer = ask(cast(State, watched))
        read = itemgetter(*watched.read) if watched.read else _nothing
        return Answered(answer, read, read(state))

    def holds(self, state: State) -> bool:
        """Whether it holds for a state."""
        return self.read(state) == self.values


def _nothing(_: State) -> None:
    """What is read of a state by a question that has always the same answer."""


class StateValue(NamedTuple):
    """One value of the state: its slot, where views show it, how, and of what it is the value, by numbers and ids."""

    slot: int
    path: tuple[str, ...]
    plain: Callable[[State], object]
    """what a state holds there, as views show it"""
    variable: Variable
    indexes: tuple[int, ...]
    ids: tuple[str, ...]
    open: bool
    """whether everybody sees it at any time"""

    @property
    def slots(self) -> slice:
        """All its slots: those of a list are several."""
        return slice(self.slot, self.slot + self.variable.width)


class Views:
    """The views of one ruleset, worked out once: asking for one is then little work."""

    def __init__(self, rules: TypedRules, layout: Layout) -> None:
        self.evaluator = Evaluator(rules, layout)
        inner = (
            f".{ANSWER}",
            f".{COVER}",
            f".{BEGUN}",
        )  # what rules note for themselves, which no rule says who may see
        self.values = [each for each in state_values(rules.symbols, layout) if not each.variable.name.endswith(inner)]
        self.closed = [each for each in self.values if not each.open]
        self.by_part = [(each, each.path[:-1], each.path[-1]) for each in self.values]
        self.parts = {each.path[:length]: None for each in self.values for length in range(1, len(each.path))}
        self.answered: dict[tuple[bool, int, int], Answered[bool]] = {}
        """the last answer to each question who sees a value, or counts its members, by slot and viewer"""

    def sees(self, value: StateValue, state: State, viewer: int) -> bool:
        """Whether a player may see a value."""
        return value.open or self._answer(False, value, state, viewer)

    def counts(self, value: StateValue, state: State, viewer: int) -> bool:
        """Whether a value is a list, and a player may see how many members it holds."""
        return value.variable.type.base == "list" and self._answer(True, value, state, viewer)

    def _answer(self, counting: bool, value: StateValue, state: State, viewer: int) -> bool:
        """What `may_count` or `may_see` says, which is worked out again only where something else stands in what they
        read: most ask for no more than whose a value is, or where one thing is, and are asked at every position."""
        key = counting, value.slot, viewer
        answered = self.answered.get(key)
        if answered is None or not answered.holds(state):
            ask = may_count if counting else may_see
            answered = self.answered[key] = Answered.about(
                state, lambda known: ask(self.evaluator, value.variable, known, value.indexes, viewer)
            )
        return answered.answer

    def of(self, state: State, viewer: int) -> dict[str, object]:
        """Visible values as `{kind: {member: {name: value or {index: value}}}}`, the game's own under `game`.

        Values are numbers, true or false, ids, None and lists of ids. What the player may not see is left out; of a
        list whose members the player may not see there is a None for each of them.
        """
        view: dict[str, object] = {}
        parts = {(): view, **self.parts}
        for value, above, key in self.by_part:
            shown: object
            if value.open or self.sees(value, state, viewer):
                shown = value.plain(state)
            elif self.counts(value, state, viewer):
                shown = [None] * state[value.slot]
            else:
                continue
            here = parts[above]
            if here is None:
                here = self._part(above, parts)
            here[key] = shown
        return view

    def _part(self, path: tuple[str, ...], parts: dict[tuple[str, ...], dict[str, object] | None]) -> dict[str, object]:
        """A new part of a view, within what is above it."""
        above = parts[path[:-1]]
        if above is None:
            above = self._part(path[:-1], parts)
        part = parts[path] = dict[str, object]()
        above[path[-1]] = part
        return part

    def hidden(self, state: State, viewer: int) -> list[int]:
        """The slots of what a player may not see now."""
        slots: list[int] = []
        for value in self.closed:
            if not self.sees(value, state, viewer):
                counted = self.counts(value, state, viewer)
                slots += range(value.slot + counted, value.slot + value.variable.width)
        return slots


def state_values(symbols: Symbols, layout: Layout) -> Iterator[StateValue]:
    """Every value of the declared state, in the order of the layout."""
    for variable in every_variable(symbols):
        base = layout.bases[variable.owner, variable.name]
        for flat, indexes in enumerate(product(*map(range, symbols.sizes(variable)))):
            ids = [symbols.kinds[kind].members[index] for kind, index in zip(variable.kinds, indexes, strict=True)]
            path = (
                (variable.owner, ids[0], variable.name, *ids[1:]) if variable.owner else ("game", variable.name, *ids)
            )
            slot = base + flat * variable.width
            yield StateValue(slot, path, _plain(symbols, variable, slot), variable, indexes, tuple(ids), variable.open)


def _plain(symbols: Symbols, variable: Variable, slot: int) -> Callable[[State], object]:
    """What makes the value of a variable at a slot into something that is not a number of the engine."""
    kind = variable.type
    if kind.base in ("bool", "int"):
        return (lambda state: bool(state[slot])) if kind.base == "bool" else itemgetter(slot)
    members = (*symbols.kinds[kind.kind].members, None)
    if kind.base == "ref":
        return lambda state: members[state[slot]]  # none is -1
    if kind.base == "list":
        return lambda state: [members[each] for each in state[slot + 1 : slot + 1 + state[slot]]]
    return lambda state: [member for number, member in enumerate(members[:-1]) if state[slot] >> number & 1]
