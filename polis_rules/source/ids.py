"""Ids: what they are made of, and the id that a text was most likely meant to be."""

from __future__ import annotations

import re

ID_RULE = "lower case letters, digits and underscores, a letter first"


def is_id(text: str) -> bool:
    """Whether text is an id: lower case letters, digits and underscores, a letter first."""
    return re.fullmatch("[a-z][a-z0-9_]*", text) is not None


def as_id(text: str) -> str | None:
    """An id that is much like a text, where there is any.

    >>> as_id("Can-pay")
    'can_pay'
    """
    near = re.sub("[^a-z0-9]+", "_", text.lower()).strip("_").lstrip("0123456789_")
    return near if near and len(near) <= 60 else None


def before_missing_colon(text: str) -> str | None:
    """The name that a text begins with, where what follows looks like its value and no colon stands between.

    >>> before_missing_colon("coins 1"), before_missing_colon("coins + 1"), before_missing_colon("you is none")
    ('coins', None, None)
    """
    match = re.match(r"([a-z][\w.]*) +(?!(?:and|or|in|is|not|if|else|for)\b)[\w{\[\"']", text)
    return match[1] if match else None


def spoken(id: str) -> str:
    """An id as words.

    >>> spoken("no_money")
    'no money'
    """
    return id.replace("_", " ")
