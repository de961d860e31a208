"""Values of which some attributes are worked out when they are first read: most texts never are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T", bound="Later")


class Later:
    """The base of a frozen dataclass with slots, which `later` makes without some of its fields."""

    __slots__ = ("_later",)

    if not TYPE_CHECKING:  # which would take any attribute to be there

        def __getattr__(self, name: str) -> Any:
            """A field that was not worked out yet; what has a value does not come here."""
            if name not in type(self).__slots__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = self._later(name)
            object.__setattr__(self, name, value)
            return value


def later(kind: type[T], work: Callable[[str], object], **known: object) -> T:
    """A value with some fields known and the others worked out, each by its name, when they are first read."""
    made = object.__new__(kind)
    put = object.__setattr__
    put(made, "_later", work)
    for name, value in known.items():
        put(made, name, value)
    return made
