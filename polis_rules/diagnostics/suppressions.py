"""Comments that silence a finding: `# polis: ignore[code] reason`, on its line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.span import Span

COMMENT = re.compile(r"#\s*polis:\s*ignore\[([a-z0-9, -]*)\](.*)$")


@dataclass(slots=True)
class Ignore:
    """One comment: the codes it names, the line it speaks of, its own place, and whether it silenced anything."""

    codes: tuple[str, ...]
    line: int
    span: Span
    reason: str
    used: bool = False


def ignores(sources: Mapping[str, str]) -> list[Ignore]:
    """All comments of some files (shown name -> text)."""
    found = []
    for name, text in sources.items():
        if "polis:" not in text:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            comment = COMMENT.search(line)
            if comment is None:
                continue
            alone = not line[: comment.start()].strip()
            codes = tuple(code.strip() for code in comment[1].split(",") if code.strip())
            span = Span(name, number, comment.start() + 1, number, len(line) + 1)
            found.append(Ignore(codes, number + 1 if alone else number, span, comment[2].strip()))
    return found


def silence(
    findings: list[Diagnostic], sources: Mapping[str, str], judged: Callable[[Span], bool] = lambda span: True
) -> list[Diagnostic]:
    """The findings without those that a comment silences, and with findings about the comments themselves.

    Errors cannot be ignored; a comment that tries, one that silences nothing and one without a reason are reported.
    `judged` says whether everything about a place was looked at: only there a comment can be said to silence nothing.
    """
    comments = ignores(sources)
    kept = Diagnostics()
    for finding in findings:
        comment = next((each for each in comments if _meant(each, finding)), None)
        if comment is not None:
            comment.used = True
        if comment is None or finding.severity == "error":
            kept.items.append(finding)
        if comment is not None and finding.severity == "error":
            kept.warning("ignored-error", f"an error cannot be ignored: {finding.code}", comment.span)
    for comment in comments:
        if not comment.used and judged(comment.span):
            message = f"nothing here is reported as {', '.join(comment.codes) or 'anything'}"
            kept.warning("unused-ignore", message, comment.span, "remove the comment")
        elif comment.used and not comment.reason:
            kept.warning("ignore-without-reason", "why is this ignored?", comment.span, "write it after the bracket")
    return kept.items


def _meant(comment: Ignore, finding: Diagnostic) -> bool:
    at = finding.span
    here = at is not None and (at.file, at.line) == (comment.span.file, comment.line)
    return here and finding.code in comment.codes
