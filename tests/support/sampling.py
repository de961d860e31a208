"""Which of many values a quick run tries: slow tests try others, exhaustive tests the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def named(value: Any) -> str:
    """A value as the id of a parameter: of several the texts."""
    return "-".join(each for each in value if isinstance(each, str)) if isinstance(value, tuple) else str(value)


def sampled(
    values: Iterable[Any], every: int | None, name: Callable[[Any], str] = named, slow: int = 1
) -> list[ParameterSet]:
    """Parameters for `pytest.mark.parametrize`: of the values the first, and one in so many, are quick.

    Of the others one in `slow` is slow, and the rest are exhaustive; with `every=None` none is quick. A tuple gives the
    values of several arguments; `name` makes the id of a value.

    >>> [bool(each.marks) for each in sampled("abcd", every=2)]
    [False, True, False, True]
    >>> [*map(marked, sampled("abcdef", every=5, slow=2))]
    ['', 'slow', 'exhaustive', 'slow', 'exhaustive', '']
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            id=name(value),
            marks=_mark(place % every if every else place + 1, slow),
        )
        for place, value in enumerate(values)
    ]


def _mark(place: int, slow: int) -> Any:
    """The mark of the value at a place after a quick one."""
    if not place:
        return ()
    return pytest.mark.slow if place % slow == 1 % slow else pytest.mark.exhaustive


def marked(parameters: ParameterSet) -> str:
    """Which mark such parameters have; nothing for quick ones."""
    return "".join(mark.name for mark in parameters.marks if isinstance(mark, pytest.Mark | pytest.MarkDecorator))
