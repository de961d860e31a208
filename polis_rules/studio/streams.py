"""Work that goes on for long, done in a process of its own that tells what it has come to, until it is stopped."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakSet

from polis_rules.diagnostics import PolisError
from polis_rules.studio.troubles import in_words

P = ParamSpec("P")
T = TypeVar("T")


def end_with_parent() -> None:
    """End this process as soon as that is no more which began it, however it ended."""
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


_BEGUN: WeakSet[Stream[Any]] = WeakSet()


@atexit.register
def _stop_all() -> None:
    """Stop all work that goes on, which this process would wait for before it ends."""
    for each in list(_BEGUN):
        each.stop()


class Stream(Generic[T]):
    """What a generator function of a module yields, one after the other. It may begin processes of its own."""

    def __init__(self, work: Callable[P, Iterator[T]], *given: P.args, **named: P.kwargs) -> None:
        self._work, self._given, self._named = work, given, named
        self._process: SpawnProcess | None = None
        self._stopped = False

    async def __aiter__(self) -> AsyncIterator[T]:
        """Begin, and go on until it ends or is stopped. Raises PolisError with what the work raises."""
        context = get_context("spawn")
        mine, its = context.Pipe(False)
        self._process = context.Process(target=_told, args=(its, self._work, self._given, self._named))
        _BEGUN.add(self)
        await asyncio.to_thread(self._process.start)
        its.close()
        try:
            while not self._stopped:
                try:
                    kind, found = await asyncio.to_thread(mine.recv)
                except (EOFError, OSError):
                    if not self._stopped:
                        raise PolisError("the process that worked on this was ended") from None
                    return
                if kind == "error":
                    raise PolisError(found)
                if kind == "end":
                    return
                yield found
        finally:
            self.stop()
            mine.close()

    def stop(self) -> None:
        """End it; nothing more is told."""
        self._stopped = True
        if self._process is not None and self._process.is_alive():
            self._process.terminate()


def _told(told: Connection, work: Callable[..., Iterator[object]], given: tuple[object, ...], named: object) -> None:
    """Do the work and tell of it, in its own process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the studio, which ends this
    end_with_parent()
    assert isinstance(named, dict)
    with suppress(BrokenPipeError):
        try:
            for each in work(*given, **named):
                told.send(("found", each))
            told.send(("end", None))
        except PolisError as error:
            told.send(("error", in_words(error)))
