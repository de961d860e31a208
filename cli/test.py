"""`polis test`: run the rule cases of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from polis_rules.cases import FOLDER, CaseResult, run_cases
from polis_rules.composition import find, shipped, shipped_libraries
from polis_rules.diagnostics import some
from polis_rules.verification import with_proofs

from .options import Chosen, OutputFormat, argument, option
from .output import Format, answer, say
from .progress import watched

HOW_TO_BEGIN = """\
Put them into YAML files in the folder {folder}. This is one:

  cases:
    a_card_costs_two: {{do: [{{red: new_card}}], changes: {{player: {{red: {{coins: -2}}}}}}}}

A case may have given, drawn, rolled, do, then, changes, offers, refused and more, see docs/cases.md."""


class Command(Chosen):
    """Run the cases of a ruleset.

    A case gives a position and decisions, and says what must come of them. With --variant the cases of the ruleset
    that the variant does not say it changes must hold too, and its own cases follow. The exit status is 0 when every
    case passes and 1 when one does not. A case that `book` names as proof of a rule fails if it does not carry out
    that rule.

    \b
    Example:
      polis test
      polis test mygame --case dice --verbose
      polis test rules/mine --variant costly --format json
    """

    ruleset: Annotated[str | None, argument("RULESET")] = None
    """A shipped ruleset's name or a folder; without it all shipped ones. Example: mygame or rules/mine"""
    scenario: Annotated[str | None, option("SCENARIO")] = None
    """What cases that name no scenario begin with. Example: --scenario short"""
    case: Annotated[str | None, option("PATTERN")] = None
    """Only cases with this in their file, id or title; with * or ? the whole id must fit. Example: --case 'dice*'"""
    inherited: bool = False
    """Also the cases of the rulesets that it extends, even where it does not say how they are read. Example:
    --inherited"""
    file: Annotated[Path | None, option("FILE")] = None
    """Run the cases of this file instead, wherever it is. Example: --file mygame_cases.yaml"""
    format: OutputFormat = Format.text
    verbose: bool = False
    """Also name the cases that pass, and tell each game. Example: --verbose"""

    def run(self) -> None:
        if self.file is not None:
            self._check_file(self.file)
        names = [*(each.name for each in shipped()), *(id for id, _ in shipped_libraries())]
        names = names if self.ruleset is None else [self.ruleset]
        asked = self.scenario, self.variants, self.case, self.inherited or None, self.file
        results = {
            name: with_proofs(
                run_cases(name, *asked, partial(watched, what="cases")), name, self.scenario, self.variants
            )
            for name in names
        }
        ran = [result for each in results.values() for result in each]
        ok = all(result.passed for result in ran)
        missed = self.case is not None and not ran
        if missed:
            say(f"No case has '{self.case}' in its file, id or title.", err=True)
        lines = _lines(results, self.verbose) if ran or missed else _how_to_begin(names)
        answer(self.format, _as_data(results, ok, self.verbose), lines, int(not ok or missed))

    def _check_file(self, file: Path) -> None:
        if self.ruleset is None:
            message = "say of which ruleset they are: polis test RULESET --file FILE"
            raise typer.BadParameter(message, param_hint="--file")
        if self.inherited:
            raise typer.BadParameter("with --file only the cases of that file are run", param_hint="--inherited")
        if not file.is_file():
            raise typer.BadParameter(f"there is no file {file}", param_hint="--file")


def _lines(results: dict[str, list[CaseResult]], verbose: bool) -> Iterator[str]:
    for name, each in results.items():
        for result in each:
            if verbose or not result.passed:
                yield str(result)
                if verbose and result.report:
                    yield "  the game:"
                    yield from (f"    {line}" for line in result.report)
                yield ""
        if each:
            passed = sum(result.passed for result in each)
            yield f"{name}: {some(len(each), 'case')}, {passed} passed, {len(each) - passed} failed"


def _how_to_begin(names: list[str]) -> Iterator[str]:
    yield f"{', '.join(names)}: there are no cases yet." if names else "No rulesets come with this installation."
    yield HOW_TO_BEGIN.format(folder=find(names[0]) / FOLDER if len(names) == 1 else FOLDER)


def _as_data(results: dict[str, list[CaseResult]], ok: bool, verbose: bool) -> dict[str, Any]:
    passed = [result.passed for each in results.values() for result in each]
    rulesets = [
        {"ruleset": name, "cases": [_case_as_data(result, verbose) for result in each]}
        for name, each in results.items()
    ]
    return {"ok": ok, "passed": passed.count(True), "failed": passed.count(False), "rulesets": rulesets}


def _case_as_data(result: CaseResult, verbose: bool) -> dict[str, Any]:
    about = {name: getattr(result.case, name) for name in ("id", "file", "title", "cite")}
    about |= {"line": result.case.span.line}
    names = ("passed", "failures", "notes", *(["report"] if verbose else []))
    return about | {name: getattr(result, name) for name in names}
