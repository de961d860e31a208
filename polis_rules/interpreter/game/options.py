"""The options of a waiting point in words."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.interpreter.evaluator import Evaluator, Names, NothingThereError, State, Wording, find_route
from polis_rules.interpreter.game.decision import Decision, Option
from polis_rules.interpreter.machine import FINISH, PC, WAY, YOU
from polis_rules.interpreter.runtime import Program
from polis_rules.semantics import ir
from polis_rules.semantics.expressions import Call, Expr, IfElse, RouteCost


def known_names(program: Program, state: State) -> Names:
    """The values of the local names at the present waiting point, `you` included."""
    point = program.points[state[PC]]
    procedure = program.rules.procedures[point.procedure]
    names = {
        name: state[program.layout.locals[point.procedure, name]]
        for name in [*procedure.locals, *procedure.params]
        if (point.procedure, name) in program.layout.locals
    }
    return {**names, "you": state[YOU]}


def routes_asked(evaluator: Evaluator, tree: Expr, state: State, names: Names) -> Iterator[tuple[RouteCost, Names]]:
    """The questions for a cheapest route inside an expression, with what its names stand for."""
    if isinstance(tree, RouteCost):
        yield tree, names
    elif isinstance(tree, Call):
        term = evaluator.symbols.terms[tree.term]
        assert term.body is not None
        given = dict(zip(term.params, (evaluator.value(arg, state, names) for arg in tree.args), strict=True))
        yield from routes_asked(evaluator, term.body, state, given)
    elif isinstance(tree, IfElse):
        chosen = tree.then if evaluator.value(tree.test, state, names) else tree.other
        yield from routes_asked(evaluator, chosen, state, names)
    else:
        for child in tree.children():
            yield from routes_asked(evaluator, child, state, names)


class Offer:
    """Makes decisions out of option numbers."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = program.rules.symbols
        self.evaluator = Evaluator(program.rules, program.layout)
        self.wording = Wording(self.symbols)

    def decision(self, state: State, numbers: list[int]) -> Decision:
        """The decision that waits, with options for these numbers."""
        point = self.program.points[state[PC]]
        step = point.step
        assert isinstance(step, ir.Choose)
        names = known_names(self.program, state)
        player = self.symbols.kinds["player"]
        who = self.program.decider(state)
        options = tuple(self.option(step, number, state, names, point.finish) for number in numbers)
        prompt = self.title(step.title, step.shown, state, names)
        return Decision(player.members[who], player.titles[who], prompt, step.path, options, step.secret)

    def title(self, title: str, shown: ir.Shown, state: State, names: Names) -> str:
        """A title with the values of what stands in braces."""
        for part, value in shown:
            try:
                told = self.wording.value(value.type, self.evaluator.value(value, state, names))
            except NothingThereError:
                told = "nothing"
            title = title.replace(part, told)
        return title

    def option(self, step: ir.Choose, number: int, state: State, names: Names, finish: str) -> Option:
        """One option."""
        if number == FINISH:
            return Option("finish", finish, "", None, number)
        if number >= WAY:
            way = step.ways[number - WAY]
            cost = self.wording.cost(way.cost, self.evaluator, state, names)
            return Option(way.id, self.title(way.title, way.shown, state, names), cost, None, number)
        if step.source is None:
            return Option(str(number), str(number), "", None, number)
        kind = self.symbols.kinds[step.source.type.kind]
        return Option(
            kind.members[number], kind.titles[number], self.cost(step, kind.name, number, state, names),
            (kind.name, kind.members[number]), number,
        )  # fmt: skip

    def cost(self, step: ir.Choose, kind: str, number: int, state: State, names: Names) -> str:
        """What choosing costs: of an action its cost, otherwise what the choice's own steps pay."""
        if kind == "action":
            return self.wording.cost(self.program.rules.actions[number].cost, self.evaluator, state, names)
        paid = tuple(part for part in step.do if isinstance(part, ir.Amount) and part.verb == "pay")
        return self.wording.cost(paid + step.cost, self.evaluator, state, {**names, step.var: number})

    def way(self, state: State, option: Option) -> str:
        """The route that an option's price comes from, as titles of what it visits; empty where there is none."""
        step = self.program.points[state[PC]].step
        if not isinstance(step, ir.Choose) or option.value >= FINISH:
            return ""
        names = {**known_names(self.program, state), step.var: option.value}
        found = [
            find_route(self.evaluator, asked, state, inner)
            for part in step.cost
            for asked, inner in routes_asked(self.evaluator, part.amount, state, names)
        ]
        best = min((route for route in found if route.path), key=lambda route: route.cost, default=None)
        return "" if best is None else best.words(self.symbols)

    def outcome(self, step: ir.Roll | ir.Draw, number: int) -> str:
        """A chance outcome's id: the sum of the dice, or the member drawn."""
        if isinstance(step, ir.Roll):
            return str(number)
        return self.symbols.kinds[step.source.type.kind].members[number]
