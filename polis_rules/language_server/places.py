"""Places: the editor counts lines from 0 and units of its encoding, the compiler lines from 1 and characters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from polis_rules.diagnostics import Span
from polis_rules.source import Node, Text, walk

UTF16 = PositionCodec()
"""How editors count that do not say how they do."""


def column(line: str, character: int, codec: PositionCodec = UTF16) -> int:
    """The column, from 1, of a place that is so many units of the editor into a line.

    >>> column("x: \N{ROLLING ON THE FLOOR LAUGHING}b", 5)
    5
    """
    units = min(character, codec.client_num_units(line))
    return codec.position_from_client_units([line], lsp.Position(0, units)).character + 1


def line_of(text: str, number: int) -> str:
    """A line of a text, counted from 1; empty where there is none."""
    lines = text.split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def range_of(span: Span | None, text: str, codec: PositionCodec = UTF16) -> lsp.Range:
    """The range of a place in a text, as the editor counts; the first line's beginning for no place.

    >>> range_of(Span("a", 1, 5, 1, 6), "x: \N{ROLLING ON THE FLOOR LAUGHING}b").start.character
    5
    """
    if span is None:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    lines = text.split("\n")

    def position(line: int, column: int) -> lsp.Position:
        shown = lines[line - 1] if 0 < line <= len(lines) else ""
        return lsp.Position(max(line - 1, 0), codec.client_num_units(shown[: column - 1]))

    return lsp.Range(position(span.line, span.column), position(span.end_line, span.end_column))


def path_of(uri: str) -> Path | None:
    """The file that a URI names; None for what is not on a disk."""
    from pygls.uris import to_fs_path

    place = to_fs_path(uri) if uri.startswith("file:") and "%00" not in uri else None
    return Path(place).resolve() if place else None


@dataclass(frozen=True, slots=True)
class Where:
    """Where in a file's tree a place is: the keys and numbers that lead there, and the text that stands there."""

    path: tuple[str | int, ...]
    """It ends with the key where the place is on a key."""
    text: Text
    on_key: bool


def locate(tree: Node, fits: Callable[[Text], bool]) -> Where | None:
    """The first key or value of a tree that is looked for; None where there is none."""
    for path, node in walk(tree):
        if path and isinstance(path[-1], Text) and fits(path[-1]):
            return Where(path, path[-1], True)
        if isinstance(node, Text) and fits(node):
            return Where(path, node, False)
    return None


def within(span: Span, line: int, column: int) -> bool:
    """Whether a place is inside a span, or at one of its ends."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
