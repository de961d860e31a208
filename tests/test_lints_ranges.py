"""What the checks prove about values is true of the values that occur in play."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from support.sampling import sampled

import polis_rules
from polis_rules.interpreter.evaluator.evaluate import Evaluator, NothingThereError
from polis_rules.interpreter.machine.layout import lay_out
from polis_rules.pipeline import front
from polis_rules.semantics import Fact, Interval, Ranges
from polis_rules.semantics.expressions import Expr, Load, Type, Var
from polis_rules.validation.analysis.effects import Effects
from polis_rules.validation.analysis.facts import Facts

HERE = Path(__file__).parent
RULESETS = [*sorted(str(path.parent) for path in HERE.glob("rulesets/*/ruleset.yaml")), "devir", "yucata"]


class Played:
    """States of random games, and everything that the rules say."""

    def __init__(self, name: str) -> None:
        self.rules = front(name).rules
        self.symbols = self.rules.symbols
        self.ranges = Ranges(self.symbols)
        self.effects = Effects(self.rules)
        self.evaluator = Evaluator(self.rules, lay_out(self.symbols))
        self.trees = [tree for rule in self.effects.units.values() for tree in rule.expressions]
        self.random = Random(5)
        self.states = [state for seed in range(3) for state in self.states_of(name, seed)]

    def states_of(self, name: str, seed: int) -> list[list[int]]:
        game, states = polis_rules.load(name).start(seed=seed), []
        while game.decision is not None:
            states.append(list(game.state))
            game.apply(self.random.choice(game.decision.options))
        return states[::5]

    def names(self, trees: list[Expr]) -> dict[Var, int]:
        """Values for the local names of some expressions: any members, small numbers."""
        found: dict[str, Var] = {}
        for part in (part for tree in trees for part in tree.walk()):
            if isinstance(part, Var) and not part.type.maybe:
                found.setdefault(part.name, part)
        return {variable: self.value(variable.type) for variable in found.values()}

    def value(self, kind: Type) -> int:
        size = 4 if kind.base == "int" else 2 if kind.base == "bool" else len(self.symbols.kinds[kind.kind].members)
        return self.random.randrange(size)

    def asked(self, tree: Expr, state: list[int], names: dict[Var, int]) -> int | None:
        """The value of an expression; None where it reads through or is a none that its place in the rules excludes.

        It is also None where a name is missing.
        """
        try:
            value = self.evaluator.value(tree, state, {variable.name: value for variable, value in names.items()})
        except (NothingThereError, KeyError):
            return None
        maybe = isinstance(tree, Load) and self.symbols.variable(tree.owner, tree.name).type.maybe
        return None if value < 0 and maybe and not tree.type.maybe else value


@pytest.fixture(scope="module", params=sampled(RULESETS, every=6, slow=2, name=lambda name: Path(name).name))
def played(request: pytest.FixtureRequest) -> Played:
    return Played(request.param)


def fits(value: int, found: object) -> bool:
    if isinstance(found, Interval):
        return found.low <= value <= found.high
    return not isinstance(found, frozenset) or value in found


def test_every_value_in_play_lies_in_its_range(played: Played) -> None:
    """Whatever an expression is worth in a game lies where the ranges say that it must."""
    tried = 0
    for tree in played.trees:
        state = played.random.choice(played.states)
        names = played.names([tree])
        value = played.asked(tree, state, names)
        if value is None or tree.type.base == "set":
            continue
        known: dict[Expr, Fact] = {
            variable: Fact(Interval(given, given) if variable.type.base in ("int", "bool") else frozenset((given,)))
            for variable, given in names.items()
        }
        assert fits(value, played.ranges.of(tree, known)), tree
        assert fits(value, played.ranges.of(tree, {})), tree
        tried += 1
    assert 3 * tried >= 2 * len(played.trees)  # the others are sets, or read through a none


def test_a_condition_that_holds_proves_nothing_false(played: Played) -> None:
    """What is taken to follow from one condition is true of every other one in each position where it holds."""
    conditions = [tree for tree in played.trees if tree.type.base == "bool"]
    parts = list({part for tree in conditions for part in tree.walk() if part.type.base == "bool"})
    proved = 0
    for first, second in _pairs(played, parts):
        state = played.random.choice(played.states)
        names = played.names([first, second])
        here, there = (played.asked(tree, state, names) for tree in (first, second))
        if here is None or there is None:
            continue
        facts = Facts(played.ranges, played.effects).assuming(first, bool(here))
        verdict = facts.verdict(second)
        assert verdict is None or verdict is bool(there), (first, second)
        proved += verdict is not None
    assert proved > 5


def _pairs(played: Played, parts: list[Expr]) -> list[tuple[Expr, Expr]]:
    """Pairs of conditions, above all of those that read the same state."""
    parts.sort(key=lambda tree: (sorted(played.effects.reads(tree)), repr(tree)))
    near = [*pairwise(parts), *zip(parts, parts[2:], strict=False), *zip(parts, parts[3:], strict=False)]
    return [*((tree, tree) for tree in parts), *near * 4]
