"""`polis studio`: rules in an editor beside the game on the table, in a browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from .options import Chosen, RulesetName, option
from .output import say
from .seats import parse_seats

MISSING = 'the studio needs the extra `studio`: pip install "polis-rules[studio]"'


class Command(Chosen):
    """Edit rules while the game is on the table.

    A page opens in a browser on this computer. The rules stand on one side, with everything that `polis lsp` says of
    them, the game on the other. A rule that is saved holds at once: the game is played again under it, up to now or to
    the first decision that it does not allow.

    The address that is printed is secret: whoever knows it can read and write the files of the ruleset. Ctrl-C ends it;
    what was not saved is kept.

    \b
    Example:
      polis studio mygame
      polis studio mygame --variant costly.yaml --seat red=mcts:1s
    """

    ruleset: RulesetName
    seat: Annotated[list[str] | None, option("PLAYER=WHO")] = None
    """Who plays a player: a bot, or human. Example: --seat red=mcts:300"""
    seed: Annotated[int | None, option("NUMBER", min=0)] = None
    """The seed of the first game. Example: --seed 7"""
    port: Annotated[int | None, option("PORT", min=1, max=65535)] = None
    """Where to listen, instead of the first free port. Example: --port 9000"""
    no_browser: Annotated[bool, typer.Option("--no-browser")] = False
    """Do not open a browser. Example: --no-browser"""

    def run(self) -> None:
        seats = parse_seats(self.seat or [])
        try:
            from polis_rules.studio import LOOPBACK, Opened, Studio, address, free_place, serve
        except ModuleNotFoundError as error:
            if error.name is None or error.name.startswith("polis"):
                raise
            raise typer.BadParameter(MISSING, param_hint="studio") from None
        variants = tuple(Path(each) if str(each).endswith(".yaml") else each for each in self.variants)
        studio = Studio(Opened(self.ruleset, self.scenario, variants, seats, self.seed))
        where = free_place() if self.port is None else (LOOPBACK, self.port)
        opened = address(studio, where)

        def started() -> None:
            say(f"The studio is open at {opened}")
            say("Ctrl-C ends it.")
            if not self.no_browser:
                webbrowser.open(opened)

        serve(studio, where, started)
