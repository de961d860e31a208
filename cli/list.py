"""`polis list`: the rulesets that come with the package."""

from __future__ import annotations

import typer

from polis_rules.composition import shipped

from .options import OutputFormat
from .output import Format, print_json


def command(
    format: OutputFormat = Format.text,
) -> None:
    """List the rulesets that come with polis.

    Each is shown with its title, its scenarios and its variants.

    \b
    Example:
      polis list
      polis list --format json
    """
    rulesets = shipped()
    if format is Format.json:
        print_json(
            [
                {"ruleset": each.name, "title": each.title}
                | {"scenarios": dict(each.scenarios), "variants": dict(each.variants)}
                for each in rulesets
            ]
        )
        return
    if not rulesets:
        typer.echo("No rulesets come with this installation. A folder with one of your own works as well:")
        typer.echo("  polis validate FOLDER")
        return
    for each in rulesets:
        typer.echo(f"{each.name}: {each.title}")
        _print_group("scenarios", each.scenarios)
        _print_group("variants", each.variants)


def _print_group(name: str, titles: tuple[tuple[str, str], ...]) -> None:
    if not titles:
        return
    typer.echo(f"  {name}")
    width = max(len(each) for each, _ in titles)
    for each, title in titles:
        typer.echo(f"    {each:<{width}}  {title}")
