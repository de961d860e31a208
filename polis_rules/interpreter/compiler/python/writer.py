"""What all that writes expressions builds on: the module, and lines before the present statement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from polis_rules.interpreter.compiler.python.module import Env, Module
from polis_rules.interpreter.compiler.python.numbers import Code, Piece, interval_of
from polis_rules.interpreter.compiler.python.pieces import join
from polis_rules.interpreter.machine import CHUNK
from polis_rules.semantics import Interval, Symbols, ir
from polis_rules.semantics.expressions import Bool, Comp, Expr, Type

Lines = list[str]

Made = TypeVar("Made")


class Writer(ABC):
    """Writes expressions as Python over the state list `s`."""

    def __init__(self, symbols: Symbols, module: Module) -> None:
        self.symbols = symbols
        self.module = module
        self.hoists: Lines = []
        self.hoisted: dict[str, str] = {}
        self.may_hoist = False
        self.opened_tests: dict[tuple[int, str], tuple[Expr, Expr | None]] = {}
        """conditions of members, by identity, each with what is asked of all members at once; None if nothing can be"""
        self.counted_parts: dict[int, tuple[Expr, int]] = {}

    @abstractmethod
    def emit(self, tree: Expr, env: Env) -> Code:
        """The code of an expression; a number when it is known."""

    @abstractmethod
    def over_walk(self, tree: Comp, env: Env) -> Code | None:
        """A comprehension over the members that a walk meets; None where it goes over something else."""

    @contextmanager
    def hoisting(self) -> Iterator[Lines]:
        """Inside, `hoist` puts lines into the yielded list, to be written before the statement."""
        outer = self.hoists, self.hoisted, self.may_hoist
        self.hoists, self.hoisted, self.may_hoist = [], {}, True
        try:
            yield self.hoists
        finally:
            self.hoists, self.hoisted, self.may_hoist = outer

    def hoist(self, text: str) -> str:
        """A name for a costly piece of code that depends on nothing but the state."""
        assert self.may_hoist, "lines before a statement would be lost"
        if text not in self.hoisted:
            name = self.module.name("h")
            self.hoisted[text] = name
            self.hoists.append(f"{name} = {text}")
        return self.hoisted[text]

    def ahead(self, write: Callable[[], Made]) -> tuple[Lines, Made]:
        """Some code, and the lines to be written before the statement that it is part of."""
        with self.hoisting() as before:
            code = write()
        return before, code

    def returning(self, write: Callable[[], Code]) -> Lines:
        """The lines that return what some code is worth."""
        before, code = self.ahead(write)
        return [*before, f"return {code}"]

    def returned(self, tree: Expr, env: Env) -> Lines:
        """The lines that return the value of an expression.

        What takes lines before it is not worked out where a condition that stands before it already fails.
        """
        if not isinstance(tree, Bool) or tree.op != "and":
            return self.returning(lambda: self.emit(tree, env))
        lines: Lines = []
        asked: list[Code] = []
        for item in tree.items:
            before, code = self.ahead(partial(self.emit, item, env))
            if before and (test := join("and", asked)) != 1:
                lines.append(f"if not {test}: return False")
                asked = []
            lines += before
            asked.append(code)
        return [*lines, f"return {join('and', asked)}"]

    def all_hold(self, conditions: Iterable[ir.Condition], env: Env) -> Code:
        """The code of several conditions."""
        return join("and", [self.emit(condition.test, env) for condition in conditions])

    def count(self, kind: str) -> int:
        """How many members a kind has."""
        return self.symbols.count(kind)

    def perhaps(self, code: Code, kind: Type) -> Code:
        """Code of what may be none by its type, and says so."""
        if not kind.maybe or interval_of(code) is not None:
            return code
        return Piece(str(code), Interval(-1, self.count(kind.kind) - 1))

    def among(self, mask: Code, kind: str) -> str:
        """What a loop over the members of a set goes through."""
        count = self.count(kind)
        if isinstance(mask, str):
            return f"FEW[{mask}]" if count <= CHUNK else f"members({mask})"
        return f"range({count})" if mask == (1 << count) - 1 else str(tuple(i for i in range(count) if mask >> i & 1))
