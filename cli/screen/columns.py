"""Several things to read below each other, in columns where there is room for more than one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

NARROWEST = 38
"""A column has at least so many cells."""
Lines = list[list[Segment]]


class Columns:
    """Fills columns of the same height, each thing as a whole, with an empty line between things.

    Where only so many lines can be seen at a time, what comes first fills the first `page`.
    """

    def __init__(self, parts: Sequence[RenderableType], page: int = 0) -> None:
        self.parts, self.page = parts, page

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        many = max(1, options.max_width // NARROWEST)
        wide = options.max_width // many - (many > 1)
        blocks = [console.render_lines(part, options.update(width=wide, height=None)) for part in self.parts]
        empty = [Segment(" " * wide)]
        pages = paged(blocks, many, self.page)
        for number, columns in enumerate(pages, 1):
            for row in range(max(map(len, columns), default=0) if number == len(pages) else self.page):
                for column in columns:
                    yield from (column[row] if row < len(column) else []) or empty
                    yield Segment(" ")
                yield Segment.line()


def paged(blocks: Sequence[Lines], many: int, page: int) -> list[list[Lines]]:
    """The columns of each page, whose lines are no more than `page`, if all of them are not on one page anyway.

    A block that is higher goes on in the next column.

    >>> [[len(column) for column in columns] for columns in paged([[[]] * 3, [[]] * 2, [[]] * 4], 2, 3)]
    [[3, 2], [3, 1]]
    """
    whole = filled(blocks, many)
    if many == 1 or not page or max(map(len, whole), default=0) <= page:
        return [whole]
    columns: list[Lines] = [[]]
    for block in blocks:
        rest = [*([[]] if columns[-1] else []), *block]
        if len(columns[-1]) + len(rest) > page:
            columns += [block[at : at + page] for at in range(0, len(block), page)]
        else:
            columns[-1] += rest
    columns = [each for each in columns if each]
    return [columns[at : at + many] for at in range(0, len(columns), many)]


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
