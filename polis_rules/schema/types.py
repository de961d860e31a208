"""Reads a declared type such as `0..5`, `field or none`, `set of field` or `list of field`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Shape = Literal["range", "number", "flag", "ref", "set", "list", "text", "effects", "formula", "condition", "changes"]


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """A declared type, taken apart.

    `low` and `high` belong to a range, both inclusive; `member_kind` to a ref, a set or a list; `maybe` says that a
    ref may be none. Whether the kind exists is for others to find out.
    """

    kind: Shape
    low: int | None = None
    high: int | None = None
    member_kind: str | None = None
    maybe: bool = False


_RANGE = re.compile(r"(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)")
MOST_DIGITS = 18
"""No number that rules or cases write has more."""
_WIDEST = 10**MOST_DIGITS - 1
_MEMBER = re.compile(r"(?:(set|list) of )?([a-z][a-z0-9_]*)( or none)?")
_ALONE: tuple[Shape, ...] = ("number", "flag", "text", "effects", "formula", "condition", "changes")
FORMULAS = ("formula", "condition")
"""What each row gives by an expression of its own."""
_WORDS: dict[str, TypeSpec] = {word: TypeSpec(word) for word in _ALONE}
_RESERVED = frozenset(_WORDS) | {"none", "set", "list", "of", "or"}


def parse_type(text: str) -> TypeSpec:
    """The type that `text` declares; ValueError says what is wrong with it.

    >>> parse_type("0..5")
    TypeSpec(kind='range', low=0, high=5, member_kind=None, maybe=False)
    >>> parse_type("field or none").maybe, parse_type("set of field").kind
    (True, 'set')
    """
    words = " ".join(text.split())
    if words in _WORDS:
        return _WORDS[words]
    if match := _RANGE.fullmatch(words):
        return _range(match[1], match[2])
    if match := _MEMBER.fullmatch(words):
        return _member(match[2], match[1], maybe=bool(match[3]))
    raise ValueError(
        f"{words[:60]!r} is no type; a type is a range such as 0..5, number, flag, a kind, "
        "'KIND or none', 'set of KIND' or 'list of KIND', and for attributes also text, effects, "
        "formula, condition or changes"
    )


def _range(first: str, last: str) -> TypeSpec:
    if any(len(end.lstrip("-0")) > len(str(_WIDEST)) for end in (first, last)):
        raise ValueError(f"this range is too wide: its ends lie between -{_WIDEST} and {_WIDEST}")
    low, high = int(first), int(last)
    if low > high:
        raise ValueError(f"the range {low}..{high} is empty; write the smaller number first")
    return TypeSpec("range", low, high)


def _member(kind: str, group: str | None, *, maybe: bool) -> TypeSpec:
    if kind in _RESERVED:
        raise ValueError(f"{kind!r} is a word of the language, no kind" + ", and never none" * maybe)
    if group and maybe:
        raise ValueError(f"a {group} is never none, but it may be empty; write '{group} of {kind}'")
    shape: Shape = "ref" if group is None else "set" if group == "set" else "list"
    return TypeSpec(shape, member_kind=kind, maybe=maybe)
