"""The options of a decision on the screen, in as many columns as it takes to show all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from polis_rules.diagnostics import printable

from ..output import wrapped
from .choices import Choice
from .picture import cut_to

NARROWEST = 36
"""A column of options has at least so many cells."""
LEAST = 30
"""Options are laid out for so many cells at least; what goes beyond the screen is cut."""
MOST_TITLE = 40
"""Prices stand below each other after titles of up to so many cells."""


@dataclass(frozen=True, slots=True)
class Block:
    """A choice, by its number, where it is shown; none for what is told of all."""

    number: int | None
    left: int
    top: int
    wide: int
    lines: tuple[str, ...]


class ChoiceList(ScrollView, can_focus=False):
    """Shows choices; the keyboard stays with the line below it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"choices--highlighted", "choices--anyway"}

    class Taken(Message):
        """Somebody clicked a choice."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    class Highlighted(Message):
        """Another choice is highlighted, or none."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Choice] = []
        self.blocks: list[Block] = []
        self.highlighted: int | None = None

    def show(self, choices: Sequence[Choice]) -> None:
        """Show these instead of what was there; `fit` then says how."""
        same = list(choices) == self.shown
        self.shown = list(choices)
        self.highlight(self.highlighted if same else None)

    def fit(self, width: int, most: int, liked: int | None = None) -> int:
        """Lay the choices out, in as few columns as show all of them on so many rows; how many rows they take.

        Where more columns need no more rows than are `liked`, which leaves room for what else is told, it is these.
        Where that is not enough only of what is highlighted it is told what sets it apart, then what all change alike
        is cut to a line.
        """
        current = self.current
        about = f"{current.title}: {current.apart}" if current is not None and current.apart else ""
        short = [replace(choice, apart="") for choice in self.shown]
        self.blocks = _laid_out(self.shown, max(LEAST, width - 1), 1)
        if liked is not None and liked < _bottom(self.blocks):
            more = range(2, max(1, width // NARROWEST) + 1)
            tried = (_laid_out(self.shown, max(LEAST, width - 1), each) for each in more)
            self.blocks = next((each for each in tried if _bottom(each) <= liked), self.blocks)
        for choices, told, brief in ((self.shown, "", False), (short, about, False), (short, about, True)):
            for columns in range(1, max(1, width // NARROWEST) + 1):
                if _bottom(self.blocks) > most:
                    blocks = _laid_out(choices, max(LEAST, width - 1), columns, told, brief)
                    self.blocks = min(self.blocks, blocks, key=_bottom)
        self.virtual_size = Size(width - 1, _bottom(self.blocks))
        self.refresh()
        return self.virtual_size.height

    @property
    def current(self) -> Choice | None:
        """What is highlighted."""
        return None if self.highlighted is None else self.shown[self.highlighted]

    def highlight(self, place: int | None) -> None:
        """Make one choice stand out, or none."""
        changed, self.highlighted = place != self.highlighted, place
        for block in self.blocks:
            if place is not None and block.number == place:
                region = Region(block.left, block.top, block.wide, len(block.lines))
                self.scroll_to_region(region, animate=False, force=True)
        if changed:
            self.refresh()
            self.post_message(self.Highlighted())

    def render_line(self, y: int) -> Strip:
        row, segments, at = y + self.scroll_offset.y, list[Segment](), 0
        for block in self.blocks:
            if block.top <= row < block.top + len(block.lines):
                text = cut_to(block.lines[row - block.top], block.wide)
                segments += [Segment(" " * (block.left - at)), Segment(text, self._style(block))]
                at = block.left + cell_len(text)
        return Strip(segments).crop_extend(0, self.size.width, self.rich_style).apply_style(self.rich_style)

    def _style(self, block: Block) -> Style:
        if block.number is None:
            return self.get_component_rich_style("choices--anyway")
        is_current = block.number == self.highlighted
        return self.get_component_rich_style("choices--highlighted") if is_current else Style()

    def on_click(self, event: events.Click) -> None:
        row = event.y + self.scroll_offset.y
        for block in self.blocks:
            is_there = block.top <= row < block.top + len(block.lines) and block.left <= event.x
            if is_there and event.x < block.left + block.wide and block.number is not None:
                self.post_message(self.Taken(self.shown[block.number]))


def _bottom(blocks: Sequence[Block]) -> int:
    return max((block.top + len(block.lines) for block in blocks), default=0)


def _laid_out(choices: Sequence[Choice], width: int, columns: int, about: str = "", brief: bool = False) -> list[Block]:
    """Where each choice stands: down the first column, then down the next."""
    wide = width // columns
    label = max((len(choice.label) for choice in choices), default=1)
    titles = min(MOST_TITLE, max((cell_len(choice.title) for choice in choices), default=1))
    lines = [tuple(_lines(choice, label, titles, wide - (columns > 1))) for choice in choices]
    high = _height([len(each) for each in lines], columns)
    blocks: list[Block] = []
    column = row = 0
    for number, each in enumerate(lines):
        if row and row + len(each) > high:
            column, row = column + 1, 0
        blocks.append(Block(number, column * wide, row, wide, each))
        row += len(each)
    common = choices[0].common if choices else ()
    below = [*(cut_to(each, width - 1) if brief else each for each in common), *([about] if about else [])]
    told = [line for each in below for line in wrapped(printable(each), width, " ", "   ")]
    return [*blocks, *([Block(None, 0, _bottom(blocks), width, tuple(told))] if told else [])]


def _height(sizes: Sequence[int], columns: int) -> int:
    """How high columns have to be so that they hold things of these heights, in their order.

    >>> _height([1, 1, 1, 1, 1], 2), _height([3, 1, 1], 2), _height([], 2)
    (3, 3, 0)
    """
    high = max(sizes, default=0)
    while True:
        used, row = 1, 0
        for size in sizes:
            if row and row + size > high:
                used, row = used + 1, 0
            row += size
        if used <= columns:
            return high
        high += 1


def _lines(choice: Choice, label: int, titles: int, width: int) -> Iterator[str]:
    """A choice in lines: what is typed for it, what it is, its price, what sets it apart, and what it would change."""
    start = f" {choice.label:>{label}}  "
    title = "" if choice.title == choice.label else choice.title
    price = f"  {choice.price}" if choice.price else ""
    line = printable(f"{start}{title}{' ' * (titles - cell_len(title))}{price}".rstrip())
    told = printable(" / ".join(choice.changes))
    indent = " " * len(start)
    if cell_len(line) > width:
        *lines, line = wrapped(printable(title), width, start, indent) or [start]
        yield from lines
        if choice.price:
            yield line
            *lines, line = wrapped(printable(choice.price), width, indent, f"{indent}  ")
            yield from lines
    if choice.apart and cell_len(line) + cell_len(choice.apart) + 2 <= width:
        line += f"  {printable(choice.apart)}"
    elif choice.apart:
        yield line
        *lines, line = wrapped(printable(choice.apart), width, indent, f"{indent}  ")
        yield from lines
    if not told:
        yield line
    elif cell_len(line) + cell_len(told) + 4 <= width:
        yield f"{line}  → {told}"
    else:
        yield line
        yield from (each for part in choice.changes for each in wrapped(
            f"→ {printable(part)}", width, indent, f"{indent}  "))  # fmt: skip
