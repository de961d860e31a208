"""A game written down while it is played, so that a killed process loses at most the decision being made."""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from polis_rules.interpreter.game import Game, LogEntry
from polis_rules.play.transcript import End, Transcript, as_data, dump, line_of, write
from polis_rules.source import keep_others_out

BUSY = "another process records a game in this file"


class Recorder:
    """Keeps a transcript file in step with a game: `update` after each decision.

    The file holds whole lines at any moment, whatever happens to this process, and each entry is on the disk before
    the next decision is asked for. What is taken back in the game goes from the file too. Raises OSError, also where
    another process records a game in this file at the same time.
    """

    def __init__(self, path: Path, begin: Transcript) -> None:
        with path.open("rb") if path.is_file() else nullcontext() as before:
            if before is not None:
                keep_others_out(before, path, BUSY)
            write(path, begin)
            self._file: IO[bytes] = path.open("r+b")
            keep_others_out(self._file, path, BUSY)
        self._path = path
        self._recognizable = self._in_place()  # some file systems call a file otherwise each time
        head = len(dump(replace(begin, entries=(), final_hash=None, result=None)).encode())
        self._entries: list[LogEntry] = []
        self._ends = [head]
        """where the file ends after each number of entries"""
        self._note(list(begin.entries))
        os.fsync(self._file.fileno())

    @property
    def lost(self) -> bool:
        """Whether the file was deleted or replaced from outside, so that nobody can find what is written any more."""
        return self._recognizable and not self._in_place()

    def _in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except OSError:
            return False

    def _note(self, entries: list[LogEntry]) -> bytes:
        """Count entries as written; their text."""
        lines = [line_of(entry).encode() for entry in entries]
        for entry, line in zip(entries, lines, strict=True):
            self._entries.append(entry)
            self._ends.append(self._ends[-1] + len(line))
        return b"".join(lines)

    def update(self, game: Game) -> None:
        """Write what has happened since the last time; after the end of the game, how it ended."""
        log = game.log
        same = min(len(log), len(self._entries))
        while same and log[same - 1] is not self._entries[same - 1]:
            same -= 1
        if same < len(self._entries):
            del self._entries[same:], self._ends[same + 1 :]
            self._file.truncate(self._ends[-1])
        self._file.seek(self._ends[-1])
        text = self._note(list(log[same:]))
        if game.result is not None:
            text += line_of(as_data(End(len(log), game.hash(), game.result))).encode()
        self._file.write(text)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Nothing more is written."""
        with suppress(OSError):  # `update` has raised it already
            self._file.close()
