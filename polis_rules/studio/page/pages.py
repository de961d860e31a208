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

LOOK, CALM = 0.2, 1.0
"""Every so many seconds a page without a game looks whether there is one, and then whether its rules are played."""
WAITING = "The game comes here as soon as the rules are compiled."
NO_GAME = (
    "There is no game, as the rules cannot be played. Mend what is wrong with them in the editor, where a click on what"
    " is found leads to it, and save with Ctrl+S: the game begins here."
)
PATIENCE = 1.0
"""After so many seconds a page has all its tabs, also where there is no game yet."""
STYLE, EARLY = ((Path(__file__).parent / name).read_text("utf-8") for name in ("style.css", "early.js"))


def add_pages(gallery: Gallery) -> None:
    """Serve the pages at `/`: whose it is depends on the key that opened it."""
    owners = Owners(lambda key: key == gallery.author)
    owners.watch()

    @ui.page("/")
    def page(request: Request) -> None:
        ui.add_css(STYLE)
        ui.add_head_html(f"<script>{EARLY}</script>")
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
        self.games: TablesPane | None = None
        self.missing: list[ui.label] = []
        """what stands where the game will be"""
        self.tabs: ui.tabs | None = None
        self._looks = 0

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
                self.trouble = ui.label().classes("trouble").props('role="alert" tabindex=0')
        self.editor.open(self.studio.workspace.first)
        self._tell_trouble()
        if self.studio.table is not None or self.studio.trouble:
            self._build_tabs()
        self._build_game()
        self.looking = ui.timer(LOOK if self.game is None else CALM, self._look_for_game)

    async def _look_for_game(self) -> None:
        """Show the game as soon as there is one: the rules may be mended in another page, or by another program.

        The tabs come with it, as the page is there sooner without, but soon also where the rules take long to compile.
        """
        if self.gallery.studio is not self.studio or (self.game and self.game.chair.table is not self.studio.table):
            ui.navigate.reload()  # another page of the author has put something else before him
            return
        self._tell_trouble()
        self._looks += 1
        if self.tabs is None and (self.studio.table or self.studio.trouble or self._looks * LOOK > PATIENCE):
            self._build_tabs()
            self._tell_trouble()
        if self.game is None and self._build_game():
            self.looking.interval = CALM
            await self._turned()  # to the tab that is looked at, which has waited for the game

    def _tell_trouble(self) -> None:
        waits = self.studio.table is None and not self.studio.trouble
        told = "The rules are being compiled ..." if waits else self._told_trouble()
        self.trouble.classes(add="waiting" if waits else None, remove=None if waits else "waiting").set_text(told)
        for each in self.missing:
            each.set_text(WAITING if waits else NO_GAME)

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

    def _build_tabs(self) -> None:
        """Everything but the game, which is there once the rules can be played."""
        with self.right:
            self._build_panes()

    def _build_panes(self) -> None:
        self.replay = ReplayPane(self.studio, self.editor)
        with ui.tabs().props("dense no-caps align=left inline-label outside-arrows") as tabs:
            names = ("Game", "Tables", "Map", "Seats", "Who says so", "Cases", "Changes", "Compare", "Share")
            self.places = {name: ui.tab(name) for name in names}
        self.tabs = tabs
        panels = ui.tab_panels(tabs, value=self.places["Game"], animated=False)
        with panels.props("keep-alive").classes("panels"):
            with ui.tab_panel(self.places["Game"]) as self.game_panel:
                self.missing = [ui.label().classes("pane")]
            with ui.tab_panel(self.places["Tables"]):
                GridPane(self.studio, self.editor)
            with ui.tab_panel(self.places["Map"]):
                self.chart = ChartPane(self.studio, self.editor)
            with ui.tab_panel(self.places["Seats"]) as self.seats_panel:
                self.missing.append(ui.label().classes("pane"))
            with ui.tab_panel(self.places["Who says so"]):
                explaining = ExplainPane(self.studio, self.editor)
                self.editor.explain = partial(self._explain, tabs, explaining)
            with ui.tab_panel(self.places["Cases"]):
                self.cases = CasesPane(self.studio, self.editor)
                self.cases.shown = lambda case: self.replay.show_case(case.title or case.id, case.failures)
                self.cases.turn = lambda: tabs.set_value("Game")
                CoveragePane(self.studio, self.editor)
            with ui.tab_panel(self.places["Changes"]):
                self.changes = ChangesPane(self.studio, self.replay)
            with ui.tab_panel(self.places["Compare"]):
                self.compare = ComparePane(self.studio)
                self.sweep = SweepPane(self.studio)
            with ui.tab_panel(self.places["Share"]):
                self.share = SharePane(self.studio)
        tabs.on_value_change(self._turned)

    def _build_game(self) -> bool:
        """Put the game into its tabs, if there is one and it is not there; whether that was done."""
        table = self.studio.table
        if table is None or self.game is not None or self.tabs is None:
            return False
        from polis_rules.studio.chair import Chair  # which is there once there is a game

        for each in self.missing:
            each.delete()
        self.missing.clear()
        with self.game_panel:
            self.game = GamePane(Chair(table))
        with self.seats_panel:
            self.games = TablesPane(self.studio)
            SeatsPane(self.studio, table)
        self.replay.table = table
        self.cases.game = self.share.game = self.game
        background_tasks.create(table.let_bots_begin(), name="bots play")
        return True

    async def _turned(self) -> None:
        """Another tab is looked at."""
        panes = (
            ("Map", self.chart),
            ("Seats", self.games),
            ("Changes", self.changes),
            ("Compare", self.compare),
            ("Compare", self.sweep),
        )
        for name, pane in panes:
            if pane is not None and self.tabs is not None:
                pane.seen = self.tabs.value == name
                if pane.seen:
                    await pane.look()

    @staticmethod
    async def _explain(tabs: ui.tabs, pane: ExplainPane, path: str) -> None:
        tabs.set_value("Who says so")
        await pane.tell(path)

    async def _saved(self, replayed: Replayed | None) -> None:
        """Rules were saved: show what has become of the game."""
        await self._look_for_game()
        if replayed is not None:
            self.replay.show(replayed)
        elif self.studio.trouble and self.game is not None:
            self.replay.hide()
        if self.tabs is not None and self.compare.seen:
            await self.compare.look()
            await self.sweep.look()
        if self.game is not None:
            await self.cases.saved()
