"""Notes what the paths and the old values of overlays mean: the same as in the rules that they patch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from polis_rules.composition import OPERATIONS, Composed, names, reach, steps, words_along
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.language_server.index import Index, texts
from polis_rules.semantics import Reference, References
from polis_rules.source import Mapping, Node, Sequence, Text, Trees, entries_at, node_at, read_text

WORD = re.compile("[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Patched:
    """Rules that overlays patch."""

    tree: Mapping
    known: Index
    """Which place means what there."""


def note_patches(composed: Composed, index: Index, below: list[Patched], trees: Trees) -> None:
    """Note every word of the paths in the overlay files that a ruleset was composed of.

    `below` are the rules that are patched; `trees` are files that were read before.
    """
    for file, text in composed.sources.items():
        if not any(f"{kind}:" in text for kind in OPERATIONS):
            continue
        before = trees.get(file)
        overlay = before[1] if before is not None and before[0] == text else read_text(text, file, Diagnostics())
        for path, span, value in patched_paths(overlay) if overlay is not None else ():
            there = leading(below, path)
            target = _note_path(path, span, there, index)
            _note_anchors(value, target, there.known, index)
            was = value.get("was") if isinstance(value, Mapping) else None
            if was is not None and target is not None:
                _note_same(was, target, there.known, index)


def leading(below: list[Patched], path: str) -> Patched:
    """Of the rules that are patched, the first ones in which a path leads as far as in any."""
    return min(below, key=lambda each: len(reach(each.tree, path).rest))


def note_sources(composed: Composed, index: Index) -> None:
    """Note the sources that a ruleset names, and where rules cite them."""
    cited, sources = References(), {}
    for name in entries_at(composed.tree, "manifest", "sources"):
        sources[str(name)] = f"manifest.sources.{name}"
        cited.note(sources[str(name)], name.span, declares=True)
    if index.word is not None and index.word not in sources:
        return
    for text in texts(composed.tree, "cite"):
        word = WORD.match(text)
        if word is not None and word[0] in sources:
            cited.words(Text(word[0], replace(text.span, end_column=text.span.column + word.end())), sources)
    for each in cited.found:
        index.add(each)


def patched_paths(tree: Mapping) -> Iterator[tuple[str, Span, Node]]:
    """Each path of an overlay file from a section on, the place of its last key, and what stands under it."""
    for kind in OPERATIONS:
        yield from _below(entries_at(tree, kind), "", kind in ("change", "remove", "extend"))


def _below(body: dict[Text, Node], prefix: str, nested: bool) -> Iterator[tuple[str, Span, Node]]:
    for key, value in body.items():
        yield prefix + key, key.span, value
        if nested and isinstance(value, Mapping) and "to" not in value.entries:
            yield from _below(value.entries, f"{prefix}{key}.", nested)


def _note_path(path: str, span: Span, below: Patched, index: Index) -> Node | None:
    """Note the parts of a path that its last key holds; what the path leads to, or None."""
    reached = reach(below.tree, path)
    for walked, key, place in parts(path, span, below.tree):
        _note_key(walked, key, place, below.known, index)
    return reached.value if not reached.rest else None


def parts(path: str, span: Span, tree: Mapping) -> Iterator[tuple[str, Text, Span]]:
    """The parts of a path that its last key holds, as far as the path leads.

    Of each the path that ends with it, the word as the rules have it, and its place in the overlay.
    """
    walked, begin = "", span.end_column - len(path)
    for key in words_along(tree, path):
        column = begin + len(walked)
        walked += key
        if column >= span.column:
            yield walked, key, span.part(column - span.column, column - span.column + len(key))
        walked += "."


def _note_anchors(insertions: Node, rule: Node | None, known: Index, index: Index) -> None:
    """Note the names of steps beside which something is inserted into a rule."""
    for each in insertions.items if isinstance(insertions, Sequence) else [insertions]:
        anchors = [anchor for side in ("before", "after") if isinstance(anchor := node_at(each, side), Text)]
        for anchor in anchors:
            for _, step in steps(rule) if rule is not None else ():
                for name, _ in names(step):
                    if name == anchor:
                        _note_words(anchor.span, name.span, known, index)


def _note_key(walked: str, key: Text, at: Span, there: Index, index: Index) -> None:
    if walked in there.by_symbol:
        index.add(Reference(walked, at))
    else:
        _note_words(at, replace(key.span, column=key.span.end_column - len(key)), there, index)


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
        _note_words(one.span, other.span, there, index)


def _note_words(one: Span, other: Span, there: Index, index: Index) -> None:
    """Note at one place what is known of the words at another that holds the same."""
    for meant in there.on(other.file, other.line) if other.line == other.end_line else ():
        begin, end = meant.span.column - other.column, meant.span.end_column - other.column
        if begin >= 0 and meant.span.end_column <= other.end_column:
            index.add(Reference(meant.symbol, one.part(begin, end)))
