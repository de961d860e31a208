"""What a list of steps may change, read off the page: what was known about it before must be asked again after it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Document, Model, steps as written
from polis_rules.semantics.expressions.parse import parse
from polis_rules.semantics.symbols import ANSWER, COVER
from polis_rules.semantics.traversal import reached
from polis_rules.source import Text

ACTIONS, PAYING = "perform", "pay"
"""The keys of what every action may do, and of whatever takes or gives what can be paid."""

VERBS = frozenset(written.VERBS.values())


class Own(NamedTuple):
    """What steps do themselves."""

    names: set[str]
    """of the state that they set or move pieces of"""
    calls: set[str]
    """the keys of what they call and pay"""


def read_list(steps: list[written.Step]) -> Own:
    """What all steps of a list, however deep, do themselves."""
    return own_changes(every_written(steps))


def write_sets(document: Document, read: Callable[[list[written.Step]], Own] = read_list) -> dict[str, frozenset[str]]:
    """The names of the state that each call may change, by its key, through everything that it calls in turn.

    What lists of steps do themselves may have been `read` before.
    """
    spendable = [entry for kind in document.kinds.values() for entry in kind.state.items() if entry[1].spendable]
    paid = {str(name) for name, _ in spendable}
    paid.update(bank for _, item in spendable if item.bank is not None for bank in _named(item.bank))
    direct: defaultdict[str, set[str]] = defaultdict(set, {PAYING: paid})
    calls: defaultdict[str, set[str]] = defaultdict(set, {ACTIONS: {PAYING}})
    for state in (document.state, *(kind.state for kind in document.kinds.values())):
        for name, item in state.items():
            if item.lasts is not None:
                direct[f"do {item.lasts}"].add(str(name))
    for name, rule in (*document.procedures.items(), *document.phases.items()):
        if rule.gives is not None:
            direct[f"do {name}"].add(ANSWER)
    for path, steps in lists_of_steps(document):
        key, own = _call_of(path), read(steps)
        direct[key] |= own.names
        calls[key] |= own.calls
    keys = {*direct, *calls}
    return {key: frozenset[str]().union(*(direct[each] for each in reached(calls, [key]))) for key in keys}


def changed_by(steps: list[written.Step], called: Callable[[str], frozenset[str]], but_of: str = "") -> frozenset[str]:
    """The names of the state that steps may change; what they set of a local name itself is left out.

    `called` tells what a call may change, by its key.
    """
    every = list(every_written(steps))
    if but_of == "you" and any(map(_acts_anew, every)):
        but_of = ""  # another player may be meant there
    own = own_changes(every, but_of)
    return frozenset(own.names).union(*map(called, sorted(own.calls)))


def own_changes(steps: Iterable[written.Step], but_of: str = "") -> Own:
    """What some steps do themselves, not those inside them; what they set of one local name is left out."""
    own = Own(set(), set())
    for step in steps:
        own.names.update(_changed(step, but_of))
        own.calls.update(_called(step))
    return own


def _changed(step: written.Step, but_of: str) -> list[str]:
    """The names of the state that a step sets or moves pieces of."""
    match step:
        case written.SetStep():
            return [name for key in step.set if not _is_of(key, but_of) for name in _named(key)]
        case written.Move():
            return [*_named(step.from_), *_named(step.to)]
        case written.Sort():
            return _named(step.sort)
        case written.Shuffle():
            return _named(step.shuffle)
        case written.Give():
            return [ANSWER]
        case written.Let():
            return [str(name) for name, item in step.let.items() if isinstance(item, Model)]
        case written.Together():
            return [COVER]
    return []


def every_written(steps: list[written.Step]) -> Iterator[written.Step]:
    """All steps of a list, however deep."""
    for step in steps:
        yield step
        for inner in _inside(step):
            yield from every_written(inner)


def written_steps(document: Document) -> Iterator[written.Step]:
    """Every step of a document, however deep."""
    for _, steps in lists_of_steps(document):
        yield from every_written(steps)


def lists_of_steps(document: Document) -> Iterator[tuple[str, list[written.Step]]]:
    """Every list of steps, with the path of its rule: `phases.game`, `tables.card.fox.now` and so on."""
    for section in ("actions", "procedures", "phases"):
        yield from ((f"{section}.{name}", rule.do) for name, rule in getattr(document, section).items())
    for kind, rows in document.tables.items():
        for member, row in rows.items():
            for name, lists in row.effects.items():
                yield from ((".".join(("tables", kind, member, name, *keys)), steps) for keys, steps in lists.items())


def _call_of(path: str) -> str:
    """The key of what calls the rule at a path."""
    section, name, *of_row = path.split(".")
    return ACTIONS if section == "actions" else f"do .{of_row[1]}" if of_row else f"do {name}"


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
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "under" and tree.args:
        tree = tree.args[0]
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
    return isinstance(step, written.As | written.Together) or (isinstance(step, written.Each) and step.each == "you")


def _called(step: written.Step) -> list[str]:
    """The keys of what a step pays and calls."""
    match step:
        case written.Pay() | written.Gain() | written.Lose():
            return [PAYING]
        case written.Choose(or_=ways) | written.Either(either=ways):
            return [PAYING] if any(way.cost for way in ways.values()) else []
        case written.Perform():
            return [ACTIONS]
        case written.Do():
            match _bare(step.do):
                case ast.Name(id=name):
                    return [f"do {name}"]
                case ast.Attribute(attr=name):
                    return [f"do .{name}"]
    return []
