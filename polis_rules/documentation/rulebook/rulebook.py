"""The rulebook: every part of a ruleset in words that a player would read, made from the rules themselves.

`read` opens a ruleset, `rulebook` writes the whole page, `sentence` says one part of it.
"""

from __future__ import annotations

from pathlib import Path

from polis_rules.documentation.rulebook.book import Book, read
from polis_rules.documentation.rulebook.page import page
from polis_rules.documentation.rulebook.sentences import Sentences, locate


def rulebook(ruleset: str | Path | Book) -> str:
    """The whole rulebook as Markdown, in page order: the things, the map, the rules, the end, the set-up.

    `ruleset` is a shipped name, a folder, or what `read` has opened. Raises RulesetError when it cannot be used.
    """
    return page(_opened(ruleset))


def sentence(ruleset: str | Path | Book, path: str) -> str:
    """What a player would read for one path, e.g. `actions.dig.cost.coin`.

    Raises KeyError when nothing stands at the path. Raises RulesetError when the ruleset cannot be used.
    """
    book = _opened(ruleset)
    keys = locate(book.composed.tree, path)
    if not keys:
        raise KeyError(path)
    return Sentences(book).sentence(keys)


def _opened(ruleset: str | Path | Book) -> Book:
    return read(ruleset) if isinstance(ruleset, str | Path) else ruleset
