"""What a player cannot see, dealt anew: states that this player cannot tell from the present one.

Hidden members of a kind that stand in lists, sets and counters are pooled and dealt again to places of the same sizes.
Other hidden values, and what others have chosen in secret, are drawn anew from what the rules may make of them now.
What comes out depends on nothing but what the player sees, and on how many there are of each hidden member in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.evaluator import NothingThereError, StateValue, may_see
from polis_rules.interpreter.game import Secrecy, known_names
from polis_rules.interpreter.machine import PC, SEED, WINNER, YOU, ChancePoint
from polis_rules.semantics import every_step, ir
from polis_rules.semantics.expressions import Const, Var

if TYPE_CHECKING:
    from polis_rules.interpreter.machine import AnyPoint
    from polis_rules.interpreter.runtime import Program, State

PLAYER = "player"

FILLED = ("set", "counter", "ref", "list")
"""In this order places get their members: those first that do not take any."""


class Holder(NamedTuple):
    """A place that holds members of a kind: a list, a set, some counters, or one value."""

    value: StateValue
    """of counters the first"""
    base: str
    """`list`, `set`, `counter` or `ref`"""
    counted: bool = True
    """whether it is known how many members are in a list"""
    counters: dict[int, StateValue] | None = None
    """the counters, by what they count"""
    covered: bool = False
    """whether it is hidden only because players act together now: it holds what its owner has put there or there"""


class Pool(NamedTuple):
    """Places that may hold the same members, and what they hold now."""

    holders: list[Holder]
    inside: list[Holder]
    """for each the place that holds its members too, if all have one"""
    members: list[int]
    """what they hold together"""
    sizes: list[int]
    """how many members each holds"""
    order: list[int]
    """which of them get their members first"""

    @classmethod
    def of(cls, holders: list[Holder], pools: list[list[Holder]], state: State) -> Pool:
        """Some of these places, in a state."""
        held = [[*_members(each, state)] for each in holders]
        inside = [around for each in holders if (around := _inside(each, pools))]
        return cls(
            holders,
            inside if len(inside) == len(holders) else [],
            sorted(member for each in held for member in each),
            [len(each) for each in held],
            sorted(range(len(holders)), key=lambda place: (FILLED.index(holders[place].base), place)),
        )


class Writer(NamedTuple):
    """A waiting point whose answer becomes the value of a variable."""

    point: int
    args: tuple[str | int, ...]
    """its indexes: what is called so there, or always the same"""

    def names(self, indexes: Iterable[int]) -> dict[str, int] | None:
        """What the names stand for where the value with such indexes is written; None where it never is."""
        pairs = [*zip(self.args, indexes, strict=True)]
        if any(arg != index for arg, index in pairs if isinstance(arg, int)):
            return None
        return {arg: index for arg, index in pairs if isinstance(arg, str)}


@dataclass(slots=True)
class Hidden:
    """What a player cannot see of a state."""

    pools: list[Pool]
    single: list[StateValue]
    """what is drawn anew by itself"""
    chosen: list[int]
    """the points of which it is not told what came out, which stays in a local name"""
    kept: list[tuple[int, Holder]] = field(default_factory=list)
    """local names of what came out and was put where it cannot see it, each with that place"""


class Dealer:
    """Deals for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        symbols = program.rules.symbols
        self.values = program.views.closed
        self.sizes = {name: len(kind.members) for name, kind in symbols.kinds.items()}
        self.secret = [number for number, point in enumerate(program.points) if _in_secret(point)]
        self.secrecy = Secrecy(program, program.views.evaluator)
        self.put_away = [
            number
            for number, point in enumerate(program.points)
            if isinstance(point, ChancePoint) and point.slot > WINNER and self.secrecy.concerns(number)
        ]

    def worlds(self, state: State, viewer: int, rng: Random, count: int, until: float = inf) -> list[State]:
        """So many states that a player cannot tell from this one; one where nothing is hidden.

        There are fewer, but one at least, where it is later than `until` (`time.perf_counter`).
        """
        holders, single, shown = self._hidden(state, viewer)
        single.sort(key=self._first_written)
        chosen = [point for point in self.secret if not self._knows(point, state, viewer)]
        if not (holders or single or chosen):
            return [state[:]]
        holding = [pool for kind, each in holders.items() for pool in _pools(each, state, shown[kind])]
        hidden = Hidden([Pool.of(pool, holding, state) for pool in holding], single, chosen)
        hidden.kept += self._kept(state, viewer, hidden)
        dealt = [self._world(state, hidden, rng)]
        while len(dealt) < count and perf_counter() < until:
            dealt.append(self._world(state, hidden, rng))
        return dealt

    def _hidden(
        self, state: State, viewer: int
    ) -> tuple[dict[str, list[Holder]], list[StateValue], defaultdict[str, set[int]]]:
        """What a player cannot see: what holds members, by kind, and other values. Then the members that it can see."""
        views, found = self.program.views, dict[str, list[Holder]]()
        single, shown = list[StateValue](), defaultdict[str, set[int]](set)
        for value in self.values:
            kind, base = self._held(value)
            if views.sees(value, state, viewer):
                if base in ("list", "set"):
                    shown[kind].update(_members(Holder(value, base), state))
                continue
            covered = bool(value.variable.apart) and may_see(
                views.evaluator, replace(value.variable, apart=()), state, value.indexes, viewer
            )
            if base == "list":
                counted = views.counts(value, state, viewer)
                found.setdefault(kind, []).append(Holder(value, base, counted, covered=covered))
            elif base:
                found.setdefault(kind, []).append(Holder(value, base, covered=covered))
            else:
                single.append(value)
        for kind in [*found]:
            found[kind] = _columns(found[kind])
            if all(each.base == "ref" for each in found[kind]) or _alone(found[kind]):
                single += [value for each in found.pop(kind) for value in (each.counters or {0: each.value}).values()]
        return found, single, shown

    def _held(self, value: StateValue) -> tuple[str, str]:
        """The kind of which a value holds members, and how; nothing for a value of another sort."""
        variable = value.variable
        if variable.type.base in ("list", "set", "ref"):
            return variable.type.kind, variable.type.base
        counted = [kind for kind in variable.kinds if kind != PLAYER]
        if variable.type.base == "int" and len(counted) == 1:
            return counted[0], "counter"
        return "", ""

    def _knows(self, point: int, state: State, viewer: int) -> bool:
        """Whether this player is told what comes out at a point, as far as that can be said elsewhere."""
        step, ask = self.program.points[point].step, self.program.who_functions[point]
        try:
            if isinstance(step, ir.Choose):
                return (state[YOU] if ask is None else ask(state)) == viewer
            names = known_names(self.program, state, self.program.points[point].procedure)
            told = step.seen_by
            return told is None or self.program.views.evaluator.holds(told, state, {**names, "viewer": viewer})
        except (RuleError, ArithmeticError, LookupError, TypeError, ValueError):
            return False

    # -- one world ----------------------------------------------------------------------------------------------------

    def _kept(self, state: State, viewer: int, hidden: Hidden) -> Iterator[tuple[int, Holder]]:
        """The local names of what came out and was put where this player cannot see it, each with that place."""
        held = [holder for pool in hidden.pools for holder in pool.holders if not holder.counters]
        holders = [*held, *(Holder(value, "") for value in hidden.single)]
        by_place = {(each.value.variable.owner, each.value.variable.name, each.value.indexes): each for each in holders}
        for number, point in enumerate(self.program.points):
            if number in hidden.chosen or (number in self.put_away and self._is_untold(number, state, viewer)):
                places = self.secrecy.places(number, self._names(number, state), state)
                found = (by_place.get((target.owner, target.name, indexes)) for target, indexes in places)
                if holder := next(filter(None, found), None):  # where it is written first: later ones may take it away
                    yield point.slot, holder

    def _is_untold(self, point: int, state: State, viewer: int) -> bool:
        """Whether this player is not told what came out at a point of chance, by where it has been put."""
        try:
            return bool(self.secrecy.unseen_by(point, self._names(point, state), state) >> viewer & 1)
        except (RuleError, ArithmeticError, LookupError, TypeError, ValueError):
            return True

    def _names(self, point: int, state: State) -> dict[str, int]:
        """The local names at a point, as far as they are known elsewhere, with what came out there."""
        here = self.program.points[point]
        return {**known_names(self.program, state, here.procedure), here.step.var: state[here.slot]}

    def _world(self, state: State, hidden: Hidden, rng: Random) -> State:
        world, single, chosen = state[:], hidden.single, hidden.chosen
        self._cover(world, single, chosen)
        for pool in hidden.pools:
            if pool.inside:
                for each, around in zip(pool.holders, pool.inside, strict=True):
                    members = sorted({*_members(around, world)})
                    given = rng.sample(members, min(len(members), world[each.value.slot].bit_count()))
                    world[each.value.slot] = sum(1 << member for member in given)
            else:
                self._deal(world, pool, rng)
        for value in single:
            self._draw(world, value, rng)
        for point in chosen:
            slot = self.program.points[point].slot
            answers = self._answers(world, point, {}, rng)
            world[slot] = rng.choice(answers) if answers else 0
        for slot, holder in hidden.kept:
            members = [*_members(holder, world)] if holder.base else [world[holder.value.slot]]
            if members:  # otherwise it has been taken from there again
                world[slot] = rng.choice(members)
        return world

    def _first_written(self, value: StateValue) -> int:
        """What is chosen earlier is drawn earlier: what may be chosen later depends on it."""
        return min(
            (each.point for each in self.writers.get((value.variable.owner, value.variable.name), ())), default=-1
        )

    def _cover(self, world: State, single: list[StateValue], chosen: list[int]) -> None:
        """Take away what is drawn anew, or what is drawn before it would depend on what it truly is."""
        for value in single:
            slot, base = value.slot, value.variable.type.base
            if base == "set":
                world[slot] = (1 << world[slot].bit_count()) - 1
            elif base == "list":
                world[slot + 1 : slot + 1 + world[slot]] = sorted(world[slot + 1 : slot + 1 + world[slot]])
            else:
                world[slot] = self.program.compiled.first[slot]
        for point in chosen:
            world[self.program.points[point].slot] = 0

    def _deal(self, world: State, pool: Pool, rng: Random) -> None:
        """Deal what some places hold to them again."""
        holders, pooled, sizes = pool.holders, pool.members[:], pool.sizes[:]
        rng.shuffle(pooled)
        open_ended = [place for place, each in enumerate(holders) if not each.counted]
        left = sum(sizes[place] for place in open_ended)  # how many there are of them together is all that is known
        room = [holders[place].value.variable.at_most for place in open_ended]
        for number, place in enumerate(open_ended):
            more = sum(room[number + 1 :])
            sizes[place] = rng.randint(max(0, left - more), min(left, room[number]))
            left -= sizes[place]
        for place in pool.order:
            pooled = _give(world, holders[place], sizes[place], pooled)

    def _draw(self, world: State, value: StateValue, rng: Random) -> None:
        """A value that is hidden by itself is drawn anew."""
        variable = value.variable
        answers: list[int] = []
        for writer in self.writers.get((variable.owner, variable.name), ()):
            names = writer.names(value.indexes)
            answers += self._answers(world, writer.point, names, rng) if names is not None else []
        low, high = max(variable.low, -(1 << 40)), min(variable.high, 1 << 40)
        fitting = [each for each in answers if low <= each <= high]
        if answers and len(fitting) < len(answers):  # other ways to answer leave it as it was
            fitting.append(self.program.compiled.first[value.slot])
        if variable.type.base == "set":
            size = world[value.slot].bit_count()
            members = rng.sample(range(self.sizes[variable.type.kind]), size)
            world[value.slot] = sum(1 << member for member in members)
        elif variable.type.base == "list":
            here = world[value.slot + 1 : value.slot + 1 + world[value.slot]]
            world[value.slot + 1 : value.slot + 1 + len(here)] = rng.sample(sorted(here), len(here))
        elif fitting:
            world[value.slot] = rng.choice(fitting)
        elif variable.bounded:
            world[value.slot] = rng.randint(low, high)
        else:
            world[value.slot] = self.program.compiled.first[value.slot]

    @cached_property
    def writers(self) -> dict[tuple[str, str], list[Writer]]:
        """The waiting points whose answers become values of hidden variables."""
        rules = self.program.rules
        asked = {(point.procedure, point.step.var): number for number, point in enumerate(self.program.points)}
        hidden = {(each.variable.owner, each.variable.name) for each in self.values}
        found: dict[tuple[str, str], list[Writer]] = {}
        for path, procedure in rules.procedures.items():
            for step in every_step(procedure.body):
                if not isinstance(step, ir.Set) or (step.target.owner, step.target.name) not in hidden:
                    continue
                value, args = step.value, step.target.args
                if (
                    isinstance(value, Var)
                    and (path, value.name) in asked
                    and all(isinstance(each, Var | Const) for each in args)
                ):
                    at = (
                        each.name if isinstance(each, Var) else each.value
                        for each in args
                        if isinstance(each, Var | Const)
                    )
                    writer = Writer(asked[path, value.name], tuple(at))
                    found.setdefault((step.target.owner, step.target.name), []).append(writer)
        return found

    def _answers(self, state: State, number: int, names: dict[str, int], rng: Random) -> list[int]:
        """Some of what could be answered at a point now: what may be chosen, or how chance comes out once."""
        program = self.program
        point = program.points[number]
        there = state[:]
        there[PC], there[SEED] = number, rng.getrandbits(60)
        for name, member in names.items():
            if name == "you":
                there[YOU] = member
            elif (slot := program.layout.locals.get((point.procedure, name))) is not None:
                there[slot] = member
        try:
            if isinstance(point, ChancePoint):
                return [program.outcome(there)]
            return program.options(there)
        except (RuleError, NothingThereError, ArithmeticError, LookupError, TypeError, ValueError):
            return []


def _in_secret(point: AnyPoint) -> bool:
    """Whether what comes out at a point is kept from some players and stays in a local name."""
    step = point.step
    is_secret = step.secret if isinstance(step, ir.Choose) else step.seen_by is not None
    return is_secret and point.slot > WINNER


def _alone(holders: list[Holder]) -> bool:
    """Whether no other place may hold members of these, nor an order."""
    return len(holders) == 1 and holders[0].base != "list"


def _columns(holders: list[Holder]) -> list[Holder]:
    """The same with counters put together that count different members in one place."""
    found, columns = list[Holder](), dict[tuple[str, str, tuple[int, ...]], dict[int, StateValue]]()
    for each in holders:
        if each.base != "counter":
            found.append(each)
            continue
        variable = each.value.variable
        parts = [*zip(each.value.indexes, variable.kinds, strict=True)]
        rest = tuple(index for index, kind in parts if kind == PLAYER)
        member = next(index for index, kind in parts if kind != PLAYER)
        columns.setdefault((variable.owner, variable.name, rest), {})[member] = each.value
    return [*found, *(Holder(next(iter(each.values())), "counter", True, each) for each in columns.values())]


def _members(holder: Holder, state: State) -> Iterator[int]:
    """The members that a place holds."""
    slot = holder.value.slot
    if holder.base == "list":
        yield from state[slot + 1 : slot + 1 + state[slot]]
    elif holder.base == "set":
        yield from (member for member in range(state[slot].bit_length()) if state[slot] >> member & 1)
    elif holder.counters is not None:
        for member, value in holder.counters.items():
            yield from [member] * state[value.slot]
    elif state[slot] >= 0:
        yield state[slot]


def _inside(holder: Holder, pools: list[list[Holder]]) -> Holder | None:
    """The list or set of the same owner, dealt before, that holds the members of a set, as a hand those laid out."""
    for pool in pools:
        for each in pool:
            if each == holder or holder.base != "set":
                return None
            owned = (each.value.variable.owner, each.value.indexes) == (
                holder.value.variable.owner,
                holder.value.indexes,
            )
            if owned and each.base in ("list", "set"):
                return each
    return None


def _pools(holders: list[Holder], state: State, shown: set[int]) -> Iterator[list[Holder]]:
    """Which places may hold the same members: not sets that only repeat what others hold, or what is seen."""
    owners = {each.value.indexes for each in holders if each.covered and each.base in ("list", "set")}
    for owner in sorted(owners):
        yield [each for each in holders if each.covered and each.value.indexes == owner]
    holders = [each for each in holders if not (each.covered and each.value.indexes in owners)]
    pool, seen = list[Holder](), {*shown}
    apart: dict[str, list[Holder]] = {}
    names = dict.fromkeys(each.value.variable.name for each in holders)
    for name in names:
        here = [each for each in holders if each.value.variable.name == name]
        members = {member for each in here for member in _members(each, state)}
        if any(each.base == "set" for each in here) and not seen.isdisjoint(members):
            apart[name] = here
        else:
            pool += here
            seen |= members
    yield pool
    yield from apart.values()


def _give(world: State, holder: Holder, size: int, pooled: list[int]) -> list[int]:
    """Deal so many of some members to a place; those left."""
    slot, variable = holder.value.slot, holder.value.variable
    if holder.base == "list":
        world[slot : slot + variable.width] = [size, *pooled[:size], *[-1] * (variable.at_most - size)]
        return pooled[size:]
    if holder.base == "ref":
        world[slot] = pooled[0] if size else -1
        return pooled[size:]
    if holder.base == "set":
        given = [*dict.fromkeys(pooled)][:size]
        world[slot] = sum(1 << member for member in given)
        return _without(pooled, given)
    given = []
    for value in (counters := holder.counters or {}).values():
        world[value.slot] = 0
    for member in pooled:
        if len(given) < size and member in counters and world[counters[member].slot] < counters[member].variable.high:
            world[counters[member].slot] += 1
            given.append(member)
    return _without(pooled, given)


def _without(pooled: list[int], given: Iterable[int]) -> list[int]:
    rest = pooled[:]
    for member in given:
        rest.remove(member)
    return rest
