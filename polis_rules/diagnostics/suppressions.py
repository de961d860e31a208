"""Comments that silence a finding: `# polis: ignore[code] reason`, on its line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from polis_rules.diagnostics.diagnostic import Diagnostic
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
    kept = []
    for finding in findings:
        comment = next((each for each in comments if _meant(each, finding)), None)
        if comment is None:
            kept.append(finding)
            continue
        comment.used = True
        if finding.severity == "error":
            kept.append(finding)
            message = f"an error cannot be ignored: {finding.code}"
            kept.append(Diagnostic("ignored-error", message, comment.span, severity="warning"))
    for comment in comments:
        if not comment.used and judged(comment.span):
            message = f"nothing here is reported as {', '.join(comment.codes) or 'anything'}"
            kept.append(Diagnostic("unused-ignore", message, comment.span, "remove the comment", severity="warning"))
        elif comment.used and not comment.reason:
            hint = "write it after the bracket"
            kept.append(
                Diagnostic("ignore-without-reason", "why is this ignored?", comment.span, hint, severity="warning")
            )
    return kept


def _meant(comment: Ignore, finding: Diagnostic) -> bool:
    span = finding.span
    if span is None or span.file != comment.span.file or finding.code not in comment.codes:
        return False
    return comment.line == span.line
