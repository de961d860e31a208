"""`polis migrate`: files of an older format, brought forward."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polis_rules.authoring import migrate, unified
from polis_rules.diagnostics import Diagnostics, render
from polis_rules.source import write_whole

from .options import Options, argument
from .output import say, shown


class Command(Options):
    """Bring files of an older format to the present one.

    Comments and layout stay. If something must be done by hand nothing is written, and the exit status is 1.

    \b
    Example:
      polis migrate rules/mine --dry-run
      polis migrate rules/mine
    """

    path: Annotated[Path, argument("PATH")]
    """A ruleset's folder, or a variant's file. Example: rules/mine"""
    dry_run: bool = False
    """Write nothing; print what would change. Example: --dry-run"""

    def run(self) -> None:
        diagnostics = Diagnostics()
        needed, changes = migrate(self.path, diagnostics)
        for finding in diagnostics.items:
            say(render(finding, diagnostics.sources), err=True)
        for each in needed if changes or diagnostics.has_errors else ():
            say(f"Format {each.source} to {each.source + 1}: {each.title}. By hand: {each.by_hand}", err=True)
        if diagnostics.has_errors:
            say("Nothing was written.", err=True)
            raise typer.Exit(1)
        for change in changes:
            if self.dry_run:
                typer.echo(unified(shown(change.path.as_posix()), change.before, change.after), nl=False)
            else:
                write_whole(change.path, change.after)
                say(f"Migrated {shown(change.path)}")
        if not changes:
            say("Nothing to migrate.")
