"""Run cases one after the other: the rules are compiled once for each scenario and choice of variants.

>>> from polis_rules.cases.runner import run_cases
>>> all(result.passed for result in run_cases("yucata", pattern="first_steps"))
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from polis_rules import ruleset as rulesets
from polis_rules.cases.checking import Plan, check
from polis_rules.cases.of_variants import with_variants
from polis_rules.cases.reading import FOLDER, Case, is_inside, read_case_file, read_cases
from polis_rules.cases.running import play
from polis_rules.cases.stage import Stage
from polis_rules.cases.telling import CaseResult
from polis_rules.composition import MANIFEST, find, find_variant, split_choices, with_choices
from polis_rules.diagnostics import Diagnostic, Diagnostics, RulesetError, quote, render
from polis_rules.incremental import Memory
from polis_rules.schema import CaseEntry
from polis_rules.source import is_id

MOST = 100
"""After so many findings about cases no more are looked for."""

MANY = 200
"""So many cases are worth code that is fast to run and takes long to generate."""

Choice = tuple[str | None, tuple[str | Path, ...]]
"""A scenario and variants."""


class Runner:
    """Runs cases of one ruleset; what it compiles it keeps.

    `scenario` is played by cases that name none, `variants` are laid over in every case. A `memory` may be given of
    what was compiled before.
    """

    def __init__(
        self,
        ruleset: str | Path,
        scenario: str | None = None,
        variants: Sequence[str | Path] = (),
        memory: Memory | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.variants = with_choices(variants, {})
        self.memory = memory or Memory()
        self.waiting: Counter[Choice] = Counter()
        """how many cases are going to be played, as far as that is known"""
        self._looked_at: dict[str, tuple[CaseEntry | None, tuple[Diagnostic, ...]]] = {}
        self._stages: dict[Choice, Stage | RulesetError] = {}

    def run(self, case: Case) -> CaseResult:
        """Check a case, then play it. Raises RulesetError when the ruleset itself cannot be used."""
        plan = self.plan(case)
        if isinstance(plan, CaseResult):
            return plan
        return play(case, *plan)

    def findings(self, case: Case) -> tuple[Diagnostic, ...]:
        """What is wrong with a case, as far as that can be said without playing it. Raises as `run` does.

        A case that was looked at before, and is the very same, is not looked at again.
        """
        entry, findings = self._looked_at.get(case.key, (None, ()))
        if entry is None or entry is not case.entry or case.findings:
            plan = self.plan(case)
            findings = plan.findings if isinstance(plan, CaseResult) else ()
            self._looked_at[case.key] = (case.entry, findings)
        return findings

    def plan(self, case: Case) -> tuple[Plan, Stage] | CaseResult:
        """A case ready to be played and what it is played by, or what is wrong with it."""
        if case.entry is None or case.findings:
            return _unsound(case, case.findings)
        if findings := self._unfit_variants(case, case.entry):
            return _unsound(case, findings)
        choice = self.choice(case, case.entry)
        stage = self._stage(choice)
        if isinstance(stage, RulesetError):
            if choice == (self.scenario, self.variants):
                raise stage
            return CaseResult(case, (str(stage),), findings=stage.diagnostics)
        diagnostics = Diagnostics(sources=case.sources)
        try:
            plan = check(case.entry, stage, diagnostics)
        except RulesetError as error:  # there are too many errors
            return _unsound(case, error.diagnostics)
        return _unsound(case, diagnostics.items) if diagnostics.items else (plan, stage)

    def choice(self, case: Case, entry: CaseEntry) -> Choice:
        """The scenario and the variants that a case is played with."""
        scenario = str(entry.scenario) if entry.scenario is not None else self.scenario
        named = [case.path.parent / each if each.endswith(".yaml") else str(each) for each in entry.variants]
        files, choices = split_choices(self.variants)
        once: dict[str | Path, str | Path] = {}
        for each in (*files, *named):
            once.setdefault(self._file(each), each)
        return scenario, with_choices(
            once.values(), {**choices, **{str(name): each for name, each in entry.settings.items()}}
        )

    def _file(self, variant: str | Path) -> str | Path:
        """The file of a variant, by which it is known to be the same one; what cannot be found is told later."""
        with suppress(RulesetError):
            return find_variant(variant, find(self.ruleset))[0].resolve()
        return variant

    def _unfit_variants(self, case: Case, entry: CaseEntry) -> list[Diagnostic]:
        """What is wrong with the names of the variants: a case opens no file but those near its ruleset."""
        diagnostics = Diagnostics()
        for name in entry.variants:
            if not name.endswith(".yaml") and not is_id(name):
                message = f"{quote(name)} is neither an id of a variant nor a path that ends in .yaml"
                diagnostics.error("unknown-variant", message, name.span)
            elif name.endswith(".yaml") and not any(
                is_inside(case.path.parent / name, each) for each in self._near(case)
            ):
                message = f"{quote(name)} leads out of the folder that holds the ruleset"
                diagnostics.error("file-outside", message, name.span)
        return diagnostics.items

    def _near(self, case: Case) -> Iterator[Path]:
        """The folders in which the variants of a case may lie: those that hold the ruleset that is played and the one
        in which the case is written; for a file in no ruleset its own folder, or what holds the folder `cases`."""
        yield find(self.ruleset).resolve().parent
        folder = case.path.resolve().parent
        if folder.name == FOLDER:
            folder = folder.parent.parent if (folder.parent / MANIFEST).is_file() else folder.parent
        yield folder

    def _stage(self, choice: Choice) -> Stage | RulesetError:
        if choice not in self._stages:
            try:
                self._stages[choice] = Stage(
                    rulesets.load(self.ruleset, *choice, self.memory), few=self.waiting[choice] < MANY
                )
            except RulesetError as error:
                self._stages[choice] = error
        return self._stages[choice]

    def expect(self, cases: Iterable[Case]) -> None:
        """Know that these cases are going to be played: rules for many of them are compiled as a whole."""
        self.waiting += Counter(self.choice(case, case.entry) for case in cases if case.entry is not None)

    def keep(self) -> None:
        """Keep between runs the code that cases have asked for."""
        for stage in self._stages.values():
            if isinstance(stage, Stage):
                stage.ruleset.keep()


def _unsound(case: Case, findings: Sequence[Diagnostic]) -> CaseResult:
    each_once = tuple(dict.fromkeys(findings))
    return CaseResult(case, tuple(render(each, case.sources) for each in each_once), findings=each_once)


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
    in every case: cases of the ruleset that a variant changes on purpose, or that are about other variants, are left
    out, and those that lie with a variant follow. `pattern` picks cases as `Case.matches` says; `inherited` is as in
    `read_cases`; with `file` the cases of that file are run instead of all these. `watch` is given the cases and hands
    them on one by one.
    A case that cannot be read has failed, and says why. Raises RulesetError when the ruleset itself cannot be used.

    >>> run_cases("yucata", pattern="no case is called so")
    []
    """
    cases = with_variants(read_cases(ruleset, inherited), ruleset, variants) if file is None else read_case_file(file)
    runner = Runner(ruleset, scenario, variants)
    try:
        wanted = [each for each in cases if pattern is None or each.matches(pattern)]
        runner.expect(wanted)
        return [runner.run(case) for case in watch(wanted)]
    finally:
        runner.keep()


def inspect_cases(
    ruleset: str | Path,
    diagnostics: Diagnostics,
    others: int = 0,
    runner: Runner | None = None,
    cases: Sequence[Case] | None = None,
) -> tuple[int, int]:
    """Report every name and value in the cases of a ruleset that means nothing in its rules; it plays none of them.

    Rules with a scenario or variants that a case asks for have to be compiled first, so only `others` such combinations
    are; what is wrong in shape is found in all cases. A `runner` may be given that compiled these rules before, and
    with `cases` only these are looked at.
    Says how many cases were looked at whole, and how many there are. Raises RulesetError when the ruleset itself
    cannot be used.

    >>> found = Diagnostics()
    >>> looked_at, cases = inspect_cases("yucata", found)
    >>> found.items, 0 < looked_at < cases
    ([], True)
    """
    runner, begun, looked_at = runner or Runner(ruleset), len(diagnostics.items), 0
    cases = read_cases(ruleset) if cases is None else cases
    stages: set[Choice] = {(None, ())}
    for case in cases:
        if len(diagnostics.items) - begun > MOST:
            break
        whole = _within(runner, case, stages, others)
        looked_at += whole
        findings = runner.findings(case) if whole else case.findings
        if findings:
            diagnostics.sources |= case.sources
        diagnostics.items += [each for each in findings if each not in diagnostics.items]
    return looked_at, len(cases)


def _within(runner: Runner, case: Case, stages: set[Choice], others: int) -> bool:
    """Whether the rules of a case are among those that are compiled; the first few choices are added to them."""
    if case.entry is None:
        return True
    choice = runner.choice(case, case.entry)
    if choice not in stages and len(stages) <= others:
        stages.add(choice)
    return choice in stages
