"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["RulesetName", "ScenarioName", "VariantNames"]

RulesetName = Annotated[
    str, typer.Argument(metavar="RULESET", help="A shipped ruleset's name or a folder. Example: mygame")
]

ScenarioName = Annotated[
    str | None,
    typer.Option(metavar="SCENARIO", help="Another scenario than the usual one. Example: --scenario short"),
]

VariantNames = Annotated[
    list[str] | None,
    typer.Option(metavar="VARIANT", help="A variant, a name or a file; may be repeated. Example: --variant costly"),
]
