"""What a variant says of itself holds for the rules and rows that it brings: its `cite`, `grade` and `ruling`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polis_rules.composition.overlay import Operation
from polis_rules.schema import Document, Place, Procedure, Rule, inside
from polis_rules.source import Mapping, Node, Sequence, Text, node_at

KEYS = ("cite", "grade", "ruling")

Said = dict[Text, Node]


def with_head(operations: list[Operation], head: Mapping) -> Iterator[Operation]:
    """The operations, in which each rule or row that is put there whole has what it lacks from the head of the file.

    A rule of grade `house` needs no citation, and one that has a citation or grade of its own no ruling.
    """
    said: Said = {key: value for key, value in head.entries.items() if key in KEYS and isinstance(value, Text)}
    for each in operations:
        if said and each.value is not None and each.kind in ("add", "replace"):
            place = inside(Place(Document, "path"), (), each.path)
            yield replace(each, value=_cited(each.value, place, said))
        else:
            yield each


def _cited(node: Node, place: Place, said: Said) -> Node:
    if place.sort is Procedure and isinstance(node, Sequence):  # a bare list is short for this
        node = Mapping({Text("do", node.span): node}, node.span)
    if not isinstance(node, Mapping):
        return node
    entries = {key: _cited(value, inside(place, (), key), said) for key, value in node.entries.items()}
    if isinstance(place.sort, type) and issubclass(place.sort, Rule):
        needless: set[str] = {*entries}
        if node_at(node, "grade") == "house":
            needless.add("cite")
        elif needless & {"cite", "grade"}:
            needless.add("ruling")
        entries |= {key: value for key, value in said.items() if key not in needless}
    return Mapping(entries, node.span)
