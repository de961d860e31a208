"""A playout as one function: the code of all points and blocks, with jumps between them in place of calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from polis_rules.interpreter.compiler.python.kept import Kept, Places, keepable, keeping, sought
from polis_rules.interpreter.compiler.python.known import known
from polis_rules.interpreter.compiler.python.module import Function
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import CHUNK, FINISH, LEAVE, PC, SEED, YOU, AnyPoint, DecisionPoint

DEEPEST = 80
"""How deep Python lets code be indented, and some less."""

Versions = Callable[[str, int], Sequence[Sequence[str]]]
"""The lines of a function, by its table and number: once for all players, or once for each."""

Step = tuple[int, int | None]
"""A point or block by its number, and who acts if its code is not the same for all."""

BECOMES = f"s[{YOU}] = "
"""How a line begins after which somebody else acts."""

LONGEST_WAY = 4
"""So many points and blocks are written one after the other, with jumps after the last."""

MOST_COPIED = 60
"""Only those with at most so many lines are."""

MOST_LINES = 1500
"""In a function that would have more lines nothing is written after anything else."""

EQUAL = re.compile(r"o = \[(\w+) for \1, x in enumerate\(s\[(\d+):(\d+)\]\) if \(x == (-?\d+)\)\]")
OFFER = re.compile(r"(?:if (.*): )?o\.append\((\d+)\)")
MOST_LEFT_OUT = 8
"""Of more than this, members of larger kinds are not left out, but gathered."""

SLOT = re.compile(r"s\[(\d+)\]")
DRAW = re.compile(rf"draw_below\(s\[{SEED}\], (\d+), s\[(\d+)\], (len\(o\)|m\.bit_count\(\))\)")

MEMBERS = re.compile(r"o = members\((.*)\)")


class PlayoutWriter:
    """Writes the function that plays a game at random up to its end, or to where only a slower way can go on.

    It is given the number of the point or block to begin with, what draws a number from 0 up to 1, and a list that
    gains how many options each point had (0 for chance, and where there was none). It returns the number of what comes
    next.
    """

    def __init__(
        self, points: Sequence[AnyPoint], blocks: int, versions: Versions, few: Sequence[bool], before: dict[int, str],
        places: Places | None,
    ) -> None:  # fmt: skip
        self.points = points
        self.blocks = blocks
        self.versions = versions
        self.few = few
        """for each point, whether what is chosen there is one of few members"""
        self.before = before
        """by point, a line to be written before what is done there"""
        self.places = places
        """which slots a place may be that is found in play; None if functions change some that are called"""
        self.kept: set[Kept] = set()
        """options that are kept up"""
        self.ahead: dict[str, str] = {}
        """the streams whose draws are made ahead, by the slot of the counter, with what is drawn"""
        self.codes: dict[int, Sequence[Sequence[str]]] = {}
        """by number, what is done at each point and in each block, for each player"""

    def playout(self, ticks: bool) -> Function:
        """The function. `ticks`: whether something counts what is done at one go."""
        finished = len(self.points)
        blocks = {finished + 1 + number: self.versions("blocks", number) for number in range(self.blocks)}
        self.kept = self.keepable(blocks.values())
        self.ahead = self.drawn_ahead(blocks.values())
        self.codes = {number: self.point(number, ticks) for number in range(finished)} | blocks
        for kept in self.kept:
            keep = partial(keeping, kept, places=self.places or {})
            self.codes = {number: [*map(keep, versions)] for number, versions in self.codes.items()}
        inside = self.dispatched(LONGEST_WAY)
        if len(inside) > MOST_LINES:
            inside = self.dispatched(1)
        inside = known(inside)
        deep = max(len(line) - len(line.lstrip()) for line in inside) > 4 * DEEPEST
        lines = [*([] if deep else ["for _ in range(rounds):", *indented(inside)]), "return c"]
        draws = [f"d_{slot} = all_draws({drawn}).__next__" for slot, drawn in self.ahead.items()]
        begin = ["met = counts.append", *draws, *(line for kept in self.kept for line in kept.gathered)]
        return ["c", "rounds", "random", "counts"], [*begin, *lines]

    def keepable(self, blocks: Iterable[Sequence[Sequence[str]]]) -> set[Kept]:
        """What is asked for at decisions and can be kept up."""
        if self.places is None:
            return set()
        decisions = [number for number, point in enumerate(self.points) if isinstance(point, DecisionPoint)]
        asked = {sought(lines[:-1]) for number in decisions for lines in self.versions("options", number)}
        codes = [lines for versions in blocks for lines in versions]
        codes += [lines for number in range(len(self.points)) for lines in self.versions("apply", number)]
        found = [kept for kept in asked if kept is not None and keepable(kept, codes, self.places)]
        return set({(kept.low, kept.high): kept for kept in found}.values())

    def drawn_ahead(self, blocks: Iterable[Sequence[Sequence[str]]]) -> dict[str, str]:
        """The streams of which each draw takes one number, and nothing else asks for their counters."""
        counters = Counter(SLOT.findall("\n".join(line for each in blocks for lines in each for line in lines)))
        drawn: dict[str, str] = {}
        counted: Counter[str] = Counter()
        for number, point in enumerate(self.points):
            done = [self.versions(table, number) for table in ("options", "chance", "apply")]
            counters.update(SLOT.findall("\n".join(line for each in done for lines in each for line in lines)))
            if isinstance(point, DecisionPoint) or number in self.before:
                continue
            for asked, then in zip(done[1], done[2], strict=True):
                draws = DRAW.findall("\n".join(asked))
                if len(draws) == 1 and f"s[{draws[0][1]}] += 1" in "\n".join(then):
                    salted, slot = draws[0][:2]
                    drawn[slot] = f"s[{SEED}], {salted}, s[{slot}]"
                    counted[slot] += 2
        return {slot: draw for slot, draw in drawn.items() if counted[slot] == counters[slot]}

    def point(self, number: int, ticks: bool) -> list[Lines]:
        """What is done at a point, for each player: an option is picked and carried out."""
        begin = [f"s[{PC}] = {number}", *(["ticks[0] = 0"] if ticks else [])]
        begin += [self.before[number]] if number in self.before else []
        decides = isinstance(self.points[number], DecisionPoint)
        asked = self.versions("options" if decides else "chance", number)
        if number in self.before:
            asked = [
                [line.replace("o[draw_below(", "o[q if q >= 0 else draw_below(") for line in each] for each in asked
            ]
        answer = self.picked if decides else self.drawn
        done = [[*each] for each in self.versions("apply", number)]
        if self.few[number]:
            done = [[line.replace("~((1 << o))", "WITHOUT[o]") for line in each] for each in done]
        return [[*begin, *answer(number, one), *other] for one, other in zip(asked, done, strict=True)]

    def dispatched(self, longest: int) -> Lines:
        """Lines that carry out the point or block `c`, and what follows it: in all no more than `longest`."""
        return told_apart([(number, self.by_player(number, longest)) for number in self.codes])

    def by_player(self, number: int, longest: int) -> Lines:
        """The version of whoever acts. If nobody does and they differ, something is wrong, which is told elsewhere."""
        versions = self.codes[number]
        if all(each == versions[0] for each in versions):
            return self.led_on(versions[0], None, ((number, None),), longest)
        lines = [f"y = s[{YOU}]"]
        for you, each in enumerate(versions):
            led = self.led_on(each, you, ((number, you),), longest)
            lines += [f"{'elif' if you else 'if'} y == {you}:", *indented(led)]
        return [*lines, "else: return c"]

    def led_on(self, lines: Sequence[str], you: int | None, way: tuple[Step, ...], longest: int) -> Lines:
        """The lines of a function that returns what comes next: instead they go on with that, or jump to it.

        `way` is what was gone through to come here: what stands in it is jumped to.
        """
        led: Lines = []
        acting = [(-1, you)]
        for line in lines:
            code = line.lstrip()
            depth = len(line) - len(code)
            acting = [each for each in acting if each[0] <= depth]
            if code.startswith(BECOMES):
                player = code.removeprefix(BECOMES)
                acting.append((depth, int(player) if player.isdigit() else None))
            following = code.removeprefix("return ")
            if following == code or following == str(len(self.points)):
                led.append(line)
                continue
            next_step = self.step(following, acting[-1][1]) if len(way) < longest else None
            if next_step is None or next_step in way:
                led += [" " * depth + each for each in (f"c = {following}", "continue")]
            else:
                code_of_it = self.codes[next_step[0]][next_step[1] or 0]
                inside = self.led_on(code_of_it, acting[-1][1], (*way, next_step), longest)
                led += [" " * depth + each for each in inside]
        return led

    def step(self, number: str, you: int | None) -> Step | None:
        """What comes next, with who acts unless its code is the same for all; None where that is not known."""
        versions = self.codes.get(int(number), ()) if number.isdigit() else ()
        if not versions or len(versions[0]) > MOST_COPIED:
            return None
        if all(each == versions[0] for each in versions):
            return int(number), None
        return (int(number), you) if you is not None and you < len(versions) else None

    def picked(self, number: int, asked: Sequence[str]) -> Lines:
        """Lines that take one of the options of a decision, every one equally likely."""
        *lines, last = asked
        if last != "return o":
            lines.append(f"o = {last.removeprefix('return ')}")
        kept = sought(lines)
        lines, few = few_left_out(lines), self.few[number]
        size, nth, only, one = "len(o)", "o[floor(random() * n)]", "o[0]", "1"
        if kept is not None and kept in self.kept:
            lines, name = [], kept.name
            size, nth, only = f"len({name})", f"{name}[floor(random() * n)]", f"{name}[0]"
            if kept.few:
                size, nth, only, one = (
                    f"COUNT[{name}]",
                    f"FEW[{name}][floor(random() * n)]",
                    f"{name}.bit_length() - 1",
                    "1.0",
                )
        elif lines and (mask := MEMBERS.fullmatch(lines[-1])):
            lines[-1:] = [f"m = {mask[1]}"] if mask[1] != "m" else []
            size, nth, only = "m.bit_count()", "one_of(m, floor(random() * n))", "m.bit_length() - 1"
            if few:  # how many they are is a number with a fraction, as what it is multiplied with
                size, nth, one = "COUNT[m]", "FEW[m][floor(random() * n)]", "1.0"
        elif lines and (equal := EQUAL.fullmatch(lines[-1])):
            low, high, value = map(int, equal.groups()[1:])
            middle = (low + high) // 2
            lines[-1:] = [f"m = s[{low}:{middle}]; b = s[{middle}:{high}]", f"i = m.count({value})"]
            size, nth = f"i + b.count({value})", f"nth_of_both(m, b, i, {value}, floor(random() * n))"
            only = f"nth_of_both(m, b, i, {value}, 0)"
        none = f"o = {LEAVE}" if self.points[number].leave >= 0 else f"return {number}"
        return [
            *lines, f"n = {size}", f"if n > {one}: o = {nth}", f"elif n: o = {only}", f"else: {none}", "met(n)",
        ]  # fmt: skip

    def drawn(self, number: int, asked: Sequence[str]) -> Lines:
        """Lines by which the generator answers for chance."""
        *lines, last = [DRAW.sub(self.draw, line) for line in asked]
        lines += [f"o = {last.removeprefix('return ')}", "met(0)"]
        if str(LEAVE) in last and self.points[number].leave < 0:
            lines.append(f"if o == {LEAVE}: return {number}")
        return lines

    def draw(self, match: re.Match[str]) -> str:
        """The code of a draw, which may be made ahead."""
        return f"(d_{match[2]}() * {match[3]} >> 64)" if match[2] in self.ahead else match[0]


def few_left_out(lines: Lines) -> Lines:
    """Lines that gather a few members one by one begin with all of them instead, as most may be chosen mostly.

    >>> few_left_out(["o = []", "if s[7]: o.append(0)", "o.append(1)"])
    ['m = 3', 'if not s[7]: m ^= 1', 'o = members(m)']
    """
    begin = lines.index("o = []") if "o = []" in lines else len(lines)
    offers = [OFFER.fullmatch(line) for line in lines[begin + 1 :]]
    found = [(match[1], match[2]) for match in offers if match]
    members = [int(member) for _, member in found]
    if len(found) < len(offers) or len(found) < 2 or members[-1] == FINISH:
        return lines  # finishing is offered only beside something else
    if members[-1] < CHUNK:
        left_out = [f"if not {test}: m ^= {1 << int(member)}" for test, member in found if test]
        return [*lines[:begin], f"m = {sum(1 << member for member in members)}", *left_out, "o = members(m)"]
    if len(found) > MOST_LEFT_OUT:
        return lines
    left_out = [f"if not {test}: del o[{at}]" for at, (test, _) in enumerate(found) if test]
    return [*lines[:begin], f"o = {members}", *reversed(left_out)]


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
