"""The author's page, with the rules on one side and the game on the other, and the page of a seat."""

from __future__ import annotations

from pathlib import Path

from fastapi import Request
from nicegui import background_tasks, ui

from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.playing import GamePane
from polis_rules.studio.page.replaying import ReplayPane
from polis_rules.studio.page.seating import SeatsPane
from polis_rules.studio.studio import Studio
from polis_rules.studio.table import Replayed

STYLE = (Path(__file__).parent / "style.css").read_text("utf-8")


def add_pages(studio: Studio) -> None:
    """Serve the pages of a studio at `/`: whose it is depends on the key that opened it."""

    @ui.page("/")
    def page(request: Request) -> None:
        ui.add_css(STYLE)
        dark = ui.dark_mode(None)
        player = studio.player(request.scope["polis_key"])
        if player is not None:
            _seat(studio, player)
        else:
            AuthorPage(studio, dark).build()


def _seat(studio: Studio, player: str) -> None:
    """The page of a player: the game and nothing else."""
    if studio.table is None:
        ui.label("There is no game on the table now.")
        return
    with ui.element("main").classes("seat-page"):
        GamePane(studio.table, player)


class AuthorPage:
    """The page on which rules are written and tried."""

    def __init__(self, studio: Studio, dark: ui.dark_mode) -> None:
        self.studio, self.dark = studio, dark
        self.game: GamePane | None = None

    def build(self) -> None:
        """Put everything on the page."""
        with ui.element("header").classes("top"):
            ui.label("polis studio").classes("title")
            ui.label(self.studio.workspace.folder.name)
            ui.element("div").classes("space")
            ui.button(icon="dark_mode", on_click=self.dark.toggle).props('flat dense aria-label="Light or dark"')
        with ui.element("main").classes("author-page"):
            with ui.element("div").classes("left"):
                self.editor = EditorPane(self.studio, self._saved)
            with ui.element("div").classes("right") as self.right:
                self.trouble = ui.label(self.studio.trouble).classes("trouble").props('role="alert"')
                self._build_game()
        self.editor.open(self.studio.workspace.first)

    def _build_game(self) -> None:
        table = self.studio.table
        if table is None or self.game is not None:
            return
        with self.right:
            self.replay = ReplayPane(table, self.editor)
            self.game = GamePane(table, None)
            SeatsPane(self.studio, table)
        background_tasks.create(table.let_bots_play(), name="bots play")

    async def _saved(self, replayed: Replayed | None) -> None:
        """Rules were saved: show what has become of the game."""
        self.trouble.set_text(self.studio.trouble)
        self._build_game()
        if replayed is not None:
            self.replay.show(replayed)
