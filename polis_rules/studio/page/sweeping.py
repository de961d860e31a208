"""What the values of a setting do, on the page: curves that grow while bots play."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from nicegui import ui

from polis_rules.diagnostics import PolisError, some
from polis_rules.studio.counting import Step
from polis_rules.studio.page.elements import Select
from polis_rules.studio.page.following import follow
from polis_rules.studio.streams import Stream
from polis_rules.studio.studio import Studio
from polis_rules.studio.trials import Knob
from polis_rules.studio.troubles import in_words

MOST_VALUES = 12
"""Of a wide range so many values are played, from end to end."""
OTHERS = "The rules are others now than those that this tells of: {} anew, by those of now."


class SweepPane:
    """Plays the same games for each value of a setting."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.stream: Stream[Step] | None = None
        self.step: Step | None = None
        self.knobs: dict[str, Knob] = {}
        self.chosen = ""
        self.past = ""
        """the hash of rules of which numbers stand here, although those that are saved are others"""
        self.seen = False
        """whether the author looks at it"""
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Sweep"'):
            ui.label("What do the values of a setting do?").classes("title")
            with ui.element("div").classes("bar") as self.asked:
                self.names = Select("Setting", {}, "", self._choose)
                self.games = ui.number("Games for each", value=100, min=1, max=10_000, step=1, format="%d")
                self.games.props("dense outlined").style("min-width: 10rem")
                self.start = ui.button("Sweep", on_click=self._begin).props("dense no-caps unelevated")
                self.stop = ui.button("Stop", on_click=self._stop).props("flat dense no-caps")
                self.more = ui.button("Go on", on_click=self._go_on).props("flat dense no-caps")
            self.status = ui.label().props('role="status" aria-live="polite"')
            self.others = ui.label().classes("note").props('role="status"')
            self.curves = ui.element("img").classes("curves").props('alt="Curves of what stands in the table below"')
            self.table = ui.element("div").classes("compared")
        self.asked.set_visibility(False)
        self.curves.set_visibility(False)
        self._running(False)
        self._client.on_delete(self._stop)

    async def look(self) -> None:
        """Offer the settings, and tell whether what stands here is of other rules than those of now: the author looks
        at it, or has saved."""
        await self._offer()
        if self.step is not None:
            step = self.step
            try:
                others = await self.studio.has_swept_others(step)
            except PolisError:  # that they are broken is told in the editor, and what was found holds for those before
                others = True
            self.past = step.rules if others else ""
            self._tell_others()

    async def _offer(self) -> None:
        if not self.knobs:
            self.status.set_text("looking for settings ...")
        try:
            found = await self.studio.knobs()
        except PolisError as error:
            if self.step is None:
                self.status.set_text(in_words(error))
            return
        if self.step is None and not self.stop.visible:
            self.status.set_text("")
        self.knobs = {each.name: each for each in found if each.name != "seats"}
        if self.chosen not in self.knobs:
            self.chosen = next(iter(self.knobs), "")
        if self.step is None and self.studio.swept is not None:
            self._show_earlier(self.studio.swept)
        self.names.offer({name: each.title for name, each in self.knobs.items()}, self.chosen)
        self.asked.set_visibility(bool(self.knobs))
        if not self.knobs:
            self.status.set_text("This ruleset has no settings: a variant can add one, as settings: {dice: 4..8}.")

    def _show_earlier(self, step: Step) -> None:
        """Show how far another page has come, as this one was before it was loaded anew; it can be gone on with."""
        setting = next((name for name in step.settings if name in self.knobs), None)
        if setting is not None:
            self.chosen = setting
            self.games.set_value(step.games)
            self._show(step)
            self._running(False)

    def _tell_others(self) -> None:
        """Say so where the numbers are of rules that are past."""
        is_past = self.step is not None and self.step.rules == self.past
        begins = "Sweep and Go on begin" if self.more.visible else "Sweep begins"
        self.others.set_text(OTHERS.format(begins) if is_past else "")

    def _choose(self, name: str) -> None:
        self.chosen = name

    def _running(self, running: bool) -> None:
        self.start.set_visibility(not running)
        self.stop.set_visibility(running)
        self.more.set_visibility(not running and self.step is not None and len(self.step.found) < self.step.of)
        self._tell_others()

    def _begin(self) -> None:
        self.step = None
        self._go_on()

    def _go_on(self) -> None:
        knob = self.knobs.get(self.chosen)
        if knob is None:
            return
        several: dict[str, Sequence[str]] = {knob.name: values_of(knob)}
        games = int(self.games.value or 1)
        if self.step is not None and self.step.settings != several:  # another setting was chosen meanwhile
            self.step = None
        self.stream = self.studio.sweep(several, games, self.step)
        done = f", {self.step.played} of them done" if self.step is not None else ""
        first = f"playing {some(games, 'game')} for each of {len(several[knob.name])} values{done} ..."
        follow(self.stream, self._client, self.status, self._show, self._running, first)

    def _show(self, step: Step) -> None:
        self.step = self.studio.swept = step
        anew = f" (begun anew, as {step.anew})" if step.anew else ""
        played = f"{step.played} of {step.of * step.games} games"
        self.status.set_text(f"{played}, {len(step.found)} of {step.of} values{anew}")
        self._tell_others()
        self.curves.set_visibility(bool(step.found))
        self.table.clear()
        if not step.found:
            return
        # as an image of its own its style holds for nothing else
        self.curves._props["src"] = f"data:image/svg+xml;base64,{b64encode(step.picture.encode()).decode()}"
        self.curves.update()
        with self.table, ui.element("table"):
            for number, row in enumerate(step.rows):
                with ui.element("tr"):
                    for cell in row:
                        with ui.element("td" if number else "th"):
                            ui.label(cell)

    def _stop(self) -> None:
        if self.stream is not None:
            self.stream.stop()


def values_of(knob: Knob) -> list[str]:
    """The values of a setting that are played.

    >>> values_of(Knob("dice", "Dice", "number", "4", 4, 6, ()))
    ['4', '5', '6']
    """
    if knob.words:
        return list(knob.words)
    step = -(-(knob.high - knob.low) // (MOST_VALUES - 1)) or 1
    return [str(value) for value in dict.fromkeys([*range(knob.low, knob.high + 1, step), knob.high])]
