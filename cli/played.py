"""A session at this terminal, from wherever it stands to its end."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import typer

from .output import STOPPED, say
from .plain import Desk, Quit
from .result import result_lines
from .session import say_what_is_played, to_resume

if TYPE_CHECKING:
    from polis_rules.play import Session


def play_on(session: Session, plain: bool = True, answer_single: bool = False) -> None:
    """Let the people in a session play, and say at the end who has won, or how to go on.

    Without a terminal on which can be drawn, as in a pipe, or without Textual, that is line by line in any case.
    """
    if plain or not can_draw():
        _play_in_lines(session, answer_single)
    else:
        _play_on_screen(session, answer_single)


def can_draw() -> bool:
    """Whether this is a terminal that can do more than print lines."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws on the last
    return os.environ.get("TERM") != "dumb" and all(map(_is_terminal, streams))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _play_on_screen(session: Session, answer_single: bool) -> None:
    try:
        from .screen import PlayApp, answering, pictures_here
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        say("Line by line, as the screen needs Textual; install it with: pip install 'polis-rules[play]'", err=True)
        _play_in_lines(session, answer_single)
        return
    app = PlayApp(session, answer_single, pictures_here())
    try:
        with answering():
            app.run()
    finally:
        app.session.close()
    _tell_end(app.session)


def _tell_end(session: Session) -> None:
    """Who has won, or how to go on."""
    if session.turn != "over":
        _tell_how_to_go_on(session)
        return
    for line in result_lines(session.game, session.rules.titles):
        say(line)
    if session.path is not None:
        say(f"Kept as {session.name}." if session.is_listed else f"Recorded in {session.path}.")


def _play_in_lines(session: Session, answer_single: bool) -> None:
    say_what_is_played(session.rules, session.seats)
    say("Type help to see what you can type.")
    desk = Desk(session, answer_single)
    try:
        desk.run()
    except KeyboardInterrupt:
        _tell_how_to_go_on(desk.session)
        raise typer.Exit(STOPPED) from None
    except Quit:
        _tell_how_to_go_on(desk.session)
        return
    finally:
        desk.session.close()
    _tell_end(desk.session)


def _tell_how_to_go_on(session: Session) -> None:
    if session.path is None:
        say("\nNothing was decided, so nothing is kept.", err=True)
    elif session.is_listed:
        say(f"\nKept at: {session.stands}. Go on with: polis resume {session.name}", err=True)
    else:
        say(f"\nRecorded at: {session.stands}. Go on with: {to_resume(session.rules, session.path)}", err=True)
