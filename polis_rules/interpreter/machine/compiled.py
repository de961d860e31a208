"""A compiled ruleset: plain data that can be cached."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.interpreter.machine.layout import Layout
from polis_rules.interpreter.machine.points import AnyPoint
from polis_rules.semantics import TypedRules, ir


@dataclass(slots=True)
class Compiled:
    """Everything that running a ruleset needs. Tables hold names of generated functions, one list for each player
    and a last one for nobody; an empty name is a place that cannot be reached so."""

    rules: TypedRules
    layout: Layout
    points: list[AnyPoint]
    first: tuple[int, ...]
    code: bytes
    """marshalled code of the generated module"""
    source: str
    constants: dict[str, object]
    options: list[list[str]]
    apply: list[list[str]]
    chance: list[list[str]]
    blocks: list[list[str]]
    who: list[str]
    """by point, the function that says who decides; empty where it is whoever acts"""
    sites: list[ir.Step]
    """the steps that code refers to by number"""
    routes: dict[str, tuple[str, str]]
    """for each route the functions that answer from tables: which nodes it leads to, and what they cost"""
    score: str
    """the function that gives a player's total of the score terms"""
    invariants: list[tuple[str, str]]
    """in checked code: what must hold, and the function that says whether it does"""
    trace: bool
    """whether functions tell what happens, to a list that they are given"""
