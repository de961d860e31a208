"""Rows in Parquet files: written in parts that are whole or not there, put together at the end, and read again."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from polis_rules.board import Board
from polis_rules.diagnostics import PolisError, version
from polis_rules.lab.columns import Column, columns
from polis_rules.lab.games import LabError, Plan, Rows, Span, spans
from polis_rules.lab.rows import Batch
from polis_rules.lab.said import check
from polis_rules.lab.table import Table
from polis_rules.source import keep_others_out, write_whole

FORMAT = 1
"""The version of the files."""

LOCK = "lock"
"""The file of a folder of parts that is locked while somebody plays games for it."""

AT_ONCE = 20_000
"""So many rows are put together in one group of a file."""

KEY = b"polis"
"""Under this key a file says what was played."""

Metadata = dict[str, Any]


class NotInstalledError(PolisError):
    """A library is missing."""


def library(name: str) -> Any:
    """A part of pyarrow. Raises NotInstalledError."""
    try:
        return import_module(name)
    except ImportError:
        message = "keeping games in files needs pyarrow; install it with: pip install 'polis-rules[lab]'"
        raise NotInstalledError(message) from None


def file_of(out: Path, rows: Rows) -> Path:
    """The file of one sort of rows.

    >>> file_of(Path("results.parquet"), "rounds").name
    'results.rounds.parquet'
    """
    return out if rows == "games" else out.with_name(f"{out.stem}.{rows}{out.suffix}")


def what_is_played(plan: Plan, table: Table) -> Metadata:
    """What a settled plan plays, but for the number of games: games of the same may stand in one file."""
    ruleset = table.ruleset
    return {
        "format": FORMAT, "polis_rules": version(), "ruleset": ruleset.name, "title": ruleset.title,
        "scenario": ruleset.scenario, "variants": list(ruleset.variants),
        "settings": dict(ruleset.settings), "hash": ruleset.hash,
        "players": dict(ruleset.titles), "seats": list(plan.seats),
        "endings": dict(table.rules.endings), "first_seed": plan.seed, "rows": sorted({*plan.rows} - {"games"}),
        "at_the_end": [f"{each.name}: {each.text}" for each in table.rules.at_the_end],
    }  # fmt: skip


def how_it_looks(table: Table) -> Metadata:
    """What kinds, members and questions are called, and which kinds have an order.

    Also where members lie on the board: kind, id, title, place, and rims.
    """
    board = Board.of(table.ruleset)
    spots = [
        [
            each.kind, each.member, each.title, round(each.x, 4), round(each.y, 4),
            [[(round(x, 4), round(y, 4)) for x, y in rim] for rim in each.outline],
        ]
        for each in board.spots.values()
    ]  # fmt: skip
    known = table.rules.symbols.kinds
    return {
        "kinds": {name: kind.title for name, kind in known.items()},
        "members": {name: dict(zip(kind.members, kind.titles, strict=True)) for name, kind in known.items()},
        "ordered": {name: known[name].members for name in table.ordered},
        "questions": table.questions,
        "board": {"width": board.width, "height": board.height, "spots": spots},
    }


class Parts:
    """The games of a settled plan in files: a folder of parts while they are played, then whole files.

    Raises LabError where games of something else stand there, and NotInstalledError.
    """

    def __init__(self, plan: Plan, table: Table, out: Path, force: bool = False) -> None:
        self.plan, self.out = plan, out
        self.arrow, self.parquet = library("pyarrow"), library("pyarrow.parquet")
        self.sorts: tuple[Rows, ...] = ("games", *(each for each in plan.rows if each != "games"))
        self.columns: dict[Rows, list[Column]] = {each: columns(table, each) for each in self.sorts}
        self.played, self.table = what_is_played(plan, table), table
        self.folder = out.with_name(f"{out.name}.parts")
        self.lock: IO[bytes] | None = None
        if force:
            if self.folder.exists():
                self._lock()
            shutil.rmtree(self.folder, ignore_errors=True)
            for each in self.sorts:
                file_of(out, each).unlink(missing_ok=True)
        self._take_over()

    def _take_over(self) -> None:
        """Go on with what was kept before. Whole files become parts; whoever ends meanwhile loses none."""
        self.whole = self._whole_before()
        if self.whole >= self.plan.games:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        self.folder.mkdir(exist_ok=True)
        self._lock()
        plan_file = self.folder / "plan.json"
        if plan_file.exists() and not self.whole:
            try:
                before: Metadata = dict(json.loads(plan_file.read_text("utf-8")))
            except (ValueError, TypeError):
                raise LabError(f"{plan_file} is damaged; --force begins anew") from None
            self._compare(before, self.folder)
        else:
            moved = {sort: self._part(sort, (0, self.whole)) for sort in reversed(self.sorts)}
            for each in self.folder.iterdir():
                if each not in moved.values() and each.name != LOCK:
                    each.unlink()
            write_whole(plan_file, json.dumps(self.played))
            for sort, part in moved.items() if self.whole else ():
                if file_of(self.out, sort).exists():
                    file_of(self.out, sort).replace(part)
            self.whole = 0
        for each in self.folder.glob("*.tmp"):
            each.unlink()

    def _lock(self) -> None:
        """Let nobody else play into the same file; a lock ends with its process. Raises LabError."""
        self.close()
        path = self.folder / LOCK
        self.lock = path.open("wb")
        try:
            keep_others_out(self.lock, path, "locked")
        except BlockingIOError:
            raise LabError(f"another command plays games into {self.out} now") from None

    def close(self) -> None:
        """Let others play into the same file."""
        if self.lock is not None:
            self.lock.close()

    def _whole_before(self) -> int:
        """How many games whole files of the same have already; 0 where there are none, or parts go on from there.

        The file of the games is written last and moved last. Where it is whole, each other one is too, or was moved.
        """
        if not self.out.exists():
            return 0
        try:
            before = metadata(self.out)
        except LabError as error:
            raise LabError(f"{error}; --force begins anew") from None
        has_parts = (self.folder / "plan.json").exists()
        self._compare(before, self.out)
        if not before["whole"]:
            if not has_parts:
                raise LabError(f"{self.out} was stopped early, and its parts are gone; --force begins anew")
            return 0
        games: int = before["games"]
        for sort in self.sorts[1:]:
            beside = file_of(self.out, sort)
            if not beside.exists() and self._part(sort, (0, games)).exists():
                continue
            if not beside.exists() or not same_games(before, metadata(beside)):
                raise LabError(f"{beside} is missing, or of other games than {self.out}; --force begins anew")
        return games

    def _compare(self, before: Metadata, where: Path) -> None:
        for name, now in self.played.items():
            if before.get(name) != now:
                was = "other rules" if name == "hash" else f"{name.replace('_', ' ')} {_told(before.get(name))}"
                instead = "" if name == "hash" else f", not {_told(now)}"
                raise LabError(f"{where} holds games of {was}{instead}; --force throws them away")

    def _part(self, sort: Rows, span: Span) -> Path:
        return self.folder / f"{sort}-{span[0]:010}-{span[1]:010}.parquet"

    def done(self) -> list[Span]:
        """The games that are kept, in order. A part that cannot be read is thrown away."""
        if self.whole:
            return [(0, self.whole)]
        found, at = [], 0
        for part in sorted(self.folder.glob("games-*.parquet")):
            if match := re.fullmatch(r"games-(\d+)-(\d+)", part.stem):
                span = (int(match[1]), int(match[2]))
                if span[0] >= at and all(map(self._readable, (self._part(each, span) for each in self.sorts))):
                    found.append(span)
                    at = span[1]
                else:
                    part.unlink()
        return found

    def _readable(self, part: Path) -> bool:
        try:
            self.parquet.read_metadata(part)
        except (OSError, self.arrow.ArrowInvalid):
            return False
        return True

    def keep(self, batch: Batch) -> None:
        """Keep some games. Raises LabError where they cannot be written, as on a full disk."""
        try:
            self._keep(batch)
        except OSError as error:
            why = error.strerror or error
            raise LabError(f"{self.folder}: {why}; what was finished is kept, and the same command goes on") from None

    def _keep(self, batch: Batch) -> None:
        """Rows of the games themselves are written last, and say that all is there."""
        for sort in reversed(self.sorts):
            part = self._part(sort, (batch.begin, batch.end))
            new = part.with_suffix(".tmp")
            with new.open("wb") as file:
                self.parquet.write_table(self._arrow_table(sort, batch), file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
            new.replace(part)

    def _arrow_table(self, sort: Rows, batch: Batch) -> Any:
        rows: Sequence[object] = getattr(batch, sort)
        names = {"int32": self.arrow.int32, "int64": self.arrow.int64, "double": self.arrow.float64}
        arrays, fields = [], []
        for each in self.columns[sort]:
            kind = names.get(each.type, self.arrow.string)()
            about = {"unit": each.unit, "says": each.says, **each.about}
            fields.append(self.arrow.field(each.name, kind, metadata=about))
            arrays.append(self.arrow.array([each.value(row) for row in rows], kind))
        return self.arrow.table(arrays, schema=self.arrow.schema(fields))

    def finish(self) -> int:
        """Put the parts together, and throw them away if all games are there; how many there are."""
        if self.whole:
            return self.whole
        done = self.done()
        games = sum(end - begin for begin, end in done)
        whole = games >= self.plan.games
        said = {**self.played, **how_it_looks(self.table), "games": games, "whole": whole}
        for sort in reversed(self.sorts) if done else ():
            self._join(sort, done, {**said, "sort": sort})
        if whole:
            shutil.rmtree(self.folder)
        self.close()
        return games

    def _join(self, sort: Rows, done: Sequence[Span], said: Metadata) -> None:
        target = file_of(self.out, sort)
        new = self.folder / f"{sort}.tmp"
        schema = self.parquet.read_schema(self._part(sort, done[0]))
        schema = schema.with_metadata({KEY: json.dumps(said).encode()})
        with self.parquet.ParquetWriter(new, schema, compression="zstd") as writer:
            for group in _groups([self._part(sort, span) for span in done]):
                writer.write_table(self.arrow.concat_tables(group).cast(schema), row_group_size=AT_ONCE)
        with new.open("rb") as file:
            os.fsync(file.fileno())
        new.replace(target)


def _groups(parts: Sequence[Path]) -> Iterator[list[Any]]:
    """The tables of some parts, so many at once as make a group of rows. Raises LabError where one is damaged."""
    group: list[Any] = []
    for part in parts:
        remedy = "delete it, and the same command plays its games again"
        with reading(part, remedy):
            file = library("pyarrow.parquet").ParquetFile(part)
        for number in range(file.num_row_groups):
            with reading(part, remedy):
                group.append(file.read_row_group(number).replace_schema_metadata(None))
            if sum(each.num_rows for each in group) >= AT_ONCE:
                yield group
                group = []
    if group:
        yield group


@contextmanager
def reading(path: Path, remedy: str) -> Iterator[None]:
    """Say of a file of rows that it is damaged where it cannot be read. Raises LabError."""
    try:
        yield
    except (library("pyarrow").ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system does not let it be read
        raise LabError(f"{path} is damaged ({error}); {remedy}") from None


def table_in(path: Path, columns: Sequence[str] | None = None) -> Any:
    """A file of rows as a table, or some columns of it. Raises LabError where it is damaged."""
    with reading(path, "polis simulate --force makes it anew"):
        return library("pyarrow.parquet").read_table(path, columns=columns)


def same_games(one: Metadata, other: Metadata) -> bool:
    """Whether two files of rows are of the same games, as they say themselves."""
    return all(one.get(name) == other.get(name) for name in ("hash", "seats", "first_seed", "games"))


def _told(value: object) -> str:
    if isinstance(value, dict):
        value = [f"{name}={each}" for name, each in value.items()]
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def metadata(path: Path) -> Metadata:
    """What a file of rows says of itself. Raises LabError where it says nothing, or is not whole; OSError."""
    arrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    with path.open("rb") as file:
        try:
            kept = parquet.read_schema(file).metadata or {}
        except (arrow.ArrowException, OSError):
            raise LabError(f"{path} is no whole Parquet file: it may be half written") from None
    try:
        said: Metadata = json.loads(kept[KEY])
        if said["format"] != FORMAT:
            raise LabError(f"{path} is of another version of polis-rules")
        check(said)
    except (KeyError, ValueError, TypeError):
        raise LabError(f"{path} was not written by polis simulate") from None
    return said


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of playing a plan into files."""

    games: int
    """how many are kept"""
    before: int
    """how many of these were kept before"""
    failed: tuple[tuple[int, str], ...]
    """the seeds of games without an end, and why"""
    stopped: bool
    files: tuple[Path, ...]


Engine = Callable[[Plan, Sequence[Span]], Iterator[Batch]]
"""What plays some spans of a settled plan."""


def simulate(
    plan: Plan,
    table: Table,
    out: Path,
    engine: Engine,
    force: bool = False,
    progress: Callable[[int], None] = lambda number: None,
) -> Simulated:
    """Play the games of a settled plan that are not kept yet, and keep them.

    Ctrl-C ends early with what was played so far; what else ends it leaves the parts, and the next call goes on.
    """
    parts = Parts(plan, table, out, force)
    done = parts.done()
    before = games = sum(end - begin for begin, end in done)
    stopped = False
    progress(games)
    try:
        for batch in engine(plan, spans(plan, done)):
            parts.keep(batch)
            games += batch.end - batch.begin
            progress(games)
    except KeyboardInterrupt:
        stopped = True
    except BaseException:
        parts.close()
        raise
    games = parts.finish()
    files = tuple(file_of(out, each) for each in parts.sorts) if games else ()
    return Simulated(games, before, failures(out) if games else (), stopped, files)


def failures(path: Path) -> tuple[tuple[int, str], ...]:
    """The seeds of games without an end in a file of games, and why they have none."""
    table = table_in(path, ["seed", "failed"])
    found: Mapping[str, list[Any]] = table.filter(library("pyarrow.compute").is_valid(table["failed"])).to_pydict()
    return tuple(zip(found["seed"], found["failed"], strict=True))
