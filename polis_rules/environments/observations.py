"""What a player may see of a position as a row of numbers of fixed length."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from polis_rules.environments.actions import Actions
from polis_rules.interpreter.evaluator import StateValue
from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.runtime import Program, State

Numbers = list[float]


@dataclass(frozen=True, slots=True)
class Field:
    """A part of each observation: its numbers from `begin` up to below `end`."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A value of the state: how many numbers it takes, what they are where it is seen, or only a list's length is."""

    value: StateValue
    width: int
    seen: Callable[[State], Numbers]
    counted: Callable[[State], Numbers]


class Observations:
    """How positions of one ruleset are told to players. All numbers are from -1 to 1.

    First who sees it (one number for each player), who decides, what is asked (by the paths of rules; only to whoever
    decides) and what this player has chosen since another one decided (one number for each action). Then the state as
    `Game.view` has it, by owner and name:

    - a number by its declared range, from 0 to 1; without a range n / (1 + |n|);
    - a flag: 0 or 1; a member: 1 in its place, 0 everywhere where there is none; a set: 1 for each member;
    - a list: its length from 0 to 1, for each member 1 if it is there, and for each place its member, from 0 to 1;
    - before a value that is not always seen by all: 1 where it is seen, else 0, and then only zeros follow, but for the
      length of a list that may be counted.

    >>> from polis_rules import load
    >>> program = load("yucata").program()
    >>> observations = Observations(program, Actions(program))
    >>> len(observations.of(program.new_state(7), 0, 1, ())) == observations.size
    True
    """

    def __init__(self, program: Program, actions: Actions) -> None:
        self.program, self.actions = program, actions
        self.players = program.rules.symbols.kinds["player"].members
        self.paths = {path: number for number, path in enumerate(actions.steps)}
        self.parts = [self._part(value) for value in program.views.values]
        self.fields: list[Field] = []
        self.size = 0
        for name, width in (
            ("who sees", len(self.players)),
            ("who decides", len(self.players)),
            ("asked", len(self.paths)),
            ("chosen", actions.count),
        ):
            self._add(name, width)
        for part in self.parts:
            self._add(" ".join(part.value.path), part.width + (not part.value.variable.open))

    def _add(self, name: str, width: int) -> None:
        self.fields.append(Field(name, self.size, self.size + width))
        self.size += width

    def of(self, state: State, viewer: int, decider: int, chosen: Collection[int]) -> Numbers:
        """What a player sees; `decider` is who decides now or -1, `chosen` are the player's own last actions."""
        asked = self.paths[self.program.points[state[PC]].step.path] if decider == viewer else -1
        numbers = [
            *_one(viewer, len(self.players)),
            *_one(decider, len(self.players)),
            *_one(asked, len(self.paths)),
            *[0.0] * self.actions.count,
        ]
        for action in chosen:
            numbers[action - self.actions.count] = 1.0
        views = self.program.views
        for part in self.parts:
            if part.value.open:
                numbers += part.seen(state)
            elif views.sees(part.value, state, viewer):
                numbers += (1.0, *part.seen(state))
            elif views.counts(part.value, state, viewer):
                numbers += (0.0, *part.counted(state))
            else:
                numbers += [0.0] * (part.width + 1)
        return numbers

    def _part(self, value: StateValue) -> _Part:
        slot, variable, kind = value.slot, value.variable, value.variable.type
        if kind.base in ("int", "bool"):
            low, span = (variable.low, variable.high - variable.low) if variable.bounded else (0, 0)
            if kind.base == "bool":
                return _Part(value, 1, lambda state: [float(state[slot])], _nothing)
            if span:
                return _Part(value, 1, lambda state: [(state[slot] - low) / span], _nothing)
            return _Part(value, 1, lambda state: [state[slot] / (1 + abs(state[slot]))], _nothing)
        members = len(self.program.rules.symbols.kinds[kind.kind].members)
        if kind.base == "ref":
            return _Part(value, members, lambda state: _one(state[slot], members), _nothing)
        if kind.base == "set":
            return _Part(value, members, lambda state: _bits(state[slot], members), _nothing)
        most = max(variable.at_most, 1)

        def seen(state: State) -> Numbers:
            held = state[slot + 1 : slot + 1 + variable.at_most]
            there = [0.0] * members
            for member in held[: state[slot]]:
                there[member] = 1.0
            return [state[slot] / most, *there, *((member + 1) / members for member in held)]

        def counted(state: State) -> Numbers:
            return [state[slot] / most, *[0.0] * (members + variable.at_most)]

        return _Part(value, 1 + members + variable.at_most, seen, counted)


def _nothing(state: State) -> Numbers:
    raise AssertionError("only lists are counted")


def _one(place: int, width: int) -> Numbers:
    numbers = [0.0] * width
    if place >= 0:
        numbers[place] = 1.0
    return numbers


def _bits(number: int, width: int) -> Numbers:
    return [float(number >> place & 1) for place in range(width)]
