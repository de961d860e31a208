"""The rulebook as tests read it: the whole page as Markdown."""

from __future__ import annotations

from polis_rules.documentation.rulebook import Book, markdown, rulebook


def page_of(book: Book) -> str:
    """The page of a ruleset."""
    return markdown(rulebook(book))
