"""Comments that silence a finding: `# polis: ignore[code] reason`, on its line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
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


def marked(sources: Mapping[str, str], pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], Span, int]]:
    """The comments of some files (shown name -> text) that match, each with its place and the line that it speaks of:
    its own, or the next one where it stands alone."""
    for name, text in sources.items():
        for number, line in enumerate(text.splitlines(), 1) if "polis:" in text else ():
            if (match := pattern.search(line)) is not None:
                alone = not line[: match.start()].strip()
                yield match, Span(name, number, match.start() + 1, number, len(line) + 1), number + alone


def ignores(sources: Mapping[str, str]) -> list[Ignore]:
    """All comments of some files that silence something."""
    comments = []
    for comment, span, line in marked(sources, COMMENT):
        codes = tuple(code.strip() for code in comment[1].split(",") if code.strip())
        comments.append(Ignore(codes, line, span, comment[2].strip()))
    return comments


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
        at = finding.span
        here = [each for each in comments if at is not None and (each.span.file, each.line) == (at.file, at.line)]
        comment = next((each for each in here if finding.code in each.codes), None)
        if comment is not None:
            comment.used = True
        if comment is None or finding.severity == "error":
            kept.items.append(finding)
        if comment is not None and finding.severity == "error":
            kept.warning("ignored-error", f"an error cannot be ignored: {finding.code}", comment.span)
    for comment in comments:
        if not comment.used and judged(comment.span):
            which = "".join(f"`{code}` " for code in comment.codes)
            message = f"no finding {which}here to silence"
            kept.warning("unused-ignore", message, comment.span, "remove the comment")
        elif comment.used and not comment.reason:
            kept.warning("ignore-without-reason", "why is this ignored?", comment.span, "write it after the bracket")
    return kept.items
