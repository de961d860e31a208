"""What is different from the rules below, in sentences; variants and settings to be switched."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from polis_rules.diagnostics import PolisError
from polis_rules.source import spoken
from polis_rules.studio.page.elements import Select
from polis_rules.studio.page.replaying import ReplayPane
from polis_rules.studio.studio import Studio
from polis_rules.studio.trials import Knob, Told
from polis_rules.studio.troubles import in_words
from polis_rules.studio.workspace import Document

if TYPE_CHECKING:
    from polis_rules.studio.table import Replayed

CALM = 1.0
"""So many seconds after the last letter it is told anew what is different."""


SHOW = "(event) => { event.target.previousElementSibling.value = event.target.value; }"
"""Shows in the field beside a slider where it stands, before it is let go."""
MOST_SHOWN = 20
"""Of what was typed instead of a number, so many letters are told."""


class ChangesPane:
    """The variants and settings that are laid over the ruleset, and what all of them change."""

    def __init__(self, studio: Studio, replay: ReplayPane) -> None:
        self.studio, self.replay = studio, replay
        self.seen = False
        """whether the author looks at it"""
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Changes"'):
            self.knobs = ui.element("div").classes("switches")
            self.writing = ui.button(f"Write these settings into {studio.settled_in}", on_click=self._write)
            self.writing.props("flat dense no-caps").set_visibility(False)
            self.written = ui.label().props('role="status"')
            ui.label("Variants").classes("title")
            self.switches = ui.element("div").classes("switches")
            self.note = ui.label().classes("note").props('role="alert"')
            with ui.element("div").classes("bar"):
                self.button = ui.button("What is different?", on_click=self.tell).props("dense no-caps unelevated")
                self.status = ui.label().props('role="status"')
            self.told = ui.element("div").classes("told-changes")
        self.fields: dict[str, tuple[ui.element, ui.element]] = {}
        """the field and the slider of each setting that is a number"""
        self._drawn: list[Knob] = []
        self._laying = 0
        """so many changes are under way: what holds then is shown after the last of them"""
        self.conflicts: dict[str, ui.label] = {}
        self.variants: dict[str, ui.switch] = {}
        with self.switches:
            for name, title in studio.variants_near():
                with ui.element("div"):
                    switch = ui.switch(title, value=studio.has(name), on_change=self._switched(name))
                    switch.props["title"] = name  # a tooltip of the library stays when another tab is chosen by keys
                    self.variants[name] = switch
                    self.conflicts[name] = ui.label().classes("conflict")
            if not self.variants:
                ui.label("There are none beside this ruleset.")
        replay.listeners.append(self._went_back)
        self._calm = ui.timer(CALM, self._tell_again, active=False)
        studio.workspace.listeners.append(self._typed)
        self._client.on_delete(lambda: studio.workspace.listeners.remove(self._typed))

    async def look(self) -> None:
        """The author looks at this from now on."""
        self._drawn = []
        await self._all()

    async def _all(self) -> None:
        """Show what can be switched as it is now, then what is different, and what does not go with it, which takes
        longest."""
        known = await self._show_knobs()
        if self.seen:
            await self.tell()
        if not known:
            return
        unfit = await self.studio.unfit()
        for name, label in self.conflicts.items():
            reason = unfit.get(name, "")
            label.set_text(f"does not go with what is on: {reason}" if reason else "")

    async def _show_knobs(self) -> bool:
        """Show the settings as they are now, if the rules can be read; what has the focus keeps it where only values
        are others."""
        try:
            knobs = await self.studio.knobs()
        except PolisError:
            return False  # what was there before stays
        if [replace(each, value="") for each in knobs] == [replace(each, value="") for each in self._drawn]:
            for each in knobs:
                for element in self.fields.get(each.name, ()):
                    element.props["value"] = each.value
                    element.update()
        else:
            self._draw(knobs)
        self._drawn = knobs
        self.writing.set_visibility(bool(self.studio.chosen and self.studio.settled_in))
        return True

    def _draw(self, knobs: Sequence[Knob]) -> None:
        self.knobs.clear()
        self.fields.clear()
        with self.knobs:
            if knobs:
                ui.label("Settings").classes("title whole")
            for each in knobs:
                self._knob(each)

    async def _went_back(self) -> None:
        """What is laid over the ruleset is what it was before."""
        self._drawn = []
        for name, switch in self.variants.items():
            switch.set_value(self.studio.has(name))
        await self._all()

    def _knob(self, knob: Knob) -> None:
        settle = partial(self._settle, knob.name)
        if knob.kind == "flag":
            ui.switch(knob.title, value=knob.value == "true", on_change=lambda event: settle(str(event.value).lower()))
        elif knob.kind == "words":
            words = {each: spoken(each) for each in knob.words}
            Select(knob.title, words, knob.value, settle)
        else:
            self._number(knob)

    def _number(self, knob: Knob) -> None:
        """A field for a number, and a slider beside it."""
        id = f"knob-{knob.name}"
        with ui.element("div").classes("knob"):
            with ui.element("label").props(f"for={id}"):
                ui.label(f"{knob.title} ({knob.low} to {knob.high}{f' {knob.unit}' if knob.unit else ''})")
            with ui.element("div").classes("bar"):
                limits = f"min={knob.low} max={knob.high} value={knob.value}"
                field = ui.element("input").props(f"type=number id={id} {limits} aria-describedby={id}-note")
                slider = ui.element("input").props(f"type=range {limits}")
                slider.props["aria-label"] = knob.title
            note = ui.label().classes("note").props(f'id={id}-note role="alert"')
        self.fields[knob.name] = field, slider

        async def settle(event: GenericEventArguments) -> None:
            number = whole(str(event.args), knob.low, knob.high)
            now = next((each for each in self._drawn if each.name == knob.name), knob)
            field.props.update({"value": str(event.args), "aria-invalid": str(number is None).lower()})
            slider.props["value"] = str(event.args) if number is not None else now.value  # it stays where it was let go
            note.set_text("" if number is not None else refused(str(event.args), now))
            if number is not None and (self._laying or str(number) != now.value):
                await self._settle(knob.name, str(number))

        value = "(event) => emit(event.target.value)"
        field.on("change", settle, js_handler=value)
        slider.on("input", js_handler=SHOW)
        slider.on("change", settle, js_handler=value)

    async def _write(self) -> None:
        """Write the settings as they are into the text of the variant."""
        try:
            name = await self.studio.write_settings()
            self.written.set_text(f"Written into {name}; Ctrl+S saves it.")
        except PolisError as error:
            self.written.set_text(in_words(error))

    async def _settle(self, name: str, value: str) -> None:
        self.written.set_text("")
        await self._lay(lambda: self.studio.settle(name, value))

    def _switched(self, name: str) -> Callable[[ValueChangeEventArguments[bool | None]], Awaitable[None]]:
        async def switched(event: ValueChangeEventArguments[bool | None]) -> None:
            switch = event.sender
            if bool(event.value) == self.studio.has(name):
                return
            if not await self._lay(lambda: self.studio.switch(name, bool(event.value))):
                switch.set_value(not event.value)  # type: ignore[attr-defined]

        return switched

    async def _lay(self, work: Callable[[], Awaitable[Replayed | None]]) -> bool:
        """Lay something else over the rules, and tell what comes of it; whether that could be done."""
        self._laying += 1
        try:
            found = await work()
        except PolisError as error:
            told = in_words(error, dict(self.studio.variants_near()))
            self.note.set_text(f"Not switched, as these do not go together: {told}")
        else:
            self.note.set_text("")
            if found is not None:
                self.replay.show(found)
            return True
        finally:
            self._laying -= 1
            if not self._laying:
                await self._all()
        return False

    def _typed(self, document: Document) -> None:
        if self.seen:
            with self._client:
                self._calm.deactivate()
                self._calm.activate()

    async def _tell_again(self) -> None:
        self._calm.deactivate()
        if self.seen:
            await self.tell()

    async def tell(self) -> None:
        """Tell what is different now, as it stands in the editor."""
        self.status.set_text("comparing ...")
        try:
            found = await self.studio.differences()
        except PolisError as error:
            self.status.set_text(in_words(error))
            return
        self.status.set_text(found.summary)
        self._show(found)

    def _show(self, found: Told) -> None:
        self.told.clear()
        with self.told:
            for title, lines in (("In short", found.headlines), *found.groups):
                if lines:
                    ui.label(title).classes("title")
                with ui.element("ul"):
                    for line in lines:
                        with ui.element("li"):
                            ui.label(line)


def whole(text: str, low: int, high: int) -> int | None:
    """The whole number that was typed, if it lies between two others.

    >>> whole("7", 1, 9), whole("10", 1, 9), whole("2.5", 1, 9)
    (7, None, None)
    """
    try:
        number = int(text)
    except ValueError:
        return None
    return number if low <= number <= high else None


def refused(text: str, knob: Knob) -> str:
    """Why what was typed cannot be the value of a setting, in words."""
    typed = text.strip()[:MOST_SHOWN]
    wrong = f"{typed} is not possible" if typed else "A number is missing"
    return f"{wrong}: {knob.title} is a whole number from {knob.low} to {knob.high}. It stays {knob.value}."
