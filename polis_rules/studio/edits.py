"""What is said of places of texts, and edits of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

Point = tuple[int, int]
"""A line and a character in it as editors count: from 0, in UTF-16 units."""
Place = tuple[Path, Point]
"""A place of a file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to be said of a place of a file."""

    severity: str
    """`error`, `warning` or `note`"""
    code: str
    message: str
    start: Point
    end: Point
    can_be_mended: bool = False
    """whether a fix of it is known"""


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text for a part of a file."""

    path: Path
    start: Point
    end: Point
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What would mend a finding."""

    title: str
    edits: tuple[Edit, ...]


def offset(text: str, at: Point) -> int:
    """The index in a text of a place of it.

    >>> offset("a\\n\\N{ROLLING ON THE FLOOR LAUGHING}b", (1, 2))
    3
    """
    line, units = at
    begin = 0
    for _ in range(line):
        next_line = text.find("\n", begin)
        if next_line < 0:
            return len(text)
        begin = next_line + 1
    for index in range(begin, len(text) + 1):
        if units <= 0 or index == len(text) or text[index] == "\n":
            return index
        units -= 2 if ord(text[index]) > 0xFFFF else 1
    return len(text)


def merged(mine: str, theirs: str, whose: str = "in the file") -> str:
    """Both texts, with what is different one below the other, between lines that say whose it is.

    >>> print(merged("a: 1\\nb: 2\\n", "a: 1\\nb: 3\\n"))
    a: 1
    # <<< mine
    b: 2
    # === in the file
    b: 3
    # >>>
    <BLANKLINE>
    """
    from polis_rules.studio.alike import alike

    ours, other, lines = mine.split("\n"), theirs.split("\n"), list[str]()
    a = c = 0
    for b, d, size in (*alike(ours, other), (len(ours), len(other), 0)):
        if (a, c) != (b, d):
            lines += ["# <<< mine", *ours[a:b], f"# === {whose}", *other[c:d], "# >>>"]
        lines += ours[b : b + size]
        a, c = b + size, d + size
    return "\n".join(lines)


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    """A text with all edits made.

    >>> applied("cost: 1", (Edit(Path("a"), (0, 6), (0, 7), "2"),))
    'cost: 2'
    """
    places = sorted(((offset(text, each.start), offset(text, each.end), each.text) for each in edits), reverse=True)
    for start, end, new in places:
        text = text[:start] + new + text[end:]
    return text
