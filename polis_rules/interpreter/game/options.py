"""The options of a waiting point in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache, partial
from itertools import repeat
from typing import NamedTuple, Self

from polis_rules.interpreter.evaluator import Evaluator, HiddenError, Names, NothingThereError, SeenBy, State, Wording
from polis_rules.interpreter.game.decision import Chance, Decision, Option
from polis_rules.interpreter.game.later import later
from polis_rules.interpreter.machine import FINISH, PC, WAY, YOU, DecisionPoint
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import KindSymbol, Source, Symbols, every_variable, ir, rules_of_steps
from polis_rules.semantics.expressions import NO_ROUTE, Call, Expr, IfElse, RouteCost, RouteQuestion
from polis_rules.source import spoken

MOST_OFFERS = 20_000
"""How many options are remembered, with what is the same of them wherever a game stands."""


def known_names(program: Program, state: State, path: str | None = None) -> Names:
    """The values of the local names at the present waiting point, or of another procedure, `you` included."""
    path = program.points[state[PC]].procedure if path is None else path
    procedure = program.rules.procedures[path]
    names = {
        name: state[program.layout.locals[path, name]]
        for name in [*procedure.locals, *procedure.params]
        if (path, name) in program.layout.locals
    }
    return {**names, "you": state[YOU]}


def kinds_of(step: ir.Choose, symbols: Symbols) -> list[KindSymbol]:
    """The kinds whose members are chosen, one for each name; none where only numbers or ways are."""
    return [symbols.kinds[source.type.kind] for _, source in step.chosen if source is not None]


def routes_asked(evaluator: Evaluator, tree: Expr, state: State, names: Names) -> Iterator[tuple[RouteCost, Names]]:
    """The questions for a cheapest route inside an expression, with what its names stand for."""
    if isinstance(tree, RouteCost):
        yield tree, names
    elif isinstance(tree, Call):
        term = evaluator.symbols.terms[tree.term]
        assert term.body is not None
        inner = dict(zip(term.params, (evaluator.value(arg, state, names) for arg in tree.args), strict=True))
        yield from routes_asked(evaluator, term.body, state, inner)
    elif isinstance(tree, IfElse):
        chosen = tree.then if evaluator.value(tree.test, state, names) else tree.other
        yield from routes_asked(evaluator, chosen, state, names)
    else:
        for child in tree.children():
            yield from routes_asked(evaluator, child, state, names)


class RouteTables(Evaluator):
    """Takes what routes cost from the tables of the program, which are quicker than a search."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.rules, program.layout)
        self.program = program

    def route(self, tree: RouteQuestion, state: State, names: Names) -> int:
        args, start, goal = self.ends(tree, state, names)
        cost = self.program.route_costs(state, tree.route, args, start)[goal]
        return cost if isinstance(tree, RouteCost) else int(cost < NO_ROUTE)


class Options:
    """Puts the options of a program into words."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = program.rules.symbols
        self.evaluator = RouteTables(program)
        self.wording = Wording(self.symbols)
        self.secrets = any(not each.open for each in every_variable(self.symbols))
        self.covers = [program.layout.bases["", name] for name in program.rules.symbols.together]
        self.rules_of_steps = rules_of_steps(program.rules)
        self._offer = lru_cache(MOST_OFFERS)(self._offered)
        self._sights = cache(lambda viewer: SeenBy(program.rules, program.layout, viewer))

    def sight(self, viewer: int, unknown: Collection[str]) -> Evaluator:
        """What evaluates as one player sees it, who does not know some names."""
        return self._sights(viewer) if self.secrets or unknown else self.evaluator

    def _offered(self, number: int, value: int) -> _Offer:
        """What is known of an option of a point."""
        point = self.program.points[number]
        assert isinstance(point, DecisionPoint)
        step = point.step
        if value == FINISH:
            return _offered("finish", point.finish, value)
        if value >= WAY:
            way = step.ways[value - WAY]
            asked = tuple(each for each in way.do if isinstance(each, ir.AnyOf))
            return _offered(way.id, way.title, value, shown=way.shown, payments=(*way.cost, *asked))
        if step.source is None:
            return _offered(str(value), str(value), value)
        split = step.split(value)
        chosen = list(zip(kinds_of(step, self.symbols), split.values(), strict=True))
        id = " ".join(kind.members[member] for kind, member in chosen)
        title = "; ".join(kind.titles[member] for kind, member in chosen)
        kind = "" if step.parts else step.source.type.kind
        refers_to = (kind, id) if kind else None
        if kind == "action":  # costs what it says itself, anything else what the choice's own steps pay
            return _offered(id, title, value, refers_to, payments=self.program.rules.actions[value].cost)
        paid = tuple(part for part in step.do if isinstance(part, ir.Amount) and part.verb == "pay")
        return _offered(id, title, value, refers_to, payments=paid + step.cost, chosen=split)

    def reader(self, state: State, viewer: int, unknown: Collection[str]) -> tuple[Evaluator, Names]:
        """What evaluates the words of the present decision as one player may know them, and the names known."""
        evaluator = self._sights(viewer) if unknown or state[PC] in self.program.secretive else self.evaluator
        names = known_names(self.program, state)
        return evaluator, {name: value for name, value in names.items() if name not in unknown}

    def is_hidden(self, source: Source, state: State, viewer: int) -> bool:
        """Whether a player may not know what something is worked out of, by what the player may see now."""
        names = known_names(self.program, state, source.procedure) if source.procedure else {"you": state[YOU]}
        if not source.same_you:
            del names["you"]
        try:
            self._sights(viewer).value(source.tree, state, names)
        except (HiddenError, NothingThereError):
            return True
        return False

    def decision(
        self, state: State, numbers: list[int], viewer: int | None = None, unknown: Collection[str] = ()
    ) -> Decision:
        """The decision that waits, with options for these numbers, as its player or another one may read it.

        `unknown` are the local names that stand for what this reader may not know.
        """
        number = state[PC]
        point = self.program.points[number]
        assert isinstance(point, DecisionPoint)
        step = point.step
        player = self.symbols.kinds["player"]
        who = self.program.decider(state)
        words = _Words(self, state, step, who if viewer is None else viewer, unknown)
        offers = map(self._offer, repeat(number), numbers)
        options = tuple(offer.option or words.option(offer) for offer in offers)
        name, title, secret = player.members[who], player.titles[who], step.secret or self.apart(state)
        if not step.shown:
            return Decision(name, title, step.title, step.path, options, secret)
        work, known = words.keep().prompt, {"player": name, "player_title": title, "rule": step.path}
        return later(Decision, work, **known, options=options, secret=secret)

    def apart(self, state: State) -> bool:
        """Whether players act together now, so that none sees what the others do."""
        return any(state[slot] for slot in self.covers)

    def uncovered(self, state: State) -> State:
        """The same state as if all had finished."""
        if not self.apart(state):
            return state
        return [0 if slot in self.covers else value for slot, value in enumerate(state)]

    def way(self, state: State, option: Option, viewer: int | None = None, unknown: Collection[str] = ()) -> str:
        """The route that an option's price comes from, as titles of what it visits; empty where there is none."""
        step = self.program.points[state[PC]].step
        if not isinstance(step, ir.Choose) or option.value >= FINISH or not step.cost:
            return ""
        evaluator, names = self.reader(state, self.program.decider(state) if viewer is None else viewer, unknown)
        names = {**names, **step.split(option.value)}
        try:
            routes = [
                evaluator.find_route(asked, state, inner)
                for payment in step.cost
                for part in payment.parts
                for asked, inner in routes_asked(evaluator, part.amount, state, names)
            ]
        except HiddenError:
            return ""
        best = min((route for route in routes if route.path), key=lambda route: route.cost, default=None)
        return "" if best is None else best.words(self.symbols)

    def dice(self, state: State, step: ir.Roll, viewer: int | None = None, unknown: Collection[str] = ()) -> str:
        """The dice that are rolled now, such as `2d6`, as one player or somebody who sees everything may know them."""
        names = {name: value for name, value in known_names(self.program, state).items() if name not in unknown}
        sight = self.evaluator if viewer is None else self._sights(viewer)
        told = [
            str(each) if isinstance(each, int) else self.wording.told(each, sight, state, names)
            for each in (step.dice, step.sides)
        ]
        return "hidden dice" if "hidden" in told else "d".join(told)

    def unseen(self, state: State, step: ir.Roll | ir.Draw, outcome: int) -> int:
        """The players, as bits, who by the step itself do not see what comes out."""
        if step.seen_by is None:
            return 0
        names, bits = {**known_names(self.program, state), step.var: outcome}, 0
        for viewer in range(self.symbols.count("player")):
            bits |= (not self.evaluator.holds(step.seen_by, state, {**names, "viewer": viewer})) << viewer
        return bits

    def outcome(self, step: ir.Roll | ir.Draw, number: int) -> str:
        """A chance outcome's id: the sum of the dice, or the member drawn."""
        if isinstance(step, ir.Roll):
            return str(number)
        return self.symbols.kinds[step.source.type.kind].members[number]

    def chance(self, step: ir.Roll | ir.Draw, state: State, numbers: Iterable[int]) -> Chance:
        """A chance that waits, with all that it may give."""
        outcomes = tuple(self.outcome(step, number) for number in numbers)
        if isinstance(step, ir.Roll):
            return Chance(step.stream, outcomes, outcomes, f"{spoken(step.var)}, {self.dice(state, step)}")
        kind = self.symbols.kinds[step.source.type.kind]
        titles = tuple(kind.titles[kind.index[each]] for each in outcomes)
        return Chance(step.stream, outcomes, titles, f"{kind.title[:1].lower()}{kind.title[1:]}")


class _Offer(NamedTuple):
    """What is known of an option wherever the game stands: its id, title and what these stand for, and its prices."""

    id: str
    title: str
    refers_to: tuple[str, str] | None
    value: int
    shown: ir.Shown
    payments: tuple[ir.Payment, ...]
    chosen: Names
    """the members that prices speak of by name"""
    option: Option | None
    """the option itself, where no word of it depends on how the game stands"""


def _offered(
    id: str, title: str, value: int, refers_to: tuple[str, str] | None = None,
    shown: ir.Shown = (), payments: tuple[ir.Payment, ...] = (), chosen: Names | None = None,
) -> _Offer:  # fmt: skip
    option = None if shown or payments else Option(id, title, "", refers_to, value)
    return _Offer(id, title, refers_to, value, shown, payments, chosen or {}, option)


class _Words:
    """The words of one decision, for one reader."""

    def __init__(self, options: Options, state: State, step: ir.Choose, viewer: int, unknown: Collection[str]) -> None:
        self.options, self.state, self.step, self.viewer, self.unknown = options, state, step, viewer, unknown
        self.kept = False

    def keep(self) -> Self:
        """The same words, to be asked for when the game has gone on."""
        if not self.kept:
            self.state, self.kept = self.state[:], True
        return self

    @cached_property
    def reader(self) -> tuple[Evaluator, Names]:
        """What evaluates the words, and the names that are known."""
        return self.options.reader(self.state, self.viewer, self.unknown)

    def prompt(self, _: str) -> str:
        """The question, with the values of what stands in braces."""
        return self._filled(self.step.title, self.step.shown)

    def option(self, offer: _Offer) -> Option:
        """An option of which some words depend on how the game stands."""
        return later(Option, partial(self.keep().part, offer))

    def part(self, offer: _Offer, name: str) -> object:
        """A field of an option."""
        if name == "title":
            return self._filled(offer.title, offer.shown)
        if name == "cost":
            evaluator, names = self.reader
            return self.options.wording.cost(offer.payments, evaluator, self.state, {**names, **offer.chosen})
        return getattr(offer, name)

    def _filled(self, title: str, shown: ir.Shown) -> str:
        return self.options.wording.filled(title, shown, self.reader[0], self.state, self.reader[1])
