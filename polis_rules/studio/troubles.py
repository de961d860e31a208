"""What went wrong, as a page tells it: of broken rules a line for each finding, as below the editor."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from polis_rules.diagnostics import Diagnostic, RulesetError

MOST_TOLD = 3
"""Of more findings the first are told."""


def in_words(error: Exception, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """What an error says, without the lines of the rules and the folders of their files; variants by their `titles`.

    >>> from polis_rules.diagnostics import Span
    >>> place = Span("/home/me/mine.yaml", 4, 1, 4, 2)
    >>> in_words(RulesetError([Diagnostic("unknown-name", "there is no name `yuo`", place)]))
    'mine.yaml:4: there is no name `yuo`'
    """
    if not isinstance(error, RulesetError):
        return str(error)
    wrong = [each for each in error.diagnostics if each.severity == "error"] or list(error.diagnostics)
    lines = [_line(each, titles) for each in wrong[:MOST_TOLD]]
    return "\n".join(lines + ([f"and {len(wrong) - MOST_TOLD} more"] if len(wrong) > MOST_TOLD else []))


def by_titles(finding: Diagnostic, titles: Mapping[str, str], about: Callable[[str], str] = str) -> str:
    """What a finding says; where it is about variants, with their titles in place of their ids.

    `about` tells what the rule is called at a path that two of them touch.

    >>> both = Diagnostic("variant-conflict", "'costly' and 'long' both touch 'score'", None)
    >>> by_titles(both, {"costly": "Costly ways", "score": "Another score"})
    "'Costly ways' and 'long' both touch 'score'"
    >>> by_titles(both, {}, lambda path: "The score")
    "'costly' and 'long' both touch 'The score'"
    """
    if not finding.code.startswith("variant-"):
        return finding.message
    called = re.compile(r"(?<!touch )'(\w+)'")
    told = called.sub(lambda found: f"'{titles.get(found[1], found[1])}'", finding.message)
    return re.sub(r"(?<=touch )'(.+)'$", lambda found: f"'{about(found[1])}'", told)


def _line(each: Diagnostic, titles: Mapping[str, str]) -> str:
    place = f"{Path(each.span.file).name}:{each.span.line}: " if each.span is not None else ""
    return f"{place}{by_titles(each, titles)}" + (f" ({each.advice})" if each.advice else "")
