"""How far long work is, on a terminal's standard error; nothing where nobody watches."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self


class Progress:
    """A line that says how much of something is done, and is gone at the end.

    >>> with Progress(10, "games") as progress:
    ...     progress.at(3)
    """

    def __init__(self, total: int, what: str) -> None:
        self.total = total
        self.what = what
        self.watched = sys.stderr.isatty()
        self.told = -1

    def __enter__(self) -> Self:
        return self

    def at(self, done: int) -> None:
        """`done` of the total are done."""
        percent = done * 100 // self.total
        if self.watched and percent != self.told:
            self.told = percent
            sys.stderr.write(f"\r{done:,} of {self.total:,} {self.what}")
            sys.stderr.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.watched and self.told >= 0:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
