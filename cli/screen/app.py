"""The screen of a game answers to keys, to the mouse, and to words that are typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Input

from polis_rules.board import Key, draw, seen
from polis_rules.diagnostics import PolisError, quote
from polis_rules.play import Preview, Session, UndoError

from ..answers import is_number, not_understood
from ..plain.reasons import why
from ..saving import draw_in, save
from .choice_list import ChoiceList
from .choices import meant
from .map import MapView
from .overlays import HELP, Question, Sheet
from .pictures import Picture, Pictures, fitted
from .running import Running


class PlayApp(Running):
    """One session on the screen, until its people leave. `session` is then the game that was played last."""

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
        Binding("ctrl+p", "picture", show=False, priority=True),
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

    def __init__(self, session: Session, answer_single: bool = False, pictures: Pictures | None = None) -> None:
        super().__init__(session, answer_single)
        self.pictures = pictures
        """what shows pictures on this terminal, if it can"""

    # -- answering --------------------------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.value:  # a line that was entered is emptied, and what came of it stays to be read
            self.note("")
        self.filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        self.note("")
        current = self.query_one(ChoiceList).current
        found = meant(self.choices, line)
        if self._command(line):
            return
        if self.paused and self.session.turn == "bot" and not line:
            self.paused = False
            self.go_on()
        elif found is not None or current is not None:
            self.take(found or current)
        elif self.session.looking_back:
            self.note("You look at an earlier moment: Esc goes back to the game, F9 plays on from here.")
        elif self.session.decision is not None and self.choices:
            fitting = [each.option for each in self.choices if each.fits(line) and each.option is not None]
            named = {each.label: each.option for each in self.choices if each.option is not None}
            self.note(not_understood(line, named, [] if is_number(line) else fitting))
        elif line and self.session.turn == "chance":
            self.note(
                f"{quote(line)} cannot come out here, or may be more than one. Type what stands before one of them."
            )

    def on_choice_list_taken(self, event: ChoiceList.Taken) -> None:
        self.query_one("#line", Input).value = ""
        self.note("")
        self.take(event.choice)

    def on_choice_list_highlighted(self) -> None:
        current = self.query_one(ChoiceList).current
        refers = current.option.refers_to if current is not None and current.option is not None else None
        self.query_one(MapView).look_at([refers] if refers is not None else [])
        self.call_after_refresh(self.arrange)

    def _command(self, line: str) -> bool:
        """Do what a typed word asks for."""
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        alone = {
            "help": self.action_help, "?": self.action_help, "log": self.action_log, "undo": self.action_undo,
            "now": self.action_now, "back": lambda: self.action_look(-1), "forward": lambda: self.action_look(1),
            "quit": self.exit, "exit": self.exit, "state": self.action_tables, "picture": self.action_picture,
        }  # fmt: skip
        named: dict[str, Callable[[str], None]] = {
            "why": self.action_why, "details": self.action_details, "branch": self.action_branch,
            "log": self.action_log, "save": self._save, "case": self._case, "map": self._map, "picture": self._map,
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
        """Tell of what is named, else of what is being typed, else of what is highlighted or the only option."""
        line = self.query_one("#line", Input).value.strip()
        current = self.query_one(ChoiceList).current
        chosen = current if current is not None and not line else meant(self.choices, line)
        if not name and chosen is not None and chosen.preview is not None:
            self._tell_of_option(chosen.title, chosen.preview)
        else:
            self.push_screen(Question("Details", self._known, name or line))

    def _tell_of_option(self, title: str, preview: Preview) -> None:
        """Tell of what an option would choose and change, whatever else is called so."""
        game, eyes = self.session.shown, self.session.eyes
        self._tell_of(title, lambda: self.details.option(game, eyes, preview))

    def _tell_of_thing(self, key: Key) -> None:
        """Tell of one thing, whatever else is called so."""
        kind = self.session.game.program.rules.symbols.kinds[key[0]]
        game, eyes = self.session.shown, self.session.eyes
        self._tell_of(kind.titles[kind.index[key[1]]], lambda: self.details.member(game, eyes, *key))

    def _tell_of(self, title: str, told: Callable[[], list[str]]) -> None:
        """Show what is told of this title, until another name is asked for."""
        self.push_screen(Question("Details", lambda name: told() if name == title else self._known(name), title))

    def _known(self, name: str) -> list[str]:
        offered = {each.label: each.preview for each in self.choices if each.preview is not None}
        return self.details.of(self.session.shown, self.session.eyes, name, offered)

    def action_why(self, name: str = "") -> None:
        """Tell why what is named, or else is being typed, is not offered."""
        line = self.query_one("#line", Input).value.strip()
        name = name or ("" if is_number(line) else line)
        self.push_screen(Question("Why is it not offered?", self._why, name))

    def _why(self, name: str) -> list[str]:
        """Why something is not offered to the person at the screen; others are told by what they may see."""
        session = self.session
        asked = session.asked
        if asked is not None and session.people and (session.turn == "bot" or session.handover is not None):
            return [f"{session.rules.titles[asked]} is asked now: what is not offered is told to whoever is asked."]
        return why(session.game, name, session.rules.cited).split("\n")

    def on_map_view_clicked(self, event: MapView.Clicked) -> None:
        chosen = [each for each in self.choices if each.option is not None and each.option.refers_to == event.key]
        current = self.query_one(ChoiceList).current
        self.note("")
        if len(chosen) == 1 and current == chosen[0]:
            self.take(chosen[0])
        elif len(chosen) == 1:
            self.query_one("#line", Input).value = ""
            self.filter("")
            self.query_one(ChoiceList).highlight(self.choices.index(chosen[0]))
        else:
            self._tell_of_thing(event.key)

    def action_tables(self) -> None:
        if self.board.spots:
            self.screen.toggle_class("-tables", "-reading")
            self.query_one("#side", VerticalScroll).scroll_home(animate=False)
            self.call_after_refresh(self.show_tables)

    def action_picture(self) -> None:
        if self.pictures is None:
            self.note("This terminal shows no pictures, or one needs: pip install 'polis-rules[pictures]'")
        elif self.board.spots:
            view = seen(self.session.shown, self.session.eyes)
            svg = draw(self.board, view, self.current_theme.dark, alone=True)
            try:
                self.push_screen(Picture(fitted(svg, *self.size), self.pictures))
            except PolisError as error:
                self.note(f"No picture: {error}.")

    def action_light(self) -> None:
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        self.show()

    def action_look(self, by: int) -> None:
        if self.session.handover is not None:
            return
        self.note("")
        self.stop_thinking()
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
        elif self.is_thinking:
            self.stop_thinking()
            self.paused = True
            self.show()
        else:
            self.query_one(ChoiceList).highlight(None)
            self.query_one(MapView).look_at([])

    def action_undo(self) -> None:
        told = "Taken back."
        try:
            self.session.undo(self.answer_single)
        except UndoError as error:
            self.note(f"Not taken back: {error}.")
            return
        except OSError as error:
            told = f"Taken back, which could not be written down: {error}"
        self.stop_thinking()
        self.known.clear()
        self.own.clear()
        self.go_on()
        self.note(told)

    def action_branch(self, name: str = "") -> None:
        try:
            other = self.session.branch(name or None)
        except (PolisError, OSError) as error:
            self.note(f"No branch: {error}.")
            return
        self.stop_thinking()
        self.session.close()
        self.session = other
        self.known.clear()
        self.own.clear()
        self.go_on()
        self.note(f"You play on as {other.name}.")

    def _save(self, name: str) -> None:
        self.note(save(self.session, name))
        self.show()

    def _map(self, name: str) -> None:
        self.note(draw_in(self.session, name, self.details.does))

    def _case(self, typed: str) -> None:
        from ..written_case import keep  # what reads cases takes long to import

        self.note(keep(self.session.rules, self.session.game, typed))

    def action_highlight(self, by: int) -> None:
        options = self.query_one(ChoiceList)
        if options.shown:
            before, last = options.highlighted, len(options.shown) - 1
            options.highlight((0 if by > 0 else last) if before is None else (before + by) % (last + 1))

    def action_page(self, by: int) -> None:
        if self.only_tables:
            side = self.query_one("#side", VerticalScroll)
            side.scroll_relative(y=by * side.size.height, animate=False)
        else:
            self.query_one(ChoiceList).scroll_relative(y=by * 6, animate=False)

    def action_side(self, by: int) -> None:
        self.query_one("#side", VerticalScroll).scroll_relative(y=by, animate=False)

    def action_pan(self, across: int, down: int) -> None:
        self.query_one(MapView).scroll_relative(x=across, y=down, animate=False)
