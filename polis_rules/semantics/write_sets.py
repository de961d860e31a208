"""What a list of steps may change, read off the page: what was known about it before must be asked again after it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from polis_rules.schema import Document, steps as written
from polis_rules.source import Text

CHANGED = re.compile(r"(\w+)\s*(\[.*\])?\s*$")
"""The name of the state in `place.owner`, `place.units[you]` or `round`."""

CALLED = re.compile(r"\s*(\w+)\s*(\(.*)?$")
CARRIED = re.compile(r"\.\s*(\w+)\s*(\[[^\]]*\])?\s*(\(.*)?$")

ACTIONS = "perform"


class WriteSets:
    """Knows the names of all state that steps may change, through everything that they call."""

    def __init__(self, document: Document) -> None:
        self.spendable = {
            str(name) for kind in document.kinds.values() for name, item in kind.state.items() if item.spendable
        }
        lists: dict[str, list[list[written.Step]]] = {ACTIONS: [item.do for item in document.actions.values()]}
        for name, item in [*document.procedures.items(), *document.phases.items()]:
            lists.setdefault(f"do {name}", []).append(item.do)
        for rows in document.tables.values():
            for row in rows.values():
                for name, carried in row.effects.items():
                    lists.setdefault(f"do .{name}", []).extend(carried.values())
        self.known: dict[str, set[str]] = {ACTIONS: set(self.spendable)}
        uses: dict[str, set[str]] = {}
        for key, found in lists.items():
            every = [step for steps in found for step in every_written(steps)]
            self.known.setdefault(key, set()).update(*map(self._direct, every))
            uses[key] = {called for step in every if (called := _called(step)) is not None}
        more = True
        while more:
            more = False
            for key, names in uses.items():
                size = len(self.known[key])
                self.known[key].update(*(self.known.get(name, ()) for name in names))
                more = more or len(self.known[key]) > size

    def of(self, steps: list[written.Step]) -> frozenset[str]:
        """The names of the state that these steps may change."""
        found: set[str] = set()
        for step in every_written(steps):
            found |= self._direct(step)
            called = _called(step)
            if called is not None:
                found |= self.known.get(called, set())
        return frozenset(found)

    def _direct(self, step: written.Step) -> set[str]:
        match step:
            case written.SetStep():
                return {name for key in step.set for name in _named(key)}
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
    carried = (row.effects for rows in document.tables.values() for row in rows.values())
    lists = [item.do for item in document.actions.values()]
    lists += [item.do for item in (*document.procedures.values(), *document.phases.values())]
    lists += [steps for effects in carried for keyed in effects.values() for steps in keyed.values()]
    for steps in lists:
        yield from every_written(steps)


def _inside(step: written.Step) -> list[list[written.Step]]:
    match step:
        case written.Choose():
            return [step.do, *(way.do for way in step.or_.values())]
        case written.Either():
            return [way.do for way in step.either.values()]
        case written.Repeat():
            return [step.repeat.do]
        case written.Each() | written.As():
            return [step.do]
        case written.If():
            return [step.then, step.else_]
    return []


def _named(text: Text) -> list[str]:
    found = CHANGED.search(text)
    return [found[1]] if found else []


def _called(step: written.Step) -> str | None:
    """The key of what a step calls."""
    if isinstance(step, written.Perform):
        return ACTIONS
    if not isinstance(step, written.Do):
        return None
    if found := CALLED.match(step.do):
        return f"do {found[1]}"
    carried = CARRIED.search(step.do)
    return f"do .{carried[1]}" if carried else None
