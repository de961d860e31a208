"""Whether the cases that a rulebook names carry out the rules whose words they prove."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from polis_rules.cases import Case, CaseResult, Plan, Runner, Stage, play
from polis_rules.documentation.rulebook import proofs, read
from polis_rules.ruleset import load
from polis_rules.semantics import TypedRules, ir
from polis_rules.source import Text

Choice = tuple[str | None, tuple[str | Path, ...]]


def with_proofs(
    results: Iterable[CaseResult],
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
) -> list[CaseResult]:
    """Results of cases; a case has failed too that `book` names as proof of a rule that it does not carry out.

    >>> from polis_rules.cases import run_cases
    >>> results = run_cases("yucata", pattern="supply")
    >>> with_proofs(results, "yucata") == results
    True
    """
    proving: dict[str, dict[str, Text]] = defaultdict(dict)
    for path, name in proofs(read(ruleset, scenario, variants)).items():
        proving[str(name)][path] = name
    runner = Runner(ruleset, scenario, variants)
    marked: dict[Choice, Stage] = {}

    def judged(result: CaseResult) -> CaseResult:
        case, named = result.case, proving.get(result.case.id, {})
        plan = runner.plan(case) if named and result.passed else None
        if case.entry is None or plan is None or isinstance(plan, CaseResult):
            return result
        choice = runner.choice(case, case.entry)
        if choice not in marked:
            unmarked = load(ruleset, *choice)
            marked[choice] = Stage(unmarked.with_rules(_marked(unmarked.rules(), proving)), few=True)
        met = _carried_out(case, plan[0], marked[choice])
        return replace(result, failures=tuple(_missing(path, name) for path, name in named.items() if path not in met))

    return [judged(result) for result in results]


def _marked(rules: TypedRules, proving: dict[str, dict[str, Text]]) -> TypedRules:
    """The rules, in which carrying out one that a case proves is counted, by its place among all."""
    wanted = {path for each in proving.values() for path in each}
    marked = {
        path: replace(each, body=(ir.Mark(each.span, number), *each.body)) if path in wanted else each
        for number, (path, each) in enumerate(rules.procedures.items())
    }
    return replace(rules, procedures=marked)


def _carried_out(case: Case, plan: Plan, stage: Stage) -> set[str]:
    """The paths of the marked rules that a case carries out."""
    met = stage.program.tally.rows
    met.clear()
    play(case, plan, stage)
    paths = [*stage.rules.procedures]
    return {paths[number] for number in met}


def _missing(path: str, name: Text) -> str:
    return f"{name.span} names this case as proof of what the book says of {path}, which it does not carry out"
