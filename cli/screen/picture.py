"""A picture made of characters: what each cell of the screen shows, and what lies there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style

from polis_rules.diagnostics import printable

BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each of the 4 rows and 2 columns of dots in a cell."""

Points = Iterable[tuple[float, float]]


class Picture:
    """So many cells across and down. Places may also be given as shares of width and height, from 0 to 1."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._text: list[list[str]] = [[" "] * width for _ in range(height)]
        self._style: list[list[Style]] = [[Style.null()] * width for _ in range(height)]
        self._taken: set[tuple[int, int]] = set()

    def copy(self) -> Picture:
        other = Picture(self.width, self.height)
        other._text = [row[:] for row in self._text]
        other._style = [row[:] for row in self._style]
        return other

    def is_free(self, column: int, row: int, width: int) -> bool:
        """Whether a text of this width fits there, with a space on both sides, and hides no other."""
        if not (0 <= row < self.height and column >= 0 and column + width <= self.width):
            return False
        return all((each, row) not in self._taken for each in range(column - 1, column + width + 1))

    def put(self, column: int, row: int, text: str, style: Style) -> int:
        """Write a text, and tell the column after it. What does not fit is left out."""
        for character in printable(text):
            wide = cell_len(character)
            if wide and 0 <= row < self.height and column >= 0 and column + wide <= self.width:
                self._text[row][column] = character
                self._style[row][column] = Style(bgcolor=self._style[row][column].bgcolor) + style
                if wide == 2:
                    self._text[row][column + 1] = ""
                self._taken.update((each, row) for each in range(column, column + wide))
            column += wide
        return column

    def tint(self, outlines: Iterable[Points], style: Style) -> None:
        """Give the cells inside of outlines a background."""
        edges = [edge for points in outlines for edge in _edges(points)]
        for row in range(self.height):
            y = (row + 0.5) / self.height
            crossings = sorted(x + (y - top) * (u - x) / (v - top) for x, top, u, v in edges if (top <= y) != (v <= y))
            for left, right in zip(crossings[::2], crossings[1::2], strict=False):
                for column in range(
                    max(0, round(left * self.width)), min(self.width, max(0, round(right * self.width)))
                ):
                    self._style[row][column] += style

    def trace(self, outlines: Iterable[Points], style: Style, closed: bool = True) -> None:
        """Draw outlines, or lines, with fine dots."""
        across, down = self.width * 2 - 1, self.height * 4 - 1
        for points in outlines:
            for x, y, u, v in _edges(points, closed):
                self._line(round(x * across), round(y * down), round(u * across), round(v * down), style)

    def _line(self, x: int, y: int, u: int, v: int, style: Style) -> None:
        steps = max(abs(u - x), abs(v - y), 1)
        for step in range(steps + 1):
            self._dot(round(x + (u - x) * step / steps), round(y + (v - y) * step / steps), style)

    def _dot(self, x: int, y: int, style: Style) -> None:
        column, row = x // 2, y // 4
        if 0 <= column < self.width and 0 <= row < self.height:
            before = ord(self._text[row][column])
            bits = before - BRAILLE if BRAILLE <= before < BRAILLE + 256 else 0
            self._text[row][column] = chr(BRAILLE + (bits | DOTS[y % 4][x % 2]))
            self._style[row][column] += style

    def line(self, row: int) -> Iterator[Segment]:
        """One row, as pieces of one style each."""
        texts, styles = self._text[row], self._style[row]
        begin = 0
        for column in range(1, self.width + 1):
            if column == self.width or styles[column] is not styles[begin]:
                yield Segment("".join(texts[begin:column]), styles[begin])
                begin = column

    @property
    def text(self) -> str:
        """All rows without their styles."""
        return "\n".join("".join(row).rstrip() for row in self._text)


def cut_apart(title: str, width: int, others: Collection[str]) -> str:
    """A title cut to its beginning or, where another one begins so too, to its last word, with as many of its first
    letters as tell it apart, or to both its ends.

    >>> cut_apart("North Zoo", 6, {"East Zoo"}), cut_apart("North Zoo", 6, {"North Cape"})
    ('North…', '…Zoo')
    >>> cut_apart("North Zoo", 5, {"Northam", "East Zoo"}), cut_apart("Northam", 5, {"Northern Zoo"})
    ('N…Zoo', 'Nor…m')
    """
    text = cut_to(title, width)
    if not any(each.startswith(text.removesuffix("…")) for each in others):
        return text
    last = title.split(" ")[-1]
    for head in range(width - 1) if last != title else ():
        first, rest = title[:head], last[: width - 1 - head]
        alike = (" " in each and each.startswith(first) and each.split(" ")[-1].startswith(rest) for each in others)
        if not any(alike):
            return cut_to(f"{first}…{rest}", width)
    for head in range(width - 2, 0, -1):
        first, rest = title[:head], title[1 + head - width :]
        if not any(each.startswith(first) and each.endswith(rest) for each in others):
            return cut_to(f"{first}…{rest}", width)
    return text


def cut_to(text: str, width: int) -> str:
    """A text on so many cells; a sign tells that it was cut."""
    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1).rstrip()}…"


def _edges(points: Points, closed: bool = True) -> Iterator[tuple[float, float, float, float]]:
    every = list(points)
    for (x, y), (u, v) in zip(every, [*every[1:], *(every[:1] if closed else [])], strict=False):
        yield x, y, u, v
