"""What comes of `save FILE`, and why something was not written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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


def not_written(error: Exception) -> str:
    """Why a file was not written; its name is what was typed.

    >>> not_written(FileNotFoundError(2, "No such file or directory", "no/where"))
    'Not written: No such file or directory'
    """
    return f"Not written: {error.strerror if isinstance(error, OSError) and error.strerror else error}"
