"""What is different from the rules below, in sentences, and variants to switch on and off."""

from __future__ import annotations

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from polis_rules.diagnostics import PolisError
from polis_rules.studio.page.replaying import ReplayPane
from polis_rules.studio.studio import Studio


class ChangesPane:
    """The variants that are laid over the ruleset, and what all of them change."""

    def __init__(self, studio: Studio, replay: ReplayPane) -> None:
        self.studio, self.replay = studio, replay
        with ui.element("section").classes("pane").props('aria-label="Changes"'):
            ui.label("Variants").classes("title")
            self.switches = ui.element("div").classes("switches")
            self.note = ui.label().classes("note").props('role="alert"')
            with ui.element("div").classes("bar"):
                self.button = ui.button("What is different?", on_click=self.tell).props("dense no-caps unelevated")
                self.status = ui.label().props('role="status"')
            self.told = ui.element("div").classes("told-changes")
        with self.switches:
            for name, title in studio.variants_near():
                ui.switch(title, value=studio.has(name), on_change=self._switched(name))
            if not studio.variants_near():
                ui.label("There are none beside this ruleset.")

    def _switched(self, name: str):  # type: ignore[no-untyped-def]
        async def switched(event: ValueChangeEventArguments[bool | None]) -> None:
            switch = event.sender
            if bool(event.value) == self.studio.has(name):
                return
            try:
                found = await self.studio.switch(name, bool(event.value))
            except PolisError as error:
                self.note.set_text(f"Not switched, as these do not go together: {error}")
                switch.set_value(not event.value)  # type: ignore[attr-defined]
                return
            self.note.set_text("")
            if found is not None:
                self.replay.show(found)

        return switched

    async def tell(self) -> None:
        """Tell what is different now, as it is saved."""
        self.button.disable()
        self.status.set_text("comparing ...")
        try:
            found = await self.studio.differences()
        except PolisError as error:
            self.status.set_text(str(error))
            return
        finally:
            self.button.enable()
        self.status.set_text(found.summary)
        self.told.clear()
        with self.told:
            for title, lines in (("In short", found.headlines), *found.groups):
                if lines:
                    ui.label(title).classes("title")
                with ui.element("ul"):
                    for line in lines:
                        with ui.element("li"):
                            ui.label(line)
