"""Running compiled rules on states, from one waiting point to the next."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.machine import (
    MOST_AT_ONCE,
    PC,
    SCORE,
    SEED,
    WINNER,
    YOU,
    Compiled,
    Key,
    all_draws,
    draw64,
    draw_below,
    pick,
    winners,
)
from polis_rules.interpreter.runtime.fingerprint import fingerprint
from polis_rules.interpreter.runtime.list_functions import LISTS
from polis_rules.interpreter.runtime.runtime_errors import ASKED, WrongValueError, explain, marked_near, place_of
from polis_rules.interpreter.runtime.tally import Tally, Unheard
from polis_rules.source import spoken

if TYPE_CHECKING:
    from polis_rules.diagnostics import Span
    from polis_rules.interpreter.compiler import Backend
    from polis_rules.interpreter.evaluator import Evaluator, Views
    from polis_rules.interpreter.machine import AnyPoint, Event
    from polis_rules.semantics import TypedRules

State = list[int]

ERRORS = (ArithmeticError, LookupError, ValueError, TypeError, RecursionError, WrongValueError)
"""What a wrong rule can make generated code raise."""


class Running:
    """Runs a compiled ruleset on states, which are lists of integers.

    The same list is changed in place by `apply`; `copy` makes another one.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.layout = compiled.layout
        self.finished = len(compiled.waits)
        self.ticks = [0]  # a list, as copies of a program share its code and so what that counts
        self.tally = Tally()
        self.is_chance = [each.is_chance for each in compiled.waits]
        space: dict[str, Any] = {
            **ASKED, **LISTS, "draw64": draw64, "draw_below": draw_below, "all_draws": all_draws, "pick": pick,
            "fail": self.fail, "tick": self.tick, "ticks": self.ticks, "N": Unheard(), "K": self.tally, "floor": floor,
        }  # fmt: skip
        self.space = space
        self.loaded = 0
        """how many parts of the code the names in `space` are of"""
        self.backend: Backend | None = None
        self.begun: State | None = None
        """the state at the first waiting point, which but for the seed is the same in all games"""
        self.teller: Any = None
        """what puts the games of this program into words, from the first one on"""
        self.option_functions = self._table("options", self.finished)
        self.apply_functions = self._table("apply", self.finished)
        self.chance_functions = self._table("chance", self.finished)
        self.block_functions = self._table("blocks", compiled.blocks)
        self.who_functions = [
            self._function("who", number) if each.asks_who else None for number, each in enumerate(compiled.waits)
        ]
        self.routes = {name: (self._function("reach", name), self._function("costs", name)) for name in compiled.routes}
        self.ranks = [self._function("score"), *(self._function("tie", each) for each in range(compiled.ties))]
        self.valued = self._function("worth")
        held = enumerate(compiled.invariants)
        self.invariants = [(text, self._function("invariant", number)) for number, text in held]

    @property
    def rules(self) -> TypedRules:
        """The typed rules."""
        return self.compiled.rules

    @property
    def points(self) -> list[AnyPoint]:
        """The points where games wait, by number."""
        return self.compiled.points

    def _table(self, what: str, count: int) -> list[list[Any]]:
        """The functions of points or blocks: one list for each player, and a last one for nobody."""
        players = self.compiled.players
        return [[self._function(what, number, you) for number in range(count)] for you in (*range(players), -1)]

    def _function(self, *key: object) -> Any:
        """The function of a key; in compact code, what has it generated when it is first called."""
        name = self.compiled.names.get(key, None if self.compiled.compact else "")
        if name is not None and name not in self.compiled.pending:
            return self._loaded(name)
        functions: list[Any] = []

        def late(*args: object) -> Any:
            if not functions:
                functions.append(self._generated(key))
            return functions[0](*args)

        return late

    def _generated(self, key: Key) -> Any:
        """The function of a key, generated unless another program of the same rules had that done."""
        names, pending = self.compiled.names, self.compiled.pending
        if key not in names or names[key] in pending:
            if self.backend is None:
                from polis_rules.interpreter.compiler import Backend

                self.backend = Backend(self.compiled)
            self.backend.add([key])
        return self._loaded(names[key])

    def _loaded(self, name: str) -> Any:
        """The function of a name. What it calls and is not generated yet will be when it is first called."""
        if self.loaded < len(self.compiled.parts):
            self.space |= self.compiled.constants
            for part in self.compiled.parts[self.loaded :]:
                exec(marshal.loads(part.code), self.space)
            self.loaded = len(self.compiled.parts)
            for late in self.compiled.pending.keys() - self.space.keys():
                self.space[late] = self._function(*self.compiled.pending[late])
        return self.space[name] if name else self.nobody

    def nobody(self, state: State, *_: object) -> int:
        """Stands where code for an acting player would run while nobody acts."""
        raise RuleError("a rule speaks of `you` where nobody acts", None, fingerprint(state))

    def fail(self, site: int, state: State, message: str) -> None:
        """Called by generated code when a step breaks a range or a loop does not end."""
        raise RuleError(message, self.compiled.sites[site].span, fingerprint(state))

    def tick(self, site: int, state: State, much: int) -> None:
        """Called whenever a loop or procedure that may do much begins again; by checked code at every one."""
        self.ticks[0] += much
        if self.ticks[0] > MOST_AT_ONCE:
            self.fail(site, state, f"this is done more than {MOST_AT_ONCE} times without anybody deciding")

    def failed(self, error: Exception, state: State, at: Span | None = None) -> RuleError:
        """The RuleError for an exception out of generated code; `at` is where the game was, for want of better."""
        span = place_of(error, self.compiled)
        if span is None and at is None and state[PC] < self.finished:
            at = self.points[state[PC]].step.span
        return RuleError(explain(error), span or at, fingerprint(state))

    def new_state(self, seed: int = 0) -> State:
        """The state at the first waiting point of a new game. `seed` is any whole number."""
        if self.begun is not None:
            state = self.begun[:]
            state[SEED] = seed
            return state
        counted = str(self.tally.rows)
        state = self.begin(seed)[0]
        if not self.compiled.checks and counted == str(self.tally.rows):  # then nothing else has been done
            self.begun = state[:]
        return state

    def begin(self, seed: int = 0, first: Sequence[int] | None = None) -> tuple[State, list[Event]]:
        """The same, and what happened on the way, if this program tells.

        `first` is the state before the first step, where that is another than the scenario's.
        """
        state = list(self.compiled.first if first is None else first)
        state[SEED] = seed
        self.ticks[0] = 0
        return state, self.run(state, self.finished + 1 + self.compiled.begin, [])

    def position(self, state: State) -> str:
        """A short name of a position: 16 hexadecimal digits, the same in every process.

        That of a game that is over does not depend on how its rules were compiled.
        """
        return fingerprint(self.layout.lasting(state) if state[PC] == self.finished else state)

    def copy(self, state: State) -> State:
        """Another state, equal to this one."""
        return state[:]

    def run(self, state: State, counter: int, events: list[Event]) -> list[Event]:
        """Go on from a block until the game waits or is over; `events` and what happened then."""
        finished = self.finished
        blocks = self.block_functions
        told = (events,) if self.compiled.trace else ()
        try:
            while counter > finished:
                counter = blocks[state[YOU]][counter - finished - 1](state, *told)
        except ERRORS as error:
            raise self.failed(error, state, self.place(counter, state)) from None
        state[PC] = counter
        return events

    def place(self, counter: int, state: State) -> Span | None:
        """Where the rule stands that a block was made of; of the phase `game` where its code does not say."""
        name = self.compiled.names.get(("blocks", counter - self.finished - 1, state[YOU]))
        sources = (part.source.split("\n") for part in self.compiled.parts)
        begin = f"def {name}("
        lines = ((source, at) for source in sources for at, text in enumerate(source) if text.startswith(begin))
        place = next((marked_near(source, at, self.compiled.sites) for source, at in lines), None)
        return place or self.rules.procedures["phases.game"].span

    def options(self, state: State) -> list[int]:
        """The numbers of the options at the present waiting point; for chance, of the outcomes."""
        options: list[int] = self._ask(self.option_functions, state)
        return options

    def outcome(self, state: State) -> int:
        """How the state's own random generator answers the present chance point."""
        outcome: int = self._ask(self.chance_functions, state)
        return outcome

    def apply(self, state: State, option: int) -> list[Event]:
        """Carry out an option (which must be one of `options`) or LEAVE, up to the next waiting point.

        What happened is returned, if this program tells.
        """
        events: list[Event] = []
        counter = self._ask(self.apply_functions, state, option, *((events,) if self.compiled.trace else ()))
        return self.run(state, counter, events)

    def _ask(self, functions: list[list[Any]], state: State, *args: object) -> Any:
        self.ticks[0] = 0
        try:
            return functions[state[YOU]][state[PC]](state, *args)
        except ERRORS as error:
            raise self.failed(error, state) from None

    def decider(self, state: State) -> int:
        """Who decides at the present decision. Raises RuleError where the rule that says it fails."""
        function = self.who_functions[state[PC]]
        if function is None:
            return state[YOU]
        try:
            player: int = function(state)
        except ERRORS as error:
            raise self.failed(error, state) from None
        return player

    def reached(self, state: State, route: str, args: tuple[int, ...], node: int) -> int:
        """The nodes (as bits) that a route leads to from a node, answered from the tables that rules use."""
        number: int = self.routes[route][0](state, *args, node)
        return number

    def route_costs(self, state: State, route: str, args: tuple[int, ...], node: int) -> list[int]:
        """What the cheapest route from a node to each node costs, answered from the tables that rules use."""
        costs: list[int] = self.routes[route][1](state, *args, node)
        return costs

    def score(self, state: State, player: int) -> int:
        """The total of a player's score terms now. Raises RuleError where a term reads what is not there."""
        return self.rank(state, player, 0)

    def rank(self, state: State, player: int, place: int) -> int:
        """One of the numbers by which players are placed at the end: their score, then what breaks a tie.

        Raises RuleError as `score` does.
        """
        try:
            number: int = self.ranks[place](state, player)
        except ERRORS as error:
            raise self.failed(error, state) from None
        return number

    def winners(self, state: State) -> list[int]:
        """The players who have won a game that is over: several where they share the best score and no tie-break tells
        them apart, none where an ending says so. Raises RuleError as `score` does.

        >>> from polis_rules import load
        >>> from polis_rules.play import bots
        >>> program = load("yucata").program()
        >>> state = program.new_state(seed=7)
        >>> for _ in program.steps(state, bots.chooser(program, ["random", "random"], seed=7)):
        ...     pass
        >>> program.winners(state)
        [1]
        """
        if state[WINNER] != SCORE:
            return winners(state[WINNER])
        won = list(range(self.compiled.players))
        for place in range(len(self.ranks)):
            here = {who: self.rank(state, who, place) for who in won}
            won = [who for who in won if here[who] == max(here.values())]
        return won

    def worth(self, state: State, player: int) -> int:
        """What a position is worth to a player, in hundredths of a point: the score, and what `advice` counts.

        Without advice, whatever a player may spend counts a tenth of a point. Raises RuleError as `score` does.

        >>> from polis_rules import load
        >>> program = load("yucata").program()
        >>> program.worth(program.new_state(seed=7), 0) > 0
        True
        """
        try:
            total: int = self.valued(state, player)
        except ERRORS as error:
            raise self.failed(error, state) from None
        return total

    @cached_property
    def secretive(self) -> frozenset[int]:
        """The decisions, by point, whose words come of state that not everybody may see."""
        from polis_rules.interpreter.evaluator import tells_hidden

        return frozenset(
            number for number, point in enumerate(self.points) if tells_hidden(point.step, self.compiled.rules)
        )

    @cached_property
    def evaluator(self) -> Evaluator:
        """What works out expressions that the code has no function for; what is counted, it counts as well."""
        from polis_rules.interpreter.evaluator import Evaluator

        return Evaluator(self.rules, self.layout, self.tally)

    @cached_property
    def views(self) -> Views:
        """What players may see of a state."""
        from polis_rules.interpreter.evaluator import Views

        return Views(self.rules, self.layout)

    def may_be_empty(self, state: State) -> bool:
        """Whether the game goes on where the present waiting point offers nothing."""
        return self.compiled.waits[state[PC]].may_be_empty

    def check(self, state: State, held: State | None = None) -> None:
        """Ask the invariants and the supplies. Raises RuleError where one does not hold.

        `held` is a state at which all did: then only those are asked that depend on what is another now.
        """
        asked = self.invariants
        if held is not None:
            bits = 0
            for begin, end, readers in self.compiled.readers:
                if state[begin:end] != held[begin:end]:
                    bits |= readers
            asked = [each for number, each in enumerate(asked) if bits >> number & 1]
        for text, holds in asked:
            if not holds(state):
                message = f"this must always hold, and does not: {text}"
                rules = self.rules
                places = {spoken(item.label): item.span for item in rules.invariants}
                places |= {f"the supply of {spoken(item.name)} adds up": item.span for item in rules.supplies}
                raise RuleError(message, places.get(text), fingerprint(state))

    def dead_end(self, state: State) -> RuleError:
        """The error that a point offers nothing."""
        from polis_rules.interpreter.machine import DecisionPoint

        point = self.points[state[PC]]
        title = point.step.title if isinstance(point, DecisionPoint) else point.step.var
        return RuleError(f"nothing can be chosen here: {title}", point.step.span, fingerprint(state))

    def too_long(self, state: State, count: int) -> RuleError:
        """The error that a game has not come to an end after so many decisions."""
        message = f"this game has not come to an end after {count} decisions"
        return RuleError(message, self.points[state[PC]].step.span, fingerprint(state))
