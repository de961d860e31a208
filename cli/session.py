"""One game on the command line: play it, print it, record it."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from polis_rules import Game, Ruleset
from polis_rules.play import Recorder, bots, record, steps
from polis_rules.play.bots import Bot

from .human import Human, Quit
from .output import STOPPED, Format, print_json
from .seats import HUMAN
from .table import table

TOLD_AT_ONCE = 1000
"""After so many decisions a game is told in blocks of as many: the whole report takes time to ask for."""


@dataclass(frozen=True, slots=True)
class Session:
    """One game on the command line, from the first decision to the printed result."""

    source: list[str]
    """The words of the command that name the rules."""
    rules: Ruleset
    game: Game
    seed: int
    seats: dict[str, str]
    target: Path | None
    format: Format

    def play(self) -> None:
        """Play, print and record, decision by decision: however the game ends, what was decided is recorded."""
        if self.format is Format.text:
            self._print_heading()
        try:
            with ExitStack() as files:
                begun = record(self.rules, self.game, self.seats)
                recorder = None if self.target is None else files.enter_context(Recorder(self.target, begun))
                self._decide_all(recorder)
        except KeyboardInterrupt:
            self._tell_how_to_go_on("Stopped")
            raise typer.Exit(STOPPED) from None
        except Quit:
            self._tell_how_to_go_on("You left the game")
            return
        if self.format is Format.json:
            print_json(self._result_as_data())
        else:
            self._print_result()

    def _decide_all(self, recorder: Recorder | None) -> None:
        people, bots = self._sit_down()
        shows = self.format is Format.text and not people
        shown = 0
        for count, _ in enumerate(steps(self.game, bots)):
            if recorder is not None:
                recorder.update(self.game)
            if shows and (count < TOLD_AT_ONCE or not count % TOLD_AT_ONCE):
                shown = self._print_report(shown)
        if shows:
            self._print_report(shown)
        for person in people:
            person.catch_up(self.game)

    def _sit_down(self) -> tuple[list[Human], dict[str, Bot]]:
        """Somebody for every seat; the people among them apart."""
        people: list[Human] = []
        players: dict[str, Bot] = {}
        for place, (player, who) in enumerate(self.seats.items()):
            if who == HUMAN:
                from .moments import keep  # only people write cases, and what reads cases takes long to import

                people.append(Human(player, partial(keep, self.rules)))
                players[player] = people[-1]
            else:
                players[player] = bots.make(who, self.seed * len(self.seats) + place)
        return people, players

    def _print_heading(self) -> None:
        layers = [self.rules.scenario, *self.rules.variants]
        seats = ", ".join(f"{self.rules.titles[player]}: {who}" for player, who in self.seats.items())
        typer.echo(f"{self.rules.title} ({', '.join(layers)})")
        typer.echo(f"{seats}. Seed {self.seed}.")

    def _print_report(self, shown: int) -> int:
        report = self.game.report
        for line in report[shown:]:
            typer.echo(line)
        return len(report)

    def _print_result(self) -> None:
        result = self.game.result
        if result is None:
            return
        titles = self.rules.titles
        typer.echo("")
        typer.echo(f"The game has ended: {result.ended_by_title}")
        terms = [term for term in next(iter(result.scores.values()), {}) if term != "total"] + ["total"]
        rows = [[term.replace("_", " "), *(score[term] for score in result.scores.values())] for term in terms]
        typer.echo("\n".join(table(["", *(titles[player] for player in result.scores)], rows)))
        typer.echo(f"Winner: {titles[result.winner]}" if result.winner else "Nobody wins: a tie")
        typer.echo(f"{self._decisions()} decisions, position {self.game.hash()}")
        if self.target is not None:
            typer.echo(f"Recorded in {self.target}")

    def _result_as_data(self) -> dict[str, Any]:
        result = asdict(self.game.result) if self.game.result is not None else {}
        return {
            "ruleset": self.rules.name,
            "title": self.rules.title,
            "ruleset_hash": self.rules.hash,
            "scenario": self.rules.scenario,
            "variants": list(self.rules.variants),
            "layers": list(self.rules.layers),
            "seed": self.seed,
            "seats": self.seats,
            "decisions": self._decisions(),
            "rounds": self.game.rounds,
            **result,
            "final_hash": self.game.hash(),
            "transcript": None if self.target is None else str(self.target),
        }

    def _tell_how_to_go_on(self, why: str) -> None:
        """Say how to go on with an unfinished game."""
        typer.echo("", err=True)
        typer.echo(f"{why} after {self._decisions()} decisions.", err=True)
        if self.target is None:
            how = f"Nothing was recorded (--transcript FILE does that). Begin again with: --seed {self.seed}"
        else:
            how = f"Go on with: polis run {shlex.join([*self.source, '--resume', str(self.target)])}"
        typer.echo(how, err=True)

    def _decisions(self) -> int:
        return sum(1 for entry in self.game.log if entry[0] == "decision")
