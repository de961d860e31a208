"""What each code of a finding means: the tables of `docs/errors.md`, which comes with the package."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_ROW = re.compile(r'^\| <a id="([a-z0-9-]+)"></a>`[a-z0-9-]+` \| (.*?) \| (?:`(.*)` )?\|$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a code means.

    >>> print(explanations()["unknown-name"])
    unknown-name: A name stands for nothing here.
    For example: terms: {price: {is: aple.most}}
    """

    code: str
    meaning: str
    example: str
    """Text that gives such a finding where it is added to a ruleset; empty where that takes more than a line."""

    def __str__(self) -> str:
        return f"{self.code}: {self.meaning}" + (f"\nFor example: {self.example}" if self.example else "")


@cache
def explanations() -> dict[str, Explanation]:
    """The explanation of every code."""
    package = Path(__file__).resolve().parents[1]
    path = next(home / "docs" / "errors.md" for home in (package, package.parent) if (home / "docs").is_dir())
    return {row[0]: Explanation(*row) for row in _ROW.findall(path.read_text("utf-8"))}
