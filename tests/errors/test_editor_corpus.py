"""The editor and the terminal say the same about every broken ruleset of the corpus."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from error_figures import HOMES, Case, cases, sample

from polis_rules.diagnostics import Diagnostic

pytest.importorskip("pygls")


def told(findings: list[Diagnostic], case: Case) -> set[tuple[str, str, str]]:
    """What is said, but of cases only where one of their files is open; files are called by their paths from home."""
    seen = (each for each in findings if each.severity != "note")
    said = {(each.code, str(each.span).removeprefix(f"{HOMES[0]}/"), each.message) for each in seen}
    return said if case.path.parent.name == "cases" else {each for each in said if "/cases/" not in each[1]}


def few() -> list[Case]:
    """A part of the sample, as each case is looked at twice."""
    return sample()[::8]


PARTS = {f"every third, {part + 1} of 3": slice(3 * part, None, 9) for part in range(3)}
"""What is wrong in much the same way stands together in the corpus, of which so many are looked at, in three parts."""


def every_third(part: str) -> Callable[[], list[Case]]:
    """One of these parts."""
    return lambda: cases()[PARTS[part]]


@pytest.mark.parametrize(
    "tried",
    [few, *(pytest.param(every_third(part), marks=pytest.mark.exhaustive) for part in PARTS)],
    ids=["few", *PARTS],
)
def test_the_editor_finds_what_validate_finds(tried: Callable[[], list[Case]]) -> None:
    """The same findings in the same words at the same places, whether one validates or types.

    Of a variant an editor shows what is wrong with it and those that it requires; others are not chosen there.
    """
    from polis_rules.language_server.workbench import Workbench

    bench, different = Workbench(), []
    for case in tried():
        path = case.path.resolve()
        bench.change(path, case.text())
        target = bench.target(path)
        if target is not None:  # else the file does not say any more what it belongs to, and is read as YAML alone
            editor, terminal = told(bench.analysis(target).judged, case), told(case.findings(target.variants), case)
            if editor != terminal:
                different.append((case.name, editor - terminal, terminal - editor))
        bench.change(path, None)
    assert different == []
