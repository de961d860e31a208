"""What all commands share: the choice of format, JSON on standard output, and errors as one clear message."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

STOPPED = 130
"""The exit status after Ctrl-C or SIGTERM."""

WIDTH = 110
"""Longer lines are not read well."""
LEAST_WIDTH = 40
"""A terminal with less room, or one that does not say how much it has, breaks lines by itself."""


class Format(StrEnum):
    """How a command answers."""

    text = "text"
    """For people."""
    json = "json"
    """For programs: one JSON document on standard output."""


def shown(path: object) -> str:
    """A file's name on one line: a line break in it is no end of a line, and nothing a terminal would obey."""
    from polis_rules.diagnostics import printable

    return printable(str(path))


def say(text: str, err: bool = False) -> None:
    """Print lines, and nothing in them that a terminal would obey."""
    from polis_rules.diagnostics import printable

    typer.echo("\n".join(map(printable, text.split("\n"))), err=err)


def say_on_terminal(text: str) -> None:
    """Print lines; a terminal that has no room for one gets it in several, and does not break words."""
    room = _terminal_width()
    for line in text.split("\n"):
        if room and len(line) > room:
            indent = line[: len(line) - len(line.lstrip())]
            say("\n".join(wrapped(line, room, "", f"{indent}  ")))
        else:
            say(line)


def line_width() -> int:
    """How long lines for people are: as long as is read well, or as the terminal has room for."""
    return min(WIDTH, _terminal_width() or WIDTH)


def _terminal_width() -> int:
    """How many columns the terminal has; 0 where there is none, or one that breaks lines as it likes."""
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError, AttributeError):  # no standard output at all has no `fileno` either
        return 0
    return columns if columns >= LEAST_WIDTH else 0


def wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    """Lines of a text, no longer than a width unless a word is."""
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def as_data(value: Any) -> Any:
    """A dataclass as JSON has it, and anything else as text."""
    if not is_dataclass(value):
        return str(value)
    data: dict[str, Any] = {}
    for name, each in ((field.name, getattr(value, field.name)) for field in fields(value)):
        data |= place(each) if name == "span" else {name: each}
    return data


def place(span: Any) -> dict[str, Any]:
    """A place as JSON has it; each part is null where there is none."""
    return {part: getattr(span, part, None) for part in ("file", "line", "column", "end_line", "end_column")}


def as_json(data: Any) -> str:
    """One JSON document."""
    text = json.dumps(data, indent=2, ensure_ascii=False, default=as_data)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def print_json(data: Any) -> None:
    """Print one JSON document."""
    typer.echo(as_json(data))


def answer(format: Format, data: Any, lines: Iterable[str], status: int = 0) -> None:
    """Print what a command has found, as data or as lines, and leave it there if its exit status is not 0."""
    if format is Format.json:
        print_json(data)
    else:
        for line in lines:
            say_on_terminal(line)
    if status:
        raise typer.Exit(status)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How games ended that are told together, and the file that holds what came of them."""

    stopped: bool
    """by Ctrl-C"""
    lost: str
    """why no more could be played, if so"""
    out: Path | None
    is_written: bool

    def lines(self) -> Iterator[str]:
        """What is said of it."""
        if self.lost:
            yield f"FAILED: {self.lost}"
        if self.stopped:
            yield "stopped before the end"
        if self.out is not None and self.is_written:
            yield f"saved: {shown(self.out)}"

    def status(self, is_wrong: bool) -> int:
        """The exit status: also 1 where something else is wrong."""
        return STOPPED if self.stopped else int(is_wrong or bool(self.lost) or not self.is_written)


def check_folder(out: Path | None) -> None:
    """Complain before long work, not after it, that what comes of it could not be written."""
    wrong = None
    if out is None:
        return
    if not out.parent.is_dir():
        wrong = f"there is no folder {out.parent}"
    elif os.path.isdir(out):  # noqa: PTH112 - it takes a name that is too long for one that is not there
        wrong = f"{out} is a folder"
    elif not os.access(out.parent, os.W_OK):
        wrong = f"nothing can be written into the folder {out.parent}"
    if wrong is not None:
        raise typer.BadParameter(wrong, param_hint="--out")


def written(out: Path | None, text: str) -> bool:
    """Write what long work has found to a file, if one is named. Where that fails it is said: it is told as well."""
    from polis_rules.source import write_whole

    try:
        if out is not None:
            write_whole(out, text)
    except OSError as error:
        say(explain(error) or "", err=True)
        return False
    return True


def explain(error: Exception) -> str | None:
    """The message for an error that is no mistake in this program; None for one that is."""
    from polis_rules.diagnostics import PolisError, RulesetError

    if isinstance(error, RulesetError):
        return str(error)
    if isinstance(error, OSError):
        if error.filename is None:
            return f"Error: {error.strerror or error}"
        return f"Error: {shown(error.filename)}: {error.strerror}"
    return f"Error: {error}" if isinstance(error, PolisError) else None


def forgive_odd_characters() -> None:
    """Let no character that a terminal cannot show, or a byte that is no text, end the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors=errors)
                if stream is sys.stdout and not stream.isatty():
                    stream.reconfigure(encoding="utf-8")  # what a file or a program gets is read back as UTF-8


class _Once(logging.Handler):
    """Says each thing once, on standard error."""

    def __init__(self) -> None:
        super().__init__()
        self.said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text not in self.said:
            self.said.add(text)
            say(text, err=True)


@contextlib.contextmanager
def told_what_is_used() -> Iterator[None]:
    """Let the package say meanwhile which rulesets it uses: a folder, or a shipped one."""
    log, handler = logging.getLogger("polis_rules"), _Once()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
