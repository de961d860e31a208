"""Whether the cases that a rulebook names carry out the rules whose words they prove."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from polis_rules.cases import Case, CaseResult, Plan, Runner, Stage, play, read_cases
from polis_rules.documentation.rulebook import carried_out, proofs, read
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
    book = read(ruleset, scenario, variants)
    proving: dict[str, dict[str, Text]] = defaultdict(dict)
    rules: dict[str, list[str]] = {}
    for path, name in proofs(book).items():
        proving[str(name)][path] = name
        rules[path] = carried_out(book, path)
    runner = Runner(ruleset, scenario, variants)
    marked: dict[Choice, Stage] = {}

    wanted = {rule for each in rules.values() for rule in each}

    def judged(result: CaseResult) -> CaseResult:
        case, named = result.case, proving.get(result.case.id, {})
        met = _met(case, runner, marked, wanted) if named and result.passed else None
        if met is None:
            return result
        missing = (path for path in named if not _is_proof(case, path, rules[path], met))
        return replace(result, failures=tuple(_missing(path, named[path]) for path in missing))

    return [judged(result) for result in results]


def cases_of(
    path: str, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> list[Case]:
    """The cases that carry out a rule, such as `actions.dig`; of anything else those that name it.

    Raises RulesetError, and CaseFileError where the cases cannot be read.

    >>> rules = [each for each in load("politeia").rules().procedures if each.startswith("procedures.")]
    >>> len(cases_of(rules[0], "politeia")) > 0
    True
    """
    cases, rule = read_cases(ruleset), rule_of(path, ruleset, scenario, variants)
    if not rule:
        return naming(path, cases)
    met = carried(cases, ruleset, scenario, variants, {rule})
    return [case for case, rules in zip(cases, met, strict=True) if rule in rules]


def rule_of(path: str, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> str:
    """The rule that can be carried out to which a path leads, or which it is a part of; empty where there is none.

    >>> rules = [each for each in load("yucata").rules().procedures if each.startswith("actions.")]
    >>> rule_of(f"{rules[0]}.choose.where", "yucata") == rules[0], rule_of("settings.dice", "yucata")
    (True, '')
    """
    rule = ".".join(path.split(".")[:2])
    return rule if rule in load(ruleset, scenario, variants).rules().procedures else ""


def carried(
    cases: Iterable[Case],
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
    rules: Collection[str] | None = None,
) -> Iterator[frozenset[str]]:
    """Which rules each case carries out, of these or of all, as one after the other is played. Raises RulesetError.

    To ask about all takes hardly longer than about one.
    """
    runner, marked = Runner(ruleset, scenario, variants), dict[Choice, Stage]()
    wanted = load(ruleset, scenario, variants).rules().procedures if rules is None else rules
    for each in cases:
        yield frozenset(_met(each, runner, marked, wanted) or ())


def naming(path: str, cases: Iterable[Case]) -> list[Case]:
    """The cases whose text names what a path leads to, or the row of a table that it is a part of."""
    parts = path.split(".")
    about = ".".join(parts[: 3 if parts[0] == "tables" else 2])
    return [each for each in cases if _names(each, about)]


def _is_proof(case: Case, path: str, rules: Collection[str], met: Collection[str]) -> bool:
    """Whether a case proves what is said of a path: it carries out one of some rules, or they are none.

    Then it names the row, or tells scores, which alone ask a term that no rule asks; of points it names them as well.
    """
    if rules:
        return any(rule in met for rule in rules)
    named = _names(case, path)
    scored = re.search(r"\bscores?:", _written(case)) is not None
    return (scored and named) if path.startswith("score.") else scored if path.startswith("terms.") else named


def _names(case: Case, path: str) -> bool:
    """Whether the text of a case names a row, or whatever a path leads to."""
    return re.search(rf"\b{re.escape(path.rpartition('.')[2])}\b", _written(case)) is not None


def _written(case: Case) -> str:
    """The text of a case: its line, and those below it that are indented further."""
    lines = case.path.read_text("utf-8").split("\n")[case.span.line - 1 :]
    deep = len(lines[0]) - len(lines[0].lstrip())
    inside = takewhile(lambda line: not line.strip() or len(line) - len(line.lstrip()) > deep, lines[1:])
    return "\n".join([lines[0], *inside])


def _met(case: Case, runner: Runner, marked: dict[Choice, Stage], wanted: Collection[str]) -> set[str] | None:
    """Those of some rules that a case carries out; None where it cannot be played."""
    plan = runner.plan(case)
    if case.entry is None or isinstance(plan, CaseResult):
        return None
    choice = runner.choice(case, case.entry)
    if choice not in marked:
        unmarked = load(runner.ruleset, *choice)
        marked[choice] = Stage(unmarked.with_rules(_marked(unmarked.rules(), wanted)), few=True)
    return _done(case, plan[0], marked[choice])


def _marked(rules: TypedRules, wanted: Collection[str]) -> TypedRules:
    """The rules, in which carrying out some of them is counted, by their places among all."""
    marked = {
        path: replace(each, body=(ir.Mark(each.span, number), *each.body)) if path in wanted else each
        for number, (path, each) in enumerate(rules.procedures.items())
    }
    return replace(rules, procedures=marked)


def _done(case: Case, plan: Plan, stage: Stage) -> set[str]:
    """The paths of the marked rules that a case carries out."""
    met = stage.program.tally.rows
    met.clear()
    play(case, plan, stage)
    paths = [*stage.rules.procedures]
    return {paths[number] for number in met}


def _missing(path: str, name: Text) -> str:
    return f"{name.span} names this case as proof of what the book says of {path}, which it does not carry out"
