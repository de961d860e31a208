"""Tables of numbers: aligned text, and on a terminal with a line below the head."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; the first column stands left, the others right."""
    if sys.stdout.isatty():
        from rich import box
        from rich.console import Console
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, title in enumerate(head):
            table.add_column(title, justify="right" if number else "left")
        for row in rows:
            table.add_row(*map(str, row))
        Console(markup=False, highlight=False, emoji=False).print(table)
        return
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *rest in lines:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        typer.echo("  ".join([first.ljust(widths[0]), *cells]).rstrip())
