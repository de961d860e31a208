"""What all commands share: the choice of format, JSON on standard output, and errors as one clear message."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import typer

from .start import STOPPED as STOPPED


class Format(StrEnum):
    """How a command answers."""

    text = "text"
    """For people."""
    json = "json"
    """For programs: one JSON document on standard output."""


def print_json(data: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def explain(error: Exception) -> str | None:
    """The message for an error that is no mistake in this program; None for one that is."""
    from polis_rules.diagnostics import PolisError, RulesetError

    if isinstance(error, RulesetError):
        return str(error)
    if isinstance(error, OSError):
        if error.filename is None or error.strerror is None:
            return f"Error: {error}"
        return f"Error: {error.filename}: {error.strerror}"
    return f"Error: {error}" if isinstance(error, PolisError) else None


def forgive_odd_characters() -> None:
    """Let no character that a terminal cannot show, or a byte that is no text, end the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors=errors)


class _Once(logging.Handler):
    """Says each thing once, on standard error."""

    def __init__(self) -> None:
        super().__init__()
        self.said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text not in self.said:
            self.said.add(text)
            typer.echo(text, err=True)


@contextlib.contextmanager
def told_what_is_used() -> Iterator[None]:
    """Let the package say meanwhile which rulesets it uses: a folder, or a shipped one."""
    log, handler = logging.getLogger("polis_rules"), _Once()
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
