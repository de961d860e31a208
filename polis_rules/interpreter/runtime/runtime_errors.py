"""What generated code asks that can fail while a game runs, and finding the rule that it was made for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polis_rules.interpreter.machine import LEAVE, MARK, Compiled, part_of
from polis_rules.semantics import ENDLESS, MOST_NUMBERS

if TYPE_CHECKING:
    from polis_rules.diagnostics import Span
    from polis_rules.semantics import ir


class WrongValueError(Exception):
    """A rule works out something that cannot be; becomes a RuleError with the rule's place."""


class LimitError(WrongValueError):
    """The same for what a plain walk over the rules would not notice, or not end with."""


def nth(place: int, count: int) -> int:
    """The member at a place of a table.

    >>> nth(2, 3)
    2
    """
    if not 0 <= place < count:
        raise WrongValueError(f"there is no place {place} in a table of {count}, whose places begin with 0")
    return place


def product(left: int, right: int) -> int:
    """A product that is not too large.

    >>> product(3, -2)
    -6
    """
    result = left * right
    if not -ENDLESS <= result <= ENDLESS:
        raise WrongValueError("this product is too large: numbers go up to 2 to the power of 63")
    return result


def toll(cost: int) -> int:
    """What it costs to cross a space.

    >>> toll(2)
    2
    """
    if cost < 0:
        raise LimitError(f"crossing a space cannot cost less than nothing, as here: {cost}")
    return cost


def numbers(low: int, high: int) -> range:
    """The numbers from `low` up to, not including, `high`.

    >>> list(numbers(2, 4))
    [2, 3]
    """
    if high - low > MOST_NUMBERS or high > LEAVE:
        raise LimitError(f"the numbers from {low} to {high - 1} are too many to go over")
    return range(low, high)


def located(*parts: tuple[int, int]) -> int:
    """The member of some parts, each a number and how many there are of its kind; -1 where one is not there.

    >>> located((1, 3), (2, 4)), located((1, 3), (4, 4))
    (6, -1)
    """
    flat = 0
    for number, count in parts:
        if not 0 <= number < count:
            return -1
        flat = flat * count + number
    return flat


ASKED = {"nth": nth, "located": located, "product": product, "toll": toll, "numbers": numbers}
"""What generated code calls by these names."""


def explain(error: Exception) -> str:
    """What went wrong, in a sentence."""
    if isinstance(error, WrongValueError):
        return str(error)
    if isinstance(error, RecursionError):
        return "this rule calls itself too deeply"
    return f"this rule cannot be worked out ({type(error).__name__}: {error})"


def place_of(error: Exception, compiled: Compiled) -> Span | None:
    """Where the rule stands whose generated code raised an error; None where the code does not say."""
    from traceback import walk_tb

    place: Span | None = None
    for frame, line in walk_tb(error.__traceback__):
        part = part_of(frame.f_code.co_filename)
        if part is not None:
            place = marked_near(compiled.parts[part].source.split("\n"), line - 1, compiled.sites) or place
    return place


def marked_near(source: Sequence[str], line: int, sites: Sequence[ir.Step]) -> Span | None:
    """The place of the step that a line of a function was made for, or else of the nearest one before or after it."""
    begin = line
    while begin > 0 and not source[begin].startswith("def "):
        begin -= 1
    end = line + 1
    while end < len(source) and not source[end].startswith("def "):
        end += 1
    for number in (*range(line, begin, -1), *range(line + 1, end)):
        _, mark, site = source[number].rpartition(MARK)
        if mark:
            return sites[int(site)].span
    return None
