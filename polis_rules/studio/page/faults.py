"""What goes wrong while a browser is answered, as the author's terminal tells it: in one line, and once.

Whoever has a link can send arguments that no page sends, and so make the studio fail wherever they are read. With a
traceback each the author would soon read nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from traceback import extract_tb

from nicegui import ui

from polis_rules.diagnostics import shortened

log = logging.getLogger(__name__)


class Faults:
    """Tells at most once of each seat's browsers that they could not be answered, of the author's once a place."""

    def __init__(self, keys: Mapping[str, str], is_author: Callable[[str], bool]) -> None:
        self._keys, self._is_author = keys, is_author
        """the keys with which pages were opened, by the ids of these"""
        self._told: set[tuple[str, str]] = set()

    def tell(self, error: Exception) -> None:
        """An error was met while a page was answered."""
        try:
            key = self._keys.get(ui.context.client.id, "")
        except RuntimeError:  # the page is gone
            key = ""
        where = extract_tb(error.__traceback__)[-1:]
        place = "".join(f" ({Path(each.filename).name}:{each.lineno})" for each in where)
        whose = "the author" if self._is_author(key) else "a seat"
        about = key, place if self._is_author(key) else ""
        if about not in self._told:
            self._told.add(about)
            what = shortened(f"{type(error).__name__}: {error}", 100)
            log.error("A page of %s could not be answered: %s%s", whose, what, place)
        log.debug("", exc_info=error)
