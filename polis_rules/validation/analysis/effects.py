"""What steps and expressions read and write, through everything that they call, and what play ever comes to."""

from __future__ import annotations

from functools import cached_property

from polis_rules.semantics import Name, TypedRules, called_by, every_step, explained, ir, uses
from polis_rules.semantics.expressions import Expr, Load, Possible, Var
from polis_rules.validation.analysis.walking import targets

Key = tuple[str, str]
"""A state variable: its kind ("" for the game) and its name."""

Depends = tuple[frozenset[Key], frozenset[str]]
"""State variables, and local names."""

NOTHING: frozenset[Key] = frozenset()


class Effects:
    """Reads and writes of one ruleset. Rules call each other in no circle, so every answer is finite."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self._explained = explained(rules)
        self._named: dict[Name, frozenset[Key]] = {}
        self._read: dict[Expr, frozenset[Key]] = {}
        self._depends: dict[Expr, Depends] = {}
        self._written: dict[str, frozenset[Key]] = {}

    def reads(self, tree: Expr) -> frozenset[Key]:
        """The state that an expression depends on."""
        if tree not in self._read:
            own = {(part.owner, part.name) for part in tree.walk() if isinstance(part, Load)}
            named = (self._reads_of(name) for name in uses(tree, self.rules))
            self._read[tree] = frozenset(own).union(*named)
        return self._read[tree]

    def depends(self, tree: Expr) -> Depends:
        """The state and the local names that an expression depends on; what is possible depends on who acts."""
        if tree not in self._depends:
            parts = list(tree.walk())
            names = {part.name for part in parts if isinstance(part, Var)}
            names.update("you" for part in parts if isinstance(part, Possible))
            self._depends[tree] = self.reads(tree), frozenset(names)
        return self._depends[tree]

    def _reads_of(self, name: Name) -> frozenset[Key]:
        if name not in self._named:
            self._named[name] = NOTHING.union(*(self.reads(tree) for tree in self._explained.get(name, ())))
        return self._named[name]

    def step_writes(self, step: ir.Step) -> frozenset[Key]:
        """The state that a step changes, with all steps inside it and all that it calls."""
        return self.list_writes((step,))

    def list_writes(self, steps: tuple[ir.Step, ...]) -> frozenset[Key]:
        """The state that some steps change."""
        found: set[Key] = set()
        for step in every_step(steps):
            found.update((load.owner, load.name) for load in targets(step))
            for path in called_by(step, self.rules.symbols):
                found |= self.writes(path)
        return frozenset(found)

    def writes(self, path: str) -> frozenset[Key]:
        """The state that a procedure changes."""
        if path not in self._written:
            self._written[path] = self.list_writes(self.rules.procedures[path].body)
        return self._written[path]

    @cached_property
    def callers(self) -> dict[str, set[str]]:
        """By the path of a procedure the paths of those that may call it."""
        callers: dict[str, set[str]] = {}
        for path, procedure in self.rules.procedures.items():
            for step in every_step(procedure.body):
                for called in called_by(step, self.rules.symbols):
                    callers.setdefault(called, set()).add(path)
        return callers

    @cached_property
    def reached(self) -> frozenset[str]:
        """The paths of all procedures that play may come to."""
        return frozenset(self.from_there(["phases.game"]))

    def from_there(self, paths: list[str]) -> list[str]:
        """Some procedures and all that they call, directly or not."""
        found = [path for path in paths if path in self.rules.procedures]
        for path in found:
            for step in every_step(self.rules.procedures[path].body):
                found += [each for each in called_by(step, self.rules.symbols) if each not in found]
        return found
