"""A compiled ruleset: plain data that can be cached."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules.interpreter.machine.layout import Layout
from polis_rules.interpreter.machine.points import AnyPoint
from polis_rules.semantics import TypedRules, ir

Key = tuple[object, ...]
"""What a function does, and all that its code depends on beside the rules.

Whoever runs a game asks for `options`, `apply` and `chance` with the number of a point and who acts (-1 for nobody),
for `blocks` with that of a block and who acts, and for `who` (a point), `reach` and `costs` (a route), `score` and
`invariant` (a number). What these call has keys of its own.
"""


@dataclass(slots=True)
class Compiled:
    """Everything that running a ruleset needs.

    Functions are written out for each acting player and each member, which is fast; or they are `compact`: each is
    generated on its first call, and then added to this.
    """

    rules: TypedRules
    layout: Layout
    points: list[AnyPoint]
    invariants: list[str]
    """in checked code: what must hold"""
    checks: bool
    trace: bool
    """whether functions tell what happens, to a list that they are given"""
    compact: bool
    blocks: int = 0
    """how many blocks are entered by number"""
    begin: int = 0
    """the block that a game begins with"""
    first: tuple[int, ...] = ()
    """the state before the first step"""
    names: dict[Key, str] = field(default_factory=dict)
    """the names of functions; an empty name is a place that cannot be reached so"""
    pending: dict[str, Key] = field(default_factory=dict)
    """the functions that others call, but that are not generated yet"""
    parts: list[tuple[str, bytes]] = field(default_factory=list)
    """source and marshalled code of the generated functions, in the order in which they were generated"""
    constants: dict[str, object] = field(default_factory=dict)
    sites: list[ir.Step] = field(default_factory=list)
    """the steps that code refers to by number"""
    counter: int = 0
    """how many names have been given"""
