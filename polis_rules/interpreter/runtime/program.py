"""A compiled ruleset: plain data that can be cached, and the running program made of it."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from types import CodeType
from typing import Any

from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.compiler import Blocks, Point
from polis_rules.interpreter.compiler.python import ENDLESS, Backend
from polis_rules.interpreter.evaluator import Views, first_state, tells_hidden
from polis_rules.interpreter.machine import (
    LEAVE,
    PC,
    SEED,
    YOU,
    Layout,
    below,
    build_route_maps,
    draw64,
    lay_out,
    pick,
)
from polis_rules.interpreter.runtime.fingerprint import fingerprint
from polis_rules.interpreter.runtime.runtime_errors import (
    RULES,
    WrongValueError,
    explain,
    marked_near,
    nth,
    numbers,
    place_of,
    toll,
)
from polis_rules.semantics import TypedRules, ir
from polis_rules.source import spoken

State = list[int]

MOST_AT_ONCE = 300_000
"""How often loops and procedures may go round between two decisions, in checking mode."""

LONGEST_GAME = 100_000
"""How many decisions, dice and draws a game may have that is played at random."""

ERRORS = (ArithmeticError, LookupError, ValueError, TypeError, RecursionError, WrongValueError)
"""What a wrong rule can make generated code raise."""


class Tally:
    """How often counted expressions and marks were met: by site, how often, how often with 0, the least, the most."""

    def __init__(self) -> None:
        self.rows: dict[int, list[int]] = {}

    def __call__(self, site: int, value: int) -> int:
        row = self.rows.get(site)
        if row is None:
            self.rows[site] = [1, 0 if value else 1, value, value]
            return value
        row[0] += 1
        if not value:
            row[1] += 1
        if value < row[2]:
            row[2] = value
        elif value > row[3]:
            row[3] = value
        return value


Event = tuple[int, ...]
"""What happened: the number of a step, then the values that it worked with."""


@dataclass(slots=True)
class Compiled:
    """Everything that running a ruleset needs, as plain data."""

    rules: TypedRules
    layout: Layout
    points: list[Point]
    first: tuple[int, ...]
    code: bytes
    """marshalled code of the generated module"""
    source: str
    constants: dict[str, object]
    tables: dict[str, list[list[str]]]
    who: list[str]
    sites: list[ir.Step]
    routes: dict[str, tuple[str, str]]
    score: str
    invariants: list[tuple[str, str]]
    entry: int


@dataclass(frozen=True, slots=True)
class Playout:
    """A game that was played at random: decisions, how many of them had one option only, and options in all."""

    decisions: int
    forced: int
    options_total: int


def compile_rules(rules: TypedRules, checks: bool = False, trace: bool = False) -> Compiled:
    """Compile typed rules.

    With `checks` every change is held against its declared range and the invariants are ready to be asked;
    with `trace` every change is told. Both cost speed, and nothing when off.
    """
    layout = lay_out(rules.symbols)
    blocks = Blocks(rules.symbols, rules.procedures, layout)
    maps = build_route_maps(rules.symbols)
    generated = Backend(rules, blocks, layout, maps, checks, trace).generate()
    first = first_state(rules, layout)
    tables = {
        "options": generated.options, "apply": generated.apply, "chance": generated.chance, "blocks": generated.blocks,
    }  # fmt: skip
    try:
        code = marshal.dumps(compile(generated.source, RULES, "exec", optimize=1))
    except (SyntaxError, RecursionError, MemoryError) as error:
        game = rules.procedures["phases.game"].span
        raise RuleError(f"these rules are nested too deeply to become code ({error.args[0]})", game) from None
    return Compiled(
        rules=rules,
        layout=layout,
        points=blocks.points,
        first=first,
        code=code,
        source=generated.source,
        constants=generated.constants,
        tables=tables,
        who=generated.who,
        sites=generated.sites,
        routes=generated.routes,
        score=generated.score,
        invariants=generated.invariants,
        entry=len(blocks.points) + 1,
    )


class Program:
    """Runs a compiled ruleset on states, which are lists of integers.

    The same list is changed in place by `apply`; `copy` makes another one.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.rules = compiled.rules
        self.layout = compiled.layout
        self.points = compiled.points
        self.finished = len(compiled.points)
        self.events: list[Event] = []
        self.ticks = [0]  # a list, as copies of a program share its code and so what that counts
        self.tally = Tally()
        self.is_chance = [not isinstance(point.step, ir.Choose) for point in compiled.points]
        space: dict[str, Any] = {
            **compiled.constants, "draw64": draw64, "below": below, "pick": pick, "fail": self.fail, "T": self.events,
            "tick": self.tick, "nth": nth, "numbers": numbers, "toll": toll, "K": self.tally,
        }  # fmt: skip
        code: CodeType = marshal.loads(compiled.code)
        exec(code, space)
        self.space = space
        tables = {name: [self._row(row, space) for row in rows] for name, rows in compiled.tables.items()}
        self.option_functions = tables["options"]
        self.apply_functions = tables["apply"]
        self.chance_functions = tables["chance"]
        self.block_functions = tables["blocks"]
        self.who_functions = [space[name] if name else None for name in compiled.who]
        self.routes = {name: (space[reach], space[costs]) for name, (reach, costs) in compiled.routes.items()}
        self.invariants = [(text, space[name]) for text, name in compiled.invariants]
        self.places = {spoken(item.label): item.span for item in self.rules.invariants}
        self.places |= {f"the supply of {spoken(item.name)} adds up": item.span for item in self.rules.supplies}

    def _row(self, names: list[str], space: dict[str, Any]) -> list[Any]:
        return [space[name] if name else self.nobody for name in names]

    def nobody(self, state: State, *_: int) -> int:
        """Stands where code for an acting player would run while nobody acts."""
        raise RuleError("a rule speaks of `you` where nobody acts", None, fingerprint(state))

    def fail(self, site: int, state: State, message: str) -> None:
        """Called by generated code when a step breaks a range or a loop does not end."""
        raise RuleError(message, self.compiled.sites[site].span, fingerprint(state))

    def tick(self, site: int, state: State) -> None:
        """Called by checked code whenever a loop goes round or a procedure begins."""
        self.ticks[0] += 1
        if self.ticks[0] > MOST_AT_ONCE:
            self.fail(site, state, f"this is done more than {MOST_AT_ONCE} times without anybody deciding")

    def failed(self, error: Exception, state: State, at: Span | None = None) -> RuleError:
        """The RuleError for an exception out of generated code; `at` is where the game was, for want of better."""
        span = place_of(error, self.compiled.source.split("\n"), self.compiled.sites)
        if span is None and at is None and state[PC] < self.finished:
            at = self.points[state[PC]].step.span
        return RuleError(explain(error), span or at, fingerprint(state))

    def new_state(self, seed: int = 0, first: Sequence[int] | None = None) -> State:
        """The state at the first waiting point of a new game. `seed` is any whole number.

        `first` is the state before the first step, where that is another than the scenario's.
        """
        state = list(self.compiled.first if first is None else first)
        state[SEED] = seed
        self.run(state, self.compiled.entry)
        return state

    def copy(self, state: State) -> State:
        """Another state, equal to this one."""
        return state[:]

    def run(self, state: State, counter: int) -> None:
        """Go on from a block until the game waits or is over."""
        finished = self.finished
        blocks = self.block_functions
        self.ticks[0] = 0
        try:
            for _ in range(ENDLESS):
                if counter <= finished:
                    state[PC] = counter
                    return
                counter = blocks[state[YOU]][counter - finished - 1](state)
        except ERRORS as error:
            raise self.failed(error, state, self.place(counter, state)) from None
        message = "the rules go round without anybody deciding"
        raise RuleError(message, self.place(counter, state), fingerprint(state))

    def place(self, counter: int, state: State) -> Span | None:
        """Where the rule stands that a block was made of; of the phase `game` where its code does not say."""
        name = self.compiled.tables["blocks"][state[YOU]][counter - self.finished - 1]
        source = self.compiled.source.split("\n")
        begin = next((line for line, text in enumerate(source) if text.startswith(f"def {name}(")), None)
        found = None if begin is None else marked_near(source, begin, self.compiled.sites)
        return found or self.rules.procedures["phases.game"].span

    def options(self, state: State) -> list[int]:
        """The numbers of the options at the present waiting point; for chance, of the outcomes."""
        self.ticks[0] = 0
        try:
            found: list[int] = self.option_functions[state[YOU]][state[PC]](state)
        except ERRORS as error:
            raise self.failed(error, state) from None
        return found

    def apply(self, state: State, option: int) -> None:
        """Carry out an option (which must be one of `options`) or LEAVE, up to the next waiting point."""
        self.ticks[0] = 0
        try:
            counter = self.apply_functions[state[YOU]][state[PC]](state, option)
        except ERRORS as error:
            raise self.failed(error, state) from None
        self.run(state, counter)

    def outcome(self, state: State) -> int:
        """How the state's own random generator answers the present chance point."""
        try:
            found: int = self.chance_functions[state[YOU]][state[PC]](state)
        except ERRORS as error:
            raise self.failed(error, state) from None
        return found

    def decider(self, state: State) -> int:
        """Who decides at the present decision."""
        function = self.who_functions[state[PC]]
        return state[YOU] if function is None else function(state)

    def reached(self, state: State, route: str, args: tuple[int, ...], node: int) -> int:
        """The nodes (as bits) that a route leads to from a node, answered from the tables that rules use."""
        found: int = self.routes[route][0](state, *args, node)
        return found

    def route_costs(self, state: State, route: str, args: tuple[int, ...], node: int) -> list[int]:
        """What the cheapest route from a node to each node costs, answered from the tables that rules use."""
        found: list[int] = self.routes[route][1](state, *args, node)
        return found

    def score(self, state: State, player: int) -> int:
        """The total of a player's score terms now. Raises RuleError where a term reads what is not there."""
        try:
            total: int = self.space[self.compiled.score](state, player)
        except ERRORS as error:
            raise self.failed(error, state) from None
        return total

    @cached_property
    def secretive(self) -> frozenset[int]:
        """The decisions, by point, whose words come of state that not everybody may see."""
        return frozenset(
            number for number, point in enumerate(self.points) if tells_hidden(point.step, self.compiled.rules)
        )

    @cached_property
    def views(self) -> Views:
        """What players may see of a state."""
        return Views(self.rules, self.layout)

    def check(self, state: State) -> None:
        """Ask the invariants and the supplies. Raises RuleError where one does not hold."""
        for text, holds in self.invariants:
            if not holds(state):
                message = f"this must always hold, and does not: {text}"
                raise RuleError(message, self.places.get(text), fingerprint(state))

    def dead_end(self, state: State) -> RuleError:
        """The error that a point offers nothing."""
        step = self.points[state[PC]].step
        title = step.title if isinstance(step, ir.Choose) else step.var
        return RuleError(f"nothing can be chosen here: {title}", step.span, fingerprint(state))

    def too_long(self, state: State, counter: int, count: int) -> RuleError:
        """The error that a game has not come to an end after so many decisions."""
        message = f"this game has not come to an end after {count} decisions"
        return RuleError(message, self.points[counter].step.span, fingerprint(state))

    def playout(self, state: State, rng: Random) -> Playout:
        """Play on to the end, every option equally likely. The state is changed."""
        try:
            return self._play(state, rng)
        except ERRORS as error:
            raise self.failed(error, state) from None

    def _play(self, state: State, rng: Random) -> Playout:
        decisions = forced = total = 0
        finished, chance, random = self.finished, self.is_chance, rng.random
        option_functions, apply_functions = self.option_functions, self.apply_functions
        chance_functions, blocks = self.chance_functions, self.block_functions
        counter, endless, ticks = state[PC], range(ENDLESS), self.ticks
        for _ in range(LONGEST_GAME):
            if counter == finished:
                break
            ticks[0] = 0
            you = state[YOU]
            if chance[counter]:
                option = chance_functions[you][counter](state)
            else:
                options = option_functions[you][counter](state)
                count = len(options)
                if count > 1:
                    option = options[int(random() * count)]
                    decisions += 1
                    total += count
                elif count:
                    option = options[0]
                    decisions += 1
                    total += 1
                    forced += 1
                else:
                    option = LEAVE
            if option == LEAVE and self.points[counter].leave < 0:
                state[PC] = counter
                raise self.dead_end(state)
            counter = apply_functions[you][counter](state, option)
            if counter > finished:
                for _ in endless:
                    counter = blocks[state[YOU]][counter - finished - 1](state)
                    if counter <= finished:
                        break
                else:
                    self.run(state, counter)  # which says what is wrong
        else:
            raise self.too_long(state, counter, LONGEST_GAME)
        state[PC] = counter
        return Playout(decisions, forced, total)
