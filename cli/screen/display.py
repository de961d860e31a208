"""What the screen of a game shows: the board, the tables, what has happened, and the decision that waits."""

from __future__ import annotations

import os
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Footer, Input, Static

from polis_rules import Game
from polis_rules.board import Board, Key, Position, position, seen
from polis_rules.diagnostics import printable
from polis_rules.play import Session

from ..output import wrapped
from ..plain.details import Details
from .choice_list import ChoiceList
from .choices import Choice, choices_of, meant
from .map import MapView
from .panel import Panel
from .telling import explained, headline, question, told_above

UNBROKEN = 100_000
"""What is known of a thing is folded where it is shown, which may be narrower at any time."""
MOST_NEWS = 12
"""So many of the last things that have happened are news to whoever has not decided yet."""
MOST_LIKED = 5
"""For news of so many lines options stand in more columns, if that takes fewer rows."""
MOST_NOTES = 4
"""A note has at most so many lines."""


class Line(Input):
    """Where answers are typed. It is empty as soon as a line is entered, so that what is typed on while the screen is
    busy is a line of its own."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":  # as a binding it would be handled after the keys that are waiting behind it
            event.stop()
            await self.action_submit()
            self.value = ""
        else:
            await super()._on_key(event)


class Talk(Vertical):
    """The question, with what is new above it and the options below; tells when it has another size."""

    class Resized(Message):
        """There is more or less room, which comes some time after the terminal has changed."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class Display(App[None]):
    """Shows one session; `session` is the one of now."""

    CSS_PATH = "screen.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (96, "-middle"), (130, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (12, "-low"), (28, "-high")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.board = Board.of(session.rules)
        self.details = Details(session.rules, UNBROKEN)
        self.choices: list[Choice] = []
        self.paused = False
        self.drawn = 0.0
        """when everything was drawn last"""
        self.known: dict[str | None, list[str]] = {}
        """the report that each person had seen when they decided last; titles at its end may go again"""
        self.own: dict[str | None, int] = {}
        """how much of it there was when that decision had been carried out"""
        self._reading = False
        """whether texts of cards are being looked up, which the screen does not wait for"""
        self._asked, self._note = "", ""
        """what stands as the question, and as a note above it"""
        self._news: list[str] = []
        self._own_news, self._warning = 0, ""
        light = os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
        self.theme = "textual-light" if light else "textual-dark"

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        with Container(id="body"):
            with Vertical(id="board"):
                yield MapView(self.board)
                yield Static(id="legend", markup=False)
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="table", markup=False)
            with Talk(id="talk"):
                yield Static(id="news", markup=False)
                yield Static(id="note", markup=False)
                yield Static(id="prompt", markup=False)
                yield ChoiceList()
                yield Line(id="line")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.screen.set_class(not self.board.spots, "-tables")
        self.query_one("#line", Input).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._head)
        if self.only_tables:
            self.call_after_refresh(self.show_tables)

    def on_talk_resized(self) -> None:
        self.arrange()

    # -- all of it --------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Draw everything as it stands."""
        session = self.session
        self.drawn = monotonic()
        if session.told:
            self._note, session.told = session.told, ""
        asked = session.turn in ("person", "chance") and session.handover is None and not session.looking_back
        self.choices = choices_of(session) if asked else []
        now = position(self.board, seen(session.shown, session.eyes))
        view = self.query_one(MapView)
        view.show(now, self._offered())
        legend = explained(view.draughtsman.legend(now), len(self.board.players), view.size.width)
        self.query_one("#legend", Static).update(Text(printable(legend)))
        panel = self._show_panel(now)
        if panel.unread and not self._reading:
            self._reading = True
            self._read_up(session.shown, panel.unread)
        self._head()
        over = session.game.result is not None and not session.looking_back
        self.screen_stack[0].set_class(over, "-over")
        self._asked, self._news = question(session, self.paused), self.news()
        self._warning = panel.now.warning_before_acting if asked else ""
        line = self.query_one("#line", Input)
        line.placeholder = "number or part of a name; F1 helps" if self.choices else "F1 helps"
        self.filter(line.value)

    def _head(self) -> None:
        self.query_one("#head", Static).update(Text(printable(headline(self.session, self.size.width))))

    def _offered(self) -> dict[Key, str]:
        """The spots that may be chosen, with what is typed for each."""
        return {
            choice.option.refers_to: choice.label
            for choice in self.choices
            if choice.option is not None and choice.option.refers_to is not None
        }

    # -- the tables -------------------------------------------------------------------------------------------------

    def _show_panel(self, now: Position) -> Panel:
        panel = Panel(self.session, now, self.board, self.details, self.current_theme.dark)
        side = self.query_one("#side")
        self.query_one("#table", Static).update(panel.all(side.size.height if self.only_tables else 0))
        return panel

    @work(thread=True, exit_on_error=False)
    def _read_up(self, game: Game, cards: list[tuple[str, int]]) -> None:
        """Look up what cards say, beside the screen, and then show it."""
        for kind, member in cards:
            self.details.effects(game, kind, member)
        if self.is_running:
            self.call_from_thread(self._read)

    def _read(self) -> None:
        self._reading = False
        if len(self.screen_stack) == 1:
            self.show_tables()

    @property
    def only_tables(self) -> bool:
        """Whether tables stand in place of the board."""
        return self.screen_stack[0].has_class("-tables")

    def show_tables(self) -> None:
        """Show the tables anew, such as where there is more or less room for them now."""
        self._show_panel(position(self.board, seen(self.session.shown, self.session.eyes)))

    # -- what is told and asked -------------------------------------------------------------------------------------

    def report(self) -> list[str]:
        """What has happened in sentences, as the person at the screen may know it."""
        game, eyes = self.session.shown, self.session.eyes
        doing = game.doing(eyes)
        return [*game.sentences(eyes), *([f"{doing} ..."] if doing else [])]

    def every_line(self) -> list[str]:
        """The same with every single change."""
        eyes = self.session.eyes
        return self.session.shown.report if eyes is None else self.session.shown.report_for(eyes)

    def news(self) -> list[str]:
        """The last of what has happened since the person decided last."""
        if self.session.handover is not None:
            return []
        eyes = self.session.eyes
        report = _without_last_titles(self.report())
        last = len(report)
        known = self.known.get(eyes, report[:-MOST_NEWS])
        same = next(
            (at for at, (one, other) in enumerate(zip(known, report, strict=False)) if one != other), len(known)
        )
        begin = max(0, min(same, last - 1))
        self._own_news = max(0, min(self.own.get(eyes, 0), last) - begin)
        return report[begin:]

    def told_to(self, eyes: str | None) -> list[str]:
        """What has happened in sentences, without titles under which nothing is told yet: they may go again."""
        return _without_last_titles(self.session.shown.sentences(eyes))

    def note(self, text: str) -> None:
        """Say something until the next key."""
        if text != self._note:
            self._note = text
            self.arrange()

    def ask(self, text: str) -> None:
        """Ask something else than what is asked."""
        self._asked = text
        self.arrange()

    def filter(self, line: str) -> None:
        """Show the options that fit a line that is being typed, of which the one that it means stands out, if one."""
        fitting = [choice for choice in self.choices if choice.fits(line.strip())]
        options = self.query_one(ChoiceList)
        options.show(fitting or self.choices)
        found = meant(self.choices, line.strip())
        if line.strip():  # what stood out for less of the line is not meant any more, as 9 is not by 99
            options.highlight(options.shown.index(found) if found is not None and found in options.shown else None)
        self.arrange()

    def arrange(self) -> None:
        """Share the room below the board: the question and all its options if they fit, above them what is new."""
        talk, options = self.query_one("#talk"), self.query_one(ChoiceList)
        width, room = talk.content_size.width, talk.content_size.height - 1  # a line for the answer
        if width <= 0:
            return
        asked = [line for each in self._asked.split("\n") for line in wrapped(printable(each), width - 1, "", "  ")]
        note = [line for each in self._note.split("\n") for line in wrapped(printable(each), width, "", "  ")]
        room -= len(asked)
        news, new = self._news, len(self._news) + bool(self._warning)
        least = min(len(note), MOST_NOTES) if note else min(2, new, max(0, room - 3))
        over = self.screen_stack[0].has_class("-over")
        wanted = len(note or told_above(news, self._own_news, self._warning, width, UNBROKEN))
        liked = room - min(wanted, MOST_LIKED)
        high = 0 if over else min(options.fit(width, room - least, liked), max(1, room - least))
        options.styles.height = high
        options.display = bool(high)
        above = max(0, room - high)
        self._put("#prompt", asked, len(asked))
        self._put("#note", note, above if note else 0)
        told = [] if note else told_above(news, self._own_news, self._warning, width, above)
        self._put("#news", told, 0 if note else above)

    def _put(self, id: str, lines: list[str], high: int) -> None:
        box = self.query_one(id, Static)
        box.display = high > 0
        box.styles.height = high
        box.update(Text("\n".join(lines)))


def _without_last_titles(sentences: list[str]) -> list[str]:
    """Sentences without the titles at their end, which the question tells."""
    last = len(sentences)
    while last and sentences[last - 1].startswith("-- "):
        last -= 1
    return sentences[:last]
