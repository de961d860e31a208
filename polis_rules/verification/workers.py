"""Long work in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


def in_processes(
    work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int, copies: bool = False
) -> Generator[Done]:
    """What a function makes of each task, in the order of the tasks; with more than one job in so many processes.

    There are never more processes than tasks, nor than twice the processors: more would only take memory.

    The function must be one that a module names. With `copies` it may be any, as the processes know all that this one
    knows; where the system cannot copy a process, this one does the work. Ctrl-C reaches whoever asks for the next
    result: after what else the processes have finished, for which an unfinished task may be left out.

    >>> list(in_processes(abs, [-1, 2], jobs=1))
    [1, 2]
    """
    method = "fork" if copies else "spawn"
    jobs = min(jobs, len(tasks), 2 * (os.cpu_count() or 1))
    if jobs <= 1 or method not in multiprocessing.get_all_start_methods():
        yield from map(work, tasks)
        return
    with multiprocessing.get_context(method).Pool(jobs, _begin, (work,)) as pool:
        left: deque[Any] = deque()
        try:
            left.extend(pool.apply_async(_do, (task,)) for task in tasks)
            while left:
                yield left.popleft().get()
        except KeyboardInterrupt:
            if left:
                left[-1].wait(0.3)  # meanwhile a thread of the pool takes in what has come
            yield from (each.get() for each in left if each.ready())
            raise


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_work: Callable[[Any], Any]


def _do(task: object) -> Any:
    return _work(task)
