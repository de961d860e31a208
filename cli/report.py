"""`polis report`: a file of games as a page with figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polis_rules.lab import report
from polis_rules.source import write_whole

from .options import Options, argument, option
from .output import check_folder, say


class Command(Options):
    """Show a file of games as a page with figures.

    The page is one file of HTML that needs no network: wins and endings with intervals, scores, length, what is taken,
    where, and what winners take; with the file of rounds beside it (`--rows rounds`) also what changes over the rounds:
    scores, choices, and what the state holds and where; with that of decisions which rule chooses what where. Each
    drawing has its table.

    \b
    Example:
      polis simulate mygame --games 10000 --rows rounds --out results.parquet
      polis report results.parquet --out report.html
    """

    file: Annotated[Path, argument("FILE")]
    """A file that polis simulate wrote. Example: results.parquet"""
    out: Annotated[Path, option("FILE")]
    """The page; a file that is there is replaced. Example: --out report.html"""

    def run(self) -> None:
        if self.out.suffix not in (".html", ".htm"):
            raise typer.BadParameter("the file ends in .html", param_hint="--out")
        check_folder(self.out)
        write_whole(self.out, report(self.file))
        say(f"saved: {self.out}")
