"""Files that cannot be read as YAML: why not, and what seems to stand at their top all the same."""

from __future__ import annotations

import re
from pathlib import Path

from polis_rules.diagnostics import Diagnostics
from polis_rules.source import read_file


def unreadable(path: Path) -> str:
    """Why a file cannot be read, and where; empty where it can be."""
    diagnostics = Diagnostics()
    if read_file(path, path.name, diagnostics) is not None:
        return ""
    first = next(iter(diagnostics.items))
    place = f"line {first.span.line}, column {first.span.column}: " if first.span is not None else ""
    return place + first.message


def words_under(text: str, key: str) -> list[str]:
    """The words that seem to stand under a key at the top of a text, on its line and in what belongs to it below.

    >>> words_under('variant: mine\\ntitle: "Mine\\nextends othello # the game\\nrequires:\\n- costly\\n', "extends")
    ['othello']
    """
    found = re.search(rf"^{key}\b:?(.*(?:\n[ -].*)*)", text, re.MULTILINE)
    return re.findall(r"\w[\w./]*", re.sub(r"(?m)(?:^|\s)#.*", "", found[1])) if found is not None else []
