"""The board to be changed on the page: places are dragged, and connections are clicked together."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from polis_rules.diagnostics import PolisError
from polis_rules.studio.mapping import NONE_MOVED, Chart
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.elements import BoardView, Select
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words
from polis_rules.studio.workspace import Document

PAUSE = 0.4
HOW = "Drag a place, or push it with the arrow keys (Shift: finely)."
LINKED = (
    "To connect two members, or to part them, choose what connects them, and drag one onto the other or click on both."
)
NO_BOARD = "These rules have no board: no graph joins anything, and there are no columns and rows."


class ChartPane:
    """The board as it stands in the editor; what is changed here stands there, to be saved or taken back."""

    def __init__(self, studio: Studio, editor: EditorPane) -> None:
        self.studio, self.editor = studio, editor
        self.chart: Chart | None = None
        self.seen = False
        """whether the author looks at it"""
        self.graph, self.first, self.dark = "", "", False
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Map"'):
            self.how = ui.label()
            ui.label(LINKED)
            with ui.element("div").classes("bar"):
                self.graphs = Select("Connections", {"": "none"}, "", self._choose)
                self.told = ui.label().props('role="status"')
            self.note = ui.label().classes("note").props('role="alert"')
            self.board = BoardView()
            self.board.on("moved", self._moved)
            self.board.on("joined", self._joined)
            self.board.on("spot", self._spot)
            self.board.on("theme", self._light_or_dark)
            self.links = ui.element("ul").classes("links")
        self._calm = ui.timer(PAUSE, self._read, active=False)
        studio.workspace.listeners.append(self._changed)
        self._client.on_delete(lambda: studio.workspace.listeners.remove(self._changed))

    async def look(self) -> None:
        """The author looks at this from now on."""
        await self._read()

    def _changed(self, document: Document) -> None:
        if self.seen:
            with self._client:
                self._calm.activate()

    async def _read(self) -> None:
        self._calm.deactivate()
        try:
            self.chart = await self.studio.chart(self.dark)
        except PolisError as error:
            self.note.set_text(in_words(error))
            return
        self.note.set_text("")
        self.how.set_text(HOW if self.chart.movable else NONE_MOVED if self.chart.picture else NO_BOARD)
        self.graphs.offer({"": "none", **self.chart.graphs}, self.graph)
        self._show()

    def _show(self) -> None:
        found = self.chart
        if found is None:
            return
        spots = {spot for spot in found.titles if spot in found.movable or self.graph}
        self.board.allow(found.movable, bool(self.graph))
        self.board.show(found.picture, {spot: found.titles[spot] for spot in spots})
        self.board.set_looked(self.first)
        named = {spot.partition(" ")[2]: spot for spot in found.titles}
        titles = {name: found.titles[spot] for name, spot in named.items()}
        links = [(link.one, link.other) for link in found.links.get(self.graph, ())]
        self.board.connect([(named[one], named[other]) for one, other in links if {one, other} <= named.keys()])
        self.links.clear()
        with self.links:
            for link in found.links.get(self.graph, ()):
                with ui.element("li"):
                    one, other = (titles.get(each, each) for each in (link.one, link.other))
                    ui.label(f"{one} - {other}")
                    part = ui.button(icon="close", on_click=partial(self._link, link.one, link.other))
                    part.props("flat dense size=sm").props["aria-label"] = f"Part {one} and {other}"

    def _choose(self, graph: str) -> None:
        self.graph, self.first = graph, ""
        self._show()

    async def _moved(self, event: GenericEventArguments) -> None:
        right, down = (float(event.args.get(name, 0)) for name in ("right", "down"))
        await self._do(self.studio.move(str(event.args.get("spot", "")), right, down))

    async def _joined(self, event: GenericEventArguments) -> None:
        one, other = (str(event.args.get(name, "")).partition(" ")[2] for name in ("spot", "other"))
        if self.graph:
            self.first = ""
            await self._link(one, other)

    async def _spot(self, event: GenericEventArguments) -> None:
        spot = str(event.args.get("spot", ""))
        if not self.graph or self.chart is None or spot not in self.chart.titles:
            return
        if not self.first or self.first == spot:
            self.first = "" if self.first == spot else spot
            self.told.set_text(f"{self.chart.titles[spot]} and ...?" if self.first else "")
            self.board.set_looked(self.first)
            return
        first, self.first = self.first, ""
        await self._link(first.partition(" ")[2], spot.partition(" ")[2])

    async def _link(self, one: str, other: str) -> None:
        await self._do(self.studio.link(self.graph, one, other))

    async def _do(self, work: Awaitable[str]) -> None:
        self.note.set_text("")
        try:
            name = await work
        except PolisError as error:
            self.note.set_text(in_words(error))
            return
        self.told.set_text(f"Written into {name}; Ctrl+S saves it.")
        if self.editor.document is None or self.editor.document.name != name:
            self.editor.open(name)

    async def _light_or_dark(self, event: GenericEventArguments) -> None:
        if bool(event.args.get("dark")) != self.dark:
            self.dark = not self.dark
            if self.seen:
                await self._read()
