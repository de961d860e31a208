"""`polis play`: play a game yourself, against bots or with others at this screen."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import polis_rules
from polis_rules.composition import check_is_game, shipped
from polis_rules.play import bots

from .options import Chosen, option
from .output import say_on_terminal
from .played import play_on
from .seats import HUMAN, fill_seats, parse_seats


class Command(Chosen):
    """Play a game yourself.

    You play the first player, a bot the others, unless --seat says otherwise. Each decision is kept when it is made:
    `polis resume` goes on with a game. Several people may share this screen: none sees what another's hand hides.

    \b
    Example:
      polis play
      polis play mygame --seat red=human --seat blue=greedy
      polis play mygame --plain --chance manual
    """

    ruleset: Annotated[str | None, typer.Argument(metavar="RULESET")] = None
    """A shipped ruleset's name or a folder; without it you are asked. Example: mygame or rules/mine"""
    seat: Annotated[list[str] | None, option("PLAYER=WHO")] = None
    """Who plays a player: `human`, or the name of a bot; may be repeated. Example: --seat red=human"""
    seed: Annotated[int | None, option("NUMBER", min=0)] = None
    """Seed of all dice and draws; without it one is chosen. Example: --seed 7"""
    chance: Annotated[Literal["seed", "manual"], typer.Option()] = "seed"
    """Where dice and draws come from: the seed, or you type what came out, beside a real board.
    Example: --chance manual"""
    plain: bool = False
    """Play line by line, for screen readers and pipes. Example: --plain"""
    answer_single: bool = False
    """Let questions with one option answer themselves, if it costs nothing. Example: --answer-single"""
    undo_all: bool = False
    """Let `undo` take back dice, and what was hidden, too. Example: --undo-all"""

    def run(self) -> None:
        ruleset = self.ruleset if self.ruleset is not None else _asked()
        check_is_game(ruleset)
        wanted = parse_seats(self.seat or [])
        rules = polis_rules.load(ruleset, self.scenario, self.variants)
        usual = {rules.players[0]: HUMAN} if HUMAN not in wanted.values() else {}
        taken = {each: who for each, who in usual.items() if each not in wanted}
        seats = fill_seats(rules, dict.fromkeys(rules.players, usual_bot()) | taken, wanted)
        session = polis_rules.play.Session(rules, seats, self.seed, self.chance == "manual", self.undo_all)
        play_on(session, self.plain, self.answer_single)


def usual_bot() -> str:
    """Who plays where nobody is named."""
    return next(name for name in ("mcts", "greedy", "random") if name in bots.BOTS)


def _asked() -> str:
    """The ruleset that the person names. Raises Abort at the end of input."""
    rulesets = shipped()
    longest = max((len(each.name) for each in rulesets), default=0)
    for number, each in enumerate(rulesets, 1):
        say_on_terminal(f"  {number}  {each.name:<{longest}}  {each.title}")
    while True:
        line = typer.prompt("Which game (number, name, or a folder)", default=rulesets[0].name if rulesets else None)
        if not line.isdecimal():
            return str(line)
        if 0 < int(line) <= len(rulesets):
            return rulesets[int(line) - 1].name
