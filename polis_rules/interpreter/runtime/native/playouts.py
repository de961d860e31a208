"""Many games that are played at random by native code, several of them at once if need be."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from threading import local
from time import perf_counter

from polis_rules.interpreter.runtime.native.native import MOST, Native
from polis_rules.interpreter.runtime.played import Played

FEWEST = 8
"""How many games one call of native code plays at first."""

LONG = 0.05
"""After a call of so many seconds the next ones are not longer: Ctrl-C waits for the end of a call."""

Rows = tuple[list[Played], bool]
"""Games that were played one after another, and whether the next one failed."""


def playouts(native: Native, again: Callable[[int], Played], seed: int, games: int, jobs: int) -> Iterator[Played]:
    """The games of so many seeds; `again` plays that of a seed which native code does not bring to its end."""
    several = _in_threads(native, seed, games, jobs) if jobs > 1 else _one_by_one(native, seed, games)
    for first, count, (rows, failed) in several:
        yield from rows
        while failed:
            first, count = first + len(rows) + 1, count - len(rows) - 1
            yield again(first - 1)
            rows, failed = native.rows(first, count)
            yield from rows


def _one_by_one(native: Native, seed: int, games: int) -> Iterator[tuple[int, int, Rows]]:
    at_once, end = FEWEST, seed + games
    while seed < end:
        count = min(at_once, end - seed)
        begun = perf_counter()
        yield seed, count, native.rows(seed, count)
        if perf_counter() - begun < LONG:
            at_once = min(2 * at_once, MOST)
        seed += count


def _in_threads(native: Native, seed: int, games: int, jobs: int) -> Iterator[tuple[int, int, Rows]]:
    own = local()

    def work(first: int, count: int) -> Rows:
        if not hasattr(own, "native"):
            own.native = native.another()
        rows: Rows = own.native.rows(first, count)
        return rows

    tasks = ((first, min(MOST, seed + games - first)) for first in range(seed, seed + games, MOST))
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        stack.callback(pool.shutdown, cancel_futures=True)
        waiting: deque[tuple[int, int, Future[Rows]]] = deque()
        for first, count in tasks:
            waiting.append((first, count, pool.submit(work, first, count)))
            if len(waiting) > 2 * jobs:
                first, count, rows = waiting.popleft()
                yield first, count, rows.result()
        while waiting:
            first, count, rows = waiting.popleft()
            yield first, count, rows.result()
