"""A playout as one function: the code of all points and blocks, with jumps between them in place of calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from polis_rules.interpreter.compiler.python.module import Function
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import LEAVE, PC, YOU, AnyPoint, DecisionPoint

DEEPEST = 80
"""How deep Python lets code be indented, and some less."""

Versions = Callable[[str, int], Sequence[Sequence[str]]]
"""The lines of a function, by its table and number: once for all players, or once for each."""

MEMBERS = re.compile(r"o = members\((.*)\)")


class PlayoutWriter:
    """Writes the function that plays a game at random up to its end, or to where only a slower way can go on.

    It is given the number of the point or block to begin with, what draws a number from 0 up to 1, and what takes how
    many options a point had (0 for chance, and where there was none). It returns the number of what comes next.
    """

    def __init__(self, points: Sequence[AnyPoint], blocks: int, versions: Versions, few: Sequence[bool]) -> None:
        self.points = points
        self.blocks = blocks
        self.versions = versions
        self.few = few
        """for each point, whether what is chosen there is one of few members"""

    def playout(self, ticks: bool) -> Function:
        """The function. `ticks`: whether something counts what is done at one go."""
        finished = len(self.points)
        cases = [(number, self.point(number, ticks)) for number in range(finished)]
        cases += [
            (finished + 1 + number, self.by_player([jumps(each, finished) for each in self.versions("blocks", number)]))
            for number in range(self.blocks)
        ]
        inside = told_apart(cases)
        deep = max(len(line) - len(line.lstrip()) for line in inside) > 4 * DEEPEST
        lines = [*([] if deep else ["for _ in range(rounds):", *indented(inside)]), "return c"]
        return ["c", "rounds", "random", "met"], lines

    def by_player(self, versions: Sequence[Lines]) -> Lines:
        """The version of whoever acts. If nobody does and they differ, something is wrong, which is told elsewhere."""
        if all(each == versions[0] for each in versions):
            return [*versions[0]]
        lines = [f"y = s[{YOU}]"]
        for you, each in enumerate(versions):
            lines += [f"{'elif' if you else 'if'} y == {you}:", *indented(each)]
        return [*lines, "else: return c"]

    def point(self, number: int, ticks: bool) -> Lines:
        """What is done at a point: an option is picked and carried out."""
        point = self.points[number]
        decides = isinstance(point, DecisionPoint)
        begin = [f"s[{PC}] = {number}", *(["ticks[0] = 0"] if ticks else [])]
        asked = self.versions("options" if decides else "chance", number)
        done = self.versions("apply", number)
        return [*begin, *self.by_player([
            [*(self.picked(number, one) if decides else self.drawn(number, one)), *jumps(other, len(self.points))]
            for one, other in zip(asked, done, strict=True)
        ])]  # fmt: skip

    def picked(self, number: int, asked: Sequence[str]) -> Lines:
        """Lines that take one of the options of a decision, every one equally likely."""
        *lines, last = asked
        if last != "return o":
            lines.append(f"o = {last.removeprefix('return ')}")
        size, nth, only = "len(o)", "o[int(random() * n)]", "o[0]"
        if lines and (mask := MEMBERS.fullmatch(lines[-1])):
            if self.few[number]:
                lines[-1] = f"o = FEW[{mask[1]}]"
            else:
                lines[-1] = f"m = {mask[1]}"
                size, nth, only = "m.bit_count()", "one_of(m, int(random() * n))", "m.bit_length() - 1"
        none = f"o = {LEAVE}" if self.points[number].leave >= 0 else f"return {number}"
        return [
            *lines, f"n = {size}", f"if n > 1: o = {nth}", f"elif n: o = {only}", f"else: {none}", "met(n)",
        ]  # fmt: skip

    def drawn(self, number: int, asked: Sequence[str]) -> Lines:
        """Lines by which the generator answers for chance."""
        *lines, last = asked
        lines += [f"o = {last.removeprefix('return ')}", "met(0)"]
        if str(LEAVE) in last and self.points[number].leave < 0:
            lines.append(f"if o == {LEAVE}: return {number}")
        return lines


def jumps(lines: Sequence[str], finished: int) -> Lines:
    """The lines of a function that returns what comes next, which goes on with that instead."""
    jumped: Lines = []
    for line in lines:
        code = line.lstrip()
        gap = line[: len(line) - len(code)]
        if code.startswith("return ") and code != f"return {finished}":
            jumped += [f"{gap}c = {code.removeprefix('return ')}", f"{gap}continue"]
        else:
            jumped.append(line)
    return jumped


def told_apart(cases: Sequence[tuple[int, Lines]]) -> Lines:
    """Lines that carry out one of several cases, by `c`."""
    if len(cases) == 1:
        return cases[0][1]
    middle = len(cases) // 2
    low, high = told_apart(cases[:middle]), told_apart(cases[middle:])
    return [f"if c < {cases[middle][0]}:", *indented(low), "else:", *indented(high)]


def indented(lines: Sequence[str]) -> Lines:
    """The same lines inside of something."""
    return [f"    {line}" for line in lines]
