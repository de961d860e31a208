"""What a position is worth to a player: the score, and what a ruleset advises to look at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from polis_rules.semantics.expressions import Type, nodes as n
from polis_rules.semantics.traversal import PLAYER
from polis_rules.semantics.typed_rules import TypedRules, Worth

POINT = 100
"""What a point of the score is worth, so that advice may count in hundredths."""
SPENDABLE = 10
"""What one of anything spendable is worth in a ruleset without advice."""
MOST_APART = 100
"""What is counted for more members than that is left out where there is no advice: each would be a term of its own."""
WHO = n.Var(PLAYER, "who")


def worths(rules: TypedRules) -> list[Worth]:
    """The terms of the score and of `advice`; without advice, everything that players may spend."""
    scored = [Worth(name, POINT, tree) for name, tree in rules.score.items()]
    return [*scored, *(rules.advice.values() or _spendable(rules))]


def _spendable(rules: TypedRules) -> Iterator[Worth]:
    symbols = rules.symbols
    for variable in symbols.kinds["player"].state.values():
        if not variable.spendable:
            continue
        kinds = [symbols.kinds[kind] for _, kind in variable.per]
        if prod(len(kind.members) for kind in kinds) > MOST_APART:
            continue
        for indexes in product(*(range(len(kind.members)) for kind in kinds)):
            args = [n.Const(Type("ref", kind.name), at) for kind, at in zip(kinds, indexes, strict=True)]
            load = n.Load(variable.type, "player", variable.name, (WHO, *args))
            names = [kind.members[at] for kind, at in zip(kinds, indexes, strict=True)]
            yield Worth("_".join([variable.name, *names]), SPENDABLE, load)
