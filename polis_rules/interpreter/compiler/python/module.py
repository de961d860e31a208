"""The Python module that the backend writes: functions and constant tables, each made once."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable

from polis_rules.diagnostics import RuleError, Span
from polis_rules.interpreter.machine import RULES
from polis_rules.semantics import ir

Env = dict[str, "int | str"]
"""What each local name stands for in generated code: a number known now, or a piece of Python."""

_SIMPLE = re.compile(r"-?\d+|[A-Za-z_]\w*|s\[\d+\]")


def simple(code: int | str) -> bool:
    """Whether a piece of code may be repeated without work: a number, a name or one slot."""
    return isinstance(code, int) or _SIMPLE.fullmatch(code) is not None


class Module:
    """Collects generated functions and constants; equal keys are made once."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.constants: dict[str, object] = {}
        self.made: dict[object, str] = {}
        self.counter = 0
        self.sites: list[ir.Step] = []
        """the steps that code refers to by number: it reports on them, or they can fail"""
        self.numbers: dict[int, int] = {}

    def name(self, stem: str) -> str:
        """A fresh name."""
        self.counter += 1
        return f"{stem}_{self.counter}"

    def site(self, step: ir.Step) -> int:
        """The number of a step; the same step has the same number wherever its code is written."""
        if id(step) not in self.numbers:
            self.numbers[id(step)] = len(self.sites)
            self.sites.append(step)
        return self.numbers[id(step)]

    def constant(self, stem: str, value: object) -> str:
        """The name of a constant."""
        key = ("constant", stem, value if isinstance(value, tuple) else id(value))
        if key not in self.made:
            self.made[key] = self.name(stem)
            self.constants[self.made[key]] = value
        return self.made[key]

    def function(self, key: object, stem: str, params: list[str], body: Callable[[], list[str]]) -> str:
        """The name of a function, whose lines `body` gives when it is first asked for."""
        if key not in self.made:
            name = self.made[key] = self.name(stem)
            lines = body()
            self.functions.append(
                "\n".join([f"def {name}({', '.join(['s', *params])}):", *(f"    {line}" for line in lines)])
            )
        return self.made[key]

    def compiled(self, game: Span) -> tuple[str, bytes]:
        """The whole module without its constants: its source, and its code for `marshal`."""
        source = "\n\n".join(self.functions)
        try:
            return source, marshal.dumps(compile(source, RULES, "exec", optimize=1))
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise RuleError(f"these rules are nested too deeply to become code ({error.args[0]})", game) from None
