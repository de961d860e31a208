"""`polis simulate`: many games between bots, kept as tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from polis_rules.diagnostics import some
from polis_rules.lab import (
    Engine,
    Judged,
    Plan,
    Rows as RowsOf,
    Simulated,
    Summary,
    fast,
    judged,
    kept_values,
    on_dask,
    play,
    simulate,
    summary,
    table_of,
    targets_of,
)

from .native import played_in_python
from .options import Chosen, FirstSeed, OutputFormat, RulesetName, option
from .output import STOPPED, Format, answer, as_data, check_folder
from .progress import progress
from .seats import bots_of
from .targets import as_judged, judged_lines


class Rows(StrEnum):
    """What there is a row of, besides games."""

    decisions = "decisions"
    rounds = "rounds"


class Runs(StrEnum):
    """Where games are played."""

    local = "local"
    dask = "dask"


class Command(Chosen):
    """Let bots play many games and keep them in a table.

    The file is read by polars, pandas and DuckDB; docs/lab.md says what its columns are. All seats have the bot
    mcts:300 unless --seat names another. Seed and bots decide a game, so rows are the same for any number of jobs (but
    for bots that are given time instead of tries). While games are played they are kept in a folder beside the file:
    after Ctrl-C, or when the machine stops, the same command goes on, and no game is lost or played twice. A game in
    which a rule or a bot fails has a row that says so; then the exit status is 1. With --check it tells whether the
    games are as the ruleset's targets want them, and the exit status is 1 where a target is missed.

    \b
    Example:
      polis simulate mygame --games 10000 --out results.parquet
      polis simulate mygame --variant costly --seat red=mcts:1000 --rows rounds --out results.parquet
      polis simulate mygame --games 400 --check
    """

    ruleset: RulesetName
    games: Annotated[int, typer.Option(min=1)] = 1000
    """How many games. Example: --games 10000"""
    seat: Annotated[list[str] | None, option("PLAYER=BOT")] = None
    """Which bot plays a player; may be repeated, all others are mcts:300. Example: --seat red=random"""
    jobs: Annotated[int | None, typer.Option(min=1)] = None
    """How many processes share the games; default: one for each core. Example: --jobs 2"""
    seed: FirstSeed = 0
    rows: Annotated[list[Rows] | None, option("decisions|rounds")] = None
    """Keep a row of each decision or round too, in a file of its own beside that of the games; may be repeated.
    Example: --rows rounds"""
    out: Annotated[Path | None, option("FILE")] = None
    """The file of the games; with --check none is needed. Example: --out results.parquet"""
    check: bool = False
    """Tell which of the ruleset's targets are met; of games that are in the file already none is played again.
    Example: --check"""
    force: bool = False
    """Throw away what is in the file, or was begun for it. Example: --force"""
    engine: Runs = Runs.local
    """Where the games are played: in processes of this machine, or on a Dask cluster. Example: --engine dask"""
    scheduler: Annotated[str | None, option("ADDRESS")] = None
    """The cluster's scheduler; without it processes of this machine are a cluster. Example: --scheduler
    tcp://10.0.0.1:8786"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.scheduler is not None and self.engine is not Runs.dask:
            raise typer.BadParameter("it needs --engine dask", param_hint="--scheduler")
        check_folder(self.out)
        if self.out is not None and self.out.suffix != ".parquet":
            raise typer.BadParameter("the file ends in .parquet", param_hint="--out")
        if self.out is None and not self.check:
            raise typer.BadParameter("it is missing: games are kept in a file", param_hint="--out")
        if self.out is not None:
            self._simulate(self.out)
        else:
            with TemporaryDirectory() as folder:
                self._simulate(Path(folder) / "games.parquet")

    def _simulate(self, out: Path) -> None:
        jobs = self.jobs or os.cpu_count() or 1
        rows: tuple[RowsOf, ...] = tuple(each.value for each in dict.fromkeys(self.rows or ()))
        plan = Plan(self.ruleset, self.scenario, self.variants, self.games, self.seed, rows=rows)
        plan = replace(plan, seats=bots_of(plan.loaded().players, self.seat)).settled()
        with progress(1, "native code"):
            plan, reason = fast(plan)
        targets = targets_of(table_of(plan)) if self.check else []
        if reason:
            played_in_python(reason)
        engine: Engine = partial(play, jobs=jobs)
        if self.engine is Runs.dask:
            engine = partial(on_dask, scheduler=self.scheduler, jobs=jobs)
        with progress(self.games, "games") as done:
            found = simulate(plan, table_of(plan), out, engine, self.force, done)
        told = summary(out) if found.games else None
        if self.out is None:
            found = replace(found, files=())
        seen = judged(targets, kept_values(out, targets)) if targets and found.games else []
        data = {
            "ruleset": self.ruleset, "seats": plan.seats, "wanted": self.games, "games": found.games,
            "kept_before": found.before, "files": found.files, "stopped": found.stopped,
            "failed": [{"seed": seed, "message": why} for seed, why in found.failed],
            "summary": None if told is None else as_data(told),
            "targets": [as_judged(each) for each in seen],
        }  # fmt: skip
        missed = any(each.answer == "missed" for each in seen)
        status = STOPPED if found.stopped else int(bool(found.failed) or missed)
        answer(self.format, data, _lines(plan, found, told, seen), status)


def _lines(plan: Plan, found: Simulated, told: Summary | None, seen: Sequence[Judged]) -> Iterator[str]:
    before = f", {found.before:,} of them from before" if found.before else ""
    yield f"{plan.loaded().name}: {some(found.games, 'game')} of {plan.games:,} kept{before}"
    if told is not None:
        is_scored = any(each.score for each in told.players)
        for each in told.players:
            low, high = each.interval
            won = f"wins {100 * each.share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
            yield f"  {each.title} ({each.bot}) {won}" + (f", {each.score:.1f} points" if is_scored else "")
        yield f"  {told.decisions:.0f} decisions a game"
        yield from (f"  {100 * share:.1f} % end: {title}" for title, share in told.endings)
    yield from judged_lines(seen)
    for seed, why in found.failed[:10]:
        yield f"FAILED: seed {seed}: {why}"
    if len(found.failed) > 10:
        yield f"FAILED: {len(found.failed) - 10:,} more; the column `failed` tells why"
    if found.stopped:
        yield "stopped before the end; the same command goes on"
    yield from (f"saved: {path}" for path in found.files)
