"""Routes answered from tables are those that networkx finds on the same position."""

from __future__ import annotations

from pathlib import Path
from random import Random

import networkx as nx
import pytest

import polis_rules
from polis_rules.interpreter.evaluator.evaluate import Evaluator, State
from polis_rules.interpreter.machine import printed_routes
from polis_rules.interpreter.machine.layout import PC
from polis_rules.interpreter.machine.protocol import LEAVE
from polis_rules.interpreter.machine.routes import route_graph
from polis_rules.interpreter.runtime import Program
from polis_rules.pipeline import Build, run
from polis_rules.semantics import NO_ROUTE, reached
from polis_rules.validation.analysis import Subject


class Judge:
    """Finds routes with networkx alone; equal questions are asked once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = program.rules.symbols
        self.evaluator = Evaluator(program.rules, program.layout)
        self.graphs: dict[tuple[str, ...], nx.DiGraph[int]] = {}
        self.known: dict[tuple[object, ...], dict[int, int]] = {}

    def crossing(self, route: str, player: int, state: State) -> tuple[tuple[str, ...], dict[int, int]]:
        """The graphs that are open now, and the cost of every node that may be crossed."""
        declared = self.symbols.routes[route]
        given = dict.fromkeys(declared.params, player)
        opened = tuple(graph for graph, test in declared.also.items() if self.evaluator.value(test, state, given))
        cost = {}
        for kind, test in declared.through.items():
            for member in range(self.evaluator.symbols.count(kind)):
                names = {**given, "space": member}
                if self.evaluator.value(test, state, names):
                    price = declared.costs.get(kind)
                    value = 0 if price is None else self.evaluator.value(price, state, names)
                    cost[self.symbols.first_node[kind] + member] = value
        return (*declared.over, *opened), cost

    def costs(self, graphs: tuple[str, ...], cost: dict[int, int], start: int) -> dict[int, int]:
        """The cheapest cost to every node but the start that can be reached."""
        key = (graphs, tuple(cost.items()), start)
        if key not in self.known:
            if graphs not in self.graphs:
                self.graphs[graphs] = route_graph(self.symbols, graphs)
            graph = self.graphs[graphs]
            inner = graph.subgraph({start, *cost})
            spent = nx.single_source_dijkstra_path_length(inner, start, weight=lambda _, to, __: cost.get(to, 0))
            best: dict[int, int] = {}
            for node, price in spent.items():
                for goal in graph.successors(node):
                    if goal != start:
                        best[goal] = min(best.get(goal, NO_ROUTE), price)
            self.known[key] = best
        return self.known[key]


def compare(program: Program, judge: Judge, state: State, rng: Random) -> None:
    """Compare one route of one player, from one start, on one position."""
    route = rng.choice(list(judge.symbols.routes))
    player = rng.randrange(len(judge.symbols.kinds["player"].members))
    args = (player,) * len(judge.symbols.routes[route].params)
    start = rng.randrange(judge.symbols.nodes)
    graphs, cost = judge.crossing(route, player, state)
    expected = judge.costs(graphs, cost, start)
    reached = program.reached(state, route, args, start)
    costs = program.route_costs(state, route, args, start)
    for node in range(judge.symbols.nodes):
        if node != start:
            assert bool(reached >> node & 1) == (node in expected), (route, start, node)
            assert costs[node] == expected.get(node, NO_ROUTE), (route, start, node)


@pytest.mark.slow
@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", ["yucata", "tests/rulesets/random_isles"])
def test_tables_and_networkx_agree_on_every_position_of_random_games(
    name: str, games: int, pytestconfig: pytest.Config
) -> None:
    path = str(pytestconfig.rootpath / name) if "/" in name else name
    check_games(polis_rules.load(path).program(), games)


@pytest.mark.slow
def test_a_search_finds_what_tables_know(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where too many spaces may be crossed for tables, each question is a search of its own: answers are the same."""
    monkeypatch.setattr("polis_rules.interpreter.compiler.python.routes.MOST_TABLED", 0)
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path))
    program = polis_rules.load("yucata").program(checks=False)
    assert any("def go_" in part.source for part in program.compiled.parts)
    check_games(program, 1)


def check_games(program: Program, games: int) -> None:
    """Compare all routes at every position of random games."""
    judge, rng = Judge(program), Random(1)
    positions = 0
    for seed in range(games):
        state = program.new_state(seed)
        while state[PC] != program.finished:
            if program.is_chance[state[PC]]:
                program.apply(state, program.outcome(state))
                continue
            options = program.options(state)
            program.apply(state, rng.choice(options) if options else LEAVE)
            compare(program, judge, state, rng)
            positions += 1
    assert positions > 10 * games


@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_checks_of_maps_walk_as_networkx_does(name: str) -> None:
    """The spaces that ways lead to, and the parts of the map, are those that networkx finds."""
    built = run(Build(name))
    assert built.composed is not None and built.document is not None
    assert built.symbols is not None and built.rules is not None
    subject = Subject(built.composed, built.document, built.symbols, built.rules)
    for route in built.symbols.routes.values():
        graph = route_graph(built.symbols, (*route.over, *route.also))
        crossing = graph.copy()
        for number in graph:
            if number not in printed_routes._crossed(built.symbols, route):
                crossing.remove_edges_from(list(graph.out_edges(number)))
        beyond = {number: {number, *nx.descendants(crossing, number)} for number in graph}
        ways = {number: {number}.union(*(beyond[each] for each in graph[number])) for number in graph}
        steps = printed_routes.printed_steps(built.symbols, route)
        assert {number: {*goals} for number, goals in steps.items()} == ways
    board = route_graph(built.symbols, tuple(built.symbols.graphs)).to_undirected()
    parts = [sorted(reached(subject.board, [number])) for number in subject.board]
    assert parts == [sorted(nx.node_connected_component(board, number)) for number in board]
