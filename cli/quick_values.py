"""Values that are what they should be already: typer asks pydantic, which takes longer to load than a game to start."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import Any

LONG = 1000
"""A number of this many digits or more is left to typer: Python refuses to read more than 4,300 of them."""


def take_plain_values_quickly(parameters: Iterable[Any]) -> None:
    """Let options take plain values as they are; all others are read by typer, which words what is wrong with them."""
    for each in parameters:
        usual = getattr(each, "get_runtime_param", None)  # only those typers that ask pydantic have it
        if usual is not None and not isinstance(usual, partial):
            each.get_runtime_param = partial(_Reader, usual)


class _Reader:
    """Reads the value of one option; stands in for what typer makes for it."""

    def __init__(self, usual: Callable[[], Any]) -> None:
        self.usual = usual

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as its command takes it."""
        kind, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if kind is bool and isinstance(value, bool):
            return value
        if not several and (kind is str is type(value) or (isinstance(value, Enum) and type(value) is kind)):
            return value
        text = str(value) if kind is int and not several else ""
        digits = text.isascii() and text.isdecimal() and len(text) < LONG
        if digits and info.max is None and (info.min is None or int(value) >= info.min):
            return int(value)
        return self.usual().coerce(value, param=param, ctx=ctx)
