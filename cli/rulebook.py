"""`polis rulebook`: the rules of a ruleset as a page to read."""

from __future__ import annotations

from typing import Annotated

import typer

from polis_rules.documentation.rulebook import read, rulebook

from .options import RulesetName, ScenarioName, SeatCount, SettingValues, VariantNames, laid_over
from .output import Format, answer


def command(
    ruleset: RulesetName,
    scenario: ScenarioName = None,
    variant: VariantNames = None,
    setting: SettingValues = None,
    seats: SeatCount = None,
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
    page = rulebook(read(ruleset, scenario, laid_over(variant, setting, seats)))
    answer(format, {"ruleset": ruleset, "rulebook": page}, page.splitlines())
