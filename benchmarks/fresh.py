"""Times of fresh processes: loading with and without a cache, the peers' start, `polis --help`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOAD = "import polis_rules; polis_rules.load('yucata').program(checks=False)"


def load_milliseconds(cache: Path) -> float:
    """Import, load and compile in a fresh process that keeps its cache in `cache`."""
    return inside_milliseconds(LOAD, {"POLIS_CACHE_DIR": str(cache)})


def cold_and_warm() -> tuple[float, float]:
    """Milliseconds to load with an empty cache, then once more from the cache just written."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        return load_milliseconds(cache), load_milliseconds(cache)


def inside_milliseconds(source: str, environment: dict[str, str] | None = None) -> float:
    """How long `source` takes in a fresh interpreter, without the interpreter's own start."""
    timed = f"import time; begin = time.perf_counter()\n{source}\nprint('seconds', time.perf_counter() - begin)"
    done = subprocess.run(
        [sys.executable, "-c", timed],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    return float(done.stdout.split()[-1]) * 1e3


def wall_milliseconds(command: list[str]) -> float:
    """How long a person waits for `command`."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - begin) * 1e3


def help_command() -> list[str] | None:
    """`polis --help` as installed beside this Python or on the path; None when it is not installed."""
    beside = Path(sys.executable).with_name("polis")
    found = str(beside) if beside.exists() else shutil.which("polis")
    return None if found is None else [found, "--help"]
