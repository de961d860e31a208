"""`polis soak`: many games, with everything asked that must hold."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from polis_rules.ruleset import load
from polis_rules.verification.shrink import Shrunk
from polis_rules.verification.soak import Plan, Soaked, save, soak

from .options import BotNames, FirstSeed, Jobs, OutputFormat, RulesetName, ScenarioNames, VariantNames
from .output import STOPPED, Format, print_json
from .progress import Progress


def command(
    ruleset: RulesetName,
    games: Annotated[int, typer.Option(min=1, help="How many games. Example: --games 100000")] = 500,
    seed: FirstSeed = 0,
    scenario: ScenarioNames = None,
    variant: VariantNames = None,
    bot: BotNames = None,
    check_every: Annotated[
        int, typer.Option(min=1, metavar="N", help="Check one game of N in full. Example: --check-every 10")
    ] = 100,
    python: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="Another Python, with polis-rules installed, that replays the games too; may be repeated. "
            "Example: --python ~/.venv-3.13/bin/python",
        ),
    ] = None,
    jobs: Jobs = 1,
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Where a game that fails is saved. Example: --out failures"),
    ] = Path("failures"),
    format: OutputFormat = Format.text,
) -> None:
    """Play many games and check what must hold at every step.

    Ranges, payments, invariants and supplies are checked after every decision and chance.

    Some games are checked in full: undo must restore everything, and what a player may not see is exchanged, which
    the player must not be able to tell from view, options, refusals, report and log. At the end all games are replayed
    in another process, with another hash seed and fresh code, and must come to the same positions. A game that fails
    ends the run with exit status 1; it is saved as a transcript and, made small, as a case. Ctrl-C ends early, with
    what was played so far.

    \b
    Example:
      polis soak mygame
      polis soak mygame --games 100000 --jobs 2 --out failures
    """
    variants = tuple(variant or ())
    scenarios = tuple(scenario or load(ruleset, None, variants).scenarios)
    plan = Plan(ruleset, scenarios, variants, games, seed, tuple(bot or ("random",)), check_every)
    begun = perf_counter()
    with Progress(games, "games") as progress:
        found = soak(plan, jobs, python or (), progress.at)
    seconds = round(perf_counter() - begun, 1)
    paths, small = save(plan, found.failure, out, _tell) if found.failure is not None else ([], None)
    if format is Format.json:
        print_json(_as_data(plan, found, paths, seconds))
    else:
        _print(plan, found, paths, small, seconds)
    if not found.ok:
        raise typer.Exit(1)
    if found.stopped:
        raise typer.Exit(STOPPED)


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        typer.echo(f"shrinking: {text}", err=True)


def _print(plan: Plan, found: Soaked, paths: list[Path], small: Shrunk | None, seconds: float) -> None:
    typer.echo(f"{plan.ruleset}: {', '.join(plan.scenarios)}; {', '.join(plan.players)} bots")
    typer.echo(
        f"{_some(found.games, 'game')}, {_some(found.decisions, 'decision')}, "
        f"{found.chances:,} dice and draws in {seconds:,} s: "
        f"ranges, payments, invariants and supplies {'hold' if found.failure is None else 'asked after each'}"
    )
    checked = _some(found.checked, "game")
    typer.echo(f"{checked} checked in full: undo, replay; hidden values exchanged {found.worlds:,} times")
    if found.stopped:
        typer.echo("stopped before the end")
    for each in found.replays:
        told = f"{len(each.differing)} come out in another way" if each.differing else "all the same"
        typer.echo(f"{each.games:,} replayed by Python {each.python} with hash seed {each.hash_seed}: {told}")
        for line in each.differing[:10]:
            typer.echo(f"  {line}")
    if (failure := found.failure) is not None:
        typer.echo(f"FAILED: {failure.scenario}, seed {failure.seed}, {len(failure.log)} entries: {failure.message}")
        if small is not None:
            lines = _some(len(small.lines), "line")
            typer.echo(f"made small: {_some(small.decisions, 'decision')}, {lines} of overlays")
        for path in paths:
            typer.echo(f"saved: {path}")


def _some(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _as_data(plan: Plan, found: Soaked, paths: list[Path], seconds: float) -> dict[str, Any]:
    data = asdict(found)
    about = {"ruleset": str(plan.ruleset), "scenarios": plan.scenarios, "variants": [str(v) for v in plan.variants]}
    return about | data | {"ok": found.ok, "saved": [str(path) for path in paths], "seconds": seconds}
