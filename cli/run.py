"""`polis run`: play one game, with bots or people in the seats."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path
from typing import Annotated

import typer

import polis_rules
from polis_rules import play
from polis_rules.composition import check_is_game, told_choices

from .options import Chosen, RulesetName, flag, option
from .output import Format
from .seats import HUMAN, fill_seats, parse_seats
from .session import Session, say_what_is_played


def command(
    ruleset: RulesetName,
    chosen: Chosen,
    seed: Annotated[
        int | None,
        option("NUMBER", "Seed of all dice and draws; without it one is chosen and shown. Example: --seed 7", min=0),
    ] = None,
    seat: Annotated[
        list[str] | None,
        option(
            "PLAYER=WHO",
            "Who plays a player: the name of a bot, or `human` to play yourself; may be repeated, all others are "
            "random. Example: --seat red=human",
        ),
    ] = None,
    format: Annotated[
        Format, typer.Option(help="Text for people or JSON with the result for programs. Example: --format json")
    ] = Format.text,
    transcript: Annotated[
        Path | None,
        option(
            "FILE",
            "Record the game in this file, also when it is stopped or fails. A file that exists is left "
            "alone unless --force is given. Example: --transcript game.jsonl",
        ),
    ] = None,
    force: Annotated[bool, flag("--force", "Let --transcript replace a file. Example: --force")] = False,
    resume: Annotated[
        Path | None,
        option(
            "FILE",
            "Go on with the unfinished game in this transcript, with its seed, seats, scenario and "
            "variants, and record in it unless --transcript names another file. Example: --resume game.jsonl",
        ),
    ] = None,
) -> None:
    """Play one game and print what happens.

    A human seat shows what that player may see, asks for each decision, and answers help.

    \b
    Example:
      polis run mygame --seed 7
      polis run mygame --seat red=human --transcript game.jsonl
      polis run mygame --resume game.jsonl
      polis run mygame --seed 7 --format json
    """
    check_is_game(ruleset)
    earlier = _earlier(resume, seed, chosen)
    wanted = parse_seats(seat or [])
    target = transcript if transcript is not None else resume
    if target is not None and target != resume:
        _check_target(target, force)

    if earlier is None:
        rules = polis_rules.load(ruleset, chosen.scenario, chosen.variants)
        seed = secrets.randbelow(1_000_000_000) if seed is None else seed
    else:
        rules = play.rules_of(earlier, ruleset, chosen.variant)
        seed = earlier.seed
    sitting = fill_seats(rules, earlier.seats if earlier else {}, wanted)
    if format is Format.json and HUMAN in sitting.values():
        raise typer.BadParameter("a human seat needs --format text", param_hint="--format")
    source = [ruleset, *told_choices(chosen.variants)]
    if format is Format.text:
        say_what_is_played(rules, sitting, seed)
    game = rules.start(seed=seed) if earlier is None else play.resume(earlier, rules)
    Session(source, chosen.scenario, rules, game, seed, sitting, target, format).run()


def _earlier(resume: Path | None, seed: int | None, chosen: Chosen) -> play.Transcript | None:
    """The transcript to go on with, which settles what the other options would have chosen."""
    if resume is None:
        return None
    given = {"--seed": seed, "--scenario": chosen.scenario, "--set": chosen.setting, "--seats": chosen.seats}
    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter("the game to resume has its own", param_hint=name)
    return play.read(resume)


def _check_target(target: Path, force: bool) -> None:
    """Complain before the game, not after it, that its transcript could not be written."""
    if target.is_dir() or (target.exists() and not target.is_file()):
        raise typer.BadParameter(f"{target} is not a file", param_hint="--transcript")
    if target.exists() and not force:
        raise typer.BadParameter(
            f"{target} exists; --force replaces it, --resume {shlex.quote(str(target))} goes on with it",
            param_hint="--transcript",
        )
    if not target.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {target.parent}", param_hint="--transcript")
