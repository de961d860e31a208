"""One game on the command line: play it, print it, record it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from polis_rules import play
from polis_rules.composition import split_choices
from polis_rules.diagnostics import some

from .attested import attested
from .output import STOPPED, Format, answer, as_data, say
from .plain import Desk, Quit
from .result import result_lines

if TYPE_CHECKING:  # a game is not imported before its first line is printed
    from polis_rules import Game, Ruleset

TOLD_AT_ONCE = 1000
"""After so many decisions a game is told in blocks of as many: the whole report takes time to ask for."""

MOST_TOLD = 50_000
"""After so many decisions a game that is told does not come to an end any more; games of 22,000 have been met."""


def say_what_is_played(rules: Ruleset, seats: dict[str, str], seed: int | None = None) -> None:
    """The first lines, which need not wait for the game."""
    said = "" if seed is None else f" Seed {seed}."
    settled = (f"{name} {value}" for name, value in rules.chosen.items())
    say(f"{rules.title} ({', '.join([rules.scenario, *rules.variants, *settled])})")
    say(attested(rules.grades))
    say(f"{', '.join(f'{rules.titles[player]}: {who}' for player, who in seats.items())}.{said}")


def to_resume(rules: Ruleset, file: Path) -> str:
    """The command that goes on with a recorded game; the file knows its scenario and its settings."""
    ruleset, _, laid_over = rules.origin
    variants = [part for each in split_choices(laid_over)[0] for part in ("--variant", str(each))]
    return f"polis run {shlex.join([str(ruleset), *variants, '--resume', str(file)])}"


@dataclass(slots=True)
class Session:
    """One game on the command line, from the first decision to the printed result."""

    source: list[str]
    """The words of the command that name the rules."""
    scenario: str | None
    """The one that the command names."""
    rules: Ruleset
    game: Game
    seed: int
    seats: dict[str, str]
    target: Path | None
    """The file in which the game is recorded."""
    format: Format

    def run(self) -> None:
        """Play, print and record, decision by decision: however the game ends, what was decided is recorded."""
        table = play.Session(
            self.rules, self.seats, game=self.game, path=self.target, keep=self.target is not None
        )  # fmt: skip
        begun = False
        try:
            table.write()
            begun = True
            self._decide_all(table)
        except KeyboardInterrupt:
            self._tell_how_to_go_on("Stopped")
            raise typer.Exit(STOPPED) from None
        except Quit:
            self._tell_how_to_go_on("You left the game")
            return
        except OSError:
            if begun and self.target is not None:
                self._tell_how_to_go_on("The last decision could not be recorded, the game stops")
            raise
        finally:
            table.close()
        answer(self.format, self._result_as_data(), self._result())

    def _decide_all(self, table: play.Session) -> None:
        if table.people:
            self._ask_all(table)
            return
        printed = 0
        for number in count():
            if table.turn == "over":
                break
            if number == MOST_TOLD:
                raise self.game.program.too_long(self.game.state, number)
            table.bot_moves()
            self._tell_of_file(table)
            if self.format is Format.text and (number < TOLD_AT_ONCE or not number % TOLD_AT_ONCE):
                printed = self._print_report(printed)
        if self.format is Format.text:
            self._print_report(printed)

    def _ask_all(self, table: play.Session) -> None:
        """Let the people among the players decide, too."""
        desk = Desk(table)
        try:
            desk.run()
        except Quit:
            desk.session.write()  # nothing new, but the file may be gone
            self._tell_of_file(desk.session)
            raise
        finally:
            self.game, self.target = desk.session.game, desk.session.path
            if desk.session is not table:
                desk.session.close()

    def _tell_of_file(self, table: play.Session) -> None:
        if table.told:
            say(table.told, err=True)
            self.target, table.told = table.path, ""

    def _print_report(self, printed: int) -> int:
        report = self.game.report
        for line in report[printed:]:
            say(line)
        return len(report)

    def _result(self) -> Iterator[str]:
        if self.game.result is None:
            return
        yield from result_lines(self.game, self.rules.titles)
        yield f"{self._decided()}, position {self.game.hash()}"
        if self.target is not None:
            yield f"Recorded in {self.target}"

    def _result_as_data(self) -> dict[str, Any]:
        from polis_rules.interpreter.game import decisions  # not before the first line is printed

        rules, result = self.rules, self.game.result
        return {
            "ruleset": rules.name,
            "title": rules.title,
            "ruleset_hash": rules.hash,
            "scenario": rules.scenario,
            "variants": rules.variants,
            "layers": rules.layers,
            "seed": self.seed,
            "seats": self.seats,
            "decisions": decisions(self.game.log),
            "rounds": self.game.rounds,
            **(as_data(result) if result is not None else {}),
            "final_hash": self.game.hash(),
            "transcript": self.target,
        }

    def _tell_how_to_go_on(self, why: str) -> None:
        """Say how to go on with an unfinished game."""
        say(f"\n{why} after {self._decided()}.", err=True)
        if self.target is None or not self.target.exists():
            words = ["--scenario", self.scenario] if self.scenario else []
            words += ["--seed", str(self.seed)]
            words += [part for seat in self.seats.items() if seat[1] != "random" for part in ("--seat", "=".join(seat))]
            again = shlex.join([*self.source, *words])
            how = f"Nothing was recorded (--transcript FILE does that). Begin again with: polis run {again}"
        else:
            how = f"Go on with: {to_resume(self.rules, self.target)}"
        say(how, err=True)

    def _decided(self) -> str:
        from polis_rules.interpreter.game import decisions  # not before the first line is printed

        return some(decisions(self.game.log), "decision")
