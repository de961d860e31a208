"""Texts that were typed and not saved, on the disk until they are saved or thrown away."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from polis_rules.source import write_whole


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that was not saved."""

    path: str
    text: str
    over: str
    """The digest of the file's text when the author began to change it."""
    is_copy: bool = False
    """whether a browser had kept it that could not send it; others may have more"""

    def is_over(self, text: str) -> bool:
        """Whether it was made of a text; of another one it lacks what was changed there since."""
        return self.over == digest(text)


class Drafts:
    """The drafts of this computer's user, a file for each file that is being changed."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or _usual_folder()

    def keep(self, path: Path, text: str, over: str, is_copy: bool = False) -> Draft:
        """Write a draft down. Raises OSError; then the one before is still there."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = Draft(str(path), text, over, is_copy)
        write_whole(self._place(path), json.dumps(asdict(draft)))
        return draft

    def of(self, path: Path) -> Draft | None:
        """The draft of a file; None where there is none that can be read."""
        try:
            data = json.loads(self._place(path).read_text("utf-8"))
            of, text, over = (str(data[name]) for name in ("path", "text", "over"))
            draft = Draft(of, text, over, bool(data.get("is_copy")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return draft if draft.path == str(path) else None

    def drop(self, path: Path) -> None:
        """A draft is not needed any more."""
        with suppress(OSError):
            self._place(path).unlink()

    def _place(self, path: Path) -> Path:
        return self._folder / f"{sha256(str(path).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.json"


def _usual_folder() -> Path:
    from platformdirs import user_data_path

    return Path(os.environ.get("POLIS_DRAFTS_DIR") or user_data_path("polis-rules", appauthor=False) / "drafts")


def digest(text: str) -> str:
    """What tells one text of a file from another.

    >>> digest("a") == digest("b")
    False
    """
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
