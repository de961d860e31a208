"""The command `polis`: wiring only, each command is a file of its own."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from .output import explain, forgive_odd_characters, say, told_what_is_used
from .quick_values import take_plain_values_quickly

GROUPS = {
    "Author": {
        "new": "Begin a ruleset of your own that extends another.",
        "validate": "Check a ruleset and print every finding.",
        "format": "Put rule files into canonical form.",
        "migrate": "Bring files of an older format to the present one.",
        "lsp": "Start the language server for editors.",
        "schema": "Write JSON Schemas for editors, one for each sort of file.",
    },
    "Play": {
        "list": "List the rulesets that come with polis.",
        "run": "Play one game and print what happens.",
        "replay": "Play a transcript again and compare the end.",
    },
    "Prove": {
        "test": "Run the cases of a ruleset.",
        "coverage": "Play bot games and list the rules they never used.",
        "mutate": "List small changes of the rules that no case notices.",
        "soak": "Soak test: play many games and check every step.",
        "differential": "Differential test: play the same games with two engines.",
        "perft": "Count the decision paths from the start, to each depth.",
    },
    "Publish": {
        "explain": "Explain a value or rule, or the code of a finding.",
        "diff": "Say in sentences what differs between two rulesets.",
        "rulebook": "Print the rulebook, made from the rules, as Markdown.",
        "sources": "Count rules by grade and list the uncertain ones.",
        "resolve": "Print a ruleset with all its layers merged, as YAML.",
    },
}
"""The commands by what they are for, each with the first sentence of its help."""


class QuickParameters:
    """A command, or a group of them, whose options do not wait for pydantic."""

    def get_params(self, ctx: Any) -> Any:
        """The parameters, made quick."""
        params = super().get_params(ctx)  # type: ignore[misc]  # what this is mixed into has it
        take_plain_values_quickly(params)
        return params


class Command(QuickParameters, TyperCommand):
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
        alone.command(cmd_name, cls=Command)(import_module(f"{__package__}.{cmd_name}").command)
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(group.items()))


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

    Exit status: 0 fine, 1 findings or a request that cannot be met, 2 wrong usage, 130 stopped by Ctrl-C.
    """


def main() -> None:
    """Run the command line; the exit status tells how it went."""
    forgive_odd_characters()
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
