"""What steps and expressions read and write, through everything that they call, and what play ever comes to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property, partial
from typing import NamedTuple

from polis_rules.semantics import TypedRules, called_by, inside, ir, names_of, reached, uses
from polis_rules.semantics.expressions import Expr, Load, Possible, Var
from polis_rules.validation.analysis.keeping import Kept
from polis_rules.validation.analysis.rule import Rule, each_rule

Key = tuple[str, str]
"""A state variable: its kind ("" for the game) and its name."""

Depends = tuple[frozenset[Key], frozenset[str]]
"""State variables, and local names."""

NOTHING: frozenset[Key] = frozenset()


def keys(parts: Iterable[Expr]) -> frozenset[Key]:
    """The state among some parts of expressions."""
    return frozenset((part.owner, part.name) for part in parts if isinstance(part, Load))


class Own(NamedTuple):
    """What a rule, or a term or the like, reads, writes and relies on by itself."""

    reads: frozenset[Key]
    writes: frozenset[Key]
    calls: tuple[str, ...]
    """the paths of procedures"""
    names: tuple[str, ...]
    """the paths of terms and the like"""


class Effects:
    """Reads and writes of one ruleset. Rules call each other in no circle, so every answer is finite."""

    def __init__(self, rules: TypedRules, kept: Kept | None = None) -> None:
        self.rules = rules
        self.kept = kept or Kept()
        self._all = each_rule(rules, self.kept)
        self.units = {path: rule for path, rule in self._all.items() if not rule.possible}
        """The rules one by one, by their paths."""
        self.reads = cache(self._reads)
        """The state that an expression depends on."""
        self.depends = cache(self._depends)
        """The state and the local names that an expression depends on."""
        self.own = cache(self._own)
        """What a rule or term reads, writes and relies on by itself, by its path."""
        self.reads_in = cache(self._reads_in)
        """The state that anything in a rule or term depends on, by its path; what it calls left out."""
        self.writes = cache(self._writes)
        """The state that a procedure changes, by its path."""
        self.around = cache(self._around)
        """All that is known of what a rule calls and relies on, by its path: the very same as before if it is equal."""
        self._written: dict[int, frozenset[Key]] = {}
        """by the id of a step, which lives as long as the rules do"""

    def _reads(self, tree: Expr) -> frozenset[Key]:
        return keys(tree.walk()).union(*map(self.reads_in, self._names(tree)))

    def _names(self, tree: Expr) -> list[str]:
        """The paths of the terms and the like that an expression relies on."""
        return [path for path in map(" ".join, names_of(uses(tree), self.rules)) if path in self._all]

    def _depends(self, tree: Expr) -> Depends:
        parts = list(tree.walk())
        names = {part.name for part in parts if isinstance(part, Var)}
        names.update("you" for part in parts if isinstance(part, Possible))  # what is possible depends on who acts
        return self.reads(tree), frozenset(names)

    def _own(self, path: str) -> Own:
        rule = self._all[path]
        return self.kept.of((Own, path), (rule, self.rules.symbols), partial(self._alone, rule))

    def _alone(self, rule: Rule) -> Own:
        writes = keys(load for step in rule.steps for load in step.targets())
        calls = (called for step in rule.steps for called in called_by(step, self.rules.symbols))
        names = (name for tree in rule.expressions for name in self._names(tree))
        return Own(keys(rule.parts), writes, tuple(dict.fromkeys(calls)), tuple(dict.fromkeys(names)))

    def _reads_in(self, path: str) -> frozenset[Key]:
        own = self.own(path)
        return own.reads.union(*map(self.reads_in, own.names))

    def _writes(self, path: str) -> frozenset[Key]:
        own = self.own(path)
        return own.writes.union(*map(self.writes, own.calls))

    def _around(self, path: str) -> object:
        own = self.own(path)
        return self.kept.same(("around", path), (*map(self.writes, own.calls), *map(self.reads_in, own.names)))

    def list_writes(self, steps: tuple[ir.Step, ...]) -> frozenset[Key]:
        """The state that some steps change, with all steps inside them and all that they call."""
        return NOTHING.union(*map(self._step_writes, steps))

    def _step_writes(self, step: ir.Step) -> frozenset[Key]:
        if id(step) not in self._written:
            called = map(self.writes, called_by(step, self.rules.symbols))
            self._written[id(step)] = keys(step.targets()).union(*called, *map(self.list_writes, inside(step)))
        return self._written[id(step)]

    @cached_property
    def callers(self) -> dict[str, set[str]]:
        """By the path of a procedure the paths of those that may call it."""
        callers: dict[str, set[str]] = {}
        for path, calls in self.calls.items():
            for called in calls:
                callers.setdefault(called, set()).add(path)
        return callers

    @cached_property
    def calls(self) -> dict[str, tuple[str, ...]]:
        """By the path of a procedure the paths of those that it may call."""
        return {path: self.own(path).calls for path in self.rules.procedures}

    @cached_property
    def reached(self) -> frozenset[str]:
        """The paths of all procedures that play may come to."""
        return frozenset(self.from_there(["phases.game"]))

    def from_there(self, paths: Iterable[str]) -> list[str]:
        """Some procedures and all that they call, directly or not."""
        return reached(self.calls, [path for path in paths if path in self.calls])
