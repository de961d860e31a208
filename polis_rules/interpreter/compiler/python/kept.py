"""Options that are kept up while a playout goes on, instead of being gathered at each decision."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from polis_rules.interpreter.compiler.python.module import stripped
from polis_rules.interpreter.compiler.python.numbers import compare
from polis_rules.interpreter.compiler.python.writer import Lines
from polis_rules.interpreter.machine import CHUNK

Places = Mapping[str, tuple[int, int] | None]
"""The first and the last slot of the state variable that a place belongs to, by its code; None if that is not clear."""

TEST = r"\((?:x [=<>!]+ -?\d+|-?\d+ [=<>!]+ x)\)"
GATHERED = re.compile(rf"o = \[(\w+) for \1, x in enumerate\(s\[(\d+):(\d+)\]\) if ({TEST})\]")
OFFERED = re.compile(r"if (\(.*\)): o\.append\((\d+)\)")
SLOT = re.compile(r"s\[(\d+)\]")
NUMBER = re.compile(r"-?\d+")
KNOWN = re.compile(r"\d+(?::\d+)?")

MOST_CHANGES = 8
"""What changes at more places than this is gathered when it is asked for."""


@dataclass(frozen=True)
class Kept:
    """The members whose values, in slots `low` up to below `high`, pass a test: their bits if they are few, otherwise
    a list in table order."""

    low: int
    high: int
    test: str

    @property
    def few(self) -> bool:
        return self.high - self.low <= CHUNK

    @property
    def name(self) -> str:
        return f"k_{self.low}_{self.high}"

    @property
    def gathered(self) -> Lines:
        """The lines that gather them from the state."""
        if not self.few:
            return [f"{self.name} = [v for v, x in enumerate(s[{self.low}:{self.high}]) if {self.test}]"]
        left_out = [f"if not {self.asked(str(slot))}: {self.name} ^= {1 << slot - self.low}" for slot in self.slots]
        return [f"{self.name} = {(1 << len(self.slots)) - 1}", *left_out]

    @property
    def slots(self) -> range:
        return range(self.low, self.high)

    @property
    def some(self) -> str:
        """How it is asked elsewhere whether there is one."""
        return f"({' or '.join(self.asked(str(slot)) for slot in self.slots)})"

    def asked(self, place: str) -> str:
        """The test of the value at a place."""
        return self.test.replace("x", f"s[{place}]")

    def changed(self, place: str, value: str) -> Lines:
        """The lines that follow when a value was put at a place."""
        name = self.name
        if place.isdigit():
            member = str(int(place) - self.low)
        else:
            member = place.removesuffix(f"+{self.low}") if place.endswith(f"+{self.low}") else f"{place}-{self.low}"
        if self.few:
            adds, drops = [f"{name} |= 1 << ({member})"], [f"{name} &= WITHOUT[{member}]"]
        else:
            at = f"at = bisect_left({name}, {member})"
            there = f"at < len({name}) and {name}[at] == {member}"
            adds = [at, f"if not ({there}): {name}.insert(at, {member})"]
            drops = [at, f"if {there}: del {name}[at]"]
        if one_way(self.test, value.removeprefix(f"(s[{place}] ").removesuffix(")")):
            return [f"if not {self.asked(place)}:", *(f"    {drop}" for drop in drops)]
        if NUMBER.fullmatch(value):
            left, op, right = self.test[1:-1].replace("x", value).split()
            return adds if compare(op, int(left), int(right)) else drops
        return [f"if {self.asked(place)}:", *(f"    {a}" for a in adds), "else:", *(f"    {d}" for d in drops)]


def one_way(test: str, change: str) -> bool:
    """Whether a change of a value can only lead to where the test fails.

    >>> one_way("(x < 6)", "+ 1"), one_way("(x < 6)", "- 1"), one_way("(0 < x)", "- 1")
    (True, False, True)
    """
    sign = {"(x <": "+", "(x >": "-"}.get(test[:4], "-" if re.match(r"\(\S+ <", test) else "+")
    return "=" not in test.replace("<=", "").replace(">=", "") and re.fullmatch(rf"\{sign} \d+", change) is not None


def sought(lines: Sequence[str]) -> Kept | None:
    """What the lines gather that list the options of a decision, if it is something that can be kept up.

    >>> sought(["o = []", "if (s[7] < 6): o.append(0)", "if (s[8] < 6): o.append(1)"])
    Kept(low=7, high=9, test='(x < 6)')
    >>> sought(["o = [v_1 for v_1, x in enumerate(s[6:127]) if (x == -1)]"])
    Kept(low=6, high=127, test='(x == -1)')
    """
    if len(lines) == 1 and (match := GATHERED.fullmatch(lines[0])):
        return Kept(int(match[2]), int(match[3]), match[4])
    if len(lines) < 3 or lines[0] != "o = []":
        return None
    first = OFFERED.fullmatch(lines[1])
    slots = SLOT.findall(first[1]) if first else []
    if first is None or len(slots) != 1:
        return None
    low, test = int(slots[0]), SLOT.sub("x", first[1])
    kept = Kept(low, low + len(lines) - 1, test)
    offers = [f"if {kept.asked(str(low + at))}: o.append({at})" for at in range(len(lines) - 1)]
    return kept if re.fullmatch(TEST, test) and offers == list(lines[1:]) else None


class UnclearError(Exception):
    """It is not known what some code changes, or it changes it often."""


def keepable(kept: Kept, codes: Iterable[Sequence[str]], places: Places) -> bool:
    """Whether it is known of all code what it changes, and it changes these values at few places, outside of loops."""
    try:
        return sum(1 for lines in {*map(tuple, codes)} for _ in changes(kept, lines, places)) <= MOST_CHANGES
    except UnclearError:
        return False


def keeping(kept: Kept, lines: Sequence[str], places: Places) -> Lines:
    """The same lines, which keep up what is kept, and look there instead of at all values."""
    after: dict[int, Lines] = {}
    for number, place, value in changes(kept, lines, places):
        line = lines[number]
        indent = line[: len(line) - len(line.lstrip())]
        after[number] = [*after.get(number, []), *(indent + each for each in kept.changed(place, value))]
    some = kept.some
    return [
        each for number, line in enumerate(lines) for each in (line.replace(some, kept.name), *after.get(number, []))
    ]


def changes(kept: Kept, lines: Sequence[str], places: Places) -> Iterator[tuple[int, str, str]]:
    """Where code changes these values: the number of the line, the place, and what is put there."""
    tree = ast.parse("\n".join(lines))
    looped = {
        inner for loop in ast.walk(tree) if isinstance(loop, (ast.For, ast.While)) for inner in ast.walk(loop)
    }  # fmt: skip
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Assign, ast.AugAssign)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if (
                not isinstance(target, ast.Subscript)
                or not isinstance(target.value, ast.Name)
                or target.value.id != "s"
            ):
                continue
            number = target.lineno - 1
            place = lines[number][target.slice.col_offset : target.slice.end_col_offset]
            if not meets(kept, slots_of(place, lines[:number], places)):
                continue
            if node in looped:
                raise UnclearError
            plain = isinstance(node, ast.Assign) and lines[number].lstrip().startswith(f"s[{place}] = ")
            yield number, place, lines[number].partition(" = ")[2] if plain else ""


def slots_of(place: str, before: Sequence[str], places: Places) -> tuple[int, int]:
    """The slots one of which a place is."""
    if KNOWN.fullmatch(place):
        first, _, end = place.partition(":")
        return int(first), int(end) - 1 if end else int(first)
    if place.isidentifier():
        found = [line.lstrip() for line in before if line.lstrip().startswith(f"{place} = ")]
        place = found[-1].partition(" = ")[2] if found else place
    slots = places.get(stripped(place))
    if slots is None:
        raise UnclearError
    return slots


def meets(kept: Kept, slots: tuple[int, int]) -> bool:
    """Whether some slots are among those of the values."""
    return slots[0] < kept.high and kept.low <= slots[1]
