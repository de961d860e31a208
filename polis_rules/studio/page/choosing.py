"""The gallery on the page, and the tour."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from polis_rules.composition import ShippedRuleset, shipped
from polis_rules.diagnostics import PolisError
from polis_rules.studio.gallery import Gallery
from polis_rules.studio.page.elements import BoardView, Select
from polis_rules.studio.troubles import in_words


class GalleryPage:
    """The shipped rulesets, each with its picture and a sentence; one after the other is drawn.

    Where one of its variants is chosen, it is that which has them.
    """

    def __init__(self, gallery: Gallery) -> None:
        self.gallery = gallery
        self._client = ui.context.client
        self.places: dict[str, tuple[ui.label, BoardView]] = {}
        self.chosen: dict[str, str] = {}
        """the variants that were chosen, by ruleset"""
        self._opening = False
        self.dark: bool | None = None
        """whether the page is dark, for which the pictures are drawn; None as long as it has not told"""
        with ui.element("main").classes("pane"):
            ui.html("Choose what to begin from", tag="h1", sanitize=False).classes("title")
            TourPane(gallery)
            self.note = ui.label().classes("note sticky").props('role="alert"')
            with ui.element("ul").classes("gallery"):
                for each in shipped():
                    with ui.element("li"):
                        self._card(each)

    def _card(self, each: ShippedRuleset) -> None:
        with ui.element("h2").classes("title"):
            ui.label(each.title)
            ui.label(each.name).classes("id")
        self.places[each.name] = ui.label("is being drawn ..."), BoardView()
        self.places[each.name][1].on("theme", self._light_or_dark)

        async def choose(variant: str) -> None:
            self.chosen[each.name] = variant
            await self._show(each.name, bool(self.dark))

        async def opened() -> None:
            await self.gallery.open(each.name, self.chosen.get(each.name, ""))

        async def begun() -> None:
            await self.gallery.write_variant(each.name, self.chosen.get(each.name, ""))

        if each.variants:
            Select("Variant", {"": "as it is", **dict(each.variants)}, "", choose)
        for file, trouble in self.gallery.own(each.name).items():
            go_on = partial(self.gallery.go_on, each.name, file)
            called = f"Go on with {file}" + (f", which cannot be read yet ({trouble})" if trouble else "")
            ui.button(called, on_click=partial(self._do, go_on)).props("flat dense no-caps align=left")
        with ui.element("div").classes("bar"):
            ui.button("Play", on_click=lambda: self._do(opened)).props("flat dense no-caps")
            ui.button("Write a variant", on_click=lambda: self._do(begun)).props("unelevated dense no-caps")

    def _light_or_dark(self, event: GenericEventArguments) -> None:
        """Each picture tells how the page is: draw all of them, where they are not drawn so."""
        dark = bool(event.args.get("dark"))
        if dark != self.dark:
            self.dark = dark
            background_tasks.create(self._draw(dark), name="draw gallery")

    async def _draw(self, dark: bool) -> None:
        for name in self.places:
            if dark != self.dark:  # they are drawn otherwise meanwhile
                return
            await self._show(name, dark)

    async def _show(self, name: str, dark: bool) -> None:
        (label, picture), variant = self.places[name], self.chosen.get(name, "")
        try:
            card = await self.gallery.card(name, dark, variant)
        except PolisError as error:
            label.set_text(in_words(error))
            return
        if dark == self.dark and variant == self.chosen.get(name, ""):
            label.set_text(card.sentence)
            picture.show(card.picture, {})

    async def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        if self._opening:  # somebody has clicked twice
            return
        self._opening = True
        self.note.classes(add="waiting").set_text("The rules are being compiled ...")
        try:
            await work()
        except (PolisError, OSError) as error:
            self.note.classes(remove="waiting").set_text(in_words(error))
            self._opening = False
            return
        ui.navigate.reload()


class TourPane:
    """Steps to a variant of one's own, which notices what has been done."""

    def __init__(self, gallery: Gallery) -> None:
        self.gallery = gallery
        self._shown: object = None
        with ui.element("section").classes("tour").props('aria-label="Tour"'):
            self.button = ui.button("Take the tour", on_click=self._begin).props("flat dense no-caps")
            with ui.element("div").props('role="status"'):
                self.steps = ui.element("ol")
                self.end = ui.label()
        self._look()
        ui.timer(0.5, self._look)

    def _begin(self) -> None:
        self.gallery.tour()
        self._look()

    def _look(self) -> None:
        steps = self.gallery.steps() if self.gallery.touring else []
        over = bool(steps) and all(each.done for each in steps)
        outcome = self.gallery.outcome() if over else ""
        if (steps, outcome) == self._shown:
            return
        self._shown = steps, outcome
        number = sum(each.done for each in steps)
        self.button.set_text(f"End the tour ({number} of {len(steps)} steps done)" if steps else "Take the tour")
        self.end.set_text(outcome)
        coming = next((at for at, each in enumerate(steps) if not each.done), len(steps))
        first = max(coming - 1, 0)
        self.steps.clear()
        self.steps.props(f"start={first + 1}")
        with self.steps:
            # what was done last, and what comes next: with all of them nothing of the game would be on the screen
            for each in steps[first : first + 2]:
                with ui.element("li").classes("done" if each.done else ""):
                    ui.label(f"Done: {each.text}" if each.done else each.text)
