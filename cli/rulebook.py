"""`polis rulebook`: the rules of a ruleset as a page to read."""

from __future__ import annotations

from typing import Annotated

import typer

from polis_rules.documentation.rulebook import read, rulebook

from .options import ScenarioName
from .output import Format, print_json


def command(
    ruleset: Annotated[
        str,
        typer.Argument(metavar="RULESET", help="A shipped ruleset's name or a folder. Example: mygame or rules/mine"),
    ],
    scenario: ScenarioName = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT",
            help="A variant to lay over it, a name or a file; may be repeated. Example: --variant quick",
        ),
    ] = None,
    format: Annotated[
        Format, typer.Option(help="Markdown for people or JSON for programs. Example: --format json")
    ] = Format.text,
) -> None:
    """Print the rulebook, made from the rules, as Markdown.

    \b
    Example:
      polis rulebook mygame
      polis rulebook rules/mine --scenario short --variant quick
    """
    page = rulebook(read(ruleset, scenario, tuple(variant or ())))
    if format is Format.json:
        print_json({"ruleset": ruleset, "rulebook": page})
    else:
        typer.echo(page, nl=False)
