"""What steps and expressions read and write, through everything that they call, and what play ever comes to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property

from polis_rules.semantics import Name, TypedRules, called_by, every_step, explained, inside, ir, uses
from polis_rules.semantics.expressions import Expr, Load, Possible, Var
from polis_rules.validation.analysis.walking import targets

Key = tuple[str, str]
"""A state variable: its kind ("" for the game) and its name."""

Depends = tuple[frozenset[Key], frozenset[str]]
"""State variables, and local names."""

NOTHING: frozenset[Key] = frozenset()


def keys(parts: Iterable[Expr]) -> frozenset[Key]:
    """The state among some parts of expressions."""
    return frozenset((part.owner, part.name) for part in parts if isinstance(part, Load))


class Effects:
    """Reads and writes of one ruleset. Rules call each other in no circle, so every answer is finite."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self._explained = explained(rules)
        self.reads = cache(self._reads)
        """The state that an expression depends on."""
        self.depends = cache(self._depends)
        """The state and the local names that an expression depends on."""
        self._reads_of = cache(self._named)
        self._written: dict[int, frozenset[Key]] = {}
        """by the id of a step, which lives as long as the rules do"""

    def _reads(self, tree: Expr) -> frozenset[Key]:
        return keys(tree.walk()).union(*(self._reads_of(name) for name in uses(tree, self.rules)))

    def _depends(self, tree: Expr) -> Depends:
        parts = list(tree.walk())
        names = {part.name for part in parts if isinstance(part, Var)}
        names.update("you" for part in parts if isinstance(part, Possible))  # what is possible depends on who acts
        return self.reads(tree), frozenset(names)

    def _named(self, name: Name) -> frozenset[Key]:
        return NOTHING.union(*(self.reads(tree) for tree in self._explained.get(name, ())))

    def list_writes(self, steps: tuple[ir.Step, ...]) -> frozenset[Key]:
        """The state that some steps change, with all steps inside them and all that they call."""
        return NOTHING.union(*map(self._step_writes, steps))

    def _step_writes(self, step: ir.Step) -> frozenset[Key]:
        if id(step) not in self._written:
            called = map(self.writes, called_by(step, self.rules.symbols))
            self._written[id(step)] = keys(targets(step)).union(*called, *map(self.list_writes, inside(step)))
        return self._written[id(step)]

    def writes(self, path: str) -> frozenset[Key]:
        """The state that a procedure changes."""
        return self.list_writes(self.rules.procedures[path].body)

    @cached_property
    def callers(self) -> dict[str, set[str]]:
        """By the path of a procedure the paths of those that may call it."""
        callers: dict[str, set[str]] = {}
        for path in self.rules.procedures:
            for called in self.calls(path):
                callers.setdefault(called, set()).add(path)
        return callers

    def calls(self, path: str) -> list[str]:
        """The paths of the procedures that a procedure may call."""
        steps = every_step(self.rules.procedures[path].body)
        return [called for step in steps for called in called_by(step, self.rules.symbols)]

    @cached_property
    def reached(self) -> frozenset[str]:
        """The paths of all procedures that play may come to."""
        return frozenset(self.from_there(["phases.game"]))

    def from_there(self, paths: list[str]) -> list[str]:
        """Some procedures and all that they call, directly or not."""
        found = [path for path in paths if path in self.rules.procedures]
        for path in found:
            found += [each for each in self.calls(path) if each not in found]
        return found
