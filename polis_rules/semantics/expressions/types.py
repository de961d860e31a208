"""The types of the expression language: numbers, flags, members of a kind, sets and lists of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True, slots=True)
class Type:
    """What a value is.

    `base` is "int", "bool", "ref" (a member of `kind`), "set" or "list" (of members of `kind`) or "none";
    `maybe` says that a ref may be none.

    >>> str(Type("ref", "token", maybe=True))
    'token or none'
    """

    base: Literal["int", "bool", "ref", "set", "list", "none"]
    kind: str = ""
    maybe: bool = False

    def __str__(self) -> str:
        if self.base == "ref":
            return f"{self.kind} or none" if self.maybe else self.kind
        if self.base in GROUPS:
            return f"{self.base} of {self.kind}" if self.kind else f"empty {self.base}"
        return {"int": "a number", "bool": "a flag", "none": "none"}[self.base]

    def sure(self) -> Type:
        """The same type without the possibility of none."""
        return replace(self, maybe=False) if self.maybe else self


GROUPS = ("set", "list")
"""What holds members."""

INT = Type("int")
BOOL = Type("bool")
NONE = Type("none", maybe=True)
BROKEN = Type("none", "?")
"""The type of what is wrong and has been reported: nothing more is found because of it."""


def fits(value: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where another is wanted.

    >>> fits(NONE, Type("ref", "token", maybe=True)), fits(NONE, Type("ref", "token"))
    (True, False)
    """
    if BROKEN in (value, wanted):
        return True
    if value.base == "none":
        return wanted.maybe or wanted.base == "none"
    if value.base != wanted.base:
        return False
    if value.base in GROUPS:
        return value.kind in ("", wanted.kind)
    return value.kind == wanted.kind and (wanted.maybe or not value.maybe)
