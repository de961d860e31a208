"""A tree of YAML in which every key and every value knows its place in the file."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from polis_rules.diagnostics import Span


class Text(str):
    """A key or a value as it is written, with its place. Nothing is interpreted: `yes` and `1` are texts too.

    >>> Text("coin", Span("a.yaml", 2, 7, 2, 11)).upper()
    'COIN'
    """

    __slots__ = ("quoted", "span")

    span: Span
    """From the first character of the content (not the quote) to after the last."""
    quoted: bool
    """Whether it stands between quotes."""

    def __new__(cls, text: str, span: Span, quoted: bool = False) -> Text:
        self = super().__new__(cls, text)
        self.span = span
        self.quoted = quoted
        return self

    def part(self, begin: int, end: int) -> Text:
        """Some of its characters, with their place."""
        return Text(self[begin:end], self.span.part(begin, end))

    def place(self, begin: int, end: int) -> Span:
        """The place of some of its characters; all of it where it is not written as it reads."""
        span = self.span
        return span.part(begin, end) if len(self) == span.end_column - span.column else span

    def same(self, other: Text) -> bool:
        """Whether another one reads the same and is written the same, each word at the same place."""
        alike = self == other and self.span == other.span and self.quoted == other.quoted
        return alike and type(self) is type(other)

    def __reduce__(self) -> tuple[type[Text], tuple[Any, ...]]:
        return Text, (str(self), self.span, self.quoted)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values, in the order written."""

    entries: dict[Text, Node]
    span: Span

    def get(self, name: str) -> Node | None:
        """The value of a key, or None."""
        return entry(self.entries, name)

    def key(self, name: str) -> Text | None:
        """The key of that name as it is written, with its place."""
        return next((key for key in self.entries if key == name), None)

    def having(self, name: str, value: Node) -> Mapping:
        """The same with another value of a key, or with one more."""
        return Mapping({**self.entries, Text(name, value.span): value}, self.span)

    def section(self, name: str, entries: dict[Text, Node]) -> Mapping:
        """The same with these entries under a key, where that stands if it does."""
        return self.having(name, Mapping(entries, (self.key(name) or self).span))

    def without(self, *names: str) -> Mapping:
        """The same without some keys."""
        return Mapping({key: value for key, value in self.entries.items() if key not in names}, self.span)

    def only(self, names: Container[str]) -> Mapping:
        """Of its keys only these."""
        return Mapping({key: value for key, value in self.entries.items() if key in names}, self.span)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of values."""

    items: list[Node]
    span: Span


Node = Text | Mapping | Sequence

T = TypeVar("T")


def entry(entries: dict[Text, T], name: str) -> T | None:
    """The value of a key that is known without its place, or None."""
    return entries.get(name)  # type: ignore[call-overload, no-any-return]


def at(entries: dict[Text, T], name: str) -> T:
    """The value of a key that is there and known without its place. Raises KeyError."""
    return entries[name]  # type: ignore[index]


Path = tuple[Text | int, ...]
"""Keys and places in lists, from the top of a tree."""


def walk(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """A node and all that is in it, each with the way that leads to it."""
    yield path, node
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            yield from walk(value, (*path, key))
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from walk(item, (*path, number))


def node_at(node: Node | None, *path: str | int) -> Node | None:
    """The node at a path of keys, and places in lists, or None."""
    for key in path:
        if isinstance(node, Sequence) and isinstance(key, int):
            node = node.items[key] if key < len(node.items) else None
        else:
            node = node.get(key) if isinstance(node, Mapping) and isinstance(key, str) else None
    return node


def mapping(span: Span, **entries: Node) -> Mapping:
    """A mapping that nobody wrote, at some place."""
    return Mapping({Text(key, span): value for key, value in entries.items()}, span)


def entries_at(node: Node | None, *path: str) -> dict[Text, Node]:
    """What the mapping at a path of keys holds; nothing where there is none."""
    there = node_at(node, *path)
    return there.entries if isinstance(there, Mapping) else {}


def found_at(node: Node | None, path: str) -> list[tuple[Text, Node]]:
    """The keys that a path of ids joined by dots leads along, with what they hold; none where it leads nowhere.

    A key may hold one dot.

    >>> from polis_rules.diagnostics import Diagnostics
    >>> from polis_rules.source import read_text
    >>> tree = read_text("cost: {item.price: {north: 2}}", "a", Diagnostics())
    >>> [key for key, _ in found_at(tree, "cost.item.price.north")], found_at(tree, "cost.item.price.east")
    (['cost', 'item.price', 'north'], [])
    """
    parts = path.split(".")
    for width in (1, 2):
        key = node.key(".".join(parts[:width])) if isinstance(node, Mapping) else None
        if key is not None and isinstance(node, Mapping):
            here, rest = (key, node.entries[key]), parts[width:]
            if not rest or (below := found_at(here[1], ".".join(rest))):
                return [here, *(below if rest else ())]
    return []


def kept(new: Node, old: Node) -> Node:
    """The old node where the new one is the same at the same place; else the new one, with what is the same of the old.

    >>> from polis_rules.diagnostics import Diagnostics
    >>> from polis_rules.source import read_text
    >>> old, new = (read_text(text, "a", Diagnostics()) for text in ("a: {b: 1}\\nc: 2", "a: {b: 1}\\nc: 3"))
    >>> both = kept(new, old)
    >>> both.get("a") is old.get("a"), both.get("c")
    (True, '3')
    """
    if new is old:
        return old
    if isinstance(new, Mapping) and isinstance(old, Mapping):
        before = {str(key): (key, value) for key, value in old.entries.items()}
        entries: dict[Text, Node] = {}
        for key, value in new.entries.items():
            known, node = before.get(key, (key, value))
            entries[known if key.same(known) else key] = kept(value, node)
        same = new.span == old.span and _are(entries, old.entries) and _are(entries.values(), old.entries.values())
        return old if same else Mapping(entries, new.span)
    if isinstance(new, Sequence) and isinstance(old, Sequence):
        items = [kept(item, known) for item, known in zip(new.items, old.items, strict=False)]
        items += new.items[len(items) :]
        return old if new.span == old.span and _are(items, old.items) else Sequence(items, new.span)
    return old if isinstance(new, Text) and isinstance(old, Text) and new.same(old) else new


def _are(some: Collection[Node], others: Collection[Node]) -> bool:
    """Whether the very same nodes stand in the same order."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
