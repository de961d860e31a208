"""Ids, and hints that name what is near."""

from __future__ import annotations

import re
from collections.abc import Iterable

from polis_rules.diagnostics import nearest, quote


def is_id(text: str) -> bool:
    """Whether text is an id: lower case letters, digits and underscores, a letter first."""
    return re.fullmatch("[a-z][a-z0-9_]*", text) is not None


def as_id(text: str) -> str:
    """A hint that says what makes an id, with one that is much like the text where there is any.

    >>> as_id("Can-buy")
    'write can_buy: lower case letters, digits and underscores, a letter first'
    """
    near = re.sub("[^a-z0-9]+", "_", text.lower()).strip("_").lstrip("0123456789_")
    rule = "lower case letters, digits and underscores, a letter first"
    return f"write {near}: {rule}" if near and len(near) <= 60 else rule


def one_of(name: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known name, or else all of them.

    >>> one_of("standrd", ["short", "standard"])
    "did you mean 'standard'?"
    """
    names = sorted({str(each) for each in known})
    if near := nearest(name, names):
        return f"did you mean {quote(near)}?"
    if not names:
        return "there are none"
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names[:12])}{more}"
