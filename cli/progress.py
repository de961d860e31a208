"""How far long work is, on a terminal's standard error; nothing where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from .output import say

T = TypeVar("T")


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar that is gone at the end, and how to say how much of the total is done.

    >>> with progress(10, "games") as done:
    ...     done(3)
    """
    if not sys.stderr.isatty():
        yield lambda number: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda number: bar.update(task, completed=number)


def watched(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, one by one, while it is shown how many there have been."""
    with progress(len(items), what) as done:
        for number, item in enumerate(items):
            done(number)
            yield item


def tell(what: str, text: str) -> None:
    """Say what is being done, and with what."""
    if sys.stderr.isatty():
        say(f"{what}: {text}", err=True)
