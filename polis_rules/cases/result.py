"""What came of a case."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.cases.reading import Case
from polis_rules.diagnostics import Diagnostic


class CaseFailed(Exception):  # noqa: N818  (an outcome, not a fault)
    """A case cannot go on; the text says why, in game words. Never leaves this package."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case: why it failed, one text (of one line or more) for each reason; none when it passed.

    `notes` say what the runner decided by itself, `report` is the report of the game, `findings` are the failures of a
    case that could not be played.
    """

    case: Case
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    report: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything came out as the case says."""
        return not self.failures

    def __str__(self) -> str:
        """The whole result in words."""
        place = f"{self.case.span}: {self.case.title}"
        if self.passed:
            return f"passed {place}"
        details = [line for failure in self.failures for line in failure.split("\n")]
        return "\n".join([f"FAILED {place}", *(f"  {line}" for line in (*details, *self.notes))])
