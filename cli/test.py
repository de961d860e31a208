"""`polis test`: run the rule cases of a ruleset."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from polis_rules.cases import FOLDER, CaseResult, run_cases
from polis_rules.composition import find, shipped

from .options import OutputFormat
from .output import Format, print_json
from .progress import watched

HOW_TO_BEGIN = """\
Put them into YAML files in the folder {folder}. This is one:

  cases:
    a_card_costs_two: {{do: [{{red: new_card}}], changes: {{player.coins: {{red: -2}}}}}}

A case may have given, drawn, rolled, do, then, changes, offers, refused and more, see docs/cases.md."""


def command(
    ruleset: Annotated[
        str | None,
        typer.Argument(
            metavar="RULESET",
            help="A shipped ruleset's name or a folder; without it all shipped ones. Example: mygame or rules/mine",
        ),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="SCENARIO", help="What cases that name no scenario begin with. Example: --scenario short"),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT",
            help="A variant to lay over in every case, a name or a file; may be repeated. Example: --variant costly",
        ),
    ] = None,
    case: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="Only cases with this in their file, id or title; with * or ? the whole id must fit. "
            "Example: --case 'dice*'",
        ),
    ] = None,
    inherited: Annotated[
        bool,
        typer.Option(
            "--inherited",
            help="Also the cases of the rulesets that it extends, even where it does not say how they are read. "
            "Example: --inherited",
        ),
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run the cases of this file instead, wherever it is. Example: --file mygame_cases.yaml",
        ),
    ] = None,
    format: OutputFormat = Format.text,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="Also name the cases that pass, and tell each game. Example: --verbose"),
    ] = False,
) -> None:
    """Run the cases of a ruleset.

    A case gives a position and decisions, and says what must come of them. The exit status is 0 when every
    case passes and 1 when one does not.

    \b
    Example:
      polis test
      polis test mygame --case dice --verbose
      polis test rules/mine --variant costly --format json
    """
    if file is not None:
        _check_file(file, ruleset, inherited)
    names = [ruleset] if ruleset is not None else [each.name for each in shipped()]
    results = {
        name: run_cases(name, scenario, variant or (), case, inherited or None, file, partial(watched, what="cases"))
        for name in names
    }
    ran = [result for each in results.values() for result in each]
    failed = sum(not result.passed for result in ran)
    if format is Format.json:
        print_json(_as_data(results, verbose))
    elif ran:
        for name, each in results.items():
            _print_results(name, each, verbose)
    elif case is None:
        _print_how_to_begin(names)
    if case is not None and not ran:
        typer.echo(f"No case has '{case}' in its file, id or title.", err=True)
    if failed or (case is not None and not ran):
        raise typer.Exit(1)


def _check_file(file: Path, ruleset: str | None, inherited: bool) -> None:
    if ruleset is None:
        raise typer.BadParameter("say of which ruleset they are: polis test RULESET --file FILE", param_hint="--file")
    if inherited:
        raise typer.BadParameter("with --file only the cases of that file are run", param_hint="--inherited")
    if not file.is_file():
        raise typer.BadParameter(f"there is no file {file}", param_hint="--file")


def _print_results(name: str, results: list[CaseResult], verbose: bool) -> None:
    for result in results:
        if result.passed and not verbose:
            continue
        typer.echo(str(result))
        if verbose and result.report:
            typer.echo("  the game:")
            for line in result.report:
                typer.echo(f"    {line}")
        typer.echo("")
    failed = sum(not result.passed for result in results)
    cases = f"{len(results)} case{'' if len(results) == 1 else 's'}"
    typer.echo(f"{name}: {cases}, {len(results) - failed} passed, {failed} failed")


def _print_how_to_begin(names: list[str]) -> None:
    folder = find(names[0]) / FOLDER if len(names) == 1 else FOLDER
    typer.echo(f"{', '.join(names)}: there are no cases yet." if names else "No rulesets come with this installation.")
    typer.echo(HOW_TO_BEGIN.format(folder=folder))


def _as_data(results: dict[str, list[CaseResult]], verbose: bool) -> dict[str, Any]:
    ran = [result for each in results.values() for result in each]
    passed = sum(result.passed for result in ran)
    return {
        "ok": passed == len(ran),
        "passed": passed,
        "failed": len(ran) - passed,
        "rulesets": [
            {"ruleset": name, "cases": [_case_as_data(result, verbose) for result in each]}
            for name, each in results.items()
        ],
    }


def _case_as_data(result: CaseResult, verbose: bool) -> dict[str, Any]:
    case = result.case
    return {
        "id": case.id,
        "file": case.file,
        "line": case.span.line,
        "title": case.title,
        "cite": case.cite,
        "passed": result.passed,
        "failures": list(result.failures),
        "notes": list(result.notes),
    } | ({"report": list(result.report)} if verbose else {})
