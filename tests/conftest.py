"""Lets the tests run in a source checkout that is not installed; an installed package is tested as it is.

What holds for any input is tried with few inputs in each run; every run tries others.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from support.editor import Editor

gc.set_threshold(50_000, 50, 100)  # as in the commands: trees of rules are large and hold hardly any circles

settings.register_profile("few", max_examples=40, deadline=None)
settings.load_profile("few")

if find_spec("polis_cli") is None:
    checkout = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(checkout), str(checkout / "dev")]


LARGEST = "hellenes_training"
LONG = {
    "test_bots",
    "test_case_writing",
    "test_lints",
    "test_native",
    "test_reading",
    "test_reference_engine",
    "test_sheets",
}
"""Where slow tests of the largest ruleset take as long as those of all others: they are exhaustive."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if LARGEST in item.name and item.path.stem in LONG and item.get_closest_marker("slow"):
            item.add_marker("exhaustive")


@pytest.fixture
def editor(home: Path, request: pytest.FixtureRequest) -> Iterator[Editor]:
    """An editor of the folder `home`; its parameter may be the encodings that it offers."""
    from support.editor import Editor

    editor = Editor()
    editor.start(home, getattr(request, "param", ("utf-16",)))
    yield editor
    editor.stop()
