"""How a file is laid out: which lines and columns each key, value and list item takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from polis_rules.schema import Place, inside
from polis_rules.source import events

LineColumn = tuple[int, int]
"""A line and a column, from 0."""


@dataclass(slots=True, eq=False)
class Entry:
    """A key with its value, or an item of a list."""

    start: LineColumn
    """Where the key, or the dash of an item, stands."""
    key: Node | None
    value: Node
    lead: list[str] = field(default_factory=list)
    """Comments (bare) and blank lines (empty) above it."""

    @property
    def header_end(self) -> int:
        """The last line that belongs to this entry itself, and not to the entries of its value."""
        return self.start[0] if self.value.block else max(self.start[0], self.value.end[0])


@dataclass(slots=True, eq=False)
class Node:
    """A scalar, a mapping or a list."""

    kind: Literal["scalar", "mapping", "sequence"]
    start: LineColumn
    end: LineColumn
    """After the last character; for what is in block style, after its last value."""
    style: str = ""
    """For a scalar `'`, `"`, `|`, `>` or nothing. For a mapping or a list `[` if it stands in brackets, and `?` if
    its keys are written with a question mark, which nobody does: such a one is left as it is."""
    text: str = ""
    """What a scalar says."""
    entries: list[Entry] = field(default_factory=list)
    foot: list[str] = field(default_factory=list)
    """Comments and blank lines below the last entry."""

    @property
    def block(self) -> bool:
        """Whether each entry has lines of its own: block style."""
        return self.kind != "scalar" and not self.style

    @property
    def keys(self) -> list[str]:
        """The texts of a mapping's keys."""
        return [each.key.text for each in self.entries if each.key is not None]

    def entry(self, key: str) -> Entry | None:
        """The entry of a mapping with a key."""
        return next((each for each in self.entries if each.key is not None and each.key.text == key), None)

    def at(self, key: str) -> Node:
        """What stands under a key; an empty scalar where there is none."""
        entry = self.entry(key)
        return entry.value if entry is not None else Node("scalar", (0, 0), (0, 0))


def lay_out(text: str, lines: list[str]) -> Node:
    """The layout of text that is sound YAML; `lines` are its lines."""
    stream = (event for event in events(text) if not type(event).__name__.startswith(("Stream", "Document")))
    return _node(next(stream), stream, lines)


def _node(event: Any, following: Iterator[Any], lines: list[str]) -> Node:
    """What begins with an event, down to the one that ends it."""
    start, name = (event.start_mark.line, event.start_mark.column), type(event).__name__
    if name == "ScalarEvent":
        return Node("scalar", start, (event.end_mark.line, event.end_mark.column), event.style or "", event.value)
    node = Node("mapping" if name == "MappingStartEvent" else "sequence", start, start, "[" if event.flow_style else "")
    parts: list[Node] = []
    while not type(event := next(following)).__name__.endswith("EndEvent"):
        parts.append(_node(event, following, lines))
    _finish(node, parts, (event.end_mark.line, event.end_mark.column), lines)
    return node


def prose_column(value: Node, parent: int, lines: list[str]) -> int:
    """The column at which the text of a `|` or `>` begins, `parent` being that of the mapping or list it is in."""
    header = lines[value.start[0]][value.start[1] : value.start[1] + 3].split()[0]
    digit = next((int(sign) for sign in header if sign.isdigit()), 0)
    content = lines[value.start[0] + 1 : value.end[0] + 1]
    written = (len(line) - len(line.lstrip(" ")) for line in content if line.strip(" "))
    return parent + digit if digit else min(written, default=parent + 1)


def _trim(value: Node, parent: int, lines: list[str]) -> None:
    """Let prose end with its text: blank lines below it are only part of it after `|+` and `>+`."""
    last = value.end[0] if value.end[1] else value.end[0] - 1
    value.end = (last, len(lines[last]))
    if "+" not in lines[value.start[0]][value.start[1] : value.start[1] + 3]:
        column = prose_column(value, parent, lines)
        while last > value.start[0] and not lines[last].strip() and not lines[last][column:]:
            last -= 1
    value.end = (last, len(lines[last]))


def _finish(node: Node, parts: list[Node], end: LineColumn, lines: list[str]) -> None:
    """Pair what a collection holds, once all of it is known."""
    if node.kind == "mapping":
        node.entries = [Entry(key.start, key, value) for key, value in zip(parts[::2], parts[1::2], strict=True)]
    else:
        node.entries = [Entry(part.start, None, part) for part in parts]
    if not node.block:
        node.end = end
        return
    for part in parts:
        if part.style in ("|", ">"):
            _trim(part, node.start[1], lines)
    node.end = max((part.end for part in parts), default=node.start)
    if any(entry.key is not None and entry.start[1] != node.start[1] for entry in node.entries):
        node.style = "?"
    if node.kind == "sequence":
        for entry in node.entries:
            entry.start = _dash(entry.value, node.start, lines)


def _dash(item: Node, first: LineColumn, lines: list[str]) -> LineColumn:
    """Where the dash of an item stands: on its line, or above it where the item begins on a line of its own."""
    line, column = item.start[0], first[1]
    while line > first[0]:
        there = lines[line]
        ends = line < item.start[0] or column < item.start[1]
        if ends and there[column : column + 2].rstrip() == "-" and not there[:column].strip():
            break
        line -= 1
    return (line, column)


def place_within(node: Node, place: Place, entry: Entry) -> Place:
    """The place of an entry's value."""
    if entry.key is not None:
        return inside(place, node.keys, entry.key.text)
    return inside(place, (), None, any(each.value.kind == "mapping" for each in node.entries))
