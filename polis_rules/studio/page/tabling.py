"""Several games at once: which one the author has before him, another one, one that was kept, and closing one."""

from __future__ import annotations

from nicegui import ui

from polis_rules.diagnostics import PolisError
from polis_rules.studio.page.elements import Select
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words


class TablesPane:
    """The games that are open, for the author."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        with ui.element("section").classes("seats").props('aria-label="Games"'):
            ui.label("Games").classes("title")
            with ui.element("div").classes("bar"):
                games = {str(number): f"Game {number}" for number in studio.tables}
                Select("Game before you", games, str(studio.front), self._put_forward)
                ui.button("Another game", on_click=self._add).props("flat dense no-caps")
                self.closing = ui.button("Close this game", on_click=self._close).props("flat dense no-caps")
                self.closing.set_enabled(len(games) > 1)
                self.kept = Select("Go on with a game that is kept", {"": "choose ..."}, "", self._resume)
                self.kept.set_visibility(False)
            self.note = ui.label().classes("note").props('role="alert"')
        self.seen = False
        """whether the author looks at it"""

    async def look(self) -> None:
        """The author looks at this from now on: offer the games that are kept."""
        kept = await self.studio.kept()
        self.kept.offer({"": "choose ...", **kept}, "")
        self.kept.set_visibility(bool(kept))

    def _put_forward(self, number: str) -> None:
        try:
            self.studio.put_forward(int(number))
        except (PolisError, ValueError) as error:
            self.note.set_text(in_words(error))
            return
        ui.navigate.reload()

    async def _add(self) -> None:
        try:
            await self.studio.add_table()
        except (PolisError, OSError) as error:
            self.note.set_text(in_words(error))
            return
        ui.navigate.reload()

    async def _resume(self, name: str) -> None:
        if not name:
            return
        try:
            await self.studio.resume(name)
        except (PolisError, OSError) as error:
            self.note.set_text(in_words(error))
            return
        ui.navigate.reload()

    async def _close(self) -> None:
        await self.studio.close_table()
        ui.navigate.reload()
