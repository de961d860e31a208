"""Collects findings, so that one run reports all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from polis_rules.diagnostics.diagnostic import Confidence, Diagnostic, Related, Severity
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.text import MOST_LISTED, listing, nearest

MOST_ERRORS = 500
"""After so many errors a ruleset is not looked at any more."""


@dataclass(slots=True)
class Diagnostics:
    """Collects findings, so that one run reports all of them.

    >>> found = Diagnostics()
    >>> found.error("unknown-name", "nothing is called 'coinn'", Span("a.yaml", 1, 3, 1, 8), hint="coin?")
    >>> found.has_errors
    True
    """

    items: list[Diagnostic] = field(default_factory=list)
    """What was found, in the order found."""
    sources: dict[str, str] = field(default_factory=dict)
    """The text of each file read, by the name shown to people; findings quote from it."""
    errors: int = 0
    """How many errors have been counted."""

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        related: Related = (),
        suggestion: str | None = None,
    ) -> None:
        """Record what makes the ruleset unusable. Raises RulesetError with everything after MOST_ERRORS of them."""
        self.extend([Diagnostic(code, message, span, hint, tuple(related), suggestion=suggestion)])

    def unknown(self, code: str, message: str, span: Span | None, name: str, known: Iterable[str]) -> None:
        """Record an error about a name: with the known name that it is near to, or else a short list of all."""
        names = list(known)
        near = nearest(name, names)
        hint = None if near or len(names) > MOST_LISTED else listing(names)
        self.extend([Diagnostic(code, message, span, hint, suggestion=near, missing=str(name))])

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Record what was found elsewhere, as `error` does it."""
        for finding in findings:
            self.items.append(finding)
            self.errors += finding.severity == "error"
            if self.errors > MOST_ERRORS:
                message = f"there are more than {MOST_ERRORS} errors; checking stopped"
                self.items.append(Diagnostic("too-many-errors", message, None))
                raise RulesetError(self.items, self.sources)

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        related: Related = (),
        confidence: Confidence = "certain",
        suggestion: str | None = None,
        severity: Severity = "warning",
    ) -> None:
        """Record what is probably a mistake, though the ruleset can be used; or a note, which is good to know."""
        self.items.append(Diagnostic(code, message, span, hint, tuple(related), severity, confidence, suggestion))

    @contextmanager
    def in_order(self) -> Iterator[None]:
        """What is recorded within it comes in the order of the files' lines."""
        known = len(self.items)
        try:
            yield
        finally:
            self.items[known:] = sorted(self.items[known:], key=lambda finding: finding.position)

    @property
    def has_errors(self) -> bool:
        return any(each.severity == "error" for each in self.items)

    def raise_if_errors(self) -> None:
        """Raise RulesetError with everything found so far if any of it is an error."""
        if self.has_errors:
            raise RulesetError(self.items, self.sources)
