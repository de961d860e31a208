"""The author's page, with the rules on one side and the game on the other, and the page of a seat."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import Request
from nicegui import background_tasks, ui

from polis_rules.studio.gallery import Gallery
from polis_rules.studio.page.changing import ChangesPane
from polis_rules.studio.page.charting import ChartPane
from polis_rules.studio.page.choosing import GalleryPage, TourPane
from polis_rules.studio.page.covering import CoveragePane
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.explaining import ExplainPane
from polis_rules.studio.page.gridding import GridPane
from polis_rules.studio.page.measuring import ComparePane
from polis_rules.studio.page.owners import Owners
from polis_rules.studio.page.playing import GamePane
from polis_rules.studio.page.replaying import ReplayPane
from polis_rules.studio.page.seating import SeatsPane
from polis_rules.studio.page.sharing import SharePane
from polis_rules.studio.page.sweeping import SweepPane
from polis_rules.studio.page.tabling import TablesPane
from polis_rules.studio.page.testing import CasesPane
from polis_rules.studio.studio import Studio

if TYPE_CHECKING:
    from polis_rules.studio.table import Replayed

STYLE = (Path(__file__).parent / "style.css").read_text("utf-8")


def add_pages(gallery: Gallery) -> None:
    """Serve the pages at `/`: whose it is depends on the key that opened it."""
    owners = Owners()
    owners.watch()

    @ui.page("/")
    def page(request: Request) -> None:
        ui.add_css(STYLE)
        ui.colors(primary="#14508c")
        dark = ui.dark_mode(None)
        key = request.scope["polis_key"]
        owners.note(ui.context.client, key)
        studio = gallery.studio
        if studio is None:
            GalleryPage(gallery)
        elif studio.is_author(key):
            AuthorPage(gallery, studio, dark).build()
        else:
            _seat(studio, key)


def _seat(studio: Studio, key: str) -> None:
    """The page of a player: the game and nothing else."""
    from polis_rules.studio.chair import Chair  # which is there once there is a game

    seat = studio.seat(key)
    if seat is None:
        ui.label("This game is closed.")
        return
    with ui.element("div").classes("seat-page"):
        GamePane(Chair(*seat))


class AuthorPage:
    """The page on which rules are written and tried."""

    def __init__(self, gallery: Gallery, studio: Studio, dark: ui.dark_mode) -> None:
        self.gallery, self.studio, self.dark = gallery, studio, dark
        self.game: GamePane | None = None

    def build(self) -> None:
        """Put everything on the page."""
        with ui.element("header").classes("top"):
            ui.html("polis studio", tag="h1", sanitize=False).classes("title")
            ui.label(self.studio.workspace.folder.name)
            ui.element("div").classes("space")
            if self.gallery.is_open:
                ui.button("Gallery", on_click=self._leave).props("flat dense no-caps")
            ui.button(icon="dark_mode", on_click=self._light_or_dark).props('flat dense aria-label="Light or dark"')
        with ui.element("div").classes("author-page"):
            with ui.element("div").classes("left"):
                self.editor = EditorPane(self.studio, self._saved)
            with ui.element("div").classes("right") as self.right:
                if self.gallery.is_open:
                    TourPane(self.gallery)
                self.trouble = ui.label(self._told_trouble()).classes("trouble").props('role="alert"')
                self._build_game()
        self.editor.open(self.studio.workspace.first)
        if self.game is None and not self.studio.trouble:
            self.trouble.classes(add="waiting").set_text("The rules are being compiled ...")
            self.waiting = ui.timer(0.2, self._begun)

    def _begun(self) -> None:
        """Look whether there is a game by now."""
        if self.studio.table is not None or self.studio.trouble:
            self.waiting.deactivate()
            self.trouble.classes(remove="waiting").set_text(self._told_trouble())
            self._build_game()

    def _told_trouble(self) -> str:
        """Why the rules cannot be played; they are not those of the editor, which may be mended by now."""
        return f"The rules as they are saved are not played:\n\n{self.studio.trouble}" if self.studio.trouble else ""

    def _leave(self) -> None:
        """Back to the gallery."""
        self.gallery.leave()
        ui.navigate.reload()

    async def _light_or_dark(self) -> None:
        is_dark = await ui.run_javascript('document.body.classList.contains("body--dark")', timeout=5)
        self.dark.set_value(not is_dark)

    def _build_game(self) -> None:
        table = self.studio.table
        if table is None or self.game is not None:
            return
        from polis_rules.studio.chair import Chair  # which is there once there is a game

        with self.right:
            self.replay = ReplayPane(self.studio, table, self.editor)
            with ui.tabs().props("dense no-caps align=left inline-label outside-arrows") as tabs:
                names = ("Game", "Tables", "Map", "Seats", "Who says so", "Cases", "Changes", "Compare", "Share")
                places = {name: ui.tab(name) for name in names}
            with ui.tab_panels(tabs, value=places["Game"], animated=False).props("keep-alive").classes("panels"):
                with ui.tab_panel(places["Game"]):
                    self.game = GamePane(Chair(table))
                with ui.tab_panel(places["Tables"]):
                    GridPane(self.studio, self.editor)
                with ui.tab_panel(places["Map"]):
                    self.chart = ChartPane(self.studio, self.editor)
                with ui.tab_panel(places["Seats"]):
                    self.games = TablesPane(self.studio)
                    SeatsPane(self.studio, table)
                with ui.tab_panel(places["Who says so"]):
                    explaining = ExplainPane(self.studio, self.editor)
                    self.editor.explain = partial(self._explain, tabs, explaining)
                with ui.tab_panel(places["Cases"]):
                    self.cases = CasesPane(self.studio, self.editor, self.game)
                    self.cases.shown = lambda case: self.replay.show_case(case.title or case.id, case.failures)
                    self.cases.turn = lambda: tabs.set_value("Game")
                    CoveragePane(self.studio, self.editor)
                with ui.tab_panel(places["Changes"]):
                    self.changes = ChangesPane(self.studio, self.replay)
                with ui.tab_panel(places["Compare"]):
                    ComparePane(self.studio)
                    self.sweep = SweepPane(self.studio)
                with ui.tab_panel(places["Share"]):
                    SharePane(self.studio, self.game)
            tabs.on_value_change(partial(self._turned, tabs))
        background_tasks.create(table.let_bots_play(), name="bots play")

    async def _turned(self, tabs: ui.tabs) -> None:
        """Another tab is looked at."""
        several = ("Map", self.chart), ("Seats", self.games), ("Changes", self.changes), ("Compare", self.sweep)
        for name, pane in several:
            pane.seen = tabs.value == name
            if pane.seen:
                await pane.look()

    @staticmethod
    async def _explain(tabs: ui.tabs, pane: ExplainPane, path: str) -> None:
        tabs.set_value("Who says so")
        await pane.tell(path)

    async def _saved(self, replayed: Replayed | None) -> None:
        """Rules were saved: show what has become of the game."""
        self.trouble.set_text(self._told_trouble())
        self._build_game()
        if replayed is not None:
            self.replay.show(replayed)
        elif self.studio.trouble and self.game is not None:
            self.replay.hide()
        if self.game is not None:
            await self.cases.saved()
