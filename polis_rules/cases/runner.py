"""Run cases one after the other: the rules are compiled once for each scenario and choice of variants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from polis_rules import ruleset as rulesets
from polis_rules.cases.checking import Plan, check
from polis_rules.cases.reading import Case
from polis_rules.cases.result import CaseResult
from polis_rules.cases.running import play
from polis_rules.cases.stage import Stage
from polis_rules.diagnostics import Diagnostic, Diagnostics, RulesetError, render
from polis_rules.schema import CaseEntry

Choice = tuple[str | None, tuple[str | Path, ...]]
"""A scenario and variants."""


class Runner:
    """Runs cases of one ruleset; what it compiles it keeps.

    `scenario` is played by cases that name none, `variants` are laid over in every case.
    """

    def __init__(self, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.variants = tuple(variants)
        self._stages: dict[Choice, Stage | RulesetError] = {}

    def run(self, case: Case) -> CaseResult:
        """Check a case, then play it. Raises RulesetError when the ruleset itself cannot be used."""
        plan = self.plan(case)
        if isinstance(plan, CaseResult):
            return plan
        return play(case, *plan)

    def findings(self, case: Case) -> tuple[Diagnostic, ...]:
        """What is wrong with a case, as far as that can be said without playing it. Raises as `run` does."""
        plan = self.plan(case)
        return plan.findings if isinstance(plan, CaseResult) else ()

    def plan(self, case: Case) -> tuple[Plan, Stage] | CaseResult:
        """A case ready to be played and what it is played by, or what is wrong with it."""
        if case.entry is None or case.findings:
            return _unsound(case, case.findings)
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
        return scenario, tuple(dict.fromkeys([*self.variants, *named]))

    def _stage(self, choice: Choice) -> Stage | RulesetError:
        if choice not in self._stages:
            try:
                self._stages[choice] = Stage(rulesets.load(self.ruleset, *choice))
            except RulesetError as error:
                self._stages[choice] = error
        return self._stages[choice]


def _unsound(case: Case, findings: Sequence[Diagnostic]) -> CaseResult:
    each_once = tuple(dict.fromkeys(findings))
    return CaseResult(case, tuple(render(each, case.sources) for each in each_once), findings=each_once)
