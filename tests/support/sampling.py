"""Which of many values a quick run tries: the slow tests (-m slow) try the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def named(value: Any) -> str:
    """A value as the id of a parameter: of several the texts."""
    return "-".join(each for each in value if isinstance(each, str)) if isinstance(value, tuple) else str(value)


def sampled(values: Iterable[Any], every: int, name: Callable[[Any], str] = named) -> list[ParameterSet]:
    """Parameters for `pytest.mark.parametrize`: of the values the first, and one in so many, are quick.

    A tuple gives the values of several arguments; `name` makes the id of a value.

    >>> [bool(each.marks) for each in sampled("abcd", every=2)]
    [False, True, False, True]
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            id=name(value),
            marks=pytest.mark.slow if place % every else (),
        )
        for place, value in enumerate(values)
    ]
