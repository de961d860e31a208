"""Notes what the paths and the old values of overlays mean: the same as in the rules that they patch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from polis_rules.composition import OPERATIONS, Composed
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.language_server.index import Index, entries, texts
from polis_rules.semantics import Reference, References
from polis_rules.source import Mapping, Node, Sequence, Text, read_text

if TYPE_CHECKING:
    from polis_rules.language_server.analysis import Analysis

WORD = re.compile("[a-z][a-z0-9_]*")


def note_patches(composed: Composed, index: Index, base: Analysis | None) -> None:
    """Note every word of the paths in the overlay files that a ruleset was composed of."""
    below = base if base is not None and base.composed is not None else None
    for file, text in composed.sources.items():
        if not any(f"{kind}:" in text for kind in OPERATIONS):
            continue
        tree = read_text(text, file, Diagnostics())
        for path, span, value in patched_paths(tree) if tree is not None else ():
            known = (
                (below.composed.tree, below.index) if below is not None and below.composed else (composed.tree, index)
            )
            target = _note_path(path, span, known, index)
            was = value.get("was") if isinstance(value, Mapping) else None
            if was is not None and target is not None:
                _note_same(was, target, known[1], index)


def note_sources(composed: Composed, index: Index) -> None:
    """Note the sources that a ruleset names, and where rules cite them."""
    cited, sources = References(), {}
    for name in entries(composed.tree, "manifest", "sources"):
        sources[str(name)] = f"manifest.sources.{name}"
        cited.note(sources[str(name)], name.span, declares=True)
    for text in texts(composed.tree, "cite"):
        word = WORD.match(text)
        if word is not None and word[0] in sources:
            cited.words(Text(word[0], replace(text.span, end_column=text.span.column + word.end())), sources)
    for each in cited.found:
        index.add(each)


def patched_paths(tree: Mapping) -> Iterator[tuple[str, Span, Node]]:
    """Each path of an overlay file from a section on, the place of its last key, and what stands under it."""
    for kind in OPERATIONS:
        body = tree.get(kind)
        if isinstance(body, Mapping):
            yield from _below(body, "", kind in ("change", "remove"))


def _below(body: Mapping, prefix: str, nested: bool) -> Iterator[tuple[str, Span, Node]]:
    for key, value in body.entries.items():
        yield prefix + key, key.span, value
        if nested and isinstance(value, Mapping) and "to" not in value.entries:
            yield from _below(value, f"{prefix}{key}.", nested)


def _note_path(path: str, span: Span, known: tuple[Mapping, Index], index: Index) -> Node | None:
    """Note the parts of a path that its last key holds; what the path leads to, or None."""
    tree, there = known
    node: Node | None = tree
    width = span.end_column - span.column
    begin, walked, parts = 0, "", path.split(".")
    while begin < len(parts) and isinstance(node, Mapping):
        one, two = parts[begin], ".".join(parts[begin : begin + 2])
        taken = two if node.get(one) is None and node.get(two) is not None else one
        key, node = node.key(taken), node.get(taken)
        walked += ("." if walked else "") + taken
        column = span.column + len(walked) - len(taken) - (len(path) - width)
        if key is not None and column >= span.column:
            at = Span(span.file, span.line, column, span.line, column + len(taken))
            _note_key(walked, key, at, there, index)
        begin += 1 + taken.count(".")
    return node if begin == len(parts) else None


def _note_key(walked: str, key: Text, at: Span, there: Index, index: Index) -> None:
    if walked in there.by_symbol:
        index.add(Reference(walked, at))
        return
    offset = key.span.end_column - len(key)
    for column in range(offset, key.span.end_column):
        meant = there.at(key.span.file, key.span.line, column)
        if meant is not None and meant.span.column == column:
            start = at.column + column - offset
            end = start + meant.span.end_column - column
            index.add(Reference(meant.symbol, Span(at.file, at.line, start, at.line, end)))


def _note_same(one: Node, other: Node, there: Index, index: Index) -> None:
    """Note in one value what is known of another that is the same."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for (key, value), (same, inner) in zip(one.entries.items(), other.entries.items(), strict=False):
            _note_same(key, same, there, index)
            _note_same(value, inner, there, index)
    elif isinstance(one, Sequence) and isinstance(other, Sequence):
        for value, inner in zip(one.items, other.items, strict=False):
            _note_same(value, inner, there, index)
    elif isinstance(one, Text) and one == other and isinstance(other, Text):
        for meant in there.on(other.span.file, other.span.line):
            inside = other.span.column <= meant.span.column and meant.span.end_column <= other.span.end_column
            if inside and other.span.line == other.span.end_line:
                moved = one.span.column + meant.span.column - other.span.column
                width = meant.span.end_column - meant.span.column
                at = Span(one.span.file, one.span.line, moved, one.span.line, moved + width)
                index.add(Reference(meant.symbol, at))
