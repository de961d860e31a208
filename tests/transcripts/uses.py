"""What a game uses of its ruleset, by name: actions, projects, event and battle cards, market spaces, ways, endings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, cached_property
from pathlib import Path

from ruamel.yaml import YAML

from polis_rules import Ruleset, load
from polis_rules.interpreter.machine.layout import ENDING, PC, WINNER
from polis_rules.interpreter.machine.protocol import FINISH, LEAVE, WAY
from polis_rules.interpreter.runtime import Program, State
from polis_rules.play.transcript import Transcript, TranscriptError
from polis_rules.semantics import ir
from polis_rules.semantics.symbols import every_variable

UNREACHABLE = Path(__file__).parent / "unreachable.yaml"
"""What no game can use, by edition, each with the reason."""

MEMBERS = {
    "actions.begin_project.tile": "project {} begun",
    "actions.besiege_polis.target": "siege of {}",
    "phases.do_what_is_free.deed": "action {}",
    "phases.take_one_more_action.deed": "action {}",
    "phases.take_two_actions.deed": "action {}",
    "procedures.exchange.first_card": "battle card {} in attack",
    "procedures.exchange.second_card": "battle card {} in attack",
    "procedures.exchange.first_answer": "battle card {} in defence",
    "procedures.exchange.second_answer": "battle card {} in defence",
}
"""What it is called that a member is chosen, by the path of the rule that asks."""

SPACE, WARE = "actions.trade.shipload", "actions.trade.ware"
"""The two questions of a trade: where, and what for."""


class Uses:
    """The names of what can be used in the games of a compiled ruleset, and which of them a game uses when."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = program.rules.symbols.kinds
        self.asks = [point.step.path if isinstance(point.step, ir.Choose) else "" for point in program.points]
        self.known: dict[tuple[int, ...], tuple[str, ...]] = {}
        where = program.points[self.asks.index(SPACE)]
        self.ware = self.asks.index(WARE)
        self.space = program.layout.local(where.procedure, where.step.var)

    # -- all there is ---------------------------------------------------------------------------------------------

    def everything(self) -> list[str]:
        """All names, in the order of the rules."""
        return list(dict.fromkeys([*self._rows(), *self._questions(), *self._endings()]))

    def hints(self) -> list[str]:
        """Names that nobody asks for: with whom they are, other things come about."""
        return ["captive proxenos", *(f"siege of {name}" for name in self.kinds["polis"].members)]

    def _rows(self) -> Iterator[str]:
        for kind, names in {
            "action": ["action {}"],
            "project": ["project {} begun", "project {} completed"],
            "event": ["event {}"],
            "battle_card": ["battle card {} in attack", "battle card {} in defence"],
            "column": ["market value {}"],
        }.items():
            yield from (name.format(member) for member in self.kinds[kind].members for name in names)
        goods, loads = self.kinds["good"].members, self.kinds["load"]
        for number, space in enumerate(loads.members):
            wanted = loads.attributes["wants"].values[number]
            yield from (f"market space {space} for {each}" for place, each in enumerate(goods) if wanted >> place & 1)
            if goods[loads.attributes["offers"].values[number]] == "wheat":
                yield f"market space {space} bought"

    def _questions(self) -> Iterator[str]:
        for point in self.program.points:
            if isinstance(point.step, ir.Choose):
                yield f"question {point.step.path}"
                yield from (f"way {way.id} of {point.step.path}" for way in point.step.ways)
                if point.finish:
                    yield f"way finish of {point.step.path}"

    def _endings(self) -> Iterator[str]:
        yield from (f"ending {name}" for name in self.program.rules.endings)

    # -- one game -------------------------------------------------------------------------------------------------

    def chosen(self, state: State, option: int) -> tuple[str, ...]:
        """What a decision at a position uses."""
        point = state[PC]
        key = (point, option, state[self.space]) if point == self.ware else (point, option)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = tuple(self._chosen(point, option, state[self.space]))
        return found

    def _chosen(self, point: int, option: int, space: int) -> Iterator[str]:
        path, step = self.asks[point], self.program.points[point].step
        assert isinstance(step, ir.Choose)
        yield f"question {path}"
        if option == FINISH:
            yield f"way finish of {path}"
        elif option >= WAY:
            yield f"way {step.ways[option - WAY].id} of {path}"
        elif path in MEMBERS and step.source is not None:
            yield MEMBERS[path].format(self.kinds[step.source.type.kind].members[option])
        if path == WARE:
            member, goods = self.kinds["load"].members[space], self.kinds["good"].members
            yield f"market space {member} {'bought' if option >= WAY else 'for ' + goods[option]}"

    def standing(self, state: State) -> set[str]:
        """What a position shows: the card in force, values of goods, completed projects, how the game has ended."""
        columns, events, projects = (self.kinds[name].members for name in ("column", "event", "project"))
        first, goods = self._value, len(self.kinds["good"].members)
        traded = self.kinds["good"].attributes["traded"].values
        names = {f"market value {columns[state[first + n]]}" for n in range(goods) if traded[n]}
        if state[self._card] >= 0:
            names.add(f"event {events[state[self._card]]}")
        names |= {f"project {name} completed" for n, name in enumerate(projects) if state[self._done + n]}
        if min(state[self._hosts]) < 0:
            names.add("captive proxenos")
        if state[ENDING] >= 0:
            names.add(f"ending {list(self.program.rules.endings)[state[ENDING]]}")
        return names

    @cached_property
    def _value(self) -> int:
        return self.program.layout.bases["good", "value"]

    @cached_property
    def _card(self) -> int:
        return self.program.layout.bases["", "event_card"]

    @cached_property
    def _hosts(self) -> slice:
        first = self.program.layout.bases["player", "proxenos"]
        return slice(first, first + len(self.kinds["player"].members))

    @cached_property
    def _done(self) -> int:
        return self.program.layout.bases["project", "completed"]


def replaying(ruleset: Ruleset) -> Program:
    """The program that replays run on too, so that it is compiled anyway."""
    return ruleset.program(checks=True, trace=True)


class Walk:
    """A game on a bare program, played by what a transcript says: no report, no titles."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program = program
        self.state = self.program.new_state(seed)
        self._settle()

    def go(self, what: str) -> None:
        """Choose an option, or let chance come out so. Raises TranscriptError when that is not offered."""
        self.program.apply(self.state, self.number(what))
        self._settle()

    def number(self, what: str) -> int:
        """The number of an option or outcome."""
        number = self.offered.get(what)
        if number is None:
            raise TranscriptError(f"{what} is not offered; there are: {', '.join(self.offered)}")
        return number

    def waits_for(self) -> object:
        """What the game waits for: chance, or who may choose what; how it has ended."""
        program, state = self.program, self.state
        if state[PC] == program.finished:
            scores = [
                program.score(state, player) for player in range(len(program.rules.symbols.kinds["player"].members))
            ]
            return list(program.rules.endings)[state[ENDING]], state[WINNER], scores
        step = program.points[state[PC]].step
        who = program.decider(state) if isinstance(step, ir.Choose) else step.stream
        return who, list(self.offered)

    def _settle(self) -> None:
        """Pass over choices that may be empty."""
        self.offered: dict[str, int] = {}
        while self.state[PC] != self.program.finished:
            self.offered = {self._id(number): number for number in self.program.options(self.state)}
            if self.offered:
                break
            self.program.apply(self.state, LEAVE)

    def _id(self, number: int) -> str:
        """What an option or outcome is called in a transcript."""
        step = self.program.points[self.state[PC]].step
        if isinstance(step, ir.Choose) and number >= WAY:
            return step.ways[number - WAY].id
        if number == FINISH:
            return "finish"
        if isinstance(step, ir.Roll) or step.source is None:
            return str(number)
        return self.program.rules.symbols.kinds[step.source.type.kind].members[number]


def used(transcript: Transcript, ruleset: Ruleset) -> set[str]:
    """What a recorded game uses, found by playing it again. Raises TranscriptError when it cannot be played."""
    walk = Walk(replaying(ruleset), transcript.seed)
    uses = Uses(walk.program)
    names = {f"scenario {transcript.scenario}"} | uses.standing(walk.state)
    for kind, _, what in transcript.entries:
        if kind == "decision":
            names.update(uses.chosen(walk.state, walk.number(what)))
        walk.go(what)
        names |= uses.standing(walk.state)
    return names


@cache
def to_use(ruleset: str) -> tuple[str, ...]:
    """The names of all that games of an edition can use."""
    standard = load(ruleset)
    return (*(f"scenario {name}" for name in standard.scenarios), *Uses(standard.program()).everything())


def excused(ruleset: str) -> dict[str, str]:
    """What no game of an edition can use, with the reason."""
    return dict(YAML(typ="safe").load(UNREACHABLE)[ruleset] or {})


def missing(ruleset: str, names: Collection[str]) -> list[str]:
    """What an edition has but is neither among the names that its games use nor excused."""
    excuses = excused(ruleset)
    return [name for name in to_use(ruleset) if name not in names and name not in excuses]


def needless(ruleset: str, names: Collection[str]) -> list[str]:
    """What is excused although a game uses it, or although an edition has nothing of that name."""
    there = set(to_use(ruleset)) - set(names)
    return [name for name in excused(ruleset) if name not in there]


def shows(game: Transcript, variant: str) -> bool:
    """Whether a recorded game goes otherwise without one of its variants, and uses all that this one brings."""
    others = [name for name in game.variants if name != variant]
    ruleset = load(game.ruleset, game.scenario, game.variants, settings=game.settings)
    left = load(game.ruleset, game.scenario, others).settings
    settings = {name: value for name, value in game.settings.items() if name in left}
    other = load(game.ruleset, game.scenario, others, settings=settings)
    brought = {*Uses(replaying(ruleset)).everything()} - {*Uses(other.program()).everything()}
    return brought <= used(game, ruleset) and differs(game, ruleset, other)


def differs(game: Transcript, ruleset: Ruleset, other: Ruleset) -> bool:
    """Whether a recorded game asks or offers anything else, stands otherwise or ends sooner by other rules."""
    one, two = Walk(replaying(ruleset), game.seed), Walk(other.program(), game.seed)
    slots = list(_shared(one.program, two.program))
    for _, _, what in game.entries:
        if one.waits_for() != two.waits_for() or any(one.state[a] != two.state[b] for a, b in slots):
            return True
        one.go(what)
        two.go(what)
    return one.waits_for() != two.waits_for()


def _shared(one: Program, two: Program) -> Iterator[tuple[int, int]]:
    """Where in their states two programs keep the same value; not numbers of actions, of which one may have more."""
    sizes = {(each.owner, each.name): each.size for each in every_variable(two.rules.symbols)}
    for each in every_variable(one.rules.symbols):
        place = each.owner, each.name
        if sizes.get(place) == each.size and place != ("player", "taken"):
            yield from ((one.layout.bases[place] + n, two.layout.bases[place] + n) for n in range(each.size))
