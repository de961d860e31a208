"""Rule cases: a position, some decisions, and what must come of them; see docs/cases.md.

>>> from polis_rules.cases.run_cases import run_cases
>>> all(result.passed for result in run_cases("yucata", pattern="first_steps"))
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from polis_rules.cases.reading import Case, read_case_file, read_cases
from polis_rules.cases.result import CaseResult
from polis_rules.cases.runner import Runner


def run_cases(
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
    pattern: str | None = None,
    inherited: bool | None = None,
    file: Path | None = None,
    watch: Callable[[Sequence[Case]], Iterable[Case]] = iter,
) -> list[CaseResult]:
    """Run the cases of a ruleset, in the order of their files and of the cases in each; one result for each.

    `ruleset` is a shipped name or a folder. `scenario` is played by cases that name none, `variants` are laid over
    in every case. `pattern` picks cases as `Case.matches` says; `inherited` is as in `read_cases`; with `file` the
    cases of that file are run instead of all these. `watch` is given the cases and hands them on one by one.
    A case that cannot be read has failed, and says why. Raises RulesetError when the ruleset itself cannot be used.

    >>> run_cases("yucata", pattern="no case is called so")
    []
    """
    cases = read_cases(ruleset, inherited) if file is None else read_case_file(file)
    runner = Runner(ruleset, scenario, variants)
    return [runner.run(case) for case in watch([each for each in cases if pattern is None or each.matches(pattern)])]
