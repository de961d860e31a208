"""An editor of a text that other browsers change too."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from nicegui import ui

from polis_rules.studio.meeting import length, met

KEPT = 50


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
