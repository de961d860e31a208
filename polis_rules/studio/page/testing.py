"""Cases on the page: a lamp for each, and any moment of the game made into one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from nicegui import ui
from nicegui.events import GenericEventArguments

from polis_rules.diagnostics import PolisError, some
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.elements import BoardView, Select
from polis_rules.studio.page.playing import GamePane
from polis_rules.studio.studio import Studio
from polis_rules.studio.trials import Lamp
from polis_rules.studio.troubles import in_words

MOST = 300
"""So many cases are listed at first; failing ones come first, and then the author's own."""


class CasesPane:
    """The cases of the ruleset that is open."""

    def __init__(self, studio: Studio, editor: EditorPane) -> None:
        self.studio, self.editor = studio, editor
        self.game: GamePane | None = None
        """the game of which a moment becomes a case, once there is one"""
        self.held: list[str] = []
        """what must hold, as `kind member`; where nothing is picked, what the last decisions changed"""
        self.was_run = self.lists_all = False
        self.shown: Callable[[Lamp], None] = lambda _: None
        """told of a case that is on the table, and again of what comes of it under other rules"""
        self.turn: Callable[[], object] = lambda: None
        """turns to the game"""
        self._again = False
        self._running = False
        with ui.element("section").classes("pane").props('aria-label="Cases"'):
            with ui.element("div").classes("bar"):
                self.name = ui.input("Name of the case").props("dense outlined")
                self.last = ui.number("Last decisions it tells", value=1, min=0, max=20, step=1, format="%d")
                self.last.props("dense outlined").style("min-width: 13rem")
                ui.button("Make a case of this moment", on_click=self._make).props("dense no-caps unelevated")
                self.made = ui.label().props('role="status"')
            with ui.element("div").classes("bar"):
                ui.label("Must hold:")
                self.picked = ui.element("ul").classes("picked")
                self.pick = ui.button("Pick on the board", on_click=self._pick).props("flat dense no-caps")
            self.board = BoardView()
            self.board.set_visibility(False)
            self.board.on("spot", self._spot)
            self.members = Select("What else", {"": "choose ..."}, "", self._toggle)
            self.members.set_visibility(False)
            with ui.element("div").classes("bar"):
                self.run_button = ui.button("Run all cases", on_click=self.run).props("dense no-caps unelevated")
                self.status = ui.label("Not run yet.").props('role="status"')
            self.list = ui.element("ul").classes("lamps")

        self._show_held()

    async def saved(self) -> None:
        """Rules were saved: what was run once is run again."""
        if self._running:
            self._again = True
        elif self.was_run:
            await self.run()

    async def run(self) -> None:
        """Run all cases and show a lamp for each, again as long as rules were saved meanwhile."""
        self._running = self._again = True
        self.run_button.disable()
        try:
            while self._again:
                self._again = False
                self.status.set_text("running ...")
                self._show_lamps(await self.studio.lamps())
                self.was_run = True
        except PolisError as error:
            self.status.set_text(in_words(error))
        finally:
            self._running = False
            self.run_button.enable()

    def _show_lamps(self, found: list[Lamp]) -> None:
        failed = [each for each in found if each.failures]
        self.status.set_text(f"{some(len(found), 'case')}, {len(failed)} failed")
        for each in found:
            if self.studio.table is not None and each.id == self.studio.table.shown:
                self.shown(each)
        self.list.clear()
        workspace = self.studio.workspace
        names = workspace.names()
        ordered = sorted(found, key=lambda each: (not each.failures, not workspace.may_write(Path(each.path))))
        with self.list:
            for each in ordered[: len(ordered) if self.lists_all else MOST]:
                failures = tuple(workspace.by_names(failure, names) for failure in each.failures)
                self._lamp(replace(each, failures=failures), workspace.named(each.path, names))
            if len(ordered) > MOST and not self.lists_all:
                with ui.element("li"):
                    more = ui.button(f"List {len(ordered) - MOST} more").props("flat dense no-caps align=left")
                    more.on_click(lambda: self._list_all(found))

    def _list_all(self, found: list[Lamp]) -> None:
        """From now on all cases are listed."""
        self.lists_all = True
        self._show_lamps(found)

    def _lamp(self, lamp: Lamp, name: str | None) -> None:
        """A case, in a file of that name, if it can be opened here."""
        with ui.element("li").classes("failed" if lamp.failures else "passed"):
            ui.label("✗" if lamp.failures else "✓").props(f'aria-label="{"failed" if lamp.failures else "passed"}"')
            with ui.element("div"):
                title = ui.button(lamp.title or lamp.id).props("flat dense no-caps align=left")
                if name is not None:
                    title.on_click(lambda: self.editor.open(name, lamp.line))
                for failure in lamp.failures:
                    ui.label(failure).classes("message")
                if lamp.failures:
                    show = ui.button("Show where it fails").props("flat dense no-caps")
                    show.on_click(lambda: self._show(lamp, show))

    async def _show(self, lamp: Lamp, button: ui.button) -> None:
        """Put a case on the table where it fails, and open the rule that has to do with it."""
        button.props(add="loading")  # it takes seconds where the rules are compiled first
        try:
            rule = await self.studio.show_case(lamp.id)
        except PolisError as error:
            self.status.set_text(in_words(error))
            return
        finally:
            button.props(remove="loading")
        if rule is not None:
            self.editor.open(*rule)
        self.turn()
        self.shown(lamp)

    async def _make(self) -> None:
        if not (self.name.value or "").strip():
            self.made.set_text("First give the case a name.")
            return
        try:
            last = int(self.last.value or 0)
            looked = self.game.looked if self.game is not None else None
            name, line = await self.studio.make_case(self.name.value or "", last, looked, self.held)
        except (PolisError, OSError) as error:
            self.made.set_text(in_words(error))
            return
        self.made.set_text(f"Written into {name}.")
        self.editor.open(name, line)

    # -- what must hold -----------------------------------------------------------------------------------------------

    async def _pick(self) -> None:
        """Show the board of the moment, to pick from; once more, and it is gone."""
        table = self.studio.table
        if table is None or self.game is None:
            self.made.set_text("There is no game yet to pick from: first mend what is wrong with the rules.")
            return
        is_open = not self.members.visible
        self.pick.set_text("Done" if is_open else "Pick on the board")
        self.members.set_visibility(is_open)
        self.board.set_visibility(False)
        if not is_open:
            return
        titles = table.holding
        self.members.offer({"": "choose ...", **titles}, "")
        scene = await self.game.chair.scene(self.game.looked, self.game.dark)
        self.board.show(scene.board, titles)
        self.board.set_visibility(bool(scene.board))

    def _spot(self, event: GenericEventArguments) -> None:
        self._toggle(str(event.args.get("spot", "")))

    def _toggle(self, spot: str) -> None:
        """Let something be held, or no longer."""
        if self.studio.table is None or spot not in self.studio.table.holding:
            return
        self.held = [each for each in self.held if each != spot] if spot in self.held else [*self.held, spot]
        self._show_held()

    def _show_held(self) -> None:
        self.board.set_looked(*self.held)
        titles = self.studio.table.holding if self.studio.table is not None else {}
        self.picked.clear()
        with self.picked:
            if not self.held:
                with ui.element("li"):
                    ui.label("what the last decisions changed")
            for spot in self.held:
                with ui.element("li"):
                    title = titles.get(spot, spot)
                    held = ui.button(title, icon="close", on_click=partial(self._toggle, spot))
                    held.props("outline dense no-caps size=sm").props["aria-label"] = f"{title} need not hold"
