"""Which variants go together, and in which order they are applied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from polis_rules.composition.catalog import variant_folder, variant_ids
from polis_rules.composition.inserting import anchor_of
from polis_rules.composition.operations import Operation
from polis_rules.composition.paths import Keys, reach
from polis_rules.composition.settings import Fixed
from polis_rules.diagnostics import Diagnostics, Span, nearest, quote
from polis_rules.source import Mapping, Node, Text, node_at, walk


@dataclass(frozen=True, slots=True)
class Variant:
    """A chosen variant: its operations, and what it says about others."""

    id: str
    place: Span
    """Where it states its id."""
    operations: list[Operation] = field(default_factory=list)
    requires: list[Text] = field(default_factory=list)
    conflicts: list[Text] = field(default_factory=list)
    after: list[Text] = field(default_factory=list)
    sources: Node | None = None
    start: Mapping | None = None
    """First values that it lays over those of the scenario."""
    settles: list[Fixed] = field(default_factory=list)
    """The values of settings that it fixes."""
    title: str = ""
    """What it is called, if that is said."""

    def touching(self, tree: Mapping) -> list[Operation]:
        """All operations that it does to a tree, also those that its first values stand for."""
        return [*self.operations, *(_first_values(self.start, tree) if self.start is not None else ())]

    @property
    def settings(self) -> list[Operation]:
        """What it does to settings."""
        return [each for each in self.operations if each.path.startswith("settings.")]

    @property
    def layer(self) -> str:
        return f"variant {self.id}"

    @property
    def follows(self) -> set[str]:
        """The variants that this one comes after, if they are chosen."""
        return {str(each) for each in (*self.after, *self.requires)}


def in_order(overlays: list[Variant], tree: Mapping, diagnostics: Diagnostics) -> list[Variant]:
    """The variants in the order in which they are applied to a tree, after checking that they go together."""
    chosen = {each.id for each in overlays}
    touched = [_touched(each, tree) for each in overlays] if len(overlays) > 1 else []
    for number, one in enumerate(overlays):
        for name in one.requires:
            if name not in chosen:
                message = f"the variant {quote(one.id)} needs the variant {quote(name)}"
                known = [*variant_ids(), *variant_ids(variant_folder(Path(one.place.file)))]
                if name not in known and nearest(name, known):
                    diagnostics.unknown("unknown-variant", message, name.span, name, known)
                else:
                    diagnostics.error("variant-requires", message, name.span, hint="choose both")
        for name in one.conflicts:
            if name in chosen:
                message = f"the variants {quote(one.id)} and {quote(name)} exclude each other"
                diagnostics.error("variant-conflict", message, name.span)
        for at, other in enumerate(overlays[number + 1 :], number + 1):
            _check_pair(one, other, touched[number], touched[at], diagnostics)
    left = sorted(overlays, key=lambda each: each.id)
    try:
        TopologicalSorter({each.id: sorted(each.follows & chosen) for each in left}).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        place = next(each.place for each in left if each.id == circle[0])
        diagnostics.error("variant-order", f"variants come after each other: {' -> '.join(circle)}", place)
        return left
    ordered: list[Variant] = []
    while left:
        waiting = {each.id for each in left}
        ordered.append(next(each for each in left if not each.follows & waiting))
        left.remove(ordered[-1])
    return ordered


def _check_pair(one: Variant, other: Variant, its: Touched, others: Touched, diagnostics: Diagnostics) -> None:
    if one.id == other.id:
        message = f"the variant {quote(one.id)} is chosen twice"
        diagnostics.error("variant-conflict", message, other.place, related=(("the other one", one.place),))
        return
    if other.id in one.follows or one.id in other.follows:
        return
    for first, second in _overlaps(its, others):
        message = f"{quote(one.id)} and {quote(other.id)} both touch {quote(second.path)}"
        hint = f"choose one of them, or say in one of the files which goes on top: `after: [{one.id}]`"
        there = ((f"{one.layer} touches it here", first.span),)
        diagnostics.error("variant-conflict", message, second.span, hint=hint, related=there)


def _first_values(start: Mapping, tree: Mapping) -> Iterator[Operation]:
    """What lays first values over those of a tree's scenario: each is added or takes the place of another."""
    waiting = [(start, node_at(tree, "scenario", "start"), "scenario.start")]
    while waiting:
        values, there, path = waiting.pop(0)
        for key, value in values.entries.items():
            old = node_at(there, str(key))
            if isinstance(value, Mapping) and isinstance(old, Mapping):
                waiting.append((value, old, f"{path}.{key}"))
            else:
                yield Operation("add" if old is None else "replace", f"{path}.{key}", key.span, value)


Touched = list[tuple[Keys, Operation]]
"""Operations, each with the keys that lead to what it touches."""


def _touched(variant: Variant, tree: Mapping) -> Touched:
    """What a variant touches in a tree, however paths name it; of an insertion, the step that it stands beside."""
    touched: Touched = []
    for path, value in walk(variant.start) if variant.start is not None else ():
        if path and not isinstance(value, Mapping):
            start: Keys = ("scenario", "start", *(str(key) for key in path))
            touched.append((start, Operation("replace", ".".join(map(str, start)), value.span, value)))
    for each in variant.operations:
        reached = reach(tree, each.path)
        keys = (*reached.keys, *reached.rest)
        if each.kind == "insert" and not reached.rest:
            keys = (*reached.keys, *(anchor_of(reached.value, each, Diagnostics()) or ()))
        touched.append((keys, each))
    return touched


def _overlaps(first: Touched, second: Touched) -> Iterator[tuple[Operation, Operation]]:
    """Pairs of operations where one touches what the other touches, or something in it, and they are not in order."""
    exact: dict[Keys, list[Operation]] = {}
    inside: dict[Keys, list[Operation]] = {}
    for keys, operation in first:
        exact.setdefault(keys, []).append(operation)
        for length in range(1, len(keys)):
            inside.setdefault(keys[:length], []).append(operation)
    for keys, operation in second:
        around = [each for length in range(1, len(keys)) for each in exact.get(keys[:length], ())]
        same, within = exact.get(keys, []), inside.get(keys, [])
        found = [
            *(each for each in same if {each.kind, operation.kind} not in ({"extend"}, {"insert"})),
            *(each for each in around if each.kind != "insert"),  # steps beside a step are not inside it
            *(within if operation.kind != "insert" else ()),
        ]
        if found:
            yield found[0], operation
