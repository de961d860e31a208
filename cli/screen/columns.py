"""Several things to read below each other, in columns where there is room for more than one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

NARROWEST = 38
"""A column has at least so many cells."""
Lines = list[list[Segment]]


class Columns:
    """Fills columns of the same height, each thing as a whole, with an empty line between things."""

    def __init__(self, parts: Sequence[RenderableType]) -> None:
        self.parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        many = max(1, options.max_width // NARROWEST)
        wide = options.max_width // many - (many > 1)
        blocks = [console.render_lines(part, options.update(width=wide, height=None)) for part in self.parts]
        columns = filled(blocks, many)
        empty = [Segment(" " * wide)]
        for row in range(max(map(len, columns), default=0)):
            for column in columns:
                yield from (column[row] if row < len(column) else []) or empty
                yield Segment(" ")
            yield Segment.line()


def filled(blocks: Sequence[Lines], many: int) -> list[Lines]:
    """The lines of at most so many columns, as low as they can be.

    >>> [len(each) for each in filled([[[]] * 4, [[]] * 2, [[]] * 1], 2)]
    [4, 4]
    """
    high = max(map(len, blocks), default=0)
    while True:
        columns: list[Lines] = [[]]
        for block in blocks:
            if columns[-1] and len(columns[-1]) + 1 + len(block) > high:
                columns.append([])
            columns[-1] += [*([[]] if columns[-1] else []), *block]
        if len(columns) <= many:
            return columns
        high += 1
