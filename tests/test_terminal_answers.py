"""What a terminal answers late is not taken for keys."""

from __future__ import annotations

import os
from threading import Thread
from time import sleep

import pytest
from polis_cli.screen.answers import ABILITIES, ASK, shows_sixels, swallow_answers

pytest.importorskip("termios")


def test_late_answers_are_read_and_keys_after_them_are_left() -> None:
    terminals, keys = os.openpty()

    def terminal() -> None:
        asked = b""
        while ASK not in asked:
            asked += os.read(terminals, 1)
        os.write(terminals, b"\x1b[?1;2c\x1b[0n" + b"7\n")

    answering = Thread(target=terminal)
    answering.start()
    swallow_answers(keys, keys, seconds=20)
    answering.join()
    assert os.read(keys, 10) == b"7\n"
    os.close(terminals)
    os.close(keys)


def test_a_question_of_ones_own_is_answered_too_however_late() -> None:
    """So it is known that a terminal shows Sixel, where the package that asks it gives up after a tenth of a second."""
    terminals, keys = os.openpty()

    def terminal() -> None:
        asked = b""
        while ASK not in asked:
            asked += os.read(terminals, 1)
        sleep(0.3)
        os.write(terminals, b"\x1b[?63;1;2;4;22c\x1b[0n" if ABILITIES in asked else b"\x1b[0n")

    answering = Thread(target=terminal)
    answering.start()
    assert shows_sixels(swallow_answers(keys, keys, seconds=20, asking=ABILITIES))
    answering.join()
    assert not shows_sixels(b"\x1b[?64;1;22c") and not shows_sixels(b"\x1b[?4c") and not shows_sixels(b"")
    os.close(terminals)
    os.close(keys)


def test_a_terminal_that_answers_nothing_is_not_waited_for_long() -> None:
    terminals, keys = os.openpty()
    swallow_answers(keys, keys, seconds=0)
    assert os.read(terminals, 10) == ASK
    os.close(terminals)
    os.close(keys)


def test_what_is_no_terminal_is_not_asked() -> None:
    reading, writing = os.pipe()
    swallow_answers(reading, writing)
    os.close(writing)
    assert os.read(reading, 10) == b""
    os.close(reading)
