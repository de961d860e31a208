"""One finding about a ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.text import did_you_mean

Severity = Literal["error", "warning", "note"]


Confidence = Literal["certain", "likely", "possible"]


Related = tuple[tuple[str, Span], ...]
"""Other places that matter, each with what is there."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a ruleset.

    >>> from polis_rules.diagnostics import Span, render
    >>> place = Span("mine/play.yaml", 4, 9, 4, 14)
    >>> found = Diagnostic("unknown-name", "there is no name `coinn`", place, suggestion="coin")
    >>> print(render(found))
    mine/play.yaml:4:9: error[unknown-name]: there is no name `coinn`
      hint: did you mean 'coin'?
    """

    code: str
    """The kind of finding, one that `explanations` knows."""
    message: str
    """What is wrong here, in one line."""
    span: Span | None
    """Where; None when it concerns no place in a file."""
    hint: str | None = None
    """What to do about it."""
    related: Related = ()
    """Other places that matter, each with what is there."""
    severity: Severity = "error"
    confidence: Confidence = "certain"
    """How sure it is that this is a mistake."""
    suggestion: str | None = None
    """The text that should most likely stand at `span` instead."""
    missing: str | None = None
    """The name that means nothing here, where that is what is wrong."""

    @property
    def position(self) -> tuple[str, int, int]:
        """The file, line and column, to sort by; what concerns no place comes first."""
        return (self.span.file, self.span.line, self.span.column) if self.span is not None else ("", 0, 0)

    @property
    def advice(self) -> str | None:
        """The suggestion and the hint in words."""
        parts = (did_you_mean(self.suggestion) if self.suggestion else None, self.hint)
        return " ".join(part for part in parts if part) or None
