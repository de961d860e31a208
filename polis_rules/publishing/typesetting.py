"""Makes PDF with typst: a fixed template lays out data, so that no word of a ruleset is a command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from polis_rules.diagnostics import PolisError, printable

INSTALL = 'pip install "polis-rules[print]"'


class Paper(StrEnum):
    """The sizes of paper."""

    a4 = "a4"
    letter = "letter"


def typeset(template: Path, data: object, paper: Paper, files: Mapping[str, str] | None = None) -> bytes:
    """A PDF of some data, laid out by a template, which finds them in `data.json`, and `files` (pictures) beside it.

    Raises PolisError where the package for it is missing.
    """
    try:
        import typst
    except ImportError as error:
        raise PolisError(f"PDF needs one more package: {INSTALL}; HTML needs none") from error
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "main.typ").write_text(template.read_text("utf-8"), "utf-8")
        written = json.dumps(_printable(data), ensure_ascii=False)
        (root / "data.json").write_text(written, "utf-8")
        for name, text in (files or {}).items():
            (root / name).write_text(text, "utf-8")
        pdf = typst.compile(str(root / "main.typ"), root=str(root), format="pdf", sys_inputs={"paper": paper.value})
    assert isinstance(pdf, bytes)
    return pdf


def _printable(data: object) -> object:
    """Data with nothing in their texts that cannot be printed."""
    if isinstance(data, str):
        return printable(data)
    if isinstance(data, Mapping):
        return {key: _printable(value) for key, value in data.items()}
    return [_printable(each) for each in data] if isinstance(data, (list, tuple)) else data
