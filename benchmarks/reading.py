"""How a rulebook reads: words in all, words a sentence, the share of long sentences, and what is ugly in it.

python benchmarks/reading.py                       # the rulebooks of the shipped rulesets
python benchmarks/reading.py --text published.txt  # a text, such as that of a published rulebook
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from polis_rules.documentation.rulebook import read, rulebook, text

RULESETS = ("yucata", "devir", "politeia", "colonnades", "hellenes_training")
LONG = 30
"""Of more words than this is a long sentence."""

ENDS = re.compile(r"(?<=[.?!:])\s+|\n+")
"""Where a sentence ends."""


def words(said: str) -> int:
    """The words of a text; marks alone are none."""
    return sum(1 for word in said.split() if re.search(r"\w", word))


def figures(title: str, whole: str, sentences: Iterable[str]) -> str:
    """One line of the table."""
    lengths = [count for each in sentences if (count := words(each)) > 1]
    long = sum(1 for count in lengths if count > LONG)
    return f"{title:<24}{words(whole):>8}{mean(lengths):>12.1f}{100 * long / len(lengths):>12.1f}{max(lengths):>10}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", type=Path, action="append", default=[], help="a text to measure instead")
    chosen = parser.parse_args()
    print(f"{'':<24}{'words':>8}{'a sentence':>12}{'% over 30':>12}{'longest':>10}")
    for path in chosen.text:
        whole = path.read_text("utf-8")
        print(figures(path.name, whole, ENDS.split(whole)))
    for name in () if chosen.text else RULESETS:
        book = rulebook(read(name))
        print(figures(name, text(book), (part for each in book.sentences() for part in ENDS.split(each.text))))


if __name__ == "__main__":
    main()
