"""What is left of a ruleset without the entries that are wrong in shape, so that one run finds what else is wrong."""

from __future__ import annotations

from polis_rules.diagnostics import Diagnostic, Span
from polis_rules.schema.base import RULE_KEYS
from polis_rules.source import Mapping, Node, Path, Sequence, Text, walk

MISSPELT = ("unknown-key", "unknown-verb", "unknown-section", "invalid-id")


def without_errors(tree: Mapping, errors: list[Diagnostic]) -> tuple[Mapping, set[str]] | None:
    """The tree without what these errors are about, and the ids that are gone with it; None where too much would go.

    A key that is misspelt is taken for the one that was meant.
    """
    places: dict[Span, Path] = {}
    for path, node in walk(tree):
        if path:
            places[node.span] = path
            places[getattr(path[-1], "span", node.span)] = path
    gone: set[str] = set()
    cuts: dict[Path, str | None] = {}
    for error in errors:
        if error.span is None or error.span not in places:
            return None
        path = places[error.span]
        if error.code in MISSPELT and error.suggestion:
            cuts[path] = error.suggestion
            continue
        cut = path if path[-1] in RULE_KEYS else _entry(path)
        if cut is None:
            return None
        cuts[cut] = None
        gone.add(str(cut[-1]))
    left = _cut(tree, (), cuts)
    assert isinstance(left, Mapping)
    return left, gone


def _entry(path: Path) -> Path | None:
    """The entry of a section that holds a place, or a smaller part of it that can be done without."""
    section = str(path[0])
    deep = {"tables": 3, "kinds": 4}.get(section, 2)
    if section in ("manifest", "scenario", "score") or len(path) < deep or path[1] == "game":
        return None
    return path[:deep]


def _cut(node: Node, path: Path, cuts: dict[Path, str | None]) -> Node:
    if isinstance(node, Sequence):
        return Sequence([_cut(item, (*path, number), cuts) for number, item in enumerate(node.items)], node.span)
    if not isinstance(node, Mapping):
        return node
    entries: dict[Text, Node] = {}
    for key, value in node.entries.items():
        here = (*path, key)
        name = cuts.get(here, key)
        if name is not None and (name == key or name not in node.entries):
            entries[Text(str(name), key.span)] = _cut(value, here, cuts)
    return Mapping(entries, node.span)
