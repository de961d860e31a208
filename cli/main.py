"""The command `polis`: wiring only, each command is a file of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .coverage import coverage
from .diff import diff_rulesets
from .explain import explain_path
from .format import format_files
from .list_ import list_rulesets
from .lsp import lsp
from .migrate import migrate_files
from .mutate import mutate
from .new import new
from .output import explain, forgive_odd_characters, told_what_is_used
from .perft import perft
from .replay import replay
from .resolve import resolve
from .rulebook import print_rulebook
from .run import run
from .schema import schema
from .soak import soak
from .sources import sources
from .test import test
from .twice import twice
from .validate import validate


class GroupedHelp(TyperGroup):
    """Lists the commands under a heading for each task."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # typer brings a click of its own
        for title, names in GROUPS.items():
            commands = {name: self.commands[name] for name in names}
            with formatter.section(title):
                formatter.write_dl([(name, each.get_short_help_str(60)) for name, each in commands.items()])


app = typer.Typer(
    name="polis",
    cls=GroupedHelp,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib import metadata

    try:
        typer.echo(f"polis {metadata.version('polis-rules')}")
    except metadata.PackageNotFoundError:
        typer.echo("polis (not installed, run from a source checkout)")
    raise typer.Exit


@app.callback()
def polis(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and leave. Example: polis --version",
        ),
    ] = False,
) -> None:
    """Check, play and replay board games whose rules are data.

    \b
    Example:
      polis list
      polis run mygame --seed 7

    Exit status: 0 fine, 1 findings or a request that cannot be met, 2 wrong usage, 130 stopped by Ctrl-C.
    """


GROUPS: dict[str, dict[str, Callable[..., None]]] = {
    "Author": {
        "new": new,
        "validate": validate,
        "format": format_files,
        "migrate": migrate_files,
        "lsp": lsp,
        "schema": schema,
    },
    "Play": {"list": list_rulesets, "run": run, "replay": replay},
    "Prove": {"test": test, "coverage": coverage, "mutate": mutate, "soak": soak, "twice": twice, "perft": perft},
    "Publish": {
        "explain": explain_path,
        "diff": diff_rulesets,
        "rulebook": print_rulebook,
        "sources": sources,
        "resolve": resolve,
    },
}
"""The commands by what they are for, in the order of `polis --help`."""

for commands in GROUPS.values():
    for name, command in commands.items():
        app.command(name)(command)


def main() -> None:
    """Run the command line; the exit status tells how it went."""
    forgive_odd_characters()
    try:
        with told_what_is_used():
            app(prog_name="polis")
    except Exception as error:
        message = explain(error)
        if message is None:
            raise
        typer.echo(message, err=True)
        sys.exit(1)
