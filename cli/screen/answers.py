"""What a terminal still has to answer before keys are read from it."""

from __future__ import annotations

import os
import re
import time
from select import select

ABILITIES = b"\x1b[c"
"""Asks a terminal what it can do (DA1)."""
ASK, ANSWER = b"\x1b[5n", b"\x1b[0n"
"""Asks a terminal whether it is well (DSR), and that it is."""


def swallow_answers(reading: int, writing: int, seconds: float = 1.0, asking: bytes = b"") -> bytes:
    """Read what a terminal answers to earlier questions and to this one, at most for so long, so that it is not taken
    for keys.

    A terminal answers in order: so one more question is asked, and once that is answered nothing is left. Nothing is
    done where the two descriptors are no terminal.
    """
    if not (os.isatty(reading) and os.isatty(writing)):
        return b""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return b""
    before, end, read = termios.tcgetattr(reading), time.monotonic() + seconds, b""
    try:
        tty.setraw(reading)
        os.write(writing, asking + ASK)
        while ANSWER not in read and (left := end - time.monotonic()) > 0 and select([reading], [], [], left)[0]:
            read += os.read(reading, 1)
    finally:
        termios.tcsetattr(reading, termios.TCSANOW, before)
    return read


def shows_sixels(answers: bytes) -> bool:
    """Whether a terminal has answered that it shows Sixel: that is its fourth ability.

    >>> shows_sixels(b"\\x1b[?63;1;2;4;22c\\x1b[0n"), shows_sixels(b"\\x1b[?64;1;22c")
    (True, False)
    """
    found = re.search(rb"\x1b\[\?([\d;]+)c", answers)
    return found is not None and b"4" in found[1].split(b";")[1:]
