"""A text in which words stand for other texts, and whose every character still knows where it is written."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from polis_rules.diagnostics import Span
from polis_rules.source.tree import Text


class Hole(NamedTuple):
    """A word of a text, and what stands in its place."""

    begin: int
    """The first character of the word in the text as it is written."""
    end: int
    inner: Text
    """What stands there instead."""
    bracketed: bool
    """Whether in brackets."""

    def same(self, other: Hole) -> bool:
        """Whether the same stands there, written at the same place."""
        return self.inner.same(other.inner) and self[:2] == other[:2] and self.bracketed == other.bracketed


class Spliced(Text):
    """A text with other texts in place of some of its words.

    >>> inner = Text("a or b", Span("base.yaml", 3, 9, 3, 15))
    >>> text = Spliced(Text("old and c", Span("more.yaml", 7, 5, 7, 14)), (Hole(0, 3, inner, True),))
    >>> str(text), str(text.place(1, 2)), str(text.place(13, 14)), str(text.place(0, 14))
    ('(a or b) and c', 'base.yaml:3:9', 'more.yaml:7:13', 'more.yaml:7:5')
    """

    __slots__ = ("holes", "own")

    own: Text
    """The text as it is written."""
    holes: tuple[Hole, ...]
    """In order."""

    def __new__(cls, own: Text, holes: tuple[Hole, ...]) -> Self:
        parts, at = [], 0
        for hole in holes:
            parts += [own[at : hole.begin], f"({hole.inner})" if hole.bracketed else str(hole.inner)]
            at = hole.end
        self = str.__new__(cls, "".join([*parts, own[at:]]))
        self.span, self.quoted, self.own = own.span, own.quoted, own
        self.holes = holes
        return self

    def part(self, begin: int, end: int) -> Text:
        return Text(self[begin:end], self.place(begin, end))

    def place(self, begin: int, end: int) -> Span:
        moved = 0
        first, last = begin, end
        for hole in self.holes:
            start = hole.begin + moved
            inside = start + hole.bracketed
            stop = inside + len(hole.inner) + hole.bracketed
            if inside <= begin and end <= stop - hole.bracketed:
                return hole.inner.place(begin - inside, end - inside)
            moved = stop - hole.end
            if begin >= start:
                first = hole.begin if begin < stop else begin - moved
            if end > start:
                last = hole.end if end <= stop else end - moved
        return self.own.place(first, last)

    def same(self, other: Text) -> bool:
        if not isinstance(other, Spliced) or type(self) is not type(other) or len(self.holes) != len(other.holes):
            return False
        return self.own.same(other.own) and all(map(Hole.same, self.holes, other.holes))

    def __reduce__(self) -> tuple[type[Text], tuple[Any, ...]]:
        return Spliced, (self.own, self.holes)


class Renamed(Spliced):
    """A text of a library, in which names stand for those of the ruleset that uses it."""

    __slots__ = ("wanted",)

    wanted: str
    """The type that its value must have; empty where any will do."""

    def __new__(cls, own: Text, holes: tuple[Hole, ...] = (), wanted: str = "") -> Self:
        self = super().__new__(cls, own, holes)
        self.wanted = wanted
        return self

    def same(self, other: Text) -> bool:
        return isinstance(other, Renamed) and super().same(other) and self.wanted == other.wanted

    def __reduce__(self) -> tuple[type[Text], tuple[Any, ...]]:
        return Renamed, (self.own, self.holes, self.wanted)
