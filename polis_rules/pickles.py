"""Pickles that are read in a fraction of the usual time, and parts of them that are read when they are asked for."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def dumps(value: object) -> bytes:
    """A pickle of a value, which `pickle.loads` reads."""
    written = BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()


class Sealed(Generic[T]):
    """A value that, once pickled, stays so until it is asked for: with it whatever has to be imported for it.

    >>> sealed = pickle.loads(dumps(Sealed([1, 2])))
    >>> sealed.value
    [1, 2]
    """

    __slots__ = ("_pickle", "_value")

    def __init__(self, value: T) -> None:
        self._value = value
        self._pickle: bytes | None = None

    @property
    def value(self) -> T:
        """What is sealed."""
        if self._pickle is not None:
            self._value = pickle.loads(self._pickle)
            self._pickle = None
        return self._value

    def __reduce__(self) -> tuple[Callable[[bytes], Sealed[Any]], tuple[bytes]]:
        return _sealed, (dumps(self._value) if self._pickle is None else self._pickle,)


def _sealed(written: bytes) -> Sealed[Any]:
    sealed: Sealed[Any] = Sealed(None)
    sealed._pickle = written
    return sealed


class _Pickler(pickle.Pickler):
    """Writes frozen dataclasses, of which rules have thousands, so that they are read in a fraction of the time."""

    def reducer_override(self, thing: Any) -> Any:
        """How a value is made again; what is no such dataclass as usual."""
        kind: Any = type(thing)
        names = _frozen(kind)
        return NotImplemented if names is None else (_made, (kind, *[getattr(thing, name) for name in names]))


@cache
def _frozen(kind: Any) -> tuple[str, ...] | None:
    """The fields of a frozen dataclass with slots; None for other classes."""
    from dataclasses import fields, is_dataclass  # takes longer to import than a program to read

    slotted = all("__slots__" in vars(each) for each in kind.__mro__[:-1])
    if not slotted or not is_dataclass(kind) or kind.__setattr__ is object.__setattr__:
        return None
    return tuple(each.name for each in fields(kind))


@cache
def _setters(kind: Any) -> list[Callable[[Any, Any], None]]:
    return [getattr(kind, name).__set__ for name in _frozen(kind) or ()]


def _made(kind: type, *values: object) -> object:
    """A frozen dataclass with these values."""
    thing: object = object.__new__(kind)
    for put, value in zip(_setters(kind), values, strict=True):
        put(thing, value)
    return thing
