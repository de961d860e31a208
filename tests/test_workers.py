"""Work in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from polis_rules.verification import workers

copied = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot copy processes"
)


@pytest.mark.parametrize(("tasks", "jobs", "most"), [(3, 100_000, 3), (500, 100_000, 6), (500, 2, 2)])
def test_no_more_processes_begin_than_there_is_work_and_processors_for(
    monkeypatch: pytest.MonkeyPatch, tasks: int, jobs: int, most: int
) -> None:
    """However many jobs are asked for, they do not fill the memory."""
    asked: list[int] = []

    def begin(crew: object, context: object, jobs: int) -> None:
        asked.append(jobs)
        raise OSError("no process is begun")

    monkeypatch.setattr(workers._Crew, "begin", begin)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    with pytest.raises(OSError, match="no process"):
        list(workers.in_processes(abs, range(tasks), jobs))
    assert asked == [most]


def test_a_single_task_is_done_here() -> None:
    assert list(workers.in_processes(lambda task: (task, os.getpid()), [-1], 8)) == [(-1, os.getpid())]


def kill(when: bool, how: int = signal.SIGKILL) -> None:
    """End this process, as the system does where memory is short."""
    if when:
        os.kill(os.getpid(), how)


@copied
def test_what_a_killed_process_was_doing_another_one_does(tmp_path: Path) -> None:
    def work(number: int) -> int:
        seen = tmp_path / f"{number}"
        kill(number % 4 == 2 and not seen.exists() and seen.touch() is None)
        return number

    assert list(workers.in_processes(work, range(20), 2, copies=True)) == list(range(20))
    assert len(list(tmp_path.iterdir())) == 5


@copied
def test_work_that_ends_every_process_is_told_after_what_was_finished() -> None:
    def work(number: int) -> int:
        kill(number == 3, signal.SIGUSR1)
        return number

    results = workers.in_processes(work, range(20), 2, copies=True)
    found = []
    with pytest.raises(workers.WorkerLostError, match=f"twice at the same work .signal {signal.SIGUSR1:d}"):
        for each in results:
            found.append(each)
    assert found[:3] == [0, 1, 2] and 3 not in found


@copied
def test_a_process_that_is_killed_while_it_tells_a_result_is_noticed(tmp_path: Path) -> None:
    """Half of a message keeps nobody waiting."""
    seen = tmp_path / "seen"

    def work(number: int) -> bytes:
        if number == 1 and not seen.exists():
            seen.touch()
            threading.Timer(0.1, kill, (True,)).start()
        return bytes(5_000_000 * number)

    results = workers.in_processes(work, range(3), 2, copies=True)
    assert next(results) == b""
    time.sleep(0.3)  # meanwhile nobody takes the long result
    assert [len(each) for each in results] == [5_000_000, 10_000_000]
    assert seen.exists()


@copied
def test_what_fails_in_another_process_fails_here_with_the_place() -> None:
    def work(number: int) -> float:
        return 1 / (number - 2)

    results = workers.in_processes(work, range(5), 2, copies=True)
    assert [next(results), next(results)] == [-0.5, -1]
    with pytest.raises(ZeroDivisionError) as caught:
        next(results)
    assert "in work" in caught.value.__notes__[0]


@copied
def test_results_are_not_heaped_up_before_an_earlier_one_is_there(tmp_path: Path) -> None:
    """Otherwise they would fill the memory."""

    def work(number: int) -> int:
        (tmp_path / f"{number}").touch()
        if number == 0:
            time.sleep(0.5)
        return len(list(tmp_path.iterdir()))

    assert next(workers.in_processes(work, range(1000), 2, copies=True)) <= 2 * workers.AHEAD
