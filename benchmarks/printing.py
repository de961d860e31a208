"""What printed rulebooks and sheets are: pages, kilobytes and seconds of processor time.

python benchmarks/printing.py                # the shipped rulesets
python benchmarks/printing.py yucata devir   # some of them
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from functools import partial

from polis_rules import load
from polis_rules.documentation.rulebook import read, rulebook
from polis_rules.publishing import (
    Paper,
    pictures,
    rulebook_page,
    rulebook_pdf,
    sheets_of,
    sheets_pdf,
    with_examples,
    with_others,
)

RULESETS = ("yucata", "devir", "politeia", "colonnades", "hellenes_training")


def pages(pdf: bytes) -> str:
    """How many pages a PDF says that it has."""
    found = re.search(rb"/Type/Pages/Count (\d+)", pdf)
    return found[1].decode() if found is not None else ""


def line(what: str, make: Callable[[], bytes]) -> None:
    """Make something, and print a line of the table."""
    begin = time.process_time()
    made = make()
    seconds = time.process_time() - begin
    print(f"{what:<36}{pages(made):>6}{len(made) // 1024:>8}{seconds:>8.1f}")


def main(chosen: list[str]) -> None:
    print(f"{'':<36}{'pages':>6}{'kB':>8}{'s':>8}")
    for name in chosen or RULESETS:
        begin = time.process_time()
        opened = read(name)
        book = with_others(with_examples(rulebook(opened), opened, name), opened, name)
        drawn, sheets = pictures(book, name), sheets_of(opened, load(name))
        print(f"{name + ', text and pictures':<36}{time.process_time() - begin:>22.1f}")
        for paper in Paper:
            line(f"{name}, PDF on {paper.value}", partial(rulebook_pdf, book, drawn, None, paper))
        line(f"{name}, all sheets", partial(sheets_pdf, name, sheets.values()))
        line(f"{name}, reference card", partial(sheets_pdf, name, [sheets["reference"]]))
        begin = time.process_time()
        kilobytes = len(rulebook_page(book, drawn).encode()) // 1024
        print(f"{name + ', HTML':<36}{kilobytes:>14}{time.process_time() - begin:>8.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
