"""What a terminal still has to answer before keys are read from it."""

from __future__ import annotations

import os
import time
from select import select

ASK, ANSWER = b"\x1b[5n", b"\x1b[0n"
"""Asks a terminal whether it is well (DSR), and that it is."""


def swallow_answers(reading: int, writing: int, seconds: float = 1.0) -> None:
    """Read what a terminal answers to earlier questions, at most for so long, so that it is not taken for keys.

    A terminal answers in order: so one more question is asked, and once that is answered nothing is left. Nothing is
    done where the two descriptors are no terminal.
    """
    if not (os.isatty(reading) and os.isatty(writing)):
        return
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return
    before, end, read = termios.tcgetattr(reading), time.monotonic() + seconds, b""
    try:
        tty.setraw(reading)
        os.write(writing, ASK)
        while ANSWER not in read and (left := end - time.monotonic()) > 0 and select([reading], [], [], left)[0]:
            read += os.read(reading, 1)
    finally:
        termios.tcsetattr(reading, termios.TCSANOW, before)
