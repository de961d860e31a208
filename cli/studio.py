"""`polis studio`: rules in an editor beside the game on the table, in a browser."""

from __future__ import annotations

import gc
import os
import sys
import webbrowser
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.diagnostics import PolisError

from .options import Chosen, argument, option
from .output import say
from .seats import parse_seats

PASSWORD = "POLIS_STUDIO_PASSWORD"
NO_PASSWORD = f"other computers may only come in with a password: give --password-file or {PASSWORD}"
TAKEN = (
    "Port {port}, which this folder has usually, is taken. If you typed into a page after its studio had ended,"
    " the browser keeps that for this port: it is offered when the folder is opened there again."
)
NO_RULESET = "name the ruleset for which the other options are: the gallery opens each as it is"
MISSING = 'the studio needs the extra `studio`: pip install "polis-rules[studio]"'


class Command(Chosen):
    """Edit rules while the game is on the table.

    A page opens in a browser on this computer. The rules stand on one side, with everything that `polis lsp` says of
    them, the game on the other. A rule that is saved holds at once: the game is played again under it, up to now or to
    the first decision that it does not allow.

    The address that is printed is secret: whoever knows it can read and write the files of the ruleset. Ctrl-C ends it;
    what was not saved is kept.

    Only this computer can open it. With --host others can, who are asked for a password: that of --password-file, of
    the environment variable POLIS_STUDIO_PASSWORD, or one that you type when it starts.

    Without a ruleset a gallery of those that are shipped opens, to play one or to write a variant of it.

    \b
    Example:
      polis studio mygame
      polis studio mygame --variant costly.yaml --seat red=mcts:1s
    """

    ruleset: Annotated[str | None, argument("RULESET")] = None
    """A shipped ruleset's name or a folder; without it a gallery of those that are shipped opens. Example: mygame"""
    seat: Annotated[list[str] | None, option("PLAYER=WHO")] = None
    """Who plays a player: a bot, or human. Example: --seat red=mcts:300"""
    seed: Annotated[int | None, option("NUMBER", min=0)] = None
    """The seed of the first game. Example: --seed 7"""
    port: Annotated[int | None, option("PORT", min=1, max=65535)] = None
    """Where to listen, instead of a free port. Example: --port 9000"""
    host: Annotated[str | None, option("ADDRESS")] = None
    """The address to listen at, so that other computers can open it. Example: --host 192.168.1.20"""
    password_file: Annotated[Path | None, option("FILE", exists=True, dir_okay=False)] = None
    """A file whose first line is the password for other computers. Example: --password-file ~/.studio"""
    no_browser: Annotated[bool, typer.Option("--no-browser")] = False
    """Do not open a browser. Example: --no-browser"""

    def run(self) -> None:
        seats = parse_seats(self.seat or [])
        if self.ruleset is None and (self.scenario or self.variants or seats or self.seed is not None):
            raise typer.BadParameter(NO_RULESET, param_hint="RULESET")
        try:
            _load_socketio()
            from polis_rules.studio import (
                LOOPBACK,
                Gallery,
                Opened,
                Password,
                Studio,
                address,
                free_place,
                is_loopback,
                serve,
                usual_port,
            )
        except ModuleNotFoundError as error:
            if error.name is None or error.name.startswith("polis"):
                raise
            raise typer.BadParameter(MISSING, param_hint="studio") from None
        host = self.host or LOOPBACK
        try:
            password = None if is_loopback(host) else Password(self._password())
        except PolisError as error:
            raise typer.BadParameter(str(error), param_hint="password") from None
        variants = tuple(Path(each) if str(each).endswith(".yaml") else each for each in self.variants)
        opened = None if self.ruleset is None else Opened(self.ruleset, self.scenario, variants, seats, self.seed)
        gallery = Gallery(None if opened is None else Studio(opened))
        folder = None if gallery.studio is None else gallery.studio.workspace.folder
        where = free_place(host, folder, self.port)
        secret = address(gallery, where)

        def started() -> None:
            say(f"The studio is open at {secret}")
            if folder is not None and self.port is None and where[1] != usual_port(folder):
                say(TAKEN.format(port=usual_port(folder)))
            if password is not None:
                say("Nothing that is sent is encrypted: whoever can listen in the network can read it.")
            say("Ctrl-C ends it.")
            if not self.no_browser:
                webbrowser.open(secret)

        try:
            serve(gallery, where, started, password)
        finally:
            gc.freeze()  # Python would look through all that is in memory once more, for seconds on a busy machine

    def _password(self) -> str:
        """What other computers have to know."""
        if self.password_file is not None:
            try:
                return self.password_file.read_text("utf-8").partition("\n")[0].strip()
            except UnicodeDecodeError:
                raise typer.BadParameter(
                    f"{self.password_file} is no text in UTF-8", param_hint="--password-file"
                ) from None
        if PASSWORD in os.environ:
            return os.environ[PASSWORD]
        if not sys.stdin.isatty():
            raise typer.BadParameter(NO_PASSWORD, param_hint="--host")
        return str(typer.prompt("Password for other computers", hide_input=True, confirmation_prompt=True))


def _load_socketio() -> None:
    """Load what the page is sent by without what only its clients need: a fifth of the time until the page is there."""
    name = "aiohttp"
    known = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        import_module("socketio")
    finally:
        del sys.modules[name]
        if known is not None:
            sys.modules[name] = known
