"""Keep what was compiled, keyed by the content of every file it came from and by this package itself.

An entry is a pickle, and a pickle can run code: entries are only read from a folder and a file that belong to this
user and that nobody else can write. A checksum tells a damaged entry, which is made anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from polis_rules.pickles import dumps
from polis_rules.source import write_whole

MOST_BYTES = 400_000_000
"""How much is kept, which is enough for all scenarios of both editions with each variant, to play and to prove; what
was not used for the longest time goes first."""

_MAGIC = b"polis-rules cache 1\n"
_OWNED = hasattr(os, "getuid")


def folder() -> Path:
    """Where entries are kept: POLIS_CACHE_DIR, or the platform's place for caches."""
    if named := os.environ.get("POLIS_CACHE_DIR"):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("polis-rules", appauthor=False)


@cache
def engine_key() -> str:
    """A key of the compiler itself: another Python or another state of this package compiles anew."""
    digest = hashlib.sha256(sys.version.encode())
    for path, status in sorted(_sources(str(Path(__file__).parent), "")):
        # some package managers give every file the same time of change, but nobody can set that of st_ctime
        digest.update(f"{path} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}".encode())
    return digest.hexdigest()


def _sources(folder: str, inside: str) -> Iterator[tuple[str, os.stat_result]]:
    """The Python files in a folder and below it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield inside + entry.name, entry.stat()
            elif entry.is_dir():
                yield from _sources(entry.path, f"{inside}{entry.name}/")


def _path(key: str, name: str) -> Path:
    digest = hashlib.sha256(f"{engine_key()} {key} {name}".encode()).hexdigest()
    return folder() / f"{digest[:40]}.pickle"


_UNUSED: list[None] = []
"""Not empty while the cache is left alone."""


@contextmanager
def unused() -> Iterator[None]:
    """Neither read nor write meanwhile: for rules that are tried once and would only push others out."""
    _UNUSED.append(None)
    try:
        yield
    finally:
        _UNUSED.pop()


def fetch(key: str, name: str) -> Any | None:
    """What was stored under a key, or None."""
    if _UNUSED:
        return None
    try:
        path = _path(key, name)
        if not _may_be_trusted(path.parent.lstat(), stat.S_ISDIR):
            return None
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            if not _may_be_trusted(os.fstat(handle), stat.S_ISREG):
                return None
            raw = file.read()
        begin = len(_MAGIC) + 32
        if raw[:begin] != _MAGIC + hashlib.sha256(memoryview(raw)[begin:]).digest():
            return None
        value = pickle.loads(memoryview(raw)[begin:])
        with suppress(OSError):  # a folder may be there to be read alone
            os.utime(path)
        return value
    except Exception:  # a damaged entry is as good as none
        return None


def store(key: str, name: str, value: object) -> None:
    """Store a value; a cache that cannot be written is no error."""
    if _UNUSED:
        return
    payload = dumps(value)
    with suppress(OSError, RuntimeError):  # RuntimeError: there is no home folder
        path = _path(key, name)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _may_be_trusted(path.parent.lstat(), stat.S_ISDIR):
            return
        write_whole(path, _MAGIC + hashlib.sha256(payload).digest() + payload)
        _prune(path.parent)


def _may_be_trusted(status: os.stat_result, kind: Any) -> bool:
    """Whether something is what it should be and no link, belongs to this user, and can be written by nobody else."""
    return kind(status.st_mode) and (not _OWNED or (status.st_uid == os.getuid() and not status.st_mode & 0o022))


def _prune(home: Path) -> None:
    """Remove what was not used for the longest time, also what a process that was killed left half written."""
    entries = []
    with os.scandir(home) as files:
        for file in files:
            if ".pickle" in file.name:
                with suppress(OSError):  # another process may have removed it
                    status = file.stat(follow_symlinks=False)
                    entries.append((status.st_mtime_ns, status.st_size, file.path))
    kept = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries) if kept > MOST_BYTES else ():
        if kept > MOST_BYTES:
            Path(path).unlink(missing_ok=True)
        kept -= size
