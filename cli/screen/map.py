"""The board on the screen: scrolls where it is larger, and tells what was clicked."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from polis_rules.board import Key, Plan, Position

from .drawing import Draughtsman, Drawing


class MapView(ScrollView, can_focus=False):
    """The board with what stands on it."""

    class Clicked(Message):
        """Somebody clicked a spot."""

        def __init__(self, key: Key) -> None:
            super().__init__()
            self.key = key

    def __init__(self, board: Plan) -> None:
        super().__init__()
        self.draughtsman = Draughtsman(board)
        self.shown = Position()
        self.offered: dict[Key, str] = {}
        self.focused: frozenset[Key] = frozenset()
        self.drawing: Drawing | None = None

    def show(self, position: Position, offered: Mapping[Key, str], focused: Collection[Key] = ()) -> None:
        """Show a position, with what may be chosen and what is looked at."""
        self.shown, self.offered = position, dict(offered)
        self.focused = frozenset(focused)
        self.renew()

    def look_at(self, focused: Collection[Key]) -> None:
        """Make spots stand out, and scroll to them."""
        if frozenset(focused) == self.focused:
            return
        self.focused = frozenset(focused)
        self.renew()
        for key in focused:
            if self.drawing is not None and key in self.drawing.at:
                column, row, wide = self.drawing.at[key]
                self.scroll_to_region(Region(column, row, wide, 1), animate=False)

    def renew(self) -> None:
        """Draw everything anew, for the size and the colours of now."""
        if not (self.size.width and self.size.height):
            return
        self.drawing = self.draughtsman.draw(
            self.shown, self.size.width, self.size.height, self.app.current_theme.dark, self.offered, self.focused
        )
        self.virtual_size = Size(self.drawing.picture.width, self.drawing.picture.height)
        self.refresh()

    def on_resize(self) -> None:
        self.renew()

    def render_line(self, y: int) -> Strip:
        across, down = self.scroll_offset
        if self.drawing is None or y + down >= self.drawing.picture.height:
            return Strip.blank(self.size.width, self.rich_style)
        strip = Strip([Segment(" " * self.margin, None), *self.drawing.picture.line(y + down)])
        return strip.crop_extend(across, across + self.size.width, self.rich_style).apply_style(self.rich_style)

    @property
    def margin(self) -> int:
        """Small boards stand in the middle."""
        return 0 if self.drawing is None else max(0, (self.size.width - self.drawing.picture.width) // 2)

    def on_click(self, event: events.Click) -> None:
        across, down = self.scroll_offset
        key = self.drawing and self.drawing.hit(event.x + across - self.margin, event.y + down)
        if key:
            self.post_message(self.Clicked(key))
