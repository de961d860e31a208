"""Edits of a text by the places that its tree knows, all done at once."""

from __future__ import annotations

from polis_rules.diagnostics import Span


class Edits:
    """What is to be replaced in a text.

    >>> edits = Edits("coin: 1\\n")
    >>> edits.replace(Span("a.yaml", 1, 7, 1, 8), "2")
    >>> edits.done()
    'coin: 2\\n'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._found: list[tuple[int, int, str]] = []

    def replace(self, span: Span, text: str) -> None:
        """Put text in the place of what stands at a span."""
        self._found.append((self._index(span.line, span.column), self._index(span.end_line, span.end_column), text))

    def wrap(self, span: Span, before: str, after: str) -> None:
        """Put text around what stands at a span."""
        start, end = self._index(span.line, span.column), self._index(span.end_line, span.end_column)
        self._found += [(start, start, before), (end, end, after)]

    def done(self) -> str:
        """The text with all edits done."""
        found, before = [], 0
        for start, end, text in sorted(self._found, key=lambda each: each[:2]):
            found += [self.text[before:start], text]
            before = end
        return "".join(found) + self.text[before:]

    def _index(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column - 1
