"""What steps and expressions read and write, through everything that they call, and what play ever comes to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property
from typing import NamedTuple

from polis_rules.semantics import Name, TypedRules, called_by, explained, inside, ir, reached, uses
from polis_rules.semantics.expressions import Expr, Load, Possible, Var
from polis_rules.validation.analysis.keeping import Kept
from polis_rules.validation.analysis.rule import Rule, each_rule
from polis_rules.validation.analysis.walking import targets

Key = tuple[str, str]
"""A state variable: its kind ("" for the game) and its name."""

Depends = tuple[frozenset[Key], frozenset[str]]
"""State variables, and local names."""

NOTHING: frozenset[Key] = frozenset()


def keys(parts: Iterable[Expr]) -> frozenset[Key]:
    """The state among some parts of expressions."""
    return frozenset((part.owner, part.name) for part in parts if isinstance(part, Load))


Said = tuple[frozenset[Key], tuple[Name, ...]]
"""The state that expressions read by themselves, and the names that they rely on."""


class Own(NamedTuple):
    """What a rule reads, writes and relies on by itself."""

    reads: frozenset[Key]
    writes: frozenset[Key]
    calls: tuple[str, ...]
    """the paths of procedures"""
    names: tuple[Name, ...]
    """terms and the like"""


class Effects:
    """Reads and writes of one ruleset. Rules call each other in no circle, so every answer is finite."""

    def __init__(self, rules: TypedRules, kept: Kept | None = None) -> None:
        self.rules = rules
        self.kept = kept or Kept()
        self.units = each_rule(rules, self.kept)
        """The rules one by one, by their paths."""
        self.explained = explained(rules)
        """What has a name, by the name: the expressions that say what it is."""
        self.reads = cache(self._reads)
        """The state that an expression depends on."""
        self.depends = cache(self._depends)
        """The state and the local names that an expression depends on."""
        self.own = cache(self._own)
        """What a rule reads, writes and relies on by itself, by its path."""
        self.reads_of = cache(self._reads_of)
        """The state that a term or the like depends on."""
        self.writes = cache(self._writes)
        """The state that a procedure changes, by its path."""
        self.around = cache(self._around)
        """All that is known of what a rule calls and relies on, by its path: the very same as before if it is equal."""
        self._written: dict[int, frozenset[Key]] = {}
        """by the id of a step, which lives as long as the rules do"""

    def _reads(self, tree: Expr) -> frozenset[Key]:
        return keys(tree.walk()).union(*(self.reads_of(name) for name in uses(tree, self.rules)))

    def _depends(self, tree: Expr) -> Depends:
        parts = list(tree.walk())
        names = {part.name for part in parts if isinstance(part, Var)}
        names.update("you" for part in parts if isinstance(part, Possible))  # what is possible depends on who acts
        return self.reads(tree), frozenset(names)

    def _reads_of(self, name: Name) -> frozenset[Key]:
        reads, names = self._named(name)
        return reads.union(*map(self.reads_of, names))

    def relied_on(self, name: Name) -> tuple[Name, ...]:
        """The names that a term or the like itself relies on."""
        return self._named(name)[1]

    def _named(self, name: Name) -> Said:
        trees = tuple(self.explained.get(name, ()))
        return self.kept.of(name, (self.rules.symbols, *trees), lambda: self._said(trees))

    def _said(self, trees: Iterable[Expr]) -> Said:
        """What some expressions read by themselves, and the names that they rely on."""
        found = [(keys(tree.walk()), uses(tree, self.rules)) for tree in trees]
        return NOTHING.union(*(reads for reads, _ in found)), tuple({name: 0 for _, names in found for name in names})

    def _own(self, path: str) -> Own:
        rule = self.units[path]
        return self.kept.of((Own, path), (rule, self.rules.symbols), lambda: self._alone(rule))

    def _alone(self, rule: Rule) -> Own:
        reads, names = self._said(rule.expressions)
        writes = NOTHING.union(*(keys(targets(step)) for step in rule.steps))
        calls = (called for step in rule.steps for called in called_by(step, self.rules.symbols))
        return Own(reads, writes, tuple(dict.fromkeys(calls)), names)

    def _around(self, path: str) -> object:
        own = self.own(path)
        return self.kept.same(("around", path), (*map(self.writes, own.calls), *map(self.reads_of, own.names)))

    def reads_in(self, rule: Rule) -> frozenset[Key]:
        """The state that anything in a rule depends on, what it calls left out."""
        own = self.own(rule.path)
        return own.reads.union(*map(self.reads_of, own.names))

    def list_writes(self, steps: tuple[ir.Step, ...]) -> frozenset[Key]:
        """The state that some steps change, with all steps inside them and all that they call."""
        return NOTHING.union(*map(self._step_writes, steps))

    def _step_writes(self, step: ir.Step) -> frozenset[Key]:
        if id(step) not in self._written:
            called = map(self.writes, called_by(step, self.rules.symbols))
            self._written[id(step)] = keys(targets(step)).union(*called, *map(self.list_writes, inside(step)))
        return self._written[id(step)]

    def _writes(self, path: str) -> frozenset[Key]:
        own = self.own(path)
        return own.writes.union(*map(self.writes, own.calls))

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
