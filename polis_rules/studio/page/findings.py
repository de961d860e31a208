"""What is found in the rules, as a list below their text: a click on it goes there, another one mends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nicegui import ui

from polis_rules.studio.edits import Finding


@dataclass(frozen=True, slots=True)
class Listed:
    """A finding, and what can be done about it here."""

    path: Path
    finding: Finding
    name: str | None
    """of its file, if that can be opened here"""
    can_be_mended: bool


class FindingsList:
    """The list. Whoever clicks on it while it is drawn anew clicks on nothing, so that is done only when it changes."""

    def __init__(self, go_to: Callable[[str, int], None], mend: Callable[[int, Finding], Awaitable[None]]) -> None:
        self._go_to, self._mend = go_to, mend
        self._shown: Sequence[Listed] = ()
        self._list = ui.element("ul").classes("findings").props('aria-label="What is found" tabindex=0')

    def show(self, found: Sequence[Listed]) -> None:
        """List these."""
        if found != self._shown:
            self._shown = found
            self._list.clear()
            with self._list:
                for each in found:
                    self._line(each)

    def _line(self, each: Listed) -> None:
        line, name = each.finding.start[0], each.name
        with ui.element("li").classes(each.finding.severity):
            button = ui.element("button").props('type="button"').classes("finding")
            if name is not None:
                button.on("click", partial(self._go_to, name, line + 1))
            with button:
                ui.label(f"{name or each.path.name}:{line + 1}").classes("place")
                ui.label(each.finding.message).classes("message")
            if each.can_be_mended:
                ui.button("Mend", on_click=partial(self._mend, line, each.finding)).props("flat dense no-caps")
