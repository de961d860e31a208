"""Findings put in order, one for each cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.text import some


def merged(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """One finding for each cause, in the order of the files' lines.

    Errors of the same words in several places become one, with the others counted; so do those of one place that
    differ in a name only, such as one for each row of a kind that combines others.
    """
    causes: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in _one_a_place(sorted(dict.fromkeys(findings), key=_order)):
        causes.setdefault((finding.code, finding.message), []).append(finding)
    kept = []
    for first, *others in causes.values():
        places = [each.span for each in others if each.span is not None and each.span != first.span]
        if first.severity == "error":
            count = f"and in {some(len(places), 'other place')}, such as this one"
            related = ((count, places[0]),) if places else ()
            kept.append(replace(first, related=(*first.related, *related)))
        else:
            kept += [first, *others]
    return sorted(kept, key=_order)


def _one_a_place(findings: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, where of errors with the same place, code and hint there is only the first."""
    alike: dict[object, list[Diagnostic]] = {}
    for each in findings:
        same = (each.code, each.span, each.hint) if each.severity == "error" and each.hint and each.span else each
        alike.setdefault(same, []).append(each)
    return [
        first if not others else replace(first, message=f"{first.message} (and {len(others)} more like this)")
        for first, *others in alike.values()
    ]


def _order(finding: Diagnostic) -> tuple[str, int, int, str, str]:
    return (*finding.position, finding.code, finding.message)
