"""What differs between two rulesets, in play terms: every value that the hash knows of, said in sentences."""

from __future__ import annotations

from polis_rules.documentation.rulebook import Book, Comparing, changed_journeys
from polis_rules.documentation.tree_diff import SECTIONS, Difference, differing


def diff(first: Book, second: Book) -> Difference:
    """Compare two rulesets that `rulebook.read` has opened.

    Nothing that gives them different hashes is missing: whatever is written differently is in exactly one change.

    >>> from polis_rules.documentation.rulebook.book import read
    >>> book = read("yucata")
    >>> diff(book, book).changes
    ()
    """
    words = Comparing(first, second)
    found = [words.change(each) for each in differing(first.composed.tree, second.composed.tree)]
    found += changed_journeys(first, second)
    found.sort(key=lambda change: list(SECTIONS).index(change.section))
    return Difference(_name(first), _name(second), first.composed.hash == second.composed.hash, tuple(found))


def _name(book: Book) -> str:
    manifest = book.document.manifest
    parts = [str(manifest.ruleset), *(f"+{each}" for each in book.composed.variants)]
    usual = manifest.scenario is not None and str(manifest.scenario) == book.composed.scenario
    return "".join(parts) + ("" if usual else f" ({book.composed.scenario})")
