"""Texts of users in messages: quoted, printable, and the nearest known name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_NAMES = 1000
"""Among more names than this, only those that begin alike are held against a wrong one."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was most likely meant to be, or None.

    >>> nearest("tokn", ["coin", "token"])
    'token'
    """
    name, names = name[:100], {str(each) for each in known}
    if len(names) > MOST_NAMES:
        alike = (each for each in names if each[:1] == name[:1] and abs(len(each) - len(name)) < 3)
        names = set(sorted(alike)[:MOST_NAMES])
    found = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return found[0] if found else None


def quote(text: str, limit: int = 60) -> str:
    """A user's text between quotes for use in a message: one printable line, cut when long."""
    line = printable(" ".join(text[: 4 * limit].split()))
    return f"'{line[: limit - 3]}...'" if len(line) > limit or len(text) > 4 * limit else f"'{line}'"


def printable(text: str) -> str:
    """One column for each character, and nothing that a terminal would obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)
