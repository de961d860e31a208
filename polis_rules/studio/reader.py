"""Work that only reads, done one thing after the other beside the page; nothing waits for it to end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Asked = SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]


class Reader:
    """A thread that does what it is given in order.

    An executor of the standard library is waited for when the program ends, though a check may take long on a busy
    machine. What is done here writes nothing, so it may be left in the middle.
    """

    def __init__(self, name: str) -> None:
        self._asked: Asked = SimpleQueue()
        self._is_closed = False
        Thread(target=_do_all, args=(self._asked,), name=name, daemon=True).start()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do this after what was asked before; what is asked of one that is closed is cancelled."""
        done = Future[T]()
        if self._is_closed:
            done.cancel()
        else:
            self._asked.put((done, work))
        return done

    def close(self) -> None:
        """Begin nothing more."""
        self._is_closed = True
        with suppress(Empty):
            while (asked := self._asked.get_nowait()) is not None:
                asked[0].cancel()
        self._asked.put(None)


def _do_all(every: Asked) -> None:
    """Do what comes until nothing more can come."""
    while (asked := every.get()) is not None:
        _do(*asked)
        del asked  # what it has found is not kept until the next is asked


def _do(done: Future[T], work: Callable[[], T]) -> None:
    if done.set_running_or_notify_cancel():
        try:
            done.set_result(work())
        except Exception as error:
            done.set_exception(error)


async def in_thread(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What a function gives that only reads, such as one that compiles rules, done at once beside all else."""
    done, within = Future[T](), copy_context()
    Thread(target=_do, args=(done, lambda: within.run(work, *given, **named)), daemon=True).start()
    return await asyncio.wrap_future(done)
