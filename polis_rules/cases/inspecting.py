"""What is wrong with the cases of a ruleset, as far as that can be said without playing them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from polis_rules.cases.reading import Case, Known, read_cases
from polis_rules.cases.runner import Choice, Runner
from polis_rules.diagnostics import Diagnostics

MOST = 100
"""After so many findings about cases no more are looked for."""


def inspect_cases(
    ruleset: str | Path,
    diagnostics: Diagnostics,
    files: Collection[Path] | None = None,
    others: int = 0,
    runner: Runner | None = None,
    known: Known | None = None,
) -> tuple[int, int]:
    """Report every name and value in the cases of a ruleset that means nothing in its rules; it plays none of them.

    With `files` (resolved paths) only the cases in these are looked at. Rules with a scenario or variants that a case
    asks for have to be compiled first, so only `others` such combinations are; what is wrong in shape is found in all
    cases. A `runner` may be given that compiled these rules before, and cases that were read before (`known`).
    Says how many cases were looked at whole, and how many there are. Raises RulesetError when the ruleset itself
    cannot be used.

    >>> found = Diagnostics()
    >>> looked_at, cases = inspect_cases("yucata", found)
    >>> found.items, 0 < looked_at < cases
    ([], True)
    """
    runner, begun, looked_at = runner or Runner(ruleset), len(diagnostics.items), 0
    cases = [each for each in read_cases(ruleset, known=known) if files is None or each.path in files]
    stages: set[Choice] = {(None, ())}
    for case in cases:
        if len(diagnostics.items) - begun > MOST:
            break
        whole = _within(runner, case, stages, others)
        looked_at += whole
        found = runner.findings(case) if whole else case.findings
        if found:
            diagnostics.sources |= case.sources
        diagnostics.items += [each for each in found if each not in diagnostics.items]
    return looked_at, len(cases)


def _within(runner: Runner, case: Case, stages: set[Choice], others: int) -> bool:
    """Whether the rules of a case are among those that are compiled; the first few choices are added to them."""
    if case.entry is None:
        return True
    choice = runner.choice(case, case.entry)
    if choice not in stages and len(stages) <= others:
        stages.add(choice)
    return choice in stages
