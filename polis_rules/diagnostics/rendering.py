"""A finding as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.text import printable


def render(diagnostic: Diagnostic, sources: Mapping[str, str] | None = None) -> str:
    """The finding as text: where, what, its line between the two beside it with a mark under it, and a hint.

    `sources` maps a file's shown name to its text; a file that is not in it is not quoted.
    """
    place = f"{printable(str(diagnostic.span))}: " if diagnostic.span else ""
    lines = [f"{place}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    lines += _excerpt(diagnostic.span, sources, beside=1)
    for what, span in diagnostic.related:
        lines.append(f"  {printable(str(span))}: {what}")
        lines += _excerpt(span, sources)
    if diagnostic.advice:
        lines.append(f"  hint: {diagnostic.advice}")
    return "\n".join(lines)


_WIDTH = 110


def _excerpt(span: Span | None, sources: Mapping[str, str] | None, beside: int = 0) -> list[str]:
    """The line that a span begins in, carets under it, and so many lines before and after it that are not blank.

    All are cut to one window around the span when its line is long.
    """
    if span is None or not sources or span.file not in sources:
        return []
    lines = _lines(sources[span.file])
    if span.line > len(lines):
        return []
    text = lines[span.line - 1].removesuffix("\r")
    begin = min(span.column - 1, len(text))
    end = span.end_column - 1 if span.end_line == span.line else len(text)
    first = max(0, begin - _WIDTH // 2) if len(text) > _WIDTH else 0
    numbers = range(max(1, span.line - beside), min(len(lines), span.line + beside) + 1)
    gutter = len(str(numbers[-1]))
    rows = []
    for number in numbers:
        shown = printable(lines[number - 1].removesuffix("\r")[first : first + _WIDTH])
        if number == span.line:
            marks = max(1, min(end, first + len(shown)) - begin)
            rows.append(f"  {number:>{gutter}} | {shown}")
            rows.append(f"  {' ' * gutter} | {' ' * (begin - first)}{'^' * marks}")
        elif shown.strip():
            rows.append(f"  {number:>{gutter}} | {shown.rstrip()}")
    return rows


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")
