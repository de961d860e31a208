"""A baseline: findings that are known and not to be reported again, so that only new ones are."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.errors import PolisError

FORMAT = 1


class BaselineError(PolisError):
    """A baseline file that cannot be used."""


def key(finding: Diagnostic) -> str:
    """What makes a finding the same as one of yesterday: its code, file and message, not its line."""
    file = finding.span.file if finding.span is not None else ""
    return f"{finding.code} {file} {finding.message}"


def write(path: Path, findings: list[Diagnostic]) -> int:
    """Write all findings but errors as a baseline; how many were written. Errors are never part of one.

    Raises BaselineError where the file holds anything else than a baseline: it is left as it is.
    """
    check_replaceable(path)
    kept = Counter(key(each) for each in findings if each.severity != "error")
    data = {"format": FORMAT, "findings": dict(sorted(kept.items()))}
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return kept.total()


def check_replaceable(path: Path) -> None:
    """Raise BaselineError where a baseline would take the place of something else."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return
    try:
        read(path)
    except BaselineError:
        raise BaselineError(f"{path} exists and is no baseline, so it is not replaced; name another file") from None


def read(path: Path) -> Counter[str]:
    """The findings of a baseline file. Raises BaselineError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BaselineError(f"{path} cannot be read as a baseline: {error}") from None
    counts = data.get("findings") if isinstance(data, dict) and data.get("format") == FORMAT else None
    if not isinstance(counts, dict) or not all(isinstance(count, int) for count in counts.values()):
        raise BaselineError(f"{path} is no baseline of format {FORMAT}; write one with --write-baseline")
    return Counter(counts)


def unknown(findings: list[Diagnostic], known: Counter[str]) -> list[Diagnostic]:
    """The findings that a baseline does not hold; each of its entries covers as many as it counts."""
    left = known.copy()
    kept = []
    for finding in findings:
        if finding.severity != "error" and left[key(finding)] > 0:
            left[key(finding)] -= 1
        else:
            kept.append(finding)
    return kept
