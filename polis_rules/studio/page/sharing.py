"""What others are given: a variant, the game, the rulebook and its changes, each as one file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from polis_rules.diagnostics import PolisError
from polis_rules.studio.page.playing import GamePane
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words
from polis_rules.studio.workspace import WorkspaceError


class SharePane:
    """Files to download; none of them needs anything else to be read."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.game: GamePane | None = None
        """the game before the author, once there is one"""
        folder = studio.workspace.folder.name
        with ui.element("section").classes("pane").props('aria-label="Share"'):
            for path in studio.workspace.variants:
                self._offer(f"The variant {path.stem}", path.name, partial(studio.text_of, path))
            self._offer("The game, as a page that plays it back", f"{folder}-game.html", self._game)
            self._offer("The rulebook", f"{folder}-rulebook.html", studio.rulebook)
            self._offer("The rulebook, to print", f"{folder}-rulebook.pdf", studio.rulebook_pdf)
            self._offer("What is different", f"{folder}-changes.html", studio.changes)
            self._offer("The rulebook, its changes marked, to print", f"{folder}-marked.pdf", studio.rulebook_marked)
            self.status = ui.label().props('role="status"')

    def _offer(self, title: str, name: str, made: Callable[[], Awaitable[str | bytes]]) -> None:
        async def download() -> None:
            self.status.set_text(f"making {name} ...")
            try:
                found = await made()
            except PolisError as error:
                self.status.set_text(in_words(error))
                return
            content = found.encode() if isinstance(found, str) else found
            ui.download.content(content, name)
            self.status.set_text(f"{name}: {len(content) // 1024 + 1} kB")

        with ui.element("div").classes("bar"):
            ui.button(title, on_click=download, icon="download").props("dense no-caps unelevated")
            ui.label(name)

    async def _game(self) -> str:
        if self.game is None:
            raise WorkspaceError("There is no game yet: first mend what is wrong with the rules.")
        return await self.game.chair.page()
