"""Give every value of the state its slot in one flat list of integers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polis_rules.semantics import Symbols, Variable

PC = 0
"""slot of the program counter: which decision, chance or block comes next"""
YOU = 1
"""slot of the player who acts; -1 for nobody"""
SEED = 2
"""slot of the seed"""
ENDING = 3
"""slot of the ending; -1 while the game goes on"""
WINNER = 4
"""slot of the winner: a player, -1 for none, SCORE where the score decides, see `winners`"""
FIRST = 5

BACK = "(back)"
"""the local name of a procedure that holds its return address"""

SCORE = -2
"""value of WINNER where the score decides"""
SEVERAL = -3
"""value of WINNER less the bits of a set of players who win together"""


def winners(value: int) -> list[int]:
    """The players whom a value of WINNER names.

    >>> winners(1), winners(-1), winners(SCORE), winners(SEVERAL - 0b101)
    ([1], [], [], [0, 2])
    """
    if value > SEVERAL:
        return [value] if value >= 0 else []
    return [player for player in range((SEVERAL - value).bit_length()) if SEVERAL - value >> player & 1]


class Layout:
    """Where everything stands. State variables come first, then random streams, then local names."""

    def __init__(self) -> None:
        self.bases: dict[tuple[str, str], int] = {}
        self.strides: dict[tuple[str, str], tuple[int, ...]] = {}
        self.streams: dict[str, int] = {}
        self.locals: dict[tuple[str, str], int] = {}
        self.size = FIRST
        self.variables = FIRST
        """the first slot after those of state variables"""

    def add(self, count: int = 1) -> int:
        """Reserve slots; the number of the first."""
        base = self.size
        self.size += count
        return base

    def local(self, procedure: str, name: str) -> int:
        """The slot of a local name of a procedure."""
        key = (procedure, str(name))  # without its place in a file, so that layouts are quick to read
        if key not in self.locals:
            self.locals[key] = self.add()
        return self.locals[key]

    def run(self, procedure: str, name: str, count: int) -> int:
        """The first of so many slots for a local name of a procedure."""
        key = (procedure, str(name))
        if key not in self.locals:
            self.locals[key] = self.add(count)
        return self.locals[key]

    def stream(self, name: str) -> int:
        """The slot of a random stream's counter."""
        if name not in self.streams:
            self.streams[name] = self.add()
        return self.streams[name]

    def runs(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Where the values of each local name and the counter of each stream begin, and how many slots they have."""
        begins = {**{("", name): slot for name, slot in self.streams.items()}, **self.locals}
        ends = dict(pairwise([*sorted(begins.values()), self.size]))
        return {key: (slot, ends[slot] - slot) for key, slot in begins.items()}

    def lasting(self, state: list[int]) -> list[int]:
        """What a state holds besides local names and places in the rules, which depend on how these were compiled."""
        return [*state[YOU : self.variables], *(state[slot] for _, slot in sorted(self.streams.items()))]

    def slot(self, owner: str, name: str, indexes: tuple[int, ...]) -> int:
        """The slot of one value of a state variable."""
        strides = self.strides[owner, name]
        return self.bases[owner, name] + sum(i * stride for i, stride in zip(indexes, strides, strict=True))


def lay_out(symbols: Symbols) -> Layout:
    """A layout with a run of slots for each state variable."""
    from polis_rules.semantics import every_variable

    layout = Layout()
    for variable in every_variable(symbols):
        layout.strides[variable.owner, variable.name] = symbols.strides(variable)
        layout.bases[variable.owner, variable.name] = layout.add(prod(symbols.sizes(variable)) * variable.width)
    layout.variables = layout.size
    return layout


def limits(symbols: Symbols, layout: Layout) -> dict[int, tuple[int, int]]:
    """The slots of all state variables, each with the least and the greatest number that may stand there."""
    from polis_rules.semantics import every_variable

    return {slot: ends for each in every_variable(symbols) for slot, ends in limits_of(each, symbols, layout)}


def limits_of(variable: Variable, symbols: Symbols, layout: Layout) -> Iterator[tuple[int, tuple[int, int]]]:
    """The same for one of them."""
    base = layout.bases[variable.owner, variable.name]
    for place in range(variable.size):
        if variable.type.base != "list":
            yield base + place, (variable.low, variable.high) if variable.bounded else (-(1 << 62), 1 << 62)
        elif place % variable.width == 0:
            yield base + place, (0, variable.at_most)
        else:
            yield base + place, (-1, symbols.count(variable.type.kind) - 1)
