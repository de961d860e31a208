"""`polis resume`: list the games that are kept, and go on with one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from polis_rules.play import Session, games_folder, saved_games, unreadable_games

from .options import Options, OutputFormat
from .output import Format, answer, say
from .played import play_on

if TYPE_CHECKING:
    from polis_rules.play import SavedGame


class Command(Options):
    """List saved games, newest first, or go on with one.

    They are kept in the folder that POLIS_GAMES_DIR names, or else where this system keeps what belongs to a user.

    \b
    Example:
      polis resume
      polis resume 1
      polis resume mygame-3 --plain
    """

    game: Annotated[str | None, typer.Argument(metavar="GAME")] = None
    """The name of a game, or its number in the list. Example: mygame-3"""
    plain: bool = False
    """Play line by line, for screen readers and pipes. Example: --plain"""
    answer_single: bool = False
    """Let questions with one option answer themselves, if it costs nothing. Example: --answer-single"""
    undo_all: bool = False
    """Let `undo` take back dice, and what was hidden, too. Example: --undo-all"""
    anyway: bool = False
    """If the rules have changed, play as much of it as those of now allow, as a new game. Example: --anyway"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.game is not None:
            session = Session.resume(self.game, undo_all=self.undo_all, anyway=self.anyway)
            play_on(session, self.plain, self.answer_single)
            return
        games = saved_games()
        data = [
            {
                "game": each.name, "ruleset": each.transcript.ruleset, "title": each.transcript.title,
                "scenario": each.transcript.scenario, "variants": each.transcript.variants,
                "seats": each.transcript.seats, "stands": each.stands, "finished": each.transcript.finished,
                "date": _date(each.date), "file": each.path,
            }
            for each in games
        ]  # fmt: skip
        answer(self.format, data, _lines(games))
        for why in unreadable_games().values():
            say(f"Not read: {why}", err=True)


def _lines(games: Sequence[SavedGame]) -> Iterator[str]:
    if not games:
        yield f"There are no saved games in {games_folder()}. Begin one with: polis play"
        return
    for number, each in enumerate(games, 1):
        transcript = each.transcript
        yield f"{number:>3}  {each.name}  {_date(each.date)}  {transcript.title} ({transcript.scenario})"
        yield f"     {each.stands}; {each.seats}"
    yield "Go on with: polis resume NUMBER or NAME"


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
