"""The Python module that the backend writes: functions and constant tables, each made once."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable

from polis_rules.interpreter.compiler.blocks import Hidden
from polis_rules.interpreter.machine import Compiled, Key, Part, rules_file
from polis_rules.semantics import ir

Env = dict[str, "int | str"]
"""What each local name stands for in generated code: a number known now, or a piece of Python."""

Function = tuple[list[str], list[str]]
"""The parameters of a function beside the state, and its lines."""

LOCAL = re.compile(r"\b(h|v_\w+?)_(\d+)\b")
"""A local name of generated code."""

_SIMPLE = re.compile(r"-?\d+|[A-Za-z_]\w*|s\[\d+\]")


def simple(code: int | str) -> bool:
    """Whether a piece of code may be repeated without work: a number, a name or one slot."""
    return isinstance(code, int) or _SIMPLE.fullmatch(code) is not None


def stripped(code: str) -> str:
    """Code in which local names have no numbers, so that equal code has equal text.

    >>> stripped("h_12*6+v_place_3")
    'h*6+v_place'
    """
    return LOCAL.sub(r"\1", code)


def unknown(env: Env) -> list[str]:
    """The names of those values that are not known now."""
    return [str(code) for code in env.values() if not isinstance(code, int)]


class Module:
    """Collects generated functions and constants; equal keys are made once."""

    def __init__(self, compiled: Compiled) -> None:
        self.into = compiled
        self.writers: dict[str, Callable[..., Function]] = {}
        """what writes a function, by the first part of its key: it is given the rest"""
        self.functions: list[str] = []
        self.tables: dict[object, str] = {}
        self.numbers: dict[int, int] = {}
        self.places: dict[str, tuple[int, int] | None] = {}
        """the first and the last slot of the state variable that a place belongs to; None where it may be of several"""

    def name(self, stem: str) -> str:
        """A fresh name."""
        self.into.counter += 1
        return f"{stem}_{self.into.counter}"

    def site(self, step: ir.Step) -> int:
        """The number of a step (which is kept elsewhere); the same wherever its code is written."""
        sites = self.into.sites
        if id(step) not in self.numbers:
            self.numbers[id(step)] = len(sites)
            # what only the compiler knows is never reported, and whoever runs the code need not load the compiler
            sites.append(ir.Step(step.span) if isinstance(step, Hidden) else step)
        return self.numbers[id(step)]

    def constant(self, stem: str, value: object) -> str:
        """The name of a constant."""
        key = ("constant", stem, value if isinstance(value, tuple) else id(value))
        if key not in self.tables:
            self.tables[key] = self.name(stem)
            self.into.constants[self.tables[key]] = value
        return self.tables[key]

    def function(self, key: Key, stem: str) -> str:
        """The name of a function, which is not written yet when it is first asked for."""
        if key not in self.into.names:
            name = self.into.names[key] = self.name(stem)
            self.into.pending[name] = key
        return self.into.names[key]

    def write(self, name: str) -> None:
        """Write a function, unless that was done."""
        if (key := self.into.pending.pop(name, None)) is not None:
            self.define(name, *self.writers[str(key[0])](*key[1:]))

    def define(self, name: str, params: list[str], lines: list[str]) -> None:
        """Take a function with these lines."""
        self.functions.append(
            "\n".join([f"def {name}({', '.join(['s', *params])}):", *(f"    {line}" for line in lines)])
        )

    def compile(self) -> None:
        """Compile the functions that were generated since this was last done."""
        if self.functions:
            source = "\n\n".join(self.functions)
            code = compile(source, rules_file(len(self.into.parts)), "exec", optimize=1)
            self.into.parts.append(Part(source, marshal.dumps(code)))
            self.functions = []
