"""Keep what was compiled, keyed by the content of every file it came from and by this package itself."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

MOST_FILES = 60
"""How many entries are kept; the oldest go first."""


def folder() -> Path:
    """Where entries are kept: POLIS_CACHE_DIR, or the platform's place for caches."""
    if named := os.environ.get("POLIS_CACHE_DIR"):
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "polis-rules"


@cache
def engine_key() -> str:
    """A key of the compiler itself: another Python or another state of this package compiles anew."""
    digest = hashlib.sha256(sys.version.encode())
    home = Path(__file__).parent
    for path in sorted(home.rglob("*.py")):
        found = path.stat()
        digest.update(f"{path.relative_to(home)} {found.st_size} {found.st_mtime_ns}".encode())
    return digest.hexdigest()


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
    """What was stored under a key, or None. Files of other users are never read: a pickle can run code."""
    if _UNUSED:
        return None
    path = _path(key, name)
    try:
        if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
            return None
        return pickle.loads(path.read_bytes())
    except Exception:  # a damaged entry is as good as none
        return None


def store(key: str, name: str, value: object) -> None:
    """Store a value; a cache that cannot be written is no error."""
    if _UNUSED:
        return
    path = _path(key, name)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                pickle.dump(value, file, protocol=pickle.HIGHEST_PROTOCOL)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        _prune(path.parent)


def _prune(home: Path) -> None:
    entries = sorted(home.glob("*.pickle"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in entries[MOST_FILES:]:
        path.unlink(missing_ok=True)
