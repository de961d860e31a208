"""What is found in a library's file, told in the library's own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from polis_rules.diagnostics import Diagnostic, Span


class Used(NamedTuple):
    """One use of a library."""

    library: str
    """The library's id."""
    file: str
    """What messages call its file."""
    prefix: str
    """What its names begin with in the ruleset: `bidding_`."""
    names: dict[str, str]
    """Its own names, by what stands for them in whatever uses it."""
    place: Span
    """Where it is used: its id in `uses`."""
    declared: Span
    """Its id in its own file."""
    title: str
    needs: tuple[str, ...]
    """What it needs, each in words."""
    own: bool
    """Whether the library lies in the folder of the ruleset that uses it, or around it."""


def without_prefixes(findings: Sequence[Diagnostic], uses: Sequence[Used]) -> Iterable[Diagnostic]:
    """Findings in which names of a library are called as in its file.

    Of warnings in libraries there are only those that their author can mend, and that come of every use.
    """
    if not uses:
        return findings
    many = Counter(each.file for each in uses)
    seen = Counter((each.code, each.span) for each in findings if each.severity != "error")
    told = []
    for finding in findings:
        here = [each for each in uses if finding.span is not None and each.file == finding.span.file]
        if not here:
            told.append(finding)
        elif finding.severity == "error" or (here[0].own and seen[finding.code, finding.span] >= many[here[0].file]):
            for use in here:
                message, near = (_unprefixed(text, use) for text in (finding.message, finding.suggestion or ""))
                finding = replace(finding, message=message, suggestion=near or None)
            told.append(finding)
    return told


def _unprefixed(text: str, use: Used) -> str:
    def own(match: re.Match[str]) -> str:
        return match[1] if match[1] in use.names.values() else match[0]

    return re.sub(rf"\b{use.prefix}(\w+)", own, text)
