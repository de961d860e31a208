"""A text that is written over several lines and read as one, and whose every word still knows where it is written."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from polis_rules.diagnostics import Span
from polis_rules.source.tree import Text


class Start(NamedTuple):
    """Where what stands on one line begins."""

    at: int
    """in the text"""
    line: int
    column: int


class Folded(Text):
    """A text of several lines, which are joined by spaces.

    >>> text = folded(["is: a or", "  b"], Text("a or b", Span("rules.yaml", 1, 5, 2, 4)))
    >>> str(text.place(0, 1)), str(text.place(5, 6)), text.place(5, 6).end_column
    ('rules.yaml:1:5', 'rules.yaml:2:3', 4)
    """

    __slots__ = ("starts",)

    starts: tuple[Start, ...]
    """In order."""

    def __new__(cls, text: str, span: Span, quoted: bool, starts: tuple[Start, ...]) -> Self:
        self = str.__new__(cls, text)
        self.span, self.quoted, self.starts = span, quoted, starts
        return self

    def part(self, begin: int, end: int) -> Text:
        first = self._start(begin)
        place = self.place(begin, end)
        if place.line == place.end_line:
            return Text(self[begin:end], place)
        after = [Start(each.at - begin, *each[1:]) for each in self.starts if first.at < each.at < end]
        return Folded(self[begin:end], place, False, (Start(0, place.line, place.column), *after))

    def place(self, begin: int, end: int) -> Span:
        first, last = self._start(begin), self._start(max(begin, end - 1))
        return Span(self.span.file, first.line, first.column + begin - first.at, last.line, last.column + end - last.at)

    def _start(self, at: int) -> Start:
        return next((each for each in reversed(self.starts) if each.at <= at), self.starts[0])

    def same(self, other: Text) -> bool:
        return isinstance(other, Folded) and super().same(other) and self.starts == other.starts

    def __reduce__(self) -> tuple[type[Text], tuple[Any, ...]]:
        return Folded, (str(self), self.span, self.quoted, self.starts)


def folded(lines: list[str], text: Text) -> Text:
    """A text that knows its lines, which are those of the file that it stands on; itself where it reads otherwise."""
    span, starts, words = text.span, list[Start](), ""
    for number, line in enumerate(lines, span.line):
        stop = span.end_column - 1 if number == span.end_line else len(line)
        begin = span.column - 1 if number == span.line else len(line) - len(line.lstrip(" "))
        starts.append(Start(len(words), number, begin + 1))
        words += line[begin:stop].rstrip(" ") + " "
    return Folded(text, span, text.quoted, tuple(starts)) if words[:-1] == text else text
