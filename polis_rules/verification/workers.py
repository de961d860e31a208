"""Long work in several processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar, cast

from polis_rules.diagnostics import PolisError

Task = TypeVar("Task")
Done = TypeVar("Done")

AHEAD = 16
"""So many tasks for each process may be finished before an earlier one is: more would fill the memory."""


class WorkerLostError(PolisError):
    """A process ended while it worked, and so did the one that did the same work again."""


def in_processes(
    work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int, copies: bool = False
) -> Generator[Done]:
    """What a function makes of each task, in the order of the tasks; with more than one job in so many processes.

    There are never more processes than tasks, nor than twice the processors: more would only take memory. What a
    process was doing that is killed, another one does.

    The function must be one that a module names. With `copies` it may be any, as the processes know all that this one
    knows; where the system cannot copy a process, this one does the work. Ctrl-C reaches whoever asks for the next
    result: after what else the processes have finished, for which an unfinished task may be left out. So does
    WorkerLostError, where a task ends two processes.

    >>> list(in_processes(abs, [-1, 2], jobs=1))
    [1, 2]
    """
    method = "fork" if copies else "spawn"
    jobs = min(jobs, len(tasks), 2 * (os.cpu_count() or 1))
    if jobs <= 1 or method not in multiprocessing.get_all_start_methods():
        yield from map(work, tasks)
        return
    crew = _Crew(work, tasks)
    try:
        crew.begin(multiprocessing.get_context(method), jobs)
        yield from crew.results()
    except (KeyboardInterrupt, WorkerLostError):
        yield from crew.rest()
        raise
    finally:
        crew.end()


class _Worker:
    """A process, and the number of the task that it works on."""

    def __init__(self, context: Any, work: Callable[[Any], Any]) -> None:
        self.connection, other_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(work, other_end), daemon=True)
        with _without_interrupts():
            self.process.start()
        other_end.close()  # now only the process has it, and its death is the end of what can be read here
        self.number: int | None = None

    def how_it_ended(self) -> str:
        """Why nothing more comes of it."""
        self.process.join(1)
        code = self.process.exitcode
        if code is None:
            return "it does not answer"
        return f"signal {-code}, {signal.strsignal(-code)}" if code < 0 else f"exit status {code}"

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes that begin meanwhile not hear Ctrl-C, which is for this one; it comes here afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Crew(Generic[Task, Done]):
    """Processes that share tasks. Each has a pipe of its own, so the death of one leaves the others able to tell."""

    def __init__(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> None:
        self.work, self.tasks = work, tasks
        self.workers: dict[Connection, _Worker] = {}
        self.found: dict[int, bytes] = {}
        """what came of tasks and was not asked for yet"""
        self.wanted = self.next = 0
        """the numbers of the result that is waited for, and of the first task that nobody has had"""
        self.again: list[int] = []
        """tasks at which a process has ended, and that nobody does now"""
        self.lost: set[int] = set()
        """all at which one has ended"""
        self.heard: Connection | None = None
        """whose answer is being read"""

    def begin(self, context: Any, jobs: int) -> None:
        """Begin some processes."""
        self.context, self.ahead = context, AHEAD * jobs
        for _ in range(jobs):
            self._begin()

    def _begin(self) -> None:
        worker = _Worker(self.context, self.work)
        self.workers[worker.connection] = worker

    def results(self) -> Iterator[Done]:
        """What comes of each task, in order."""
        while self.wanted < len(self.tasks):
            self._hand_out()
            while self.wanted not in self.found:
                self._hear()
                self._hand_out()
            done, result = pickle.loads(self.found.pop(self.wanted))
            if not done:
                raise result
            self.wanted += 1
            yield result

    def rest(self) -> Iterator[Done]:
        """What else is finished."""
        for connection, worker in self.workers.items():
            with suppress(EOFError, OSError):
                if worker.number is not None and connection is not self.heard and connection.poll():
                    self.found[worker.number] = connection.recv_bytes()
        for number in sorted(self.found):
            done, result = pickle.loads(self.found[number])
            if done:
                yield result

    def end(self) -> None:
        """End all processes."""
        for worker in self.workers.values():
            worker.end()

    def _hand_out(self) -> None:
        for worker in list(self.workers.values()):
            if worker.number is None and (number := self._free()) is not None:
                worker.number = number
                with suppress(OSError):  # it is gone, which is heard next
                    worker.connection.send(self.tasks[number])

    def _free(self) -> int | None:
        if self.again:
            return self.again.pop(0)
        if self.next >= min(len(self.tasks), self.wanted + self.ahead):
            return None
        self.next += 1
        return self.next - 1

    def _hear(self) -> None:
        for each in wait(list(self.workers)):
            self.heard = connection = cast("Connection", each)
            worker = self.workers[connection]
            try:
                answer = connection.recv_bytes()
            except (EOFError, OSError):
                self._replace(connection)
            else:
                assert worker.number is not None
                self.found[worker.number], worker.number = answer, None
            self.heard = None

    def _replace(self, connection: Connection) -> None:
        """Let another process do what one had to do that has ended."""
        worker = self.workers.pop(connection)
        how = worker.how_it_ended()
        worker.end()
        if worker.number in self.lost:
            raise WorkerLostError(f"a process has ended twice at the same work ({how}); is there enough memory?")
        if worker.number is not None:
            self.lost.add(worker.number)
            self.again.append(worker.number)
        self._begin()


def _serve(work: Callable[[Any], Any], connection: Connection) -> None:
    """Do one task after the other, until nobody has any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a copy of this process would else know what the command does
    with suppress(EOFError, OSError):
        while True:
            connection.send_bytes(_answer(work, connection.recv()))


def _answer(work: Callable[[Any], Any], task: object) -> bytes:
    """What comes of a task, or why nothing does."""
    try:
        return pickle.dumps((True, work(task)))
    except Exception as error:
        told = "".join(traceback.format_exception(error))
        error.add_note(f"In another process:\n{told}")
        try:
            return pickle.dumps((False, error))
        except Exception:
            return pickle.dumps((False, RuntimeError(told)))
