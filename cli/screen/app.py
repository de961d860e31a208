"""The screen of a game: the board, the tables, and the decision that waits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.worker import Worker, get_current_worker

from polis_rules import Game, Option
from polis_rules.board import Board, Key, Position, position, seen
from polis_rules.diagnostics import PolisError, printable
from polis_rules.play import Session, UndoError

from ..answers import is_number, not_understood
from ..plain.details import Details
from ..plain.reasons import why
from .choices import Choice, ChoiceList, choices_of
from .map import MapView
from .overlays import HELP, Curtain, Question, Sheet
from .panel import Panel
from .telling import headline, latest, question

MOST_NEWS = 5
"""So many lines of what has happened stand above the decision."""
SHOWN_EVERY = 0.25
"""While bots play on, the screen is drawn anew after so many seconds."""


class PlayApp(App[None]):
    """One session on the screen, until its people leave. `session` is then the game that was played last."""

    CSS_PATH = "screen.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (96, "-middle"), (130, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (12, "-low"), (28, "-high")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        Binding("f1", "help", "Help", priority=True),
        Binding("f2", "details", "Details", priority=True),
        Binding("f3", "why", "Why", priority=True),
        Binding("f4", "log", "Report", priority=True),
        Binding("f5", "tables", "Tables", priority=True),
        Binding("f6", "light", "Light", show=False, priority=True),
        Binding("f7", "look(-1)", "Back", priority=True),
        Binding("f8", "look(1)", "Forth", priority=True),
        Binding("f9", "branch", "Branch", show=False, priority=True),
        Binding("ctrl+z", "undo", "Undo", priority=True),
        Binding("ctrl+q", "quit", "Leave", priority=True),
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("escape", "now", "Now", show=False),
        Binding("up", "highlight(-1)", show=False, priority=True),
        Binding("down", "highlight(1)", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("ctrl+up", "side(-3)", show=False, priority=True),
        Binding("ctrl+down", "side(3)", show=False, priority=True),
        Binding("shift+up", "pan(0, -2)", show=False, priority=True),
        Binding("shift+down", "pan(0, 2)", show=False, priority=True),
        Binding("shift+left", "pan(-6, 0)", show=False, priority=True),
        Binding("shift+right", "pan(6, 0)", show=False, priority=True),
    ]

    def __init__(self, session: Session, answer_single: bool = False) -> None:
        super().__init__()
        self.session = session
        self.answer_single = answer_single
        self.board = Board.of(session.rules)
        self.details = Details(session.rules)
        self.choices: list[Choice] = []
        self.paused = False
        self._thought = 0
        self._thinker: Worker[None] | None = None
        """which of the bots' thoughts counts; what an earlier one comes to is of a game that is no more"""
        self._since: float | None = None
        """when the bot began that thinks"""
        self._drawn = 0.0
        self._reading = False
        """whether texts of cards are being looked up, which the screen does not wait for"""
        self._told: dict[str | None, int] = {}
        """how much of the report each person had seen when they decided last"""
        light = os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
        self.theme = "textual-light" if light else "textual-dark"

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with Vertical(id="board"):
                    yield MapView(self.board)
                    yield Static(id="legend", markup=False)
                yield Static(id="news", markup=False)
                yield Static(id="prompt", markup=False)
                with Vertical(id="options"):
                    yield ChoiceList()
                yield Static(id="note", markup=False)
                yield Input(id="line", placeholder="number or part of a name; F1 helps")
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="table", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.set_interval(0.2, self._tell_thinking)
        self.screen.set_class(not self.board.spots, "-tables")
        self.query_one("#line", Input).focus()
        self.call_after_refresh(self.go_on)

    # -- going on ---------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Show where the game stands, and let whoever is to go on do so."""
        session = self.session
        while session.handover is None and session.answers_itself(self.answer_single):
            assert session.decision is not None
            self._carry_out(session.decision.options[0])
        if session.handover is not None:
            self.choices = []
            self.show()
            player = session.rules.titles[session.handover]
            self.push_screen(Curtain(player), lambda _: self._keyboard_taken())
            return
        if session.turn == "bot" and not self.paused and not session.looking_back:
            if monotonic() - self._drawn > SHOWN_EVERY:
                self.show()
            self._since = monotonic()
            self._thinker = self.think(self._thought)
            return
        self.show()

    def _keyboard_taken(self) -> None:
        self.session.take_keyboard()
        self.go_on()

    @work(thread=True, exit_on_error=False)
    def think(self, thought: int) -> None:
        """Let the bot that is asked choose, beside the screen."""
        worker = get_current_worker()
        try:
            found: Option | PolisError = self.session.bot_choice(lambda: worker.is_cancelled)
        except PolisError as error:
            found = error
        if self.is_running and not worker.is_cancelled:
            self.call_from_thread(self._thought_out, thought, found)

    def _thought_out(self, thought: int, found: Option | PolisError) -> None:
        if thought != self._thought:
            return
        self._since = None
        if isinstance(found, PolisError):
            self.paused = True
            self.note(f"The bot cannot go on: {found}")
        else:
            self._carry_out(found)
        self.go_on()

    @work(thread=True, exit_on_error=False)
    def read_up(self, game: Game, cards: list[tuple[str, int]]) -> None:
        """Look up what cards say, beside the screen, and then show it."""
        for kind, member in cards:
            self.details.effects(game, kind, member)
        if self.is_running:
            self.call_from_thread(self._read)

    def _read(self) -> None:
        self._reading = False
        if len(self.screen_stack) == 1:
            self._show_panel(position(self.board, seen(self.session.shown, self.session.eyes)))

    def _show_panel(self, now: Position) -> Panel:
        panel = Panel(self.session, now, self.board, self.details, self.current_theme.dark)
        self.query_one("#table", Static).update(panel.all())
        return panel

    @property
    def is_thinking(self) -> bool:
        """Whether a bot is thinking."""
        return self._since is not None

    def _stop_thinking(self) -> None:
        self._thought += 1
        self._since = None
        if self._thinker is not None:
            self._thinker.cancel()

    def _tell_thinking(self) -> None:
        if self._since is not None and monotonic() - self._since > 0.5 and self.session.asked is not None:
            player = self.session.asked
            who = f"{self.session.rules.titles[player]} ({self.session.seats[player]})"
            self._prompt(f"{who} thinks, {monotonic() - self._since:.0f} s. Esc stops it.")

    def _carry_out(self, option: Option) -> None:
        try:
            self.session.choose(option)
        except (PolisError, OSError) as error:
            self.paused = True
            self.note(f"{error}")

    # -- what is shown ----------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Draw everything as it stands."""
        session = self.session
        self._drawn = monotonic()
        if session.told:
            self.note(session.told)
            session.told = ""
        asked = session.turn in ("person", "chance") and session.handover is None and not session.looking_back
        self.choices = choices_of(session) if asked else []
        now = position(self.board, seen(session.shown, session.eyes))
        view = self.query_one(MapView)
        view.show(now, self._offered())
        legend = view.draughtsman.legend(now)
        self.query_one("#legend", Static).update(
            Text(printable("  ".join(f"{sign} {words}" for sign, words in legend)))
        )
        panel = self._show_panel(now)
        if panel.unread and not self._reading:
            self._reading = True
            self.read_up(session.shown, panel.unread)
        self._head()
        self._show_news()
        over = session.game.result is not None and not session.looking_back
        self.screen_stack[0].set_class(over, "-over")
        self._prompt(question(session, self.paused))
        self._filter(self.query_one("#line", Input).value)

    def _show_news(self) -> None:
        box, news = self.query_one("#news", Static), self.news()
        most = box.styles.max_height
        room = MOST_NEWS if most is None else int(most.value) - box.gutter.height
        box.update(Text("\n".join(latest(news, box.size.width, room))))
        box.styles.display = None if news else "none"

    def _head(self) -> None:
        self.query_one("#head", Static).update(Text(printable(headline(self.session, self.size.width))))

    def _prompt(self, text: str) -> None:
        self.query_one("#prompt", Static).update(Text(printable(text) if "\n" not in text else text))

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
        report = self.report()
        while report and report[-1].startswith("-- "):  # the question tells that
            report.pop()
        return report[max(min(self._told.get(self.session.eyes, 0), len(report) - 1), len(report) - MOST_NEWS) :]

    def note(self, text: str) -> None:
        """Say something until the next key."""
        note = self.query_one("#note", Static)
        note.update(Text("\n".join(map(printable, text.split("\n")))))
        note.display = bool(text)

    def _offered(self) -> dict[Key, str]:
        """The spots that may be chosen, with what is typed for each."""
        return {
            choice.option.refers_to: choice.label
            for choice in self.choices
            if choice.option is not None and choice.option.refers_to is not None
        }

    # -- answering --------------------------------------------------------------------------------------------------

    def _filter(self, line: str) -> None:
        """Show what fits a line that is being typed."""
        fitting = [choice for choice in self.choices if choice.fits(line.strip())]
        options = self.query_one(ChoiceList)
        options.show(fitting or self.choices)
        found = self._meant(line.strip())
        if found is not None and line.strip():
            options.highlighted = options.shown.index(found) if found in options.shown else None

    def _meant(self, line: str) -> Choice | None:
        """The only choice that a line may mean."""
        exact = [choice for choice in self.choices if line in (choice.label, choice.id)]
        if exact or is_number(line):
            return exact[0] if exact else None
        wanted = line.casefold()
        same = [choice for choice in self.choices if wanted == choice.title.casefold()]
        fitting = same or [choice for choice in self.choices if choice.fits(line)]
        return fitting[0] if len(fitting) == 1 else None

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.value:  # a line that was entered is emptied, and what came of it stays to be read
            self.note("")
        self._filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line, box = event.value.strip(), self.query_one("#line", Input)
        self.note("")
        current = self.query_one(ChoiceList).current
        meant = self._meant(line)
        box.value = ""
        if self._command(line):
            return
        if self.paused and self.session.turn == "bot" and not line:
            self.paused = False
            self.go_on()
        elif meant is not None or current is not None:
            self._take(meant or current)
        elif self.session.looking_back:
            self.note("You look at an earlier moment: Esc goes back to the game, F9 plays on from here.")
        elif self.session.decision is not None and self.choices:
            found = [each.option for each in self.choices if each.fits(line) and each.option is not None]
            found = [] if is_number(line) else found
            named = {each.label: each.option for each in self.choices if each.option is not None}
            self.note(not_understood(line, named, found))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.query_one("#line", Input).value = ""
        self._take(self.query_one(ChoiceList).shown[event.option_index])

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        current = self.query_one(ChoiceList).current
        option = current.option if current is not None else None
        refers = option.refers_to if option is not None else None
        self.query_one(MapView).look_at([refers] if refers is not None else [])

    def _take(self, choice: Choice | None) -> None:
        if choice is None or choice not in self.choices:
            return
        eyes = self.session.eyes
        self._told[eyes] = len(self.session.shown.sentences(eyes))
        self.paused = False
        if choice.option is not None:
            self._carry_out(choice.option)
        else:
            self.session.answer(self.session.game.rolled_by_seed() if choice.id == "roll" else choice.id)
        self.go_on()

    def _command(self, line: str) -> bool:
        """Do what a typed word asks for."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        alone = {
            "help": self.action_help, "log": self.action_log, "undo": self.action_undo, "now": self.action_now,
            "back": lambda: self.action_look(-1), "forward": lambda: self.action_look(1), "quit": self.exit,
            "map": self.action_tables,
        }  # fmt: skip
        named: dict[str, Callable[[str], None]] = {
            "why": self.action_why, "details": self.action_details, "branch": self.action_branch,
            "log": self.action_log, "save": self._save, "case": self._case,
        }  # fmt: skip
        if not rest and word in alone:
            alone[word]()
        elif word in named:
            named[word](rest)
        else:
            return False
        return True

    # -- keys -------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something lies over the game nothing happens below it, and nothing is shown."""
        return len(self.screen_stack) < 2 or action in ("quit", "pop_screen", "light")

    def action_help(self) -> None:
        self.push_screen(Sheet("Help", HELP.split("\n")))

    def action_log(self, what: str = "") -> None:
        lines = self.every_line() if what.casefold() == "all" else self.report()
        self.push_screen(Sheet("What has happened", lines, from_end=True))

    def action_details(self, name: str = "") -> None:
        current = self.query_one(ChoiceList).current
        if not name and current is not None and current.option is not None:
            refers = current.option.refers_to
            name = refers[1] if refers is not None else ""
        self.push_screen(Question("Details", self._known, name))

    def _known(self, name: str) -> list[str]:
        return self.details.of(self.session.shown, self.session.eyes, name)

    def action_why(self, name: str = "") -> None:
        self.push_screen(
            Question("Why is it not offered?", lambda each: why(self.session.game, each).split("\n"), name)
        )

    def on_map_view_clicked(self, event: MapView.Clicked) -> None:
        chosen = [each for each in self.choices if each.option is not None and each.option.refers_to == event.key]
        current = self.query_one(ChoiceList).current
        if len(chosen) == 1 and current == chosen[0]:
            self._take(chosen[0])
        elif len(chosen) == 1:
            options = self.query_one(ChoiceList)
            options.show(self.choices)
            options.highlighted = self.choices.index(chosen[0])
        else:
            self.action_details(event.key[1])

    def action_tables(self) -> None:
        if self.board.spots:
            self.screen.toggle_class("-tables")

    def action_light(self) -> None:
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        self.show()

    def action_look(self, by: int) -> None:
        if self.session.handover is not None:
            return
        self._stop_thinking()
        self.session.look(self.session.shown.moment + by)
        self.go_on()

    def action_now(self) -> None:
        """Empty the line; come back to the present; stop what a bot thinks."""
        box = self.query_one("#line", Input)
        self.note("")
        if box.value:
            box.value = ""
        elif self.session.looking_back:
            self.session.look(self.session.game.moment)
            self.go_on()
        elif self._since is not None:
            self._stop_thinking()
            self.paused = True
            self.show()
        else:
            self.query_one(ChoiceList).highlighted = None
            self.query_one(MapView).look_at([])

    def action_undo(self) -> None:
        try:
            self.session.undo()
        except UndoError as error:
            self.note(f"Not taken back: {error}.")
            return
        self._stop_thinking()
        self._told.clear()
        self.go_on()
        self.note("Taken back.")

    def action_branch(self, name: str = "") -> None:
        try:
            other = self.session.branch(name or None)
        except (PolisError, OSError) as error:
            self.note(f"No branch: {error}.")
            return
        self._stop_thinking()
        self.session.close()
        self.session = other
        self._told.clear()
        self.go_on()
        self.note(f"You play on as {other.name}.")

    def _save(self, name: str) -> None:
        try:
            self.session.save_as(Path(name))
        except (OSError, ValueError) as error:  # ValueError: no file can have such a name
            self.note(f"Not written: {error}")
        else:
            self.note(f"Recorded in {name}; what follows is recorded there too.")
            self.show()

    def _case(self, typed: str) -> None:
        from ..written_case import keep  # what reads cases takes long to import

        self.note(keep(self.session.rules, self.session.game, typed))

    def action_highlight(self, by: int) -> None:
        options = self.query_one(ChoiceList)
        if options.shown:
            before = options.highlighted
            first = 0 if by > 0 else len(options.shown) - 1
            options.highlighted = first if before is None else (before + by) % len(options.shown)

    def action_page(self, by: int) -> None:
        self.query_one(ChoiceList).scroll_relative(y=by * 6, animate=False)

    def action_side(self, by: int) -> None:
        self.query_one("#side", VerticalScroll).scroll_relative(y=by, animate=False)

    def action_pan(self, across: int, down: int) -> None:
        self.query_one(MapView).scroll_relative(x=across, y=down, animate=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._head)
        self.call_after_refresh(lambda: self._filter(self.query_one("#line", Input).value))
