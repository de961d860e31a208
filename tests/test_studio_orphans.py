"""What works beside the studio ends with it, however it was ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen

import psutil
import pytest

pytest.importorskip("nicegui", reason="the studio is not installed: pip install 'polis-rules[studio]'")

STUDIO = f"import sys; sys.path[:0] = [{str(Path(__file__).parent)!r}]; import test_studio_orphans as t; t.studio()"


def endless() -> Iterator[int]:
    """Tells which process it is, and never ends."""
    yield os.getpid()
    while True:
        time.sleep(60)


def studio() -> None:
    """Prints which process works for this one."""
    from polis_rules.studio.streams import Stream

    async def followed() -> None:
        async for process in Stream(endless):
            print(process, flush=True)

    asyncio.run(followed())


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_a_stream_ends_when_the_studio_is_killed(how: signal.Signals) -> None:
    with Popen([sys.executable, "-c", STUDIO], stdout=PIPE, text=True) as begun:
        assert begun.stdout is not None
        worker = psutil.Process(int(begun.stdout.readline()))
        begun.send_signal(how)
        worker.wait(timeout=20)  # raises TimeoutExpired if it goes on
