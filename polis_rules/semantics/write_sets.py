"""What a list of steps may change, read off the page: what was known about it before must be asked again after it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Document, Model, steps as written
from polis_rules.semantics.expressions.parse import parse
from polis_rules.semantics.traversal import reached
from polis_rules.source import Text

ACTIONS = "perform"
VERBS = frozenset(written.VERBS.values())


class WriteSets:
    """Knows the names of all state that steps may change, through everything that they call."""

    def __init__(self, document: Document) -> None:
        self.spendable = {
            str(name) for kind in document.kinds.values() for name, item in kind.state.items() if item.spendable
        }
        direct: defaultdict[str, set[str]] = defaultdict(set, {ACTIONS: set(self.spendable)})
        calls: defaultdict[str, set[str]] = defaultdict(set)
        for key, steps in _lists(document):
            for step in every_written(steps):
                direct[key] |= self._direct(step)
                calls[key].update(_called(step))
        self.known = {key: set[str]().union(*(direct[each] for each in reached(calls, [key]))) for key in [*direct]}

    def of(self, steps: list[written.Step], but_of: str = "") -> frozenset[str]:
        """The names of the state that these steps may change; what they set of a local name itself is left out."""
        every = list(every_written(steps))
        if but_of == "you" and any(map(_acts_anew, every)):
            but_of = ""  # another player may be meant there
        called = (self.known.get(key, set()) for step in every for key in _called(step))
        return frozenset[str]().union(*(self._direct(step, but_of) for step in every), *called)

    def _direct(self, step: written.Step, but_of: str = "") -> set[str]:
        match step:
            case written.SetStep():
                return {name for key in step.set if not _is_of(key, but_of) for name in _named(key)}
            case written.Move():
                return {*_named(step.from_), *_named(step.to)}
            case written.Pay() | written.Gain() | written.Lose():
                return self.spendable
            case written.Choose() | written.Either():
                ways = step.or_ if isinstance(step, written.Choose) else step.either
                return self.spendable if any(way.cost for way in ways.values()) else set()
        return set()


def every_written(steps: list[written.Step]) -> Iterator[written.Step]:
    """All steps of a list, however deep."""
    for step in steps:
        yield step
        for inner in _inside(step):
            yield from every_written(inner)


def written_steps(document: Document) -> Iterator[written.Step]:
    """Every step of a document, however deep."""
    for _, steps in _lists(document):
        yield from every_written(steps)


def _lists(document: Document) -> Iterator[tuple[str, list[written.Step]]]:
    """Every list of steps, with the key of what calls it."""
    for action in document.actions.values():
        yield ACTIONS, action.do
    for name, item in (*document.procedures.items(), *document.phases.items()):
        yield f"do {name}", item.do
    for row in (row for rows in document.tables.values() for row in rows.values()):
        for name, carried in row.effects.items():
            yield from ((f"do .{name}", steps) for steps in carried.values())


def _inside(part: Model) -> Iterator[list[written.Step]]:
    """The lists of steps that a step, or a part of one, holds."""
    value: Any
    for value in vars(part).values():
        held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
        steps = [each for each in held if type(each) in VERBS]
        if steps:
            yield steps
        for each in held if not steps else ():
            if isinstance(each, Model):
                yield from _inside(each)


def _bare(text: Text) -> ast.expr | None:
    """The tree of what is changed or called, without its index and what it is given; None when it is none."""
    tree = parse(text, Diagnostics())
    if isinstance(tree, ast.Call):
        tree = tree.func
    return tree.value if isinstance(tree, ast.Subscript) else tree


def _named(text: Text) -> list[str]:
    """The name of the state in `place.owner`, `place.units[you]` or `round`."""
    match _bare(text):
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return [name]
    return []


def _is_of(key: Text, name: str) -> bool:
    """Whether this is state of what a local name stands for: `name.home` or `name.units[you]`."""
    match _bare(key):
        case ast.Attribute(value=ast.Name(id=owner)):
            return owner == name
    return False


def _acts_anew(step: written.Step) -> bool:
    """Whether `you` is somebody else inside a step."""
    return isinstance(step, written.As) or (isinstance(step, written.Each) and step.each == "you")


def _called(step: written.Step) -> list[str]:
    """The key of what a step calls, if it calls anything."""
    if isinstance(step, written.Perform):
        return [ACTIONS]
    if not isinstance(step, written.Do):
        return []
    match _bare(step.do):
        case ast.Name(id=name):
            return [f"do {name}"]
        case ast.Attribute(attr=name):
            return [f"do .{name}"]
    return []
