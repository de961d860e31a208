"""How far long work is, on a terminal's standard error; nothing where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

T = TypeVar("T")


class Progress:
    """A bar that says how much of something is done, and is gone at the end.

    >>> with Progress(10, "games") as progress:
    ...     progress.at(3)
    """

    def __init__(self, total: int, what: str) -> None:
        self.total = total
        self.what = what
        self.bar: Bar | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.add_task(self.what, total=self.total)
            self.bar.start()
        return self

    def at(self, done: int) -> None:
        """`done` of the total are done."""
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


def watched(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, one by one, while it is shown how many there have been."""
    with Progress(len(items), what) as progress:
        for number, item in enumerate(items):
            progress.at(number)
            yield item
