"""What games of bots meet of the rules, on the page: counted while they play, and coloured in the editor's margin."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from polis_rules.diagnostics import some
from polis_rules.studio.counting import Met
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.following import follow
from polis_rules.studio.streams import Stream
from polis_rules.studio.studio import MOST_COVERED, Studio

MOST_LISTED = 100


class CoveragePane:
    """Lets bots play, and lists the rules that no game has met."""

    def __init__(self, studio: Studio, editor: EditorPane) -> None:
        self.studio, self.editor = studio, editor
        self.stream: Stream[Met] | None = None
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Coverage"'):
            ui.label("What do games of bots meet of these rules?").classes("title")
            with ui.element("div").classes("bar"):
                self.start = ui.button("Count what bots meet", on_click=self._begin).props("dense no-caps unelevated")
                self.stop = ui.button("Stop", on_click=self._stop).props("flat dense no-caps")
                self.hide = ui.button("Take the colours away", on_click=self._hide).props("flat dense no-caps")
                self.status = ui.label().props('role="status" aria-live="polite"')
            self.bar = ui.linear_progress(0, show_value=False).props('aria-label="Games played"')
            self.list = ui.element("ul").classes("lamps")
        self._running(False)
        self._client.on_delete(self._stop)

    def _running(self, running: bool) -> None:
        self.start.set_visibility(not running)
        self.stop.set_visibility(running)
        self.bar.set_visibility(running)
        has_colours = self.editor.met is not None
        self.hide.set_visibility(has_colours and not running)  # the next count would bring them back

    def _begin(self) -> None:
        self.stream = self.studio.coverage()
        follow(self.stream, self._client, self.status, self._show, self._running)

    def _stop(self) -> None:
        if self.stream is not None:
            self.stream.stop()

    def _hide(self) -> None:
        self.editor.show_met(None)
        self.hide.set_visibility(False)

    def _show(self, met: Met) -> None:
        self.editor.show_met(met)
        self.bar.set_value(met.games / MOST_COVERED)
        counts = ", ".join(f"{number} {standing}" for standing, number in met.counts.items())
        self.status.set_text(f"{some(met.games, 'game')}: {counts}")
        unmet = [
            (file, number, line.words)
            for file, lines in met.lines.items()
            for number, line in sorted(lines.items())
            if line.standing == "unmet"
        ]
        self.list.clear()
        names = self.studio.workspace.names()
        with self.list:
            for file, number, words in unmet[:MOST_LISTED]:
                with ui.element("li"):
                    name = self.studio.workspace.named(file, names)
                    if name is None:
                        ui.label(f"{file}:{number}")
                    else:
                        ui.button(f"{name}:{number}", on_click=partial(self.editor.open, name, number)).props(
                            "flat dense no-caps align=left"
                        )
                    ui.label(words)
            if len(unmet) > MOST_LISTED:
                with ui.element("li"):
                    ui.label(f"and {len(unmet) - MOST_LISTED} more")
