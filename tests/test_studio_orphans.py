"""What works beside the studio ends with it, however it was ended, and keeps it from ending no longer."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING

import psutil
import pytest
from support.command import command

pytest.importorskip("nicegui", reason="the studio is not installed: pip install 'polis-rules[studio]'")

if TYPE_CHECKING:
    from polis_rules.language_server import Analysis
    from polis_rules.ruleset import Ruleset

HERE = Path(__file__).parent
PROGRAM = f"import sys; sys.path[:0] = [{str(HERE)!r}]; import test_studio_orphans as t; t.{{}}()"


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
    with Popen([sys.executable, "-c", PROGRAM.format("studio")], stdout=PIPE, text=True) as begun:
        assert begun.stdout is not None
        worker = psutil.Process(int(begun.stdout.readline()))
        begun.send_signal(how)
        worker.wait(timeout=20)  # raises TimeoutExpired if it goes on


def busy_checker() -> None:
    """Ends while its checker is asked something that it never finds."""
    from polis_rules.studio.checker import Checker

    begun = Event()

    def endless(analysis: Analysis) -> None:
        begun.set()
        Event().wait()

    async def asked() -> None:
        checker = Checker()
        looking = asyncio.ensure_future(checker.look(HERE / "rulesets" / "othello" / "ruleset.yaml", endless))
        await asyncio.to_thread(begun.wait)
        checker.close()
        looking.cancel()
        print("closed", flush=True)

    asyncio.run(asked())


def busy_rules() -> None:
    """Ends while it reads rules that never end."""
    from polis_rules.studio import Opened, Studio
    from polis_rules.studio.drafts import Drafts

    begun = Event()

    def endless() -> Ruleset:
        begun.set()
        Event().wait()
        raise AssertionError

    async def asked(folder: Path) -> None:
        studio = Studio(Opened(HERE / "rulesets" / "othello"), Drafts(folder / "drafts"), folder / "games")
        studio.rules = endless  # type: ignore[method-assign]
        beginning = asyncio.ensure_future(studio.begin())
        await asyncio.to_thread(begun.wait)
        beginning.cancel()
        studio.close()
        print("closed", flush=True)

    with TemporaryDirectory() as folder:
        asyncio.run(asked(Path(folder)))


@pytest.mark.parametrize("busy", ["busy_checker", "busy_rules"])
def test_a_studio_ends_while_it_is_still_looking(busy: str) -> None:
    """Neither what is wrong with rules nor what they say is waited for."""
    with Popen([sys.executable, "-c", PROGRAM.format(busy)], stdout=PIPE, text=True) as begun:
        try:
            assert begun.stdout is not None
            assert begun.stdout.readline() == "closed\n"
            assert begun.wait(timeout=60) == 0  # raises TimeoutExpired if it waits for what is never found
        finally:
            begun.kill()


def cancelled_trials() -> None:
    """Its process ends while one piece of work is done, and others that have not begun were cancelled."""
    from polis_rules.studio.trials import Trials

    async def asked() -> None:
        trials = Trials()
        await trials.do(time.sleep, 0)
        pieces = [asyncio.ensure_future(trials.do(time.sleep, 600)) for _ in range(6)]
        await asyncio.sleep(0.5)  # until the process is told of as many as it is told of before it has done the first
        for each in pieces[1:]:
            each.cancel()
        await asyncio.wait(pieces[1:])
        for process in active_children():
            process.terminate()  # as Ctrl-C does, which all processes of a terminal are told
        (told,) = await asyncio.gather(pieces[0], return_exceptions=True)
        trials.close()
        print(told, flush=True)

    asyncio.run(asked())


def test_work_that_is_cancelled_leaves_no_trace_when_the_studio_ends() -> None:
    """The pool of processes is told of no future that somebody has cancelled, and ends all others."""
    with Popen(
        [sys.executable, "-c", PROGRAM.format("cancelled_trials")], stdout=PIPE, stderr=PIPE, text=True
    ) as begun:
        try:
            assert begun.communicate(timeout=60) == ("the process that worked on this was ended\n", "")
        finally:
            begun.kill()


def test_as_the_studio_ends_nothing_that_it_holds_is_looked_through_once_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python would do so, to find what nothing refers to any more, though all is gone with the process."""
    monkeypatch.setattr("polis_rules.studio.serve", lambda *given: None)
    try:
        assert command(monkeypatch, capsys)("studio", "--no-browser").status == 0
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
