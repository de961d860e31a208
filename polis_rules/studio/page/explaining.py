"""Who says so: of a value or a rule its layers, reason, citation and grade, and the cases that depend on it."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from polis_rules.diagnostics import PolisError, some
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.studio import Studio
from polis_rules.studio.trials import Said, Spot
from polis_rules.studio.troubles import in_words

MOST = 60
"""So many cases are listed."""


class ExplainPane:
    """What is known about the value or rule that the author asks about."""

    def __init__(self, studio: Studio, editor: EditorPane) -> None:
        self.studio, self.editor = studio, editor
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Who says so"'):
            with ui.element("div").classes("bar"):
                self.path = ui.input("Value or rule", placeholder="actions.NAME").props("dense outlined")
                self.path.on("keydown.enter", lambda: self.tell(self.path.value or ""))
                ui.button("Who says so?", on_click=lambda: self.tell(self.path.value or "")).props(
                    "dense no-caps unelevated"
                )
                self.status = ui.label("Put the cursor on a value and press Alt-W.").props('role="status"')
            self.told = ui.element("div").classes("told-changes")
        self._asked = 0

    async def tell(self, path: str) -> None:
        """Tell what is known about a path, or what stands around it; the cases, which have to be played, after that."""
        self._asked += 1
        asked = self._asked
        self.path.set_value(path)
        self.status.set_text("looking ...")
        self.told.clear()
        try:
            found = await self.studio.said(path)
        except PolisError as error:
            self.status.set_text(in_words(error))
            return
        if asked != self._asked:
            return
        about = "" if found.path == path else f"Of {path} as a part of {found.path}:"
        self.status.set_text(f"{about} looking for the cases that depend on it ...".strip())
        with self.told:
            self._show(found)
        first = self.status.text

        def played(done: int, of: int) -> None:
            if asked == self._asked and not self._client.is_deleted:
                self.status.set_text(f"{first} {done} of {of} played")

        try:
            cases = await self.studio.dependent(found.path, played)
        except PolisError as error:
            about, cases = in_words(error), None
        if asked != self._asked:  # something else was asked for meanwhile
            return
        self.status.set_text(about)
        if cases is not None:
            counted = f"Carried out or named by {some(len(cases), 'case')}"
            with self.told:
                self._list(counted if cases else "No case carries it out or names it.", cases[:MOST])

    def _show(self, found: Said) -> None:
        ui.label(f"{found.path} = {found.value}" if found.value else found.path).classes("title")
        for line in (found.sentence, found.source, found.ruling):
            if line:
                ui.label(line)
        self._list("Layers", found.layers)

    def _list(self, title: str, spots: tuple[Spot, ...]) -> None:
        ui.label(title).classes("title")
        names = self.studio.workspace.names()
        with ui.element("ul"):
            for spot in spots:
                with ui.element("li"):
                    name = self.studio.workspace.named(spot.path, names)
                    words = self.studio.workspace.by_names(spot.words, names)
                    if name is None:
                        ui.label(words)
                    else:
                        button = ui.button(words, on_click=partial(self.editor.open, name, spot.line))
                        button.props("flat dense no-caps align=left")
                    if spot.why:
                        ui.label(spot.why).classes("reason")
