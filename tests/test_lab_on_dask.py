"""Games on a Dask cluster of separate processes: the same rows, also when a worker is killed meanwhile."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.command import Polis, command

from polis_rules.lab import Batch, LabError, Plan, Span, on_dask, play, simulate, spans, table_of
from polis_rules.lab.on_dask import on_dask as played_there

polis = pytest.fixture(command)

PLAN = Plan(Path(__file__).parent / "rulesets" / "leduc", games=160, seats=("mcts:20", "mcts:20")).settled()


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as found:
        yield found


@pytest.mark.slow  # starts a cluster
def test_rows_are_the_same_when_a_worker_is_killed(cluster: Any) -> None:
    batches = on_dask(PLAN, spans(PLAN), cluster.scheduler_address)
    found = [next(batches)]
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    found += batches
    assert found == list(play(PLAN))


@pytest.mark.slow  # starts a cluster
def test_when_the_cluster_goes_away_what_was_finished_is_kept(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setitem(played_there.__globals__, "PATIENCE", 2)

    def closing(plan: Plan, wanted: Sequence[Span]) -> Iterator[Batch]:
        for number, batch in enumerate(on_dask(plan, wanted, cluster.scheduler_address)):
            yield batch
            if number == 1:
                cluster.close()

    out = tmp_path / "results.parquet"
    with pytest.raises(LabError, match="the cluster"):
        simulate(PLAN, table_of(PLAN), out, closing)
    found = simulate(PLAN, table_of(PLAN), out, play)
    assert (found.before >= 16, found.games) == (True, 160)


def test_a_scheduler_that_does_not_answer_is_told(
    polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    pytest.importorskip("pyarrow")
    monkeypatch.setitem(played_there.__globals__, "PATIENCE", 0.5)
    options = ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:9", "--out", tmp_path / "results.parquet")
    told = polis("simulate", "yucata", "--seat", "athens=random", "--seat", "sparta=random", *options)
    assert told.status == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in told.err


def test_nothing_that_dask_logs_of_a_lost_cluster_stands_beside_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setitem(played_there.__globals__, "PATIENCE", 0.5)
    with pytest.raises(LabError):
        next(on_dask(PLAN, spans(PLAN), "tcp://127.0.0.1:9"))
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]
    assert "distributed.client" in names
    assert not [name for name in names if logging.getLogger(name).isEnabledFor(logging.ERROR)]
