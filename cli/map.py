"""`polis map`: the board of a ruleset, or a position on it, as a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from polis_rules import Game, Ruleset, load
from polis_rules.board import Board, as_png, draw, seen
from polis_rules.diagnostics import some
from polis_rules.play import opened, read, rules_of
from polis_rules.source import write_whole

from .options import Chosen, RulesetName, option
from .output import say, shown
from .plain.details import Details


class Command(Chosen):
    """Draw the board, or a position on it, as SVG or PNG.

    The board is empty, stands at the beginning of a game, or at any moment of a recorded one.

    What players may not see is never drawn: without --as only what all of them see is. PNG needs the extra `map`:
    pip install "polis-rules[map]".

    \b
    Example:
      polis map mygame --out board.svg
      polis map mygame --transcript game.jsonl --at 40 --as red --out moment.png
    """

    ruleset: RulesetName
    seed: Annotated[int | None, option("NUMBER", min=0)] = None
    """Draw the first decision of the game with this seed. Example: --seed 7"""
    transcript: Annotated[Path | None, option("FILE")] = None
    """Draw a position of a recorded game; it says which scenario and variants. Example: --transcript game.jsonl"""
    at: Annotated[int | None, option("NUMBER", min=0)] = None
    """After how many entries of the record (0: the beginning), default: all. Example: --at 40"""
    viewer: Annotated[str | None, typer.Option("--as", metavar="PLAYER")] = None
    """Draw what this player may see. Example: --as red"""
    dark: Annotated[bool, typer.Option("--dark")] = False
    """Draw on a dark ground. Example: --dark"""
    out: Annotated[Path | None, option("FILE")] = None
    """Where to write the picture, a .svg or .png; without it SVG is printed. Example: --out board.png"""
    width: Annotated[int, option("PIXELS", min=200, max=8000)] = 2000
    """How wide a PNG is. Example: --width 800"""

    def run(self) -> None:
        if self.out is not None and self.out.suffix.lower() not in (".svg", ".png"):
            raise typer.BadParameter("the picture ends in .svg or .png", param_hint="--out")
        if self.seed is not None and self.transcript is not None:
            raise typer.BadParameter("a recorded game has its own seed", param_hint="--seed")
        if self.at is not None and self.transcript is None:
            raise typer.BadParameter("it needs --transcript", param_hint="--at")
        if self.viewer is not None and self.seed is None and self.transcript is None:
            raise typer.BadParameter("on an empty board all see the same", param_hint="--as")
        rules, game = self._position()
        board = Board.of(rules)
        if game is None and not (board.spots or board.facts):
            raise typer.BadParameter("this game has no board; --seed or --transcript draws what players have")
        svg = draw(board, None if game is None else seen(game, self.viewer), self.dark, Details(rules).does)
        if self.out is None:
            typer.echo(svg, nl=False)
            return
        if self.out.suffix.lower() == ".png":
            write_whole(self.out, as_png(svg, self.width))
        else:
            write_whole(self.out, svg)
        say(f"wrote {shown(self.out)}")

    def _position(self) -> tuple[Ruleset, Game | None]:
        """The rules, and the game that stands where it is to be drawn."""
        if self.transcript is None:
            rules = load(self.ruleset, self.scenario, self.variants)
            return rules, None if self.seed is None else rules.start(seed=self.seed)
        record = read(self.transcript)
        if self.at is not None and self.at > len(record.entries):
            entries = some(len(record.entries), "entry", "entries")
            raise typer.BadParameter(f"the transcript has {entries}", param_hint="--at")
        rules = rules_of(record, self.ruleset, self.variant)
        return rules, opened(replace(record, entries=record.entries[: self.at]), rules)
