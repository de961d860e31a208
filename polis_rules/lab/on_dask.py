"""Games on a cluster of Dask: the same rows, from as many machines as it has."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from polis_rules.lab.files import NotInstalledError
from polis_rules.lab.games import LabError, Plan, Span, batch
from polis_rules.lab.rows import Batch

WAITING = 8
"""For each thread of the cluster so many portions of games are handed over, so that none waits for work."""

PATIENCE = 30
"""So many seconds a cluster has to answer, and to get back a worker when all are gone."""


def on_dask(plan: Plan, wanted: Sequence[Span], scheduler: str | None = None, jobs: int = 1) -> Iterator[Batch]:
    """The rows of some spans of a settled plan, in order, played on a cluster; on processes of this machine without.

    What a worker was playing that is gone, another one plays. Raises NotInstalledError, and LabError where no cluster
    answers or all workers stay away.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        message = "--engine dask needs Dask; install it with: pip install 'polis-rules[dask]'"
        raise NotInstalledError(message) from None
    # What they would log of lost workers is told below. Each has a level of its own.
    for name in ("distributed", "distributed.client", "distributed.gc"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    cluster = None
    if scheduler is None:
        cluster = distributed.LocalCluster(
            n_workers=min(jobs, 2 * (os.cpu_count() or 1)),
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,  # of its processes, which Ctrl-C reaches too
        )
    try:
        client = distributed.Client(cluster if scheduler is None else scheduler, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise LabError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    try:
        yield from _played(distributed, client, plan, wanted)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _played(distributed: Any, client: Any, plan: Plan, wanted: Sequence[Span]) -> Iterator[Batch]:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except (distributed.TimeoutError, TimeoutError):
        raise LabError(f"the cluster has no workers (for {PATIENCE} seconds); what was finished is kept") from None
    waiting, left = deque[Any](), deque(wanted)
    try:
        while left or waiting:
            while left and len(waiting) < WAITING * max(1, sum(client.nthreads().values())):
                waiting.append(client.submit(batch, (plan, *left.popleft()), pure=False, retries=2))
            yield _result(distributed, client, waiting.popleft())
    except (distributed.CancelledError, OSError):
        raise LabError("the cluster is gone; what was finished is kept, and the same command goes on") from None
    except distributed.KilledWorker as error:
        raise LabError(f"workers of the cluster die while they play: {error}") from None


def _result(distributed: Any, client: Any, future: Any) -> Batch:
    """What comes of a portion of games, however long these take, as long as the cluster has workers."""
    while True:
        try:
            found: Batch = future.result(timeout=PATIENCE)
        except (distributed.TimeoutError, TimeoutError):
            if client.status != "running" or not client.nthreads():
                raise OSError("no workers") from None
        else:
            return found
