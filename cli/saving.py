"""What comes of `save FILE` and `map FILE`, and why something was not written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.diagnostics import PolisError

from .output import shown

if TYPE_CHECKING:  # a game is not imported before its first line is printed
    from polis_rules.play import Session


def save(session: Session, typed: str) -> str:
    """Record a game in a file, from its beginning on and from now on; what came of it, in words."""
    if not typed:
        return "Give the file a name: save FILE"
    target = Path(typed)
    try:
        session.save_as(target)
    except FileExistsError:
        return f"Not written: {shown(target)} exists already"
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        return not_written(error)
    return f"Recorded in {shown(target)}; what follows is recorded there too."


def draw_in(session: Session, typed: str, does: Callable[[str, str], str]) -> str:
    """Draw what is looked at in a file; what came of it, in words. `does` tells what a member does."""
    from polis_rules.board import Board, as_png, draw, seen  # only those who ask for a picture wait for it

    target = Path(typed or "board.svg")
    if target.suffix.lower() not in (".svg", ".png"):
        return "The picture ends in .svg or .png: map board.svg"
    try:
        if target.exists():
            return f"Not written: {shown(target)} exists already"
        svg = draw(Board.of(session.rules), seen(session.shown, session.eyes), does=does)
        target.write_bytes(as_png(svg) if target.suffix.lower() == ".png" else svg.encode())
    except (PolisError, OSError, ValueError) as error:
        return not_written(error)
    return f"Drawn in {shown(target)}."


def not_written(error: Exception) -> str:
    """Why a file was not written; its name is what was typed.

    >>> not_written(FileNotFoundError(2, "No such file or directory", "no/where"))
    'Not written: No such file or directory'
    """
    return f"Not written: {error.strerror if isinstance(error, OSError) and error.strerror else error}"
