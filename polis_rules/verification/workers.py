"""Long work in several processes."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


def in_processes(work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int) -> Generator[Done]:
    """What a function makes of each task, in the order of the tasks; with more than one job in so many processes.

    The function must be one that a module names. Ctrl-C reaches whoever asks for the results, and ends the processes.

    >>> list(in_processes(abs, [-1, 2], jobs=1))
    [1, 2]
    """
    if jobs == 1:
        yield from map(work, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, _leave_interrupts) as pool:
        yield from pool.imap(work, tasks)


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
