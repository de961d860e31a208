"""The options of a waiting point in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from polis_rules.interpreter.evaluator import Evaluator, HiddenError, Names, NothingThereError, SeenBy, State, Wording
from polis_rules.interpreter.game.decision import Decision, Option
from polis_rules.interpreter.machine import FINISH, PC, WAY, YOU, DecisionPoint
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import KindSymbol, Source, Symbols, every_variable, ir
from polis_rules.semantics.expressions import NO_ROUTE, Call, Expr, IfElse, RouteCost, RouteQuestion


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
        self._sights = cache(lambda viewer: SeenBy(program.rules, program.layout, viewer))

    def sight(self, viewer: int, unknown: Collection[str]) -> Evaluator:
        """What evaluates as one player sees it, who does not know some names."""
        return self._sights(viewer) if self.secrets or unknown else self.evaluator

    def _reader(self, state: State, viewer: int, unknown: Collection[str]) -> tuple[Evaluator, Names]:
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
        point = self.program.points[state[PC]]
        assert isinstance(point, DecisionPoint)
        step = point.step
        player = self.symbols.kinds["player"]
        who = self.program.decider(state)
        words = _Words(self, state, step, *self._reader(state, who if viewer is None else viewer, unknown))
        options = tuple(words.option(number, point.finish) for number in numbers)
        prompt = words.title(step.title, step.shown)
        secret = step.secret or self.apart(state)
        return Decision(player.members[who], player.titles[who], prompt, step.path, options, secret)

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
        evaluator, names = self._reader(state, self.program.decider(state) if viewer is None else viewer, unknown)
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
        for viewer in range(len(self.symbols.kinds["player"].members)):
            bits |= (not self.evaluator.holds(step.seen_by, state, {**names, "viewer": viewer})) << viewer
        return bits

    def outcome(self, step: ir.Roll | ir.Draw, number: int) -> str:
        """A chance outcome's id: the sum of the dice, or the member drawn."""
        if isinstance(step, ir.Roll):
            return str(number)
        return self.symbols.kinds[step.source.type.kind].members[number]


class _Words:
    """The words of one decision, for one reader."""

    def __init__(self, options: Options, state: State, step: ir.Choose, evaluator: Evaluator, names: Names) -> None:
        self.options, self.state, self.step, self.evaluator, self.names = options, state, step, evaluator, names

    def title(self, title: str, shown: ir.Shown) -> str:
        """A title with the values of what stands in braces."""
        return self.options.wording.filled(title, shown, self.evaluator, self.state, self.names)

    def cost(self, payments: tuple[ir.Payment, ...], names: Names) -> str:
        return self.options.wording.cost(payments, self.evaluator, self.state, names)

    def option(self, number: int, finish: str) -> Option:
        """One option."""
        step = self.step
        if number == FINISH:
            return Option("finish", finish, "", None, number)
        if number >= WAY:
            way = step.ways[number - WAY]
            asked = tuple(each for each in way.do if isinstance(each, ir.AnyOf))
            cost = self.cost((*way.cost, *asked), self.names)
            return Option(way.id, self.title(way.title, way.shown), cost, None, number)
        if step.source is None:
            return Option(str(number), str(number), "", None, number)
        chosen = list(zip(kinds_of(step, self.options.symbols), step.split(number).values(), strict=True))
        id = " ".join(kind.members[member] for kind, member in chosen)
        title = "; ".join(kind.titles[member] for kind, member in chosen)
        kind = step.source.type.kind if not step.parts else ""
        return Option(id, title, self.price(kind, number), (kind, id) if kind else None, number)

    def price(self, kind: str, number: int) -> str:
        """What choosing a member costs: an action's own cost, otherwise what the choice's own steps pay."""
        if kind == "action":
            return self.cost(self.options.program.rules.actions[number].cost, self.names)
        paid = tuple(part for part in self.step.do if isinstance(part, ir.Amount) and part.verb == "pay")
        return self.cost(paid + self.step.cost, {**self.names, **self.step.split(number)})
