"""A case as the text of a file, in canonical form, and files that get one more case."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from polis_rules.authoring import flow
from polis_rules.authoring.formatting import format_text
from polis_rules.diagnostics import Diagnostics, PolisError, quote
from polis_rules.source import Mapping as Branch, Text, read_file

WIDTH = 120

Part = object
"""A text, a list of parts, or a mapping of texts to parts."""


class CaseFileError(PolisError):
    """A case cannot be put into a file; nothing has been written."""


def file_text(id: str, entry: Mapping[str, Part]) -> str:
    """The text of a file with one case.

    >>> print(file_text("a_win", {"do": [{"red": ["walk", "rest"]}], "ends": {"by": "goal"}}), end="")
    cases:
      a_win:
        do:
          - red: [walk, rest]
        ends: {by: goal}
    """
    lines = ["cases:", f"  {id}:"]
    for key, part in entry.items():
        lines += _lines(key, part, 4)
    text = "\n".join(lines) + "\n"
    return format_text(text, f"{id}.yaml", Diagnostics()) or text


def _lines(key: str, part: Part, indent: int) -> list[str]:
    """A key and its value: in one line where that is short, each entry of a mapping or list on its own otherwise."""
    pad = " " * indent
    line = f"{pad}{key}: {flow(part)}"
    deep = isinstance(part, Mapping) and any(isinstance(each, Mapping) and len(each) > 1 for each in part.values())
    if key != "do" and (not isinstance(part, Mapping) or (not deep and indent > 4) or key == "ends"):
        return [line] if len(line) <= WIDTH else _wrapped(line)
    if isinstance(part, Mapping) and indent > 4 and len(line) <= WIDTH:
        return [line]
    lines = [f"{pad}{key}:"]
    if isinstance(part, Mapping):
        for name, each in part.items():
            lines += _lines(name, each, indent + 2)
    elif isinstance(part, list):
        for each in part:
            lines += _wrapped(f"{pad}  - {flow(each)[1:-1]}")
    return lines


def _wrapped(line: str) -> list[str]:
    indent = len(line) - len(line.lstrip())
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=" " * (indent + 4), break_long_words=False, break_on_hyphens=False
    )


def check_target(path: Path, id: str) -> None:
    """Raises CaseFileError where the file cannot take a case of this id."""
    with_case(path, id, f"cases:\n  {id}: {{}}\n")


def with_case(path: Path, id: str, text: str) -> str:
    """The text of a file of cases with those of `text`, which holds the case `id`, below its own.

    What stands in the file stays as it is, character for character. A file that is not there yet is begun.
    Raises CaseFileError when the file is none of cases, cannot be read, or has a case of that id already.
    """
    if not path.exists():
        if not path.parent.is_dir():
            raise CaseFileError(f"there is no folder {path.parent}")
        return text
    cases = _cases_of(path)
    if (there := next((key for key in cases.entries if key == id), None)) is not None:
        raise CaseFileError(f"{there.span}: there is a case {quote(id)} already; choose another name")
    indent = next(iter(cases.entries)).span.column - 1
    with path.open(encoding="utf-8", newline="") as stream:
        before = stream.read()
    added = textwrap.indent(textwrap.dedent(text.partition("\n")[2]), " " * indent)
    joined = before.rstrip("\n") + "\n\n" + added
    return joined.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in before else joined


def _cases_of(path: Path) -> Branch:
    """What stands under `cases` in a file, which must be such that lines can be added below it."""
    if not path.is_file():
        raise CaseFileError(f"{path} is not a file")
    findings = Diagnostics()
    tree = read_file(path, path.as_posix(), findings)
    if tree is None or findings.has_errors:
        raise CaseFileError(f"{path} cannot be read: {findings.items[0].message}")
    cases = tree.get("cases")
    if not isinstance(cases, Branch) or not cases.entries or any(key != "cases" for key in tree.entries):
        raise CaseFileError(f"{path} is not a file of cases: `cases:` and below it at least one case are expected")
    first = next(iter(cases.entries))
    lines = findings.sources[path.as_posix()].split("\n")
    if not isinstance(first, Text) or lines[first.span.line - 1][: first.span.column - 1].strip():
        raise CaseFileError(f"{path}: the cases stand in brackets; put each on lines of its own first")
    return cases
