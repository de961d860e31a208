"""`polis simulate`: games of bots in Parquet files, which nothing that happens meanwhile breaks."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from support.command import Polis, command

import polis_rules
from polis_rules.composition import shipped
from polis_rules.lab import (
    Batch,
    LabError,
    Plan,
    Span,
    file_of,
    metadata,
    play,
    report,
    simulate,
    spans,
    summary,
    table_of,
)

polars = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

polis = pytest.fixture(command)

SHELF = Path(__file__).parent / "rulesets"
ROOT = SHELF.parents[1]
LEDUC = Plan(SHELF / "leduc", games=24, seats=("mcts:5", "mcts:5"), rows=("decisions",)).settled()
RANDOM = ("--seat", "athens=random", "--seat", "sparta=random")


def rows(out: Path, sort: Any = "games") -> Any:
    return polars.read_parquet(file_of(out, sort))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of games that were played without an interruption."""
    out = tmp_path_factory.mktemp("whole") / "results.parquet"
    simulate(LEDUC, table_of(LEDUC), out, play)
    return out


def interrupted(error: type[BaseException], plan: Plan, wanted: Sequence[Span]) -> Iterator[Batch]:
    """Plays the first portion of games, and then fails."""
    yield from play(plan, wanted[:1])
    raise error


def test_after_a_failure_games_go_on_where_they_were_and_come_out_the_same(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    table = table_of(LEDUC)
    with pytest.raises(RuntimeError):
        simulate(LEDUC, table, out, partial(interrupted, RuntimeError))
    assert not out.exists()
    found = simulate(LEDUC, table, out, play)
    assert (found.before, found.games) == (8, 24)
    assert rows(out).equals(rows(whole))
    assert rows(out, "decisions").equals(rows(whole, "decisions"))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["results.decisions.parquet", "results.parquet"]


def test_ctrl_c_keeps_what_is_finished(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    found = simulate(LEDUC, table_of(LEDUC), out, partial(interrupted, KeyboardInterrupt))
    assert found.stopped
    assert rows(out).equals(rows(whole).head(8))
    simulate(LEDUC, table_of(LEDUC), out, play)
    assert rows(out).equals(rows(whole))


def test_a_part_that_is_broken_is_played_again(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    simulate(LEDUC, table_of(LEDUC), out, partial(interrupted, KeyboardInterrupt))
    part = next((tmp_path / "results.parquet.parts").glob("decisions-*.parquet"))
    part.write_bytes(part.read_bytes()[:100])
    assert simulate(LEDUC, table_of(LEDUC), out, play).before == 0
    assert rows(out, "decisions").equals(rows(whole, "decisions"))


class Killed(BaseException):
    """What nobody expects."""


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process end at the file operation of this number, which moves or takes away something."""
    done = count()

    def counted(real: Callable[..., None]) -> Callable[..., None]:
        def one(*args: Any, **more: Any) -> None:
            if next(done) == step:
                raise Killed
            real(*args, **more)

        return one

    for name in ("mkdir", "replace", "unlink", "rmdir"):
        monkeypatch.setattr(os, name, counted(getattr(os, name)))


def test_a_file_that_is_extended_loses_no_game_at_whichever_point_that_ends(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is taken apart, played on, put together, and its parts are thrown away: each step may be the last."""
    fewer, ended = replace(LEDUC, games=16), 0
    for step in count():
        out = tmp_path / f"{step}.parquet"
        simulate(fewer, table_of(fewer), out, play)
        with monkeypatch.context() as patched:
            killed_at(step, patched)
            try:
                simulate(LEDUC, table_of(LEDUC), out, play)
                break
            except Killed:
                ended += 1
        assert simulate(LEDUC, table_of(LEDUC), out, play).before >= 16
        assert rows(out).equals(rows(whole))
        assert rows(out, "decisions").equals(rows(whole, "decisions"))
        assert not out.with_name(f"{out.name}.parts").exists()
    assert ended > 8


def test_a_file_without_that_of_its_decisions_is_left_alone(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    out.write_bytes(whole.read_bytes())
    for _ in range(2):
        with pytest.raises(LabError, match=r"results.decisions.parquet is missing"):
            simulate(replace(LEDUC, games=32), table_of(LEDUC), out, play)
        assert out.read_bytes() == whole.read_bytes()


def test_two_commands_do_not_play_into_one_file(tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"

    def another(plan: Plan, wanted: Sequence[Span]) -> Iterator[Batch]:
        with pytest.raises(LabError, match="another command plays games into"):
            simulate(LEDUC, table_of(LEDUC), out, play)
        yield from play(plan, wanted)

    assert simulate(LEDUC, table_of(LEDUC), out, another).games == 24


def test_a_damaged_file_is_told_by_its_name(whole: Path, tmp_path: Path) -> None:
    out, data = tmp_path / "results.parquet", bytearray(whole.read_bytes())
    data[200:1500] = bytes(1300)
    out.write_bytes(data)
    with pytest.raises(LabError, match=r"results.parquet is damaged"):
        report(out)


def test_what_is_whole_is_not_played_again(whole: Path) -> None:
    def nothing(plan: Plan, wanted: Sequence[Span]) -> Iterator[Batch]:
        assert not wanted
        yield from ()

    assert simulate(LEDUC, table_of(LEDUC), whole, nothing).before == 24


def test_a_file_says_what_was_played_and_what_its_columns_are(whole: Path) -> None:
    """Hash, version, seeds and bots; each column's unit and meaning."""
    said = metadata(whole)
    assert said["hash"] == LEDUC.loaded().hash
    assert (said["seats"], said["first_seed"], said["games"]) == (["mcts:5", "mcts:5"], 0, 24)
    from pyarrow.parquet import read_schema

    for sort in ("games", "decisions"):
        for field in read_schema(file_of(whole, sort)):
            assert field.metadata[b"unit"] and field.metadata[b"says"], field.name


def test_columns_of_what_was_taken_add_up_to_the_decisions(whole: Path) -> None:
    """In a game in which all that is chosen is one of several named ways, or a member."""
    found = rows(whole)
    taken = [name for name in found.columns if name.startswith("uses__")]
    assert found.select(polars.sum_horizontal(taken)).to_series().equals(found["decisions"], check_names=False)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"ruleset": SHELF / "goofspiel"}, "ruleset leduc"),
        ({"seats": ("random", "random")}, "seats mcts:5, mcts:5, not random, random"),
        ({"seed": 7}, "first seed 0, not 7"),
    ],
)
def test_a_file_of_other_games_is_left_alone(whole: Path, changed: dict[str, Any], message: str) -> None:
    before = whole.read_bytes()
    plan = Plan(**({"ruleset": LEDUC.ruleset, "seats": LEDUC.seats, "rows": LEDUC.rows} | changed)).settled()
    with pytest.raises(LabError, match=message):
        simulate(plan, table_of(plan), whole, play)
    assert whole.read_bytes() == before


def test_a_file_of_another_variant_is_told_by_its_name(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    plain, large = (
        Plan(SHELF / "harbours", games=1, variants=laid, seats=("random", "random")).settled()
        for laid in ((), ("big_days",))
    )
    simulate(plain, table_of(plain), out, play)
    with pytest.raises(LabError, match="holds games of variants none, not big_days"):
        simulate(large, table_of(large), out, play)


def test_a_half_written_file_is_told(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    out.write_bytes(whole.read_bytes()[:500])
    with pytest.raises(LabError, match="half written; --force begins anew"):
        simulate(LEDUC, table_of(LEDUC), out, play)


@pytest.mark.parametrize("odd", [{"players": 7}, {"endings": None}, {"games": "many"}, {"board": None}])
def test_a_file_that_says_odd_things_of_itself_is_told(whole: Path, tmp_path: Path, odd: dict[str, Any]) -> None:
    parquet, out = pytest.importorskip("pyarrow.parquet"), tmp_path / "results.parquet"
    said = json.dumps({**metadata(whole), **odd}).encode()
    parquet.write_table(parquet.read_table(whole).replace_schema_metadata({"polis": said}), out)
    with pytest.raises(LabError, match="was not written by polis simulate"):
        report(out)


def test_a_damaged_plan_of_parts_is_told(tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    plan = tmp_path / "results.parquet.parts" / "plan.json"
    plan.parent.mkdir()
    plan.write_text("[1", "utf-8")
    with pytest.raises(LabError, match=r"plan.json is damaged; --force begins anew"):
        simulate(LEDUC, table_of(LEDUC), out, play)


def test_the_summary_counts_wins_and_endings(whole: Path) -> None:
    found, told = rows(whole), summary(whole)
    for each in told.players:
        assert each.share == pytest.approx(found[f"share__{each.player}"].mean())
        assert each.interval[0] < each.share < each.interval[1]
    assert sum(share for _, share in told.endings) == pytest.approx(1)


def test_the_command_plays_and_says_how_it_went(polis: Polis, tmp_path: Path) -> None:
    out = tmp_path / "results.parquet"
    told = polis("simulate", "yucata", "--games", "5", *RANDOM, "--jobs", "1", "--out", str(out), "--format", "json")
    assert told.status == 0
    data = told.data
    assert (data["games"], data["seats"], data["failed"]) == (5, ["random", "random"], [])
    assert rows(out).height == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seat", "thebes=random"), "there is no player thebes"),
        (("--seat", "athens=human"), "people play no such games"),
        (("--seat", "athens=deep_blue"), "nobody called"),
        (("--scheduler", "tcp://1.2.3.4:8786"), "it needs --engine dask"),
    ],
)
def test_what_cannot_be_played_is_refused(polis: Polis, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    told = polis("simulate", "yucata", *options, "--out", str(tmp_path / "results.parquet"))
    assert told.status == 2
    assert message in " ".join(told.err.split())


@pytest.mark.slow  # compiles all rulesets
@pytest.mark.parametrize("name", [each.name for each in shipped()])
def test_games_of_every_shipped_ruleset_can_be_kept_and_reported(name: str, tmp_path: Path) -> None:
    ruleset, out = polis_rules.load(name), tmp_path / "results.parquet"
    sorts: tuple[Any, ...] = ("decisions", "rounds") if ruleset.rules().rounds is not None else ("decisions",)
    plan = Plan(name, games=3, seats=("random",) * len(ruleset.players), rows=sorts).settled()
    assert simulate(plan, table_of(plan), out, play).failed == ()
    assert report(out).count("<svg") > 4


@pytest.mark.slow  # waits for processes
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_after_a_kill_or_ctrl_c_no_game_is_lost_or_played_twice(how: signal.Signals, tmp_path: Path) -> None:
    """It ends soon; with Ctrl-C there is a file, and the status says why."""
    plan = Plan(SHELF / "leduc", games=120, seats=("mcts:40", "mcts:40")).settled()
    out = tmp_path / "results.parquet"
    seats = [each for player in plan.loaded().players for each in ("--seat", f"{player}=mcts:40")]
    command = [sys.executable, "-m", "polis_cli", "simulate", str(plan.ruleset), "--games", "120", *seats]
    command += ["--jobs", "2", "--out", str(out)]
    with subprocess.Popen(
        command, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in the background of a shell it is ignored
    ) as running:  # fmt: skip
        parts = tmp_path / "results.parquet.parts"
        while running.poll() is None and len(list(parts.glob("games-*.parquet"))) < 3:
            time.sleep(0.01)
        os.killpg(running.pid, how)
        status = running.wait(10)
    assert (status, out.exists()) == ((130, True) if how == signal.SIGINT else (-how, False))
    assert 24 <= simulate(plan, table_of(plan), out, play).before < 120
    found = rows(out)
    assert found["game"].to_list() == list(range(120))
    again = tmp_path / "again.parquet"
    simulate(plan, table_of(plan), again, play)
    assert found.equals(rows(again))


@pytest.mark.slow  # starts processes
def test_a_killed_process_costs_no_game(whole: Path, tmp_path: Path) -> None:
    """Another one plays what it was playing, and the rows are the same."""

    def killing(plan: Plan, wanted: Sequence[Span]) -> Iterator[Batch]:
        batches = play(plan, wanted, jobs=2)
        yield next(batches)
        victim = multiprocessing.active_children()[0]
        os.kill(victim.pid or 0, signal.SIGKILL)
        yield from batches

    out = tmp_path / "results.parquet"
    assert simulate(LEDUC, table_of(LEDUC), out, killing).games == 24
    assert rows(out).equals(rows(whole))


@pytest.mark.slow  # starts processes
def test_games_that_end_every_process_are_told_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's native code may end its process."""
    monkeypatch.setattr("polis_rules.verification.workers._serve", serve_one)
    out = tmp_path / "results.parquet"
    with pytest.raises(LabError, match=r"ended twice at the same work .*What was finished is kept"):
        simulate(LEDUC, table_of(LEDUC), out, partial(play, jobs=2))
    monkeypatch.undo()
    assert simulate(LEDUC, table_of(LEDUC), out, play).before >= 8


def serve_one(work: Callable[[Any], Batch], connection: Connection) -> None:
    """A process that dies of every portion but the first."""
    while (task := connection.recv())[1] == 0:
        connection.send_bytes(pickle.dumps((True, work(task))))
    os.kill(os.getpid(), signal.SIGUSR1)


@pytest.mark.slow  # plays 20,000 games
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not tell so what a process has")
def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    """What all processes have is told at a fifth of the games and at the end."""
    plan = replace(LEDUC, games=20_000, seats=("random", "random"), rows=())
    taken: dict[int, float] = {}

    def progress(games: int) -> None:
        if games in (4_000, 20_000):
            pids = [os.getpid(), *(each.pid for each in multiprocessing.active_children())]
            held = (int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
            taken[games] = sum(held) * resource.getpagesize() / 1e6

    simulate(plan, table_of(plan), tmp_path / "results.parquet", partial(play, jobs=2), progress=progress)
    assert taken[20_000] < taken[4_000] + 8


def test_every_span_is_played_once() -> None:
    plan = Plan("yucata", games=1000, seats=("random", "random"))
    found = spans(plan, [(200, 350)])
    assert [game for begin, end in found for game in range(begin, end)] == [*range(200), *range(350, 1000)]
