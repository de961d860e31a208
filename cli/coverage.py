"""`polis coverage`: what games meet of the rules."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from polis_rules.verification.coverage import Count, Coverage, cover, told, write_pages

from .options import OutputFormat, RulesetName, ScenarioNames, VariantNames
from .output import Format, print_json
from .progress import Progress
from .table import print_table


def command(
    ruleset: RulesetName,
    games: Annotated[int, typer.Option(min=1, help="How many games. Example: --games 10000")] = 500,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Who plays; may be repeated, then all combinations of seats play in turn. Without it all bots do. "
            "Example: --bot random",
        ),
    ] = None,
    scenario: ScenarioNames = None,
    variant: VariantNames = None,
    every: Annotated[
        bool, typer.Option("--every", help="List what was met too, not only what was not. Example: --every")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the rules as annotated pages here. Example: --html coverage"),
    ] = None,
    format: OutputFormat = Format.text,
) -> None:
    """Play games between bots and say what they never met.

    Requirements, conditions, effects, terms, rows and endings are counted.

    A condition counts as met when it came out both ways. A comment `# polis: unmet reason` beside a rule, or alone on
    the line before, explains why games do not meet it; one that stands elsewhere names the rule and the label first,
    `phases.harvest.it_must_be_ripe`. The exit status is 0 when everything is met or explained, and 1 when something
    is not. Ctrl-C ends early, with what was counted so far.

    \b
    Example:
      polis coverage mygame
      polis coverage mygame --games 10000 --html coverage
      polis coverage mygame --bot greedy --every
    """
    with Progress(games, "games") as progress:
        found = cover(ruleset, games, scenario or (), variant or (), bot or (), progress.at)
    if format is Format.json:
        print_json(_as_data(found))
    else:
        _print(found, every)
    if html is not None:
        typer.echo(f"Pages: {write_pages(found, html)}", err=format is Format.json)
    if found.unmet or found.needless:
        raise typer.Exit(1)


def _print(found: Coverage, every: bool) -> None:
    """A table of everything that asks for a look, then the sums."""
    shown = found.counts if every else found.unmet
    place = ""
    for each in shown:
        if each.span.file != place:
            place = each.span.file
            typer.echo(place)
        typer.echo(f"  {each.span.line:>4}  {_verdict(each):<12} {each.what:<12} {_told(each)}")
    for each in found.needless:
        typer.echo(f"{each.span}: games do meet this, the comment can go: {each.label}")
    whats = dict.fromkeys(each.what for each in found.counts)
    typer.echo("")
    rows = []
    for what in whats:
        of = [each for each in found.counts if each.what == what]
        met = sum(each.met == "met" for each in of)
        known = sum(each.met != "met" and bool(each.reason) for each in of)
        rows.append([f"{what}s", len(of), met, known, len(of) - met - known])
    print_table(["", "all", "met", "explained", "unmet"], rows)
    typer.echo(f"{found.ruleset}: {found.games} games, {found.decisions} decisions")


def _verdict(count: Count) -> str:
    return {"always": "always true", "never true": "never true"}.get(count.met, count.met)


def _told(count: Count) -> str:
    return f"{told(count)}  ({count.rule})" + (f"  because: {count.reason}" if count.reason else "")


def _as_data(found: Coverage) -> dict[str, Any]:
    counts = [asdict(each) | {"met": each.met} for each in found.counts]
    return {"ruleset": found.ruleset, "games": found.games, "decisions": found.decisions, "counts": counts}
