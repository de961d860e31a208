"""Texts of users in messages: quoted, printable, and the nearest known name."""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_NAMES = 1000
"""Among more names than this, only those that begin alike are held against a wrong one."""

MOST_LISTED = 24
"""Of more names than this, a message lists only the first."""

SEVERAL = re.compile(r"\b[a-z]\w*[^\Wiosu]s\b(?=$| (?:among|at|for|from|in|of|on|with)\b)")
"""The word of a phrase that seems to be a plural, and is no name."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was most likely meant to be, or None.

    >>> nearest("tokn", ["coin", "token"])
    'token'
    """
    import difflib  # only messages need it

    name, names = name[:100], {str(each) for each in known}
    if len(names) > MOST_NAMES:
        alike = (each for each in names if each[:1] == name[:1] and abs(len(each) - len(name)) < 3)
        names = set(sorted(alike)[:MOST_NAMES])
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(suggestion: str) -> str:
    """The question that every suggestion is printed as.

    >>> did_you_mean("token")
    "did you mean 'token'?"
    """
    return f"did you mean {quote(suggestion, 120)}?"


def listing(known: Iterable[str]) -> str:
    """A hint that says which names there are.

    >>> listing(["short", "long"])
    'known: short, long'
    """
    names = list(dict.fromkeys(map(str, known)))
    if not names:
        return "none is declared"
    return f"known: {first_of(names)}"


def first_of(names: Iterable[str], most: int = MOST_LISTED) -> str:
    """Names with commas between them; of many only the first, and how many more there are.

    >>> first_of(["short", "long", "longer"], 2)
    'short, long and 1 more'
    """
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def one_of(name: str, known: Iterable[str]) -> str:
    """The nearest known name as a question, or else a list of all names.

    >>> one_of("standrd", ["short", "standard"])
    "did you mean 'standard'?"
    """
    names = list(known)
    near = nearest(name, names)
    return did_you_mean(near) if near else listing(names)


def quote(text: str, limit: int = 60) -> str:
    """A user's text between quotes for use in a message: one printable line, cut in the middle when long."""
    return f"'{shortened(text, limit)}'"


def shortened(text: str, limit: int = 60) -> str:
    """The same without the quotes.

    >>> shortened("a name that goes on and on", 20)
    'a name ...s on and on'
    """
    begin, end = (text, "") if len(text) <= 4 * limit else (text[: 2 * limit], f"...{text[-2 * limit :]}")
    line = printable(" ".join((begin + end).split()))
    if len(line) > limit:
        line = f"{line[: limit - limit // 2 - 3]}...{line[-(limit // 2) :]}"
    return line


def some(number: int, thing: str, things: str = "") -> str:
    """A number of things, in words.

    >>> some(1, "case"), some(2000, "case"), some(2, "entry", "entries")
    ('1 case', '2,000 cases', '2 entries')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def amount(number: int, things: str) -> str:
    """A number of something that is called as a ruleset calls it, mostly in the plural.

    >>> amount(3, "tokens"), amount(1, "tokens or glasses"), amount(1, "bodies in reserve"), amount(1, "Reds")
    ('3 tokens', '1 token or glass', '1 body in reserve', '1 Reds')
    """
    if number != 1:
        return f"{number} {things}"
    return f"1 {' or '.join(SEVERAL.sub(_one, each, count=1) for each in things.split(' or '))}"


def _one(several: re.Match[str]) -> str:
    word = several[0]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]


def printable(text: str) -> str:
    """One column for each character, and nothing that a terminal would obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)
