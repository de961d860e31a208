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

from .answers import swallow_answers

Pictures = Callable[[BytesIO], Widget]
"""Makes what shows a PNG."""
CELL = 16, 32
"""So many pixels are drawn for the width and the height of a cell; they are fitted to those that it has."""


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
        swallow_answers(0, 1)  # on a busy machine some come when the package waits no more
    if renderable.Image is renderable.SixelImage:
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
    """A drawing as PNG for so many cells.

    Raises PolisError where the system has no font for its texts.
    """
    shape = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert shape is not None
    return as_png(svg, int(min(columns * CELL[0], rows * CELL[1] * float(shape[1]) / float(shape[2]))))
