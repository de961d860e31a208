"""Cases on the page: a lamp for each, and any moment of the game made into one."""

from __future__ import annotations

from nicegui import ui

from polis_rules.diagnostics import PolisError, some
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.playing import GamePane
from polis_rules.studio.studio import Studio
from polis_rules.studio.trials import Lamp

MOST = 300
"""So many cases are listed; failing ones come first."""


class CasesPane:
    """The cases of the ruleset that is open."""

    def __init__(self, studio: Studio, editor: EditorPane, game: GamePane) -> None:
        self.studio, self.editor, self.game = studio, editor, game
        with ui.element("section").classes("pane").props('aria-label="Cases"'):
            with ui.element("div").classes("bar"):
                self.name = ui.input("Name of the case").props("dense outlined")
                self.last = ui.number("Last decisions it tells", value=1, min=0, max=20, step=1, format="%d")
                self.last.props("dense outlined")
                ui.button("Make a case of this moment", on_click=self._make).props("dense no-caps unelevated")
            with ui.element("div").classes("bar"):
                self.run_button = ui.button("Run all cases", on_click=self.run).props("dense no-caps unelevated")
                self.status = ui.label("Not run yet.").props('role="status"')
            self.list = ui.element("ul").classes("lamps")

    async def run(self) -> None:
        """Run all cases and show a lamp for each."""
        self.run_button.disable()
        self.status.set_text("running ...")
        try:
            found = await self.studio.lamps()
        except PolisError as error:
            self.status.set_text(str(error))
            return
        finally:
            self.run_button.enable()
        failed = [each for each in found if each.failures]
        self.status.set_text(f"{some(len(found), 'case')}, {len(failed)} failed")
        self.list.clear()
        with self.list:
            for each in [*failed, *(each for each in found if not each.failures)][:MOST]:
                self._lamp(each)

    def _lamp(self, lamp: Lamp) -> None:
        with ui.element("li").classes("failed" if lamp.failures else "passed"):
            ui.label("✗" if lamp.failures else "✓").props(f'aria-label="{"failed" if lamp.failures else "passed"}"')
            with ui.element("div"):
                name = self.studio.workspace.named(lamp.path)
                title = ui.button(lamp.title or lamp.id).props("flat dense no-caps align=left")
                if name is not None:
                    title.on_click(lambda: self.editor.open(name, lamp.line))
                for failure in lamp.failures:
                    ui.label(failure).classes("message")
                if lamp.failures:
                    ui.button("Put it on the table", on_click=lambda: self._show(lamp.id)).props("flat dense no-caps")

    async def _show(self, id: str) -> None:
        try:
            await self.studio.show_case(id)
        except PolisError as error:
            self.status.set_text(str(error))

    async def _make(self) -> None:
        try:
            name, line = await self.studio.make_case(self.name.value or "", int(self.last.value or 0), self.game.looked)
        except (PolisError, OSError) as error:
            self.status.set_text(str(error))
            return
        self.status.set_text(f"Written into {name}.")
        self.editor.open(name, line)
