"""Work in several processes."""

from __future__ import annotations

import os
from typing import Any

import pytest

from polis_rules.verification import workers


class Counting:
    """Stands for multiprocessing, and notes how many processes are asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def get_all_start_methods(self) -> list[str]:
        return ["spawn"]

    def get_context(self, method: str) -> Any:
        return self

    def Pool(self, jobs: int, *_: object) -> Any:  # noqa: N802 (it is called so)
        self.asked.append(jobs)
        raise OSError("no process is begun")


@pytest.mark.parametrize(("tasks", "jobs", "most"), [(3, 100_000, 3), (500, 100_000, 6), (500, 2, 2)])
def test_no_more_processes_begin_than_there_is_work_and_processors_for(
    monkeypatch: pytest.MonkeyPatch, tasks: int, jobs: int, most: int
) -> None:
    """However many jobs are asked for, they do not fill the memory."""
    counting = Counting()
    monkeypatch.setattr(workers, "multiprocessing", counting)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    with pytest.raises(OSError, match="no process"):
        list(workers.in_processes(abs, range(tasks), jobs))
    assert counting.asked == [most]


def test_a_single_task_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    monkeypatch.setattr(workers, "multiprocessing", counting)
    assert (list(workers.in_processes(abs, [-1], 8)), counting.asked) == ([1], [])
