"""`polis format`: files in canonical form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polis_rules.authoring import unified
from polis_rules.authoring.formatting import files_at, format_file
from polis_rules.diagnostics import Diagnostics, render, some
from polis_rules.source import write_whole

from .options import Options, argument
from .output import say, shown


class Command(Options):
    """Put rule files into canonical form.

    Keys come in the order of the language, indented by two spaces; everything else stays as it is.

    What a file means does not change, and comments stay with what they belong to. A file that cannot be read is left
    alone and reported, and the exit status is 1.

    \b
    Example:
      polis format rules/mine
      polis format rules/mine variants/costly.yaml --check
    """

    paths: Annotated[list[Path], argument("PATH...")]
    """Files, or folders with all files in them. Example: rules/mine"""
    check: bool = False
    """Write nothing; status 1 if a file is not in this form. Example: --check"""
    diff: bool = False
    """Write nothing; print what would change. Example: --diff"""

    def run(self) -> None:
        diagnostics = Diagnostics()
        changed = count = 0
        for path in files_at(self.paths):
            versions = format_file(path, diagnostics)
            if versions is None:
                continue
            count += 1
            if versions[0] == versions[1]:
                continue
            changed += 1
            if self.diff:
                typer.echo(unified(shown(path.as_posix()), *versions), nl=False)
            elif self.check:
                say(f"Would format {shown(path)}")
            else:
                write_whole(path, versions[1])
                say(f"Formatted {shown(path)}")
        for finding in diagnostics.items:
            say(render(finding, diagnostics.sources), err=True)
        what = "to format" if self.check or self.diff else "formatted"
        if count or not diagnostics.has_errors:
            say(f"{some(count, 'file')}, {changed} {what}.", err=True)
        if diagnostics.has_errors or (self.check and changed):
            raise typer.Exit(1)
