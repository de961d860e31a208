"""Arithmetic on pieces of code: sums are kept in one shape, and what declared ranges decide is decided now."""

from __future__ import annotations

from polis_rules.interpreter.compiler.python.module import simple

Code = int | str
Span = tuple[int, int]
Sum = tuple[int, tuple[tuple[str, int], ...]]
"""A number known now, and how often each piece of code is added to it."""


class Arithmetic:
    """Writes numbers for an Emitter. What it knows of a piece of code it knows by its text.

    >>> numbers = Arithmetic()
    >>> numbers.known("s[6]", 1, 6)
    >>> numbers.calculate("-", 25, numbers.calculate("+", 4, "s[6]"))
    '(21 - s[6])'
    >>> numbers.compare("<", numbers.calculate("+", "s[6]", 4), 11)
    1
    """

    def __init__(self) -> None:
        self.sums: dict[str, Sum] = {}
        self.ranges: dict[str, Span] = {}

    def known(self, code: str, low: int, high: int) -> None:
        """Say between which numbers a piece of code lies."""
        self.ranges[code] = (low, high)

    def span(self, code: Code) -> Span | None:
        """Between which numbers a value lies, as far as that is known."""
        if isinstance(code, int):
            return code, code
        if code in self.ranges or code not in self.sums:
            return self.ranges.get(code)
        low, parts = self.sums[code]
        high = low
        for part, times in parts:
            if part not in self.ranges:
                return None
            ends = [end * times for end in self.ranges[part]]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def cheap(self, code: Code) -> bool:
        """Whether a value may be worked out again without much work: something simple, or that and a number."""
        if isinstance(code, int) or simple(code):
            return True
        _, parts = self.sums.get(code, (0, ()))
        return len(parts) == 1 and simple(parts[0][0])

    # -- sums -------------------------------------------------------------------------------------------------------

    def calculate(self, op: str, left: Code, right: Code) -> Code:
        """A sum, difference, product, quotient or rest."""
        if op in "+-":
            return self.total([(left, 1), (right, 1 if op == "+" else -1)])
        if op == "*" and isinstance(right, int):
            return self.total([(left, right)])
        if op == "*" and isinstance(left, int):
            return self.total([(right, left)])
        if isinstance(left, int) and isinstance(right, int):
            return left // right if op == "//" else left % right
        return f"({left} {op} {right})"

    def total(self, items: list[tuple[Code, int]]) -> Code:
        """The sum of some values, each taken so many times."""
        number, parts = self.sum_of(items)
        if not parts:
            return number
        if number == 0 and len(parts) == 1 and parts[0][1] == 1:
            return parts[0][0]
        text = f"({written(number, parts, ' ')})"
        self.sums[text] = number, parts
        return text

    def place(self, base: int, items: list[tuple[Code, int]]) -> Code:
        """The same without brackets and spaces, for an index."""
        number, parts = self.sum_of([(base, 1), *items])
        return written(number, parts, "") if parts else number

    def sum_of(self, items: list[tuple[Code, int]]) -> Sum:
        number = 0
        found: dict[str, int] = {}
        for code, times in items:
            if isinstance(code, int):
                number += code * times
                continue
            more, parts = self.sums.get(code, (0, ((code, 1),)))
            number += more * times
            for part, often in parts:
                found[part] = found.get(part, 0) + often * times
        return number, tuple((part, times) for part, times in found.items() if times)

    # -- comparisons ------------------------------------------------------------------------------------------------

    def compare(self, op: str, left: Code, right: Code) -> Code:
        """A comparison; a number when the ranges decide it."""
        if op in (">", ">="):
            # one spelling for both ways round, so that equal conditions are equal text
            left, right, op = right, left, "<" if op == ">" else "<="
        one, other = self.span(left), self.span(right)
        if one is not None and other is not None:
            decided = settled(op, one, other)
            if decided is not None:
                return decided
        if isinstance(left, int):
            right, left = self.bare(right, left)
        elif isinstance(right, int):
            left, right = self.bare(left, right)
        return f"({left} {op} {right})"

    def bare(self, code: Code, against: int) -> tuple[Code, int]:
        """A sum without its known number, which the other side of a comparison loses, too."""
        number, parts = self.sums.get(str(code), (0, ()))
        if not number or not any(times > 0 for _, times in parts):
            return code, against
        return self.total(list(parts)), against - number


def settled(op: str, one: Span, other: Span) -> int | None:
    """What a comparison comes to wherever in their ranges two numbers are; None when that depends.

    >>> settled("<", (1, 6), (7, 9)), settled("==", (1, 6), (7, 9)), settled("<=", (1, 6), (5, 9))
    (1, 0, None)
    """
    if op in ("==", "!="):
        if one[1] < other[0] or other[1] < one[0]:
            return int(op == "!=")
        return int(op == "==") if one == other and one[0] == one[1] else None
    least = int(op == "<")  # by how much the right side must be more
    if one[1] + least <= other[0]:
        return 1
    return 0 if one[0] + least > other[1] else None


def written(number: int, parts: tuple[tuple[str, int], ...], gap: str) -> str:
    """A sum as text: what is added, then what is taken away.

    >>> written(4, (("x", -2), ("y", 1)), " ")
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


__all__ = ["Arithmetic", "Code", "settled", "written"]
