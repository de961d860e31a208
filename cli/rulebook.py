"""`polis rulebook`: the rules of a ruleset as a page to read."""

from __future__ import annotations

from typing import Annotated

import typer

from polis_rules.documentation.rulebook import read, rulebook

from .options import Chosen, RulesetName
from .output import Format, answer


def command(
    ruleset: RulesetName,
    chosen: Chosen,
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
    page = rulebook(read(ruleset, chosen.scenario, chosen.variants))
    answer(format, {"ruleset": ruleset, "rulebook": page}, page.splitlines())
