"""One finding about a ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polis_rules.diagnostics.span import Span

Severity = Literal["error", "warning", "note"]


Confidence = Literal["certain", "likely", "possible"]


Related = tuple[tuple[str, Span], ...]
"""Other places that matter, each with what is there."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a ruleset.

    >>> from polis_rules.diagnostics import render
    >>> found = Diagnostic("unknown-name", "there is no name `coinn`", Span("mine/play.yaml", 4, 9, 4, 14), "coin?")
    >>> print(render(found))
    mine/play.yaml:4:9: error[unknown-name]: there is no name `coinn`
      hint: coin?
      page: https://github.com/polis-rules/polis-rules/blob/main/docs/errors.md#unknown-name
    """

    code: str
    """The kind of finding, a key of MESSAGES."""
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
