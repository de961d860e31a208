"""An editor of a text that other browsers change too."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from nicegui import ui

from polis_rules.studio.meeting import length, met

KEPT = 50
GIVEN = "data-given"
"""What tells the browser how often it was given a text: any update of the editor holds the text as the studio knows it,
which may lack what was typed meanwhile, and takes the place of the browser's only where this number is another."""


class SharedEditor(ui.codemirror):
    """Takes a change that was made before the browser knew of another one for what it was.

    The library takes every change for one of the text of now, and cuts off what the browser did not know of.
    """

    _earlier: deque[str]
    """the texts of which a browser may still send changes"""
    _late: Callable[[], None]

    def expect(self, late: Callable[[], None]) -> None:
        """Expect changes of texts that are no more; `late` is called when one came."""
        self._earlier, self._late = deque(maxlen=KEPT), late

    def give(self) -> None:
        """Send the text to the browser, which takes it for its own."""
        self._count()
        self.update()

    def _handle_value_change(self, value: Any) -> None:
        if self._send_update_on_value_change:  # it is not the browser that has changed it
            self._count()
        super()._handle_value_change(value)

    def _count(self) -> None:
        with self._props.suspend_updates():
            self._props[GIVEN] = self._props.get(GIVEN, 0) + 1

    def remember(self) -> None:
        """The text will be another: a browser may still send changes of the present one."""
        self._earlier.append(self.value or "")

    def _apply_change_set(self, sections: list[int], inserted: list[list[str]]) -> str:
        known = sum(sections[::2])
        now = self.value or ""
        if known == length(now):
            self.remember()
            return super()._apply_change_set(sections, inserted)
        base = next((each for each in reversed(self._earlier) if length(each) == known), None)
        self._late()
        if base is None:
            return now
        self._earlier.append(met(base, base, sections, inserted))
        found = met(base, now, sections, inserted)
        self._codepoints = self._encode_codepoints(found)
        return found
