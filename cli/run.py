"""`polis run`: play one game, with bots or people in the seats."""

from __future__ import annotations

import shlex
from pathlib import Path
from random import SystemRandom
from typing import Annotated

import typer

import polis_rules
from polis_rules import play
from polis_rules.composition import check_is_game, told_choices

from .options import Chosen, RulesetName, option
from .output import Format
from .seats import HUMAN, fill_seats, parse_seats
from .session import Session, say_what_is_played


class Command(Chosen):
    """Play one game and print what happens.

    A human seat shows what that player may see, asks for each decision, and answers help.

    \b
    Example:
      polis run mygame --seed 7
      polis run mygame --seat red=human --transcript game.jsonl
      polis run mygame --resume game.jsonl
      polis run mygame --seed 7 --format json
    """

    ruleset: RulesetName
    seed: Annotated[int | None, option("NUMBER", min=0)] = None
    """Seed of all dice and draws; without it one is chosen and shown. Example: --seed 7"""
    seat: Annotated[list[str] | None, option("PLAYER=WHO")] = None
    """Who plays a player: the name of a bot, or `human` to play yourself; may be repeated, all others are random.
    Example: --seat red=human"""
    format: Format = Format.text
    """Text for people or JSON with the result for programs. Example: --format json"""
    transcript: Annotated[Path | None, option("FILE")] = None
    """Record the game in this file, also when it is stopped or fails. A file that exists is left alone unless --force
    is given. Example: --transcript game.jsonl"""
    force: bool = False
    """Let --transcript replace a file. Example: --force"""
    resume: Annotated[Path | None, option("FILE")] = None
    """Go on with the unfinished game in this transcript, with its seed, seats, scenario and variants, and record in it
    unless --transcript names another file. Example: --resume game.jsonl"""

    def run(self) -> None:
        check_is_game(self.ruleset)
        earlier = self._earlier()
        wanted = parse_seats(self.seat or [])
        target = self.transcript if self.transcript is not None else self.resume
        if target is not None and target != self.resume:
            _check_target(target, self.force)

        seed = SystemRandom().randrange(1_000_000_000) if self.seed is None else self.seed
        if earlier is None:
            rules = polis_rules.load(self.ruleset, self.scenario, self.variants)
        else:
            rules = play.rules_of(earlier, self.ruleset, self.variant)
            seed = earlier.seed
        sitting = fill_seats(rules, earlier.seats if earlier else {}, wanted)
        if self.format is Format.json and HUMAN in sitting.values():
            raise typer.BadParameter("a human seat needs --format text", param_hint="--format")
        source = [self.ruleset, *told_choices(self.variants)]
        if self.format is Format.text:
            say_what_is_played(rules, sitting, seed)
        game = rules.start(seed=seed) if earlier is None else play.resume(earlier, rules, HUMAN in sitting.values())
        Session(source, self.scenario, rules, game, seed, sitting, target, self.format).run()

    def _earlier(self) -> play.Transcript | None:
        """The transcript to go on with, which settles what the other options would have chosen."""
        if self.resume is None:
            return None
        given = {"--seed": self.seed, "--scenario": self.scenario, "--set": self.setting, "--seats": self.seats}
        for name, value in given.items():
            if value is not None:
                raise typer.BadParameter("the game to resume has its own", param_hint=name)
        return play.read(self.resume)


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
