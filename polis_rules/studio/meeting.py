"""What two browsers type into one file at the same time: what one made is carried over to the other's text."""

from __future__ import annotations

from collections.abc import Sequence

Sections = Sequence[int]
"""A change as an editor tells it, in UTF-16 units: how long each part was, and how long it is, -1 for "as before"."""


def length(text: str) -> int:
    """How long an editor in a browser finds a text."""
    return len(_units(text)) // 2


def changed(text: str, sections: Sections, inserted: Sequence[Sequence[str]]) -> str:
    r"""A text after a change.

    >>> changed("cost: 1\n", [6, -1, 1, 2, 1, -1], [[], ["12"]])
    'cost: 12\n'
    """
    return met(text, text, sections, inserted)


def met(base: str, theirs: str, sections: Sections, inserted: Sequence[Sequence[str]]) -> str:
    """A change that was made to one text, carried over to what somebody else has made of that text meanwhile.

    What was typed into the part that the other one has changed stands after that part; nothing typed is lost.

    >>> met("a: 1, b: 2", "a: 100, b: 2", [9, -1, 1, 1], [[], ["3"]])
    'a: 100, b: 3'
    >>> met("one two", "one 2 two", [0, 1, 7, -1], [["x"]])
    'xone 2 two'
    >>> met("abc", "aXc", [1, -1, 1, 1, 1, -1], [[], ["Y"]])
    'aXYc'
    >>> met("abcdef", "abcXYdef", [1, -1, 4, 1, 1, -1], [[], ["Z"]])
    'abcXYZdef'
    """
    was, now = _units(base), _units(theirs)
    same = min(len(was), len(now))
    begin = next((at for at in range(0, same, 2) if was[at : at + 2] != now[at : at + 2]), same)
    rest = same - begin
    tail = next((at for at in range(0, rest, 2) if was[len(was) - at - 2 :][:2] != now[len(now) - at - 2 :][:2]), rest)
    end, moved = len(was) - tail, len(now) - len(was)
    found, read, place = b"", 0, 0
    for number, (old, new) in enumerate(zip(sections[::2], sections[1::2], strict=True)):
        start, stop = place, place + 2 * old
        place = stop
        if new == -1:
            continue
        if start < end and stop > begin:  # both have changed the same part
            start = stop = end + moved
        elif start >= end:
            start, stop = start + moved, stop + moved
        text = "\n".join(inserted[number]) if number < len(inserted) else ""
        start = max(start, read)
        found += now[read:start] + _units(text)
        read = max(stop, start)
    return (found + now[read:]).decode("utf-16-le", "surrogatepass")


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
