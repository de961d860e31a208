"""Arguments and options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, dataclass_transform

import typer

from polis_rules.composition import SEATS, with_choices
from polis_rules.diagnostics import quote
from polis_rules.source import is_id

from .output import Format


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Options:
    """What a command takes: a dataclass of its arguments (those without a default) and options."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)


def argument(metavar: str, help: str | None = None, **more: Any) -> Any:
    """An argument and what stands for it in usage lines; what it is, where that does not stand below it."""
    return typer.Argument(metavar=metavar, help=help, **more)


def option(metavar: str, help: str | None = None, **more: Any) -> Any:
    """An option that takes a value."""
    return typer.Option(metavar=metavar, help=help, **more)


RulesetName = Annotated[str, argument("RULESET", "A shipped ruleset's name or a folder. Example: mygame or rules/mine")]
ScenarioName = Annotated[
    str | None,
    option("SCENARIO", "Scenario to play instead of the default, a name or a file. Example: --scenario short"),
]
VariantNames = Annotated[
    list[str] | None, option("VARIANT", "A variant, a name or a file; may be repeated. Example: --variant costly")
]
BotNames = Annotated[
    list[str] | None,
    option("BOT", "Who plays; may be repeated, then all combinations of seats play in turn. Example: --bot random"),
]
FirstSeed = Annotated[int, typer.Option(min=0, help="The first game's seed; the others follow. Example: --seed 7")]
Jobs = Annotated[int, typer.Option(min=1, help="How many processes share the games. Example: --jobs 2")]
OutputFormat = Annotated[Format, typer.Option(help="Text for people or JSON for programs. Example: --format json")]


def laid_over(
    variants: list[str] | None, settings: list[str] | None = None, seats: int | None = None
) -> tuple[str | Path, ...]:
    """The variants and the values of settings that options ask for."""
    chosen: dict[str, object] = {}
    for text in settings or ():
        name, equals, value = text.partition("=")
        if not equals or not is_id(name):
            message = f"{quote(text)} is not of the form NAME=VALUE, such as long_game=true"
            raise typer.BadParameter(message, param_hint="--set")
        chosen[name] = value
    return with_choices(variants or (), chosen if seats is None else chosen | {SEATS: seats})


class Chosen(Options):
    """The options that say which scenario, variants and settings are laid over a ruleset."""

    scenario: ScenarioName = None
    variant: VariantNames = None
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE")] = None
    """What a setting of the ruleset is in this game; may be repeated. Example: --set long_game=true"""
    seats: Annotated[int | None, option("NUMBER", min=1)] = None
    """How many play, where the ruleset leaves that open. Example: --seats 4"""

    @property
    def variants(self) -> tuple[str | Path, ...]:
        """The variants and the values of settings."""
        return laid_over(self.variant, self.setting, self.seats)


class ChosenScenarios(Chosen):
    """The same for commands that play several scenarios."""

    scenario: Annotated[list[str] | None, option("SCENARIO")] = None  # type: ignore[assignment]  # nobody mixes them
    """What is played; may be repeated. Without it all scenarios are, in turn. Example: --scenario short"""
