"""`polis rulebook`: the rules of a ruleset as a book to read or to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.documentation.rulebook import markdown, read, rulebook, text
from polis_rules.publishing import (
    Edition,
    Paper,
    pictures,
    rulebook_page,
    rulebook_pdf,
    with_examples,
    with_gone,
    with_others,
)
from polis_rules.source import write_whole

from .options import Chosen, RulesetName, option
from .output import as_json, say, shown


class BookFormat(StrEnum):
    """What a rulebook is printed as."""

    markdown = "markdown"
    text = "text"
    html = "html"
    """A page with a search, links and pictures, which loads nothing."""
    pdf = "pdf"
    """Pages with contents and an index."""
    json = "json"
    """For programs: Markdown in one JSON document."""


class Command(Chosen):
    """Print the rulebook, made from the rules.

    It is printed as Markdown, plain text, HTML or PDF. PDF needs the extra `print`: pip install "polis-rules[print]".

    \b
    Example:
      polis rulebook mygame
      polis rulebook mygame --format html --out rules.html
      polis rulebook mygame --format pdf --paper letter --out rules.pdf
      polis rulebook rules/mine --scenario short --variant quick
    """

    ruleset: RulesetName
    format: BookFormat = BookFormat.markdown
    """Markdown, plain text, HTML, PDF, or JSON for programs. Example: --format html"""
    out: Annotated[Path | None, option("FILE")] = None
    """Where to write it; without it, it is printed, but for PDF. Example: --out rules.pdf"""
    paper: Paper = Paper.a4
    """The size of a PDF's pages. Example: --paper letter"""
    changes_from: Annotated[str | None, option("RULESET")] = None
    """In HTML and PDF, mark what that ruleset does not say, and what only it says. Example: --changes-from othergame"""

    def run(self) -> None:
        is_page = self.format in (BookFormat.html, BookFormat.pdf)
        if self.format is BookFormat.pdf and self.out is None:
            raise typer.BadParameter("a PDF is written to a file: --out rules.pdf", param_hint="--format")
        if self.changes_from is not None and not is_page:
            raise typer.BadParameter("it needs --format html or pdf", param_hint="--changes-from")
        printed = self._printed()
        if self.out is None:
            typer.echo(printed, nl=False)
            return
        write_whole(self.out, printed)
        say(f"wrote {shown(self.out)}")

    def _printed(self) -> str | bytes:
        opened = read(self.ruleset, self.scenario, self.variants)
        book = rulebook(opened)
        book = with_examples(book, opened, self.ruleset, self.scenario, self.variants)
        if self.format is BookFormat.text:
            return text(book)
        if self.format is BookFormat.markdown:
            return markdown(book)
        if self.format is BookFormat.json:
            return as_json({"ruleset": self.ruleset, "rulebook": markdown(book)}) + "\n"
        before = None if self.changes_from is None else Edition.of(rulebook(read(self.changes_from)))
        book = with_gone(book, before) if before is not None else with_others(book, opened, self.ruleset)
        drawn = pictures(book, self.ruleset, self.scenario, self.variants)
        if self.format is BookFormat.pdf:
            return rulebook_pdf(book, drawn, before, self.paper)
        return rulebook_page(book, drawn, before)
