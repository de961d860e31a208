"""Keys are answered while a bot thinks in another thread of the same interpreter."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

IN_TURNS = 0.0005
"""After so many seconds the thread that thinks lets the screen go on. Each key needs several such turns."""


@contextmanager
def answering() -> Iterator[None]:
    """Let threads take short turns, and let no search for garbage look through all that is there already."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(IN_TURNS)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)
