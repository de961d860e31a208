"""The command `polis`: wiring only, each command is a file of its own."""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from .command import as_function
from .output import explain, forgive_odd_characters, say, told_what_is_used
from .quick_values import take_plain_values_quickly

GROUPS = {
    "Author": ("new", "studio", "validate", "format", "migrate", "lsp", "schema"),
    "Play": ("list", "play", "resume", "run", "replay", "tune"),
    "Prove": ("test", "coverage", "mutate", "soak", "differential", "perft"),
    "Measure": ("simulate", "compare", "sweep", "balance", "report", "counterfactual"),
    "Publish": ("explain", "diff", "rulebook", "print", "map", "sources", "resolve"),
}
"""The commands by what they are for."""


def first_sentence(name: str) -> str:
    """What a command does, as its file says: to list them none is imported."""
    tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text("utf-8"))
    classes = (each for each in tree.body if isinstance(each, ast.ClassDef))
    said = next(ast.get_docstring(each) for each in classes if each.name == "Command")
    return (said or "").partition("\n")[0]


class QuickParameters:
    """A command, or a group of them, whose options do not wait for pydantic."""

    def get_params(self, ctx: Any) -> Any:
        """The parameters, made quick."""
        params = super().get_params(ctx)  # type: ignore[misc]  # what this is mixed into has it
        take_plain_values_quickly(params)
        return params


class QuickCommand(QuickParameters, TyperCommand):
    """One command."""


class Commands(QuickParameters, TyperGroup):
    """Lists the commands by task, and imports one when it is called, so that no command waits for the others."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = (name for group in GROUPS.values() for name in group)
        self.commands: dict[str, Any] = dict.fromkeys(names)  # imported when asked for

    def list_commands(self, ctx: Any) -> list[str]:  # typer brings a click of its own
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            return None
        alone = typer.Typer(add_completion=False, **SETTINGS)
        alone.command(cmd_name, cls=QuickCommand)(as_function(import_module(f"{__package__}.{cmd_name}").Command))
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, first_sentence(name)) for name in group])


SETTINGS: dict[str, Any] = {
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
app = typer.Typer(name="polis", cls=Commands, no_args_is_help=True, **SETTINGS)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from polis_rules.diagnostics import version

    typer.echo(f"polis {version()}")
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

    Exit status: 0 fine, 1 findings or a request that cannot be met, 2 wrong usage, 130 stopped by Ctrl-C or SIGTERM.
    """


def main() -> None:
    """Run the command line; the exit status tells how it went."""
    forgive_odd_characters()
    warnings.formatwarning = lambda message, *_, **__: f"{message}\n"
    gc.set_threshold(50_000, 50, 100)  # trees of rules are large and hold hardly any circles to look for
    try:
        with told_what_is_used():
            app(prog_name="polis")
    except Exception as error:
        message = explain(error)
        if message is None:
            raise
        say(message, err=True)
        sys.exit(1)
