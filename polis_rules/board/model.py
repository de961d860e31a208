"""What a board is: spots for members, lines between them, and how each state is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, str]
"""A kind and the id of one of its members."""
NOTHING = "-"
"""What stands for none."""
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a member lies: `x` to the right and `y` down, as shares of the board's width and height."""

    kind: str
    member: str
    title: str
    x: float
    y: float
    symbol: str
    """`area`, `circle`, `square`, `diamond`, `triangle`, `hexagon`, `star` or `card`."""
    colour: str
    """A word of `schema.COLOURS` or #rrggbb; empty where nothing is said."""
    outline: tuple[Points, ...] = ()
    """What it covers, in the same measures; nothing where it is a mere point."""
    is_labelled: bool = True
    """Whether its title is written beside it; in a grid the rims say it."""
    printed: str = ""
    """The number that is printed beside its title, if there is one."""

    @property
    def key(self) -> Key:
        return self.kind, self.member


@dataclass(frozen=True, slots=True)
class Line:
    """A connection that is drawn."""

    graph: str
    one: Key
    other: Key
    style: str
    """`solid`, `dashed` or `dotted`."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text at the rim of a grid."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Inset:
    """A frame around what lies elsewhere: its corners as shares of width and height."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who sits; `number` counts from 0 and tells the shape of pieces."""

    id: str
    title: str
    colour: str
    number: int


@dataclass(frozen=True, slots=True)
class Shown:
    """State that is shown, and how: `colour`, `count`, `mark`, `piece`, `track` or `list`."""

    kind: str
    """Empty for state of the game itself."""
    name: str
    title: str
    how: str
    of: str = ""
    """For state that names members: their kind."""
    per: tuple[str, ...] = ()
    """The kinds of its further indexes."""
    low: int = 0
    high: int = 0
    but: frozenset[str] = frozenset()
    """The members of which it is not shown."""
    is_asked: bool = False
    """Whether the ruleset itself says that it is shown."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is fixed about the members of a kind: a column for each attribute, a row for each member."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """A member's title, then a text for each column."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of a board."""

    title: str
    width: int
    height: int
    """Width and height stand to each other as these."""
    spots: dict[Key, Spot]
    """In the order in which they are drawn: what comes later lies on top."""
    lines: tuple[Line, ...]
    players: tuple[Player, ...]
    shown: tuple[Shown, ...]
    titles: dict[Key, str]
    """What every member of every kind is called."""
    colours: dict[Key, str] = field(default_factory=dict)
    """The colours that the ruleset gives to members, and to kinds under the id ``"*"``."""
    kinds: dict[str, str] = field(default_factory=dict)
    """What every kind is called."""
    notes: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = field(default_factory=dict)
    """The numbers that each member of a kind has, by kind: what they are called, and one for each member."""
    about: dict[Key, str] = field(default_factory=dict)
    """What is fixed about members that are not on the board, in a few words."""
    facts: tuple[Facts, ...] = ()
    """What is fixed and said beside the board, because the ruleset asks for it."""
    caption: str = ""
    """What the board itself is called."""
    labels: tuple[Label, ...] = ()
    insets: tuple[Inset, ...] = ()
    backdrop: tuple[tuple[str, tuple[Points, ...]], ...] = ()
    """What lies under everything: outlines by colour."""
    joined: frozenset[frozenset[Key]] = frozenset()
    """The pairs of members that any graph joins."""
    printed: dict[str, str] = field(default_factory=dict)
    """What the numbers printed beside the titles of a kind are called, by kind."""
    is_drawn: bool = False
    """Whether the ruleset says how it looks; otherwise it is made of its graphs and grids."""
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What all drawings of it have in common and takes long to find."""

    @property
    def has_ground(self) -> bool:
        """Whether it is a map, with water around and a rim: a board of mere places, without anything that has an
        outline, is a graph as one that is worked out is."""
        return self.is_drawn and bool(self.backdrop or self.insets or any(each.outline for each in self.spots.values()))

    def colour_of(self, kind: str, member: str) -> str:
        """The colour that the ruleset gives to a member; empty where it gives none."""
        return self.colours.get((kind, member)) or self.colours.get((kind, "*"), "")

    def title_of(self, kind: str, member: object) -> str:
        """What a member is called; a dash for none."""
        return NOTHING if member is None else self.titles.get((kind, str(member)), str(member))
