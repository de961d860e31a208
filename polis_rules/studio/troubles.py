"""What went wrong, as a page tells it: of broken rules a line for each finding, as below the editor."""

from __future__ import annotations

from pathlib import Path

from polis_rules.diagnostics import Diagnostic, RulesetError

MOST_TOLD = 3
"""Of more findings the first are told."""


def in_words(error: Exception) -> str:
    """What an error says, without the lines of the rules and the folders of their files.

    >>> from polis_rules.diagnostics import Span
    >>> place = Span("/home/me/mine.yaml", 4, 1, 4, 2)
    >>> in_words(RulesetError([Diagnostic("unknown-name", "there is no name `yuo`", place)]))
    'mine.yaml:4: there is no name `yuo`'
    """
    if not isinstance(error, RulesetError):
        return str(error)
    wrong = [each for each in error.diagnostics if each.severity == "error"] or list(error.diagnostics)
    lines = [_line(each) for each in wrong[:MOST_TOLD]]
    return "\n".join(lines + ([f"and {len(wrong) - MOST_TOLD} more"] if len(wrong) > MOST_TOLD else []))


def _line(each: Diagnostic) -> str:
    place = f"{Path(each.span.file).name}:{each.span.line}: " if each.span is not None else ""
    return f"{place}{each.message}" + (f" ({each.advice})" if each.advice else "")
