"""The lines of an overlay's file, each of which can be left out without moving the others."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from polis_rules.authoring.formatting import Entry, Node, format_text, lay_out
from polis_rules.composition import OPERATIONS
from polis_rules.diagnostics import Diagnostics


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of an overlay, e.g. `change terms.price.is`: its name, and the first and last line of its text, from 0.
    `around` are the lines of the keys above it."""

    name: str
    first: int
    last: int
    around: tuple[int, ...]
    file: str

    def __str__(self) -> str:
        return f"{self.file}:{self.first + 1}: {self.name}"


def lines_of(text: str, file: str = "") -> list[Line]:
    """The entries of an overlay's text; none where it holds no operations. The text must be sound YAML.

    >>> text = "variant: v\\nchange:\\n  terms:\\n    a.is: {was: 1, to: 2}\\n"
    >>> [str(line) for line in lines_of(text, "v.yaml")]
    ['v.yaml:4: change terms.a.is']
    """
    root = lay_out(text, text.split("\n"))
    entries: list[Line] = []
    for entry in root.entries if root.block else ():
        if entry.key is not None and entry.key.text in OPERATIONS:
            entries += _within(entry, entry.key.text, "", (), file)
    return entries


def _within(entry: Entry, kind: str, path: str, around: tuple[int, ...], file: str) -> Iterator[Line]:
    value = entry.value
    if _holds_paths(value, kind, bool(path)):
        above = (*around, entry.start[0])
        for each in value.entries:
            assert each.key is not None
            yield from _within(each, kind, f"{path}.{each.key.text}" if path else each.key.text, above, file)
        return
    last = value.end[0] - (value.end[1] == 0)
    yield Line(f"{kind} {path}".strip(), entry.start[0], max(entry.start[0], last), around, file)


def _holds_paths(value: Node, kind: str, inside: bool) -> bool:
    """Whether further paths stand in a value, each with lines of its own: as overlays are read."""
    if value.kind != "mapping" or not value.block or not value.entries:
        return False
    return not inside or (kind in ("change", "remove", "extend") and not {"was", "to"} & set(value.keys))


def without(text: str, dropped: Set[Line]) -> str:
    """A text with some lines of the overlay blank, and the keys above them where nothing is left below."""
    rows = text.split("\n")
    gone = {line.first for line in dropped}
    kept = {row for line in lines_of(text) if line.first not in gone for row in line.around}
    for line in dropped:
        for row in (*range(line.first, line.last + 1), *(row for row in line.around if row not in kept)):
            rows[row] = ""
        above = line.first - 1
        while above >= 0 and rows[above].lstrip().startswith("#"):
            rows[above] = ""
            above -= 1
    return "\n".join(rows)


def compact(text: str, name: str) -> str:
    """A text without the gaps that left out lines have made, and without what it said to editors."""
    rows = [row for row in text.split("\n") if not row.startswith("# yaml-language-server")]
    kept = [row for at, row in enumerate(rows) if row or (at and rows[at - 1] and not rows[at - 1].endswith(":"))]
    joined = "\n".join(kept).strip("\n") + "\n"
    return format_text(joined, name, Diagnostics()) or joined
