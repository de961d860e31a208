"""An evaluator that works nothing out again whose ground has not changed, so that ten thousand games can be walked.

It still walks the typed trees, and knows no generated code, no slots of local names and no route tables. What it adds
to the plain evaluator is a memory: for every answer it keeps which slots of the state were read for it and which other
answers were used, and whoever changes a slot says so to `changed`, which forgets all that was made of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, TypeVar, cast

from polis_rules.interpreter.evaluator import Crossing, Evaluator, Names, State
from polis_rules.interpreter.machine import Layout
from polis_rules.semantics import TypedRules
from polis_rules.semantics.expressions import NO_ROUTE, Expr, nodes as n

Answer = TypeVar("Answer")

Key = tuple[str | int, ...]

Ask = Callable[[Any, State, Names], int]

MOST = 100_000
"""How many answers about routes are kept before they are forgotten."""

MOST_PARTS = 2_000_000
"""How many steps and parts of expressions are worked out between two points."""


class TooMuchError(Exception):
    """More than that."""


class MemoizedEvaluator(Evaluator):
    """Evaluates as `Evaluator` does, and remembers answers for as long as nothing changes that they were made of.

    >>> from polis_rules import load
    >>> from polis_rules.interpreter.machine.layout import lay_out
    >>> rules = load("yucata").rules()
    >>> evaluator = MemoizedEvaluator(rules, lay_out(rules.symbols))
    >>> evaluator.value(n.number(2), [], {})
    2
    """

    def __init__(self, rules: TypedRules, layout: Layout) -> None:
        super().__init__(rules, layout)
        self.free: dict[int, tuple[str, ...]] = {}
        """the names from outside that a tree reads; trees live as long as the rules do, so their ids name them"""
        self.answers: dict[Key, Any] = {}
        self.users: dict[Key | int, set[Key]] = {}
        """the questions for whose answers a slot was read or another answer was used"""
        self.asking: Key | None = None
        """the question that is being answered"""
        self.left = MOST_PARTS
        """how much may still be worked out before the next point"""
        self.costs = lru_cache(MOST)(self.cheapest_from)
        for kind in (n.Comp, n.Possible):
            self.kinds[kind] = partial(self.recalled, ask=self.kinds[kind])

    def changed(self, slot: int) -> None:
        """A slot has another value now."""
        waiting: list[Key | int] = [slot]
        while waiting:
            for user in self.users.pop(waiting.pop(), ()):
                if self.answers.pop(user, None) is not None:
                    waiting.append(user)

    def memoized(self, key: Key, ask: Callable[[], Answer]) -> Answer:
        """What `ask` answers, or has answered before."""
        outer = self.asking
        if outer is not None:
            self.users.setdefault(key, set()).add(outer)
        answer: Answer | None = self.answers.get(key)
        if answer is None:
            self.asking = key
            try:
                answer = self.answers[key] = ask()
            finally:
                self.asking = outer
        return answer

    def known(self, tree: Expr, names: Names) -> Key:
        """What names the answer to a tree: the tree, and the names that it reads and does not bind itself."""
        number = id(tree)
        if number not in self.free:
            self.free[number] = tuple(sorted(n.free_names(tree)))
        return (number, *[names[name] for name in self.free[number]])

    def value(self, tree: Expr, state: State, names: Names) -> int:
        if isinstance(tree, n.Var):
            return names[tree.name]
        if isinstance(tree, n.Const):
            return tree.value
        self.spend()
        return self.kinds[type(tree)](tree, state, names)

    def spend(self) -> None:
        """A part is worked out. Raises TooMuchError."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchError

    def recalled(self, tree: Expr, state: State, names: Names, ask: Ask | None = None) -> int:
        if isinstance(tree, n.Var | n.Const | n.Call):  # a call is remembered by its term
            return self.value(tree, state, names)
        ask = ask or self.value
        return self.memoized(self.known(tree, names), lambda: ask(tree, state, names))

    def slot(self, tree: n.Load, state: State, names: Names) -> int:
        slot = super().slot(tree, state, names)
        if self.asking is not None:
            width = self.symbols.variable(tree.owner, tree.name).width
            for each in range(slot, slot + width):
                self.users.setdefault(each, set()).add(self.asking)
        return slot

    def call(self, tree: n.Call, state: State, names: Names) -> int:
        term = self.symbols.terms[tree.term]
        args = [self.value(arg, state, names) for arg in tree.args]
        return self.memoized(
            (tree.term, *args),
            lambda: self.value(cast(Expr, term.body), state, dict(zip(term.params, args, strict=True))),
        )

    # -- routes, by going on from node to node ----------------------------------------------------------------------

    def route(self, tree: n.RouteQuestion, state: State, names: Names) -> int:
        args, start, goal = self.ends(tree, state, names)
        open_now = self.memoized((f"route {tree.route}", *args), lambda: self.crossing(tree.route, args, state))
        cost = self.costs(open_now, start)[goal]
        return cost if isinstance(tree, n.RouteCost) else int(cost != NO_ROUTE)

    def cheapest_from(self, open_now: Crossing, start: int) -> list[int]:
        """What the cheapest route from a node to each node costs: go on from node to node as long as that makes
        anything cheaper; only nodes that have a cost are crossed."""
        graph, cost = self.graph(open_now[0]), dict(open_now[1])
        costs = [NO_ROUTE] * len(graph)
        waiting = deque([(start, 0)])
        while waiting:
            node, spent = waiting.popleft()
            for goal in graph[node]:
                if spent < costs[goal]:
                    costs[goal] = spent
                    if goal in cost:
                        waiting.append((goal, spent + cost[goal]))
        return costs
