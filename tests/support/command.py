"""The command line, run in this process as an installed `polis` would be."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from polis_cli.main import app, main
from typer.main import get_command


def commands() -> dict[str, Any]:
    """Every command of `polis` by its name."""
    group: Any = get_command(app)
    return {name: group.get_command(None, name) for name in group.list_commands(None)}


class Outcome(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Polis = Callable[..., Outcome]


def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    """What runs a command line and tells what came of it."""

    def call(*arguments: object, typed: str = "") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["polis", *(str(each) for each in arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            main()
            status: int | str | None = 0
        except SystemExit as leave:
            status = leave.code
        return Outcome(int(status or 0), *capsys.readouterr())

    return call
