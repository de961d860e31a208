"""Tables of numbers: aligned text, and on a terminal with a line below the head."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The lines of a table; the first column stands left, the others right.

    >>> table(["", "all"], [["rows", 7]])
    ['      all', 'rows    7']
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    on_terminal = sys.stdout is not None and sys.stdout.isatty()  # None where it was closed before
    shown = Table(box=box.SIMPLE_HEAD if on_terminal else None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, title in enumerate(head):
        shown.add_column(title, justify="right" if number else "left")
    for row in rows:
        shown.add_row(*map(str, row))
    text = io.StringIO()
    Console(file=text, width=200, markup=False, highlight=False, emoji=False).print(shown)
    return [line.rstrip() for line in text.getvalue().splitlines()]
