"""A place in a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text; lines and columns count from 1, the end is exclusive.

    >>> str(Span("rules/kinds.yaml", 3, 5, 3, 9))
    'rules/kinds.yaml:3:5'
    """

    file: str
    """The file as shown to people."""
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, last: Span) -> Span:
        """From the beginning of this one to the end of another."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column)

    def part(self, begin: int, end: int) -> Span:
        """Some of the characters of a stretch on one line, counted from its first."""
        return Span(self.file, self.line, self.column + begin, self.line, self.column + end)

    def holds(self, other: Span) -> bool:
        """Whether another place lies inside this one."""
        begins = (self.line, self.column) <= (other.line, other.column)
        ends = (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        return self.file == other.file and begins and ends

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
