"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from .output import Format

RulesetName = Annotated[
    str, typer.Argument(metavar="RULESET", help="A shipped ruleset's name or a folder. Example: mygame or rules/mine")
]

ScenarioName = Annotated[
    str | None,
    typer.Option(
        metavar="SCENARIO", help="Another scenario than the usual one, a name or a file. Example: --scenario short"
    ),
]

VariantNames = Annotated[
    list[str] | None,
    typer.Option(metavar="VARIANT", help="A variant, a name or a file; may be repeated. Example: --variant costly"),
]

ScenarioNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SCENARIO",
        help="What is played; may be repeated. Without it all scenarios are, in turn. Example: --scenario short",
    ),
]

BotNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BOT",
        help="Who plays; may be repeated, then all combinations of seats play in turn. Example: --bot random",
    ),
]

FirstSeed = Annotated[int, typer.Option(help="The first game's seed; the others follow. Example: --seed 7")]

Jobs = Annotated[int, typer.Option(min=1, help="How many processes share the games. Example: --jobs 2")]

OutputFormat = Annotated[Format, typer.Option(help="Text for people or JSON for programs. Example: --format json")]
