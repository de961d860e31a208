"""Tables on the page: cells that are changed there, and what is known of the one that is looked at."""

from __future__ import annotations

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from polis_rules.diagnostics import PolisError
from polis_rules.studio.grids import Cell, Column, Grid, value_of
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.elements import GridView, Select
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words
from polis_rules.studio.workspace import Document

PAUSE = 0.4
"""So many seconds after the last letter the table is read again."""


class GridPane:
    """The tables of the rules that are open; a change stands in the editor, to be saved or taken back there."""

    def __init__(self, studio: Studio, editor: EditorPane) -> None:
        self.studio, self.editor = studio, editor
        self.grid: Grid | None = None
        self.kind = ""
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Tables"'):
            with ui.element("div").classes("bar"):
                self.kinds = Select("Table", {}, "", self.show)
                self.why = ui.input("Why it is changed").props("dense outlined")
            self.note = ui.label().classes("note").props('role="alert"')
            self.told = ui.label("Arrow keys go from cell to cell, Enter changes one.").props(
                'role="status" id=grid-help'
            )
            self.view = GridView()
            self.view.on("put", self._put)
            self.view.on("look", self._look)
            self.view.on("text", self._text)
        self._again = ui.timer(PAUSE, self._read, active=False, once=False)
        studio.workspace.listeners.append(self._changed)
        self._client.on_delete(lambda: studio.workspace.listeners.remove(self._changed))
        background_tasks.create(self._begin(), name="read tables")

    async def _begin(self) -> None:
        try:
            kinds = await self.studio.grids()
        except PolisError as error:
            with self._client:
                self.note.set_text(in_words(error))
            return
        first = next(iter(kinds), "")
        with self._client:
            self.note.set_text("" if first else "These rules have no tables.")
            self.kinds.offer(kinds, first)
        if first:
            await self.show(first)

    async def show(self, kind: str) -> None:
        """Show the table of a kind."""
        self.kind = kind
        await self._read()

    def _changed(self, document: Document) -> None:
        with self._client:
            self._again.activate()

    async def _read(self) -> None:
        self._again.deactivate()
        if not self.kind:  # until now the rules could not be read, or had no tables
            await self._begin()
            return
        try:
            self.grid = await self.studio.grid(self.kind)
        except PolisError:
            return  # the rules are broken: what was there before stays
        with self._client:
            self.view.show(self.grid)

    async def _put(self, event: GenericEventArguments) -> None:
        row, column, _ = self._cell(event)
        self.note.set_text("")
        if column is None:
            return
        try:
            value = value_of(column, str(event.args.get("text", "")))
            name = await self.studio.write(f"tables.{self.kind}.{row}.{column.name}", value, self.why.value or "")
        except (PolisError, ValueError) as error:
            self.note.set_text(in_words(error))
            await self._read()
            return
        self.told.set_text(f"Written into {name}; Ctrl+S saves it.")
        if self.editor.document is None or self.editor.document.name != name:
            self.editor.open(name)

    def _look(self, event: GenericEventArguments) -> None:
        row, column, cell = self._cell(event)
        if column is None or cell is None or self.grid is None:
            return
        title = next(titled for id, titled, _ in self.grid.rows if id == row)
        said = cell.grade if cell.said else "not said by the row: so it is for all of these"
        about = (f"{title}, {column.title} ({column.about}): {cell.shown or 'nothing'}", said, cell.cite)
        self.told.set_text("; ".join(filter(None, (*about, f"before {cell.was or 'nothing'}" if cell.changed else ""))))

    def _text(self, event: GenericEventArguments) -> None:
        _, _, cell = self._cell(event)
        names = {str(path): name for name, path in self.studio.workspace.names().items()}
        if cell is not None and cell.place[0] in names:
            self.editor.open(names[cell.place[0]], cell.place[1])

    def _cell(self, event: GenericEventArguments) -> tuple[str, Column | None, Cell | None]:
        row, name = str(event.args.get("row", "")), str(event.args.get("column", ""))
        if self.grid is not None:
            number = next((at for at, each in enumerate(self.grid.columns) if each.name == name), None)
            cells = next((cells for id, _, cells in self.grid.rows if id == row), None)
            if number is not None and cells is not None:
                return row, self.grid.columns[number], cells[number]
        return row, None, None
