"""What lies over the game for a moment: help, what is known of a thing, the report, and the curtain between people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from polis_rules.diagnostics import PolisError, printable

from ..output import wrapped

SHARE, MOST_WIDE, BESIDE = 0.96, 116, 6
"""How much of the width is used, as screen.tcss has it, and what of it are frame, edges and the bar that scrolls."""
LEAST = 12
"""A line is not folded to less than so much."""

HELP = """\
Answer
  type the number of an option and Enter, or a part of its name; or use ↑ ↓ and Enter, or click it
  what stands behind → is what an option would change; chance is told with each outcome

Keys
  F1         this help
  F2         details: of the highlighted option, or of anything you name or are typing; or click a place
  F3         why something is not offered
  F4         what has happened so far; typed: log all, with every single change
  F5         the tables alone, in columns and pages; or the board again
  F6         light or dark; Ctrl+P the board as a picture, where the terminal shows pictures
  F7, F8     look at the game a move earlier, a move later; Esc goes back to now
  F9         play on from what you look at, as a game of its own
  Ctrl+Z     take your last decision back, as far as no chance or secret was seen since
  Esc        empty the line, let a bot stop thinking, or close what lies over the game
  Ctrl+↑ ↓   scroll the tables; Shift+↑ ↓ ← → scroll the board; PgUp, PgDn the options, or the tables alone
  Ctrl+Q     leave; the game is kept, and goes on with: polis resume

Words, typed where you answer
  why NAME, details NAME, state (as F5), log, undo, back, forward, now, branch NAME, picture, help, quit
  map FILE   draw what you look at, as .svg or .png;  case NAME  save this moment as a case
  save FILE  record the game in a file, also what follows"""


def heading(title: str, keys: str) -> Text:
    """The first line of what lies over the game."""
    return Text.assemble((printable(title), "bold"), (f"  {keys}", "dim"))


def folded(lines: Sequence[str], width: int) -> Text:
    """Lines on so many cells, with what goes on below their beginning moved in.

    >>> print(folded(["North pays 1 coin to South"], 20))
    North pays 1 coin to
      South
    """
    rows: list[str] = []
    for line in lines:
        begin = " " * (len(line) - len(line.lstrip()))
        rows += wrapped(printable(line.strip()), max(LEAST, width), begin, f"{begin}  ") or [""]
    return Text("\n".join(rows))


class _Scrolling(ModalScreen[None]):
    @property
    def room(self) -> int:
        """How wide a line may be, beside the frame."""
        return min(int(self.app.size.width * SHARE), MOST_WIDE) - BESIDE

    def action_line(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)


class Sheet(_Scrolling):
    """Lines to read."""

    BINDINGS: ClassVar = [
        ("escape,enter,f1,f4,q", "app.pop_screen", "close"),
        ("up", "line(-1)", ""), ("down", "line(1)", ""), ("pageup", "page(-1)", ""), ("pagedown", "page(1)", ""),
    ]  # fmt: skip

    def __init__(self, title: str, lines: Sequence[str], from_end: bool = False) -> None:
        super().__init__()
        self._heading, self._lines, self._from_end = title, lines, from_end

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(heading(self._heading, "Esc closes"), markup=False)
            yield Static(folded(self._lines, self.room), markup=False)

    def on_mount(self) -> None:
        if self._from_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_page(self, by: int) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=by * max(1, scroll.size.height - 1), animate=False)


class Question(_Scrolling):
    """A line to type a name in, and what is known of it below."""

    BINDINGS: ClassVar = [("escape,f2,f3", "app.pop_screen", "close"), ("up", "line(-1)", ""), ("down", "line(1)", "")]

    def __init__(self, title: str, known: Callable[[str], list[str]], name: str = "") -> None:
        super().__init__()
        self._heading, self._known, self._name = title, known, name

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(heading(self._heading, "Enter asks, Esc closes"), markup=False)
            yield Input(self._name, placeholder="a name, or a part of it", select_on_focus=True)
            with VerticalScroll(can_focus=False):
                yield Static(id="known", markup=False)

    def on_mount(self) -> None:
        if self._name:
            self._tell(self._name)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()  # what is typed here is no answer, and leaves the options below as they are

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._tell(event.value.strip())

    def _tell(self, name: str) -> None:
        self.query_one("#known", Static).update("Looking it up ...")
        self._look_up(name)

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _look_up(self, name: str) -> None:
        """Look up beside the screen what is known, which then is read from memory: at first it takes seconds."""
        try:
            with suppress(PolisError):  # which is told where it is shown
                self._known(name)
        finally:
            if self.is_running and not get_current_worker().is_cancelled:
                self.app.call_from_thread(self._show, name)

    def _show(self, name: str) -> None:
        try:
            lines = self._known(name)
        except PolisError as error:  # a rule fails, or a file of the ruleset is gone
            lines = str(error).split("\n")
        self.query_one("#known", Static).update(folded(lines, self.room))


class Curtain(ModalScreen[None]):
    """Hides everything until the next person sits at the keyboard."""

    BINDINGS: ClassVar = [("enter", "dismiss(None)", "go on"), ("ctrl+q,ctrl+c", "app.quit", "leave")]

    def __init__(self, player: str) -> None:
        super().__init__()
        self._player = player

    def compose(self) -> ComposeResult:
        yield Static(Text(f"Pass the keyboard to {printable(self._player)}, who then presses Enter."), markup=False)
