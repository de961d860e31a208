"""Numbers in generated code: sums are kept in one shape, and what is known of their parts is decided now."""

from __future__ import annotations

from polis_rules.interpreter.compiler.python.module import simple
from polis_rules.semantics import Interval, arithmetic, compared

Sum = tuple[int, tuple[tuple["Piece", int], ...]]
"""A number known now, and how often each piece of code is added to it."""


class Piece(str):
    """Python code of a number, with what is known of the number: an interval, and the sum that it is."""

    __slots__ = ("interval", "parts")

    interval: Interval | None
    parts: Sum | None

    def __new__(cls, code: str, interval: Interval | None = None, parts: Sum | None = None) -> Piece:
        """Code of which this is known.

        >>> eyes = Piece("s[6]", Interval(1, 6))
        >>> calculate("-", 25, calculate("+", 4, eyes))
        '(21 - s[6])'
        >>> compare("<", calculate("+", eyes, 4), 11)
        1
        """
        piece = super().__new__(cls, code)
        piece.interval = interval
        piece.parts = parts
        return piece


Code = int | str


def interval_of(code: Code) -> Interval | None:
    """Between which numbers a value lies, as far as that is known."""
    return Interval(code, code) if isinstance(code, int) else getattr(code, "interval", None)


def known_of(code: Code) -> object:
    """All that code of a value depends on: the value's own code, and what is known of it and of its parts."""
    if isinstance(code, int):
        return code
    _, parts = _sum(code)
    return str(code), interval_of(code), tuple(part.interval for part, _ in parts)


def cheap(code: Code) -> bool:
    """Whether a value may be worked out again without much work: something simple, or that and a number."""
    if isinstance(code, int) or simple(code):
        return True
    _, parts = _sum(code)
    return len(parts) == 1 and simple(parts[0][0])


# -- sums -----------------------------------------------------------------------------------------------------------


def calculate(op: str, left: Code, right: Code) -> Code:
    """A sum, difference, product, quotient or rest."""
    if op in "+-":
        return total([(left, 1), (right, 1 if op == "+" else -1)])
    if op == "*" and isinstance(right, int):
        return total([(left, right)])
    if op == "*" and isinstance(left, int):
        return total([(right, left)])
    if isinstance(left, int) and isinstance(right, int) and right > 0:  # else a check keeps it from being asked
        return left // right if op == "//" else left % right
    return f"({left} {op} {right})"


def total(items: list[tuple[Code, int]]) -> Code:
    """The sum of some values, each taken so many times."""
    number, parts = added = _added(items)
    if not parts:
        return number
    if number == 0 and len(parts) == 1 and parts[0][1] == 1:
        return parts[0][0]
    return Piece(f"({written(number, parts, ' ')})", _interval(added), added)


def place(base: int, items: list[tuple[Code, int]]) -> Code:
    """The same without brackets and spaces, for an index."""
    number, parts = _added([(base, 1), *items])
    return written(number, parts, "") if parts else number


def _sum(code: str) -> Sum:
    piece = code if isinstance(code, Piece) else Piece(code)
    return piece.parts or (0, ((piece, 1),))


def _added(items: list[tuple[Code, int]]) -> Sum:
    number = 0
    counts: dict[Piece, int] = {}
    for code, times in items:
        if isinstance(code, int):
            number += code * times
            continue
        more, parts = _sum(code)
        number += more * times
        for part, often in parts:
            counts[part] = counts.get(part, 0) + often * times
    return number, tuple((part, times) for part, times in counts.items() if times)


def _interval(added: Sum) -> Interval | None:
    interval = Interval(added[0], added[0])
    for part, times in added[1]:
        if part.interval is None:
            return None
        interval = arithmetic("+", interval, arithmetic("*", part.interval, Interval(times, times)))
    return interval


# -- comparisons ----------------------------------------------------------------------------------------------------


def compare(op: str, left: Code, right: Code) -> Code:
    """A comparison; a number when what is known of both sides decides it."""
    if op in (">", ">="):
        # one spelling for both ways round, so that equal conditions are equal text
        left, right, op = right, left, "<" if op == ">" else "<="
    one, other = interval_of(left), interval_of(right)
    decided = compared(op, one, other) if one is not None and other is not None else None
    if decided is not None:
        return int(decided)
    if isinstance(left, int):
        right, left = _bare(right, left)
    elif isinstance(right, int):
        left, right = _bare(left, right)
    elif (number := min(_sum(left)[0], _sum(right)[0])) > 0:  # which both have
        left, right = total([(left, 1), (-number, 1)]), total([(right, 1), (-number, 1)])
    return f"({left} {op} {right})"


def _bare(code: Code, against: int) -> tuple[Code, int]:
    """A sum without its known number, which the other side of a comparison loses, too."""
    number, parts = (0, ()) if isinstance(code, int) else _sum(code)
    if not number or not any(times > 0 for _, times in parts):
        return code, against
    return total(list(parts)), against - number


def written(number: int, parts: tuple[tuple[Piece, int], ...], gap: str) -> str:
    """A sum as text: what is added, then what is taken away.

    >>> written(4, ((Piece("x"), -2), (Piece("y"), 1)), " ")
    'y + 4 - x*2'
    """

    def product(part: str, times: int) -> str:
        return part if times == 1 else f"{part}*{times}"

    added = [product(part, times) for part, times in parts if times > 0]
    taken = [product(part, -times) for part, times in parts if times < 0]
    if number > 0 or not added:
        added.append(str(number))
    elif number < 0:
        taken.append(str(-number))
    return f"{gap}-{gap}".join([f"{gap}+{gap}".join(added), *taken])
