"""The board as a picture over the game, on terminals that show pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import ClassVar

from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widget import Widget

from polis_rules.board import as_png

from .answers import ABILITIES, shows_sixels, swallow_answers

Pictures = Callable[[BytesIO], Widget]
"""Makes what shows a PNG."""
CELL = 16, 32
"""So many pixels are drawn for the width and the height of a cell; they are fitted to those that it has."""
EMPTY = 2
"""So many rows below a picture stay empty, as the style sheet says."""


def pictures_here() -> Pictures | None:
    """What shows pictures on this terminal, if it can and the packages for that are there.

    The terminal is asked; so this is called before Textual reads what it answers.
    """
    try:
        import resvg_py  # noqa: F401 - without it there is nothing to show
        from textual_image import renderable, widget
    except Exception:  # a package is missing, or the terminal has answered what nobody expects
        return None
    finally:
        # On a busy machine, or far away, answers come when the package waits no more: a tenth of a second.
        answers = swallow_answers(0, 1, asking=ABILITIES)
    if renderable.Image is renderable.SixelImage or shows_sixels(answers):
        return widget.SixelImage
    return widget.TGPImage if renderable.Image is renderable.TGPImage else None


class Picture(ModalScreen[None]):
    """A picture over all of the screen."""

    BINDINGS: ClassVar = [("escape,enter,ctrl+p,q", "app.pop_screen", "close")]

    def __init__(self, png: bytes, pictures: Pictures) -> None:
        super().__init__()
        self._png, self._pictures = png, pictures

    def compose(self) -> ComposeResult:
        yield self._pictures(BytesIO(self._png))


def fitted(svg: str, columns: int, rows: int) -> bytes:
    """A drawing as PNG for so many cells, without the last rows, which stay empty.

    Raises PolisError where the system has no font for its texts.
    """
    shape = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert shape is not None
    return as_png(svg, int(min(columns * CELL[0], max(1, rows - EMPTY) * CELL[1] * float(shape[1]) / float(shape[2]))))
