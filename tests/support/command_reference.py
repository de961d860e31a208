"""Write docs/commands.md, the reference of all commands, from their own help.

`python tests/support/command_reference.py` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import typer

if __name__ == "__main__":
    sys.path[:0] = [
        str(Path(__file__).parents[2]),
        str(Path(__file__).parents[2] / "dev"),
        str(Path(__file__).parents[1]),
    ]

from polis_cli.main import GROUPS

from support.command import commands

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def reference() -> str:
    """The page: every command by what it is for, with the text of its help."""
    lines = ["# Commands", "", "Generated from the commands' own help; a test holds both together.", ""]
    for title, names in GROUPS.items():
        lines += [f"## {title}", ""]
        for name in names:
            command = commands()[name]
            with typer.Context(command, info_name=f"polis {name}", max_content_width=88) as context:
                text = command.get_help(context)
            lines += [f"### polis {name}", "", "```text", *(line.rstrip() for line in text.splitlines()), "```", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
