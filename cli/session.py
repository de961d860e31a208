"""One game on the command line: play it, print it, record it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from polis_rules import play
from polis_rules.diagnostics import some
from polis_rules.play import bots

from .human import Human, Quit
from .output import STOPPED, Format, answer, as_data, say, shown
from .seats import HUMAN
from .table import table

if TYPE_CHECKING:  # a game is not imported before its first line is printed
    from polis_rules import Game, Ruleset

TOLD_AT_ONCE = 1000
"""After so many decisions a game is told in blocks of as many: the whole report takes time to ask for."""


def say_what_is_played(rules: Ruleset, seats: dict[str, str], seed: int) -> None:
    """The first lines, which need not wait for the game."""
    settled = (f"{name} {value}" for name, value in rules.chosen.items())
    say(f"{rules.title} ({', '.join([rules.scenario, *rules.variants, *settled])})")
    say(f"{', '.join(f'{rules.titles[player]}: {who}' for player, who in seats.items())}. Seed {seed}.")


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
    recorder: play.Recorder | None = None

    def run(self) -> None:
        """Play, print and record, decision by decision: however the game ends, what was decided is recorded."""
        try:
            if self.target is not None:
                self._record_in(self.target)
            self._decide_all()
        except KeyboardInterrupt:
            self._tell_how_to_go_on("Stopped")
            raise typer.Exit(STOPPED) from None
        except Quit:
            self._write_down()  # nothing new, but the file may be gone
            self._tell_how_to_go_on("You left the game")
            return
        finally:
            if self.recorder is not None:
                self.recorder.close()
        answer(self.format, self._result_as_data(), self._result())

    def _record_in(self, target: Path) -> None:
        """Write the game so far into a file, and from now on what is decided."""
        recorder = play.Recorder(target, play.record(self.rules, self.game, self.seats))
        if self.recorder is not None:
            self.recorder.close()
        self.target, self.recorder = target, recorder

    def _write_down(self) -> None:
        """Record what was decided; where the file takes no more, say how to go on from what it holds."""
        if self.recorder is None:
            return
        try:
            if self.recorder.lost:
                self._record_anew()
            else:
                self.recorder.update(self.game)
        except OSError as error:
            error.filename = self.target
            self._tell_how_to_go_on("The last decision could not be recorded, the game stops")
            raise

    def _record_anew(self) -> None:
        """Write down the whole game again, as its file is gone; what stands in the file's place now is left alone."""
        assert self.target is not None
        names = (self.target.with_stem(f"{self.target.stem}-{number}") for number in count(2))
        free = next(path for path in (self.target, *islice(names, 1000)) if not path.exists())
        say(f"{self.target} was deleted or replaced. The whole game is recorded in {free}.", err=True)
        self._record_in(free)

    def _save(self, game: Game, name: str) -> str:
        """Do what a person types as `save FILE`; what came of it, in words."""
        target = Path(name)
        if not name:
            return "Give the file a name: save FILE"
        try:
            if target.exists():
                return f"Not written: {shown(target)} exists already"
            self._record_in(target)
        except (OSError, ValueError) as error:  # ValueError: no file can have such a name
            return f"Not written: {error}"
        return f"Recorded in {shown(target)}; what follows is recorded there too."

    def _decide_all(self) -> None:
        people, bots = self._sit_down()
        shows = self.format is Format.text and not people
        printed = 0
        for number, _ in enumerate(play.steps(self.game, bots)):
            self._write_down()
            if shows and (number < TOLD_AT_ONCE or not number % TOLD_AT_ONCE):
                printed = self._print_report(printed)
        if shows:
            self._print_report(printed)
        for person in people:
            person.catch_up(self.game)

    def _sit_down(self) -> tuple[list[Human], dict[str, bots.Bot]]:
        """Somebody for every seat; the people among them apart."""
        people: list[Human] = []
        players: dict[str, bots.Bot] = {}
        for place, (player, who) in enumerate(self.seats.items()):
            if who == HUMAN:
                from .written_case import keep  # only people write cases, and what reads cases takes long to import

                people.append(Human(player, {"case": partial(keep, self.rules), "save": self._save}))
                players[player] = people[-1]
            else:
                players[player] = bots.make(who, self.seed * len(self.seats) + place)
        return people, players

    def _print_report(self, printed: int) -> int:
        report = self.game.report
        for line in report[printed:]:
            say(line)
        return len(report)

    def _result(self) -> Iterator[str]:
        result, titles = self.game.result, self.rules.titles
        if result is None:
            return
        whose = f" ({titles[self.game.acting]})" if self.game.acting is not None else ""
        yield f"\nThe game has ended: {result.ended_by_title}{whose}"
        terms = [term for term in next(iter(result.scores.values()), {}) if term != "total"] + ["total"]
        rows = [[term.replace("_", " "), *(score[term] for score in result.scores.values())] for term in terms]
        rows += [["place", *result.places.values()]] if result.places else []
        yield from table(["", *(titles[player] for player in result.scores)], rows)
        won = ", ".join(titles[player] for player in result.winners)
        yield f"Winner{'s' * bool(result.shared)}: {won}" if won else "Nobody wins: a tie"
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
            how = f"Go on with: polis run {shlex.join([*self.source, '--resume', str(self.target)])}"
        say(how, err=True)

    def _decided(self) -> str:
        from polis_rules.interpreter.game import decisions  # not before the first line is printed

        return some(decisions(self.game.log), "decision")
