"""`polis print`: what a game is played with, to print and to cut."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polis_rules import load
from polis_rules.diagnostics import did_you_mean, nearest, quote
from polis_rules.documentation.rulebook import read
from polis_rules.publishing import Paper, sheets_of, sheets_page, sheets_pdf
from polis_rules.source import write_whole

from .options import Chosen, RulesetName, option
from .output import say, shown


class Command(Chosen):
    """Print cards, boards of players, map, and reference card.

    All of it is made from the tables, rules and board of the ruleset, at full size and with lines to cut along.
    Sheets are called `reference`, `map`, `players`, or by the id of a kind whose members are cards.
    PDF needs the extra `print`: pip install "polis-rules[print]".

    \b
    Example:
      polis print mygame --out sheets.html
      polis print mygame --sheet reference --sheet card --paper letter --out cards.pdf
    """

    ruleset: RulesetName
    sheet: Annotated[list[str] | None, option("NAME")] = None
    """What to print, default: everything; may be repeated. Example: --sheet reference"""
    paper: Paper = Paper.a4
    """The size of a PDF's pages. Example: --paper letter"""
    out: Annotated[Path, option("FILE")] = Path("sheets.html")
    """Where to write it, a .html or .pdf. Example: --out sheets.pdf"""

    def run(self) -> None:
        if self.out.suffix.lower() not in (".html", ".pdf"):
            raise typer.BadParameter("the file ends in .html or .pdf", param_hint="--out")
        rules = load(self.ruleset, self.scenario, self.variants)
        found = sheets_of(read(self.ruleset, self.scenario, self.variants), rules)
        for name in self.sheet or ():
            if name not in found:
                near = nearest(name, found)
                hint = did_you_mean(near) if near else f"there are {', '.join(found)}"
                raise typer.BadParameter(f"there is no sheet {quote(name)}; {hint}", param_hint="--sheet")
        chosen = [found[name] for name in self.sheet or found]
        if self.out.suffix.lower() == ".pdf":
            write_whole(self.out, sheets_pdf(rules.title, chosen, self.paper))
        else:
            write_whole(self.out, sheets_page(rules.title, chosen))
        say(f"wrote {shown(self.out)}")
