"""What a rulebook says of rules that a layer removes goes with them."""

from __future__ import annotations

from polis_rules.composition.overlay import Origins
from polis_rules.source import Mapping, Node, Sequence, found_at


def without_the_removed(tree: Mapping, origins: Origins) -> Mapping:
    """The tree with a `book` that neither tells nor names a rule or row that a layer has removed."""
    book = tree.get("book")
    touched = {_rule(path) for path, touches in origins.items() if touches[-1].kind == "remove"}
    gone = {path for path in touched if not path.startswith("book.") and not found_at(tree, path)}
    if not isinstance(book, Mapping) or not gone:
        return tree
    told = {path.removeprefix("tables.") for path in gone}
    for part in ("says", "inside", "chapters"):
        if (node := book.get(part)) is not None:
            book = book.having(part, _left(node, told if part == "says" else gone))
    return tree.having("book", book)


def _rule(path: str) -> str:
    """The rule or row that a path leads into."""
    return ".".join(path.split(".")[: 3 if path.startswith("tables.") else 2])


def _left(node: Node, gone: set[str], before: str = "") -> Node:
    """A part of the book without the keys that lead to what is gone, and without its name in lists."""
    if isinstance(node, Sequence):
        return Sequence([item for item in node.items if item not in gone], node.span)
    if not isinstance(node, Mapping):
        return node
    left = {key: value for key, value in node.entries.items() if f"{before}{key}" not in gone}
    return Mapping({key: _left(value, gone, f"{before}{key}.") for key, value in left.items()}, node.span)
