"""How the game looks on a board: where its members lie, how they are drawn, and which state is shown where.

Nothing here changes the rules.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from polis_rules.diagnostics import nearest
from polis_rules.schema.base import SPAN, Model, Rule
from polis_rules.schema.objections import unfit
from polis_rules.schema.values import Expression, ListOf, MapOf, Name, Prose, Scalar, Short
from polis_rules.source import Sequence, Text

POINT = re.compile(r"([0-9]{1,5}),([0-9]{1,5})")
COLOURS = (
    *("earth", "water", "sand", "grass", "stone", "paper"),
    *("blue", "orange", "green", "red", "yellow", "purple", "sky", "black", "white", "grey"),
)
"""What things may be coloured: tints for areas, then the colours of pieces, which people who see few tell apart."""
SYMBOLS = ("area", "circle", "square", "diamond", "triangle", "hexagon", "star", "card", "none")
"""How the members of a kind may be drawn; `area` is their outline."""
LINES = ("solid", "dashed", "dotted", "none")
"""How the connections of a graph may be drawn."""
SHOWN = ("colour", "count", "mark", "piece", "track", "list", "supply", "print", "none")
"""How state may be shown."""


def _pair(value: object) -> object:
    """Two whole numbers, as `[120, 45]`."""
    items = value.items if isinstance(value, Sequence) else ()
    wanted = "two whole numbers from 0 to 99999, as [120, 45]"
    if len(items) != 2:
        raise unfit("unfit-value", wanted, value)
    for item in items:
        if not (isinstance(item, Text) and re.fullmatch("[0-9]{1,5}", item)):
            raise unfit("unfit-value", wanted, item)
    return tuple(int(str(item)) for item in items)


def _outline(text: Text) -> tuple[tuple[int, int], ...] | None:
    """The corners of an outline, as `10,20 30,20 20,40`."""
    found = [POINT.fullmatch(word) for word in text.split()]
    points = tuple((int(each[1]), int(each[2])) for each in found if each)
    return points if len(points) == len(found) > 2 else None


def _one_of(words: tuple[str, ...]) -> Scalar:
    wanted = f"one of {', '.join(words)}"

    def read(text: Text) -> Text:
        if text not in words:
            raise unfit("unfit-value", wanted, text, suggestion=nearest(text, words))
        return text

    return Scalar(wanted, read, {"enum": list(words)})


def _colour(text: Text) -> Text:
    if text not in COLOURS and not re.fullmatch("#[0-9a-f]{6}", text):
        wanted = f"one of {', '.join(COLOURS)}, or a colour such as '#0072b2'"
        raise unfit("unfit-value", wanted, text, suggestion=nearest(text, COLOURS))
    return text


_TWO = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}


class _Two:
    """Annotation for the JSON Schema of two numbers."""

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, Any]:
        return dict(_TWO)


Pair = Annotated[tuple[int, int], BeforeValidator(_pair), _Two()]
"""A point, or a width and a height."""
Outline = Annotated[
    tuple[tuple[int, int], ...],
    Scalar("the corners of an outline, as 10,20 30,20 20,40", _outline, {"type": "string"}),
]
"""A closed line."""
Colour = Annotated[
    Text, Scalar("a colour", _colour, {"anyOf": [{"enum": list(COLOURS)}, {"pattern": "^#[0-9a-f]{6}$"}]})
]
Symbol = Annotated[Text, _one_of(SYMBOLS)]
Line = Annotated[Text, _one_of(LINES)]
Shown = Annotated[Text, _one_of(SHOWN)]


class Position(Model):
    """Where a member lies. A bare point is short for `{at: point}`."""

    what: ClassVar[str] = "a place on the board"

    at: Pair
    """Where its symbol or its name stands: to the right, then down, e.g. `[120, 45]`."""
    outline: ListOf[Outline] = Field(default_factory=list)
    """What it covers, each part as its corners, e.g. `["10,20 30,20 20,40"]`."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Sequence):
            return {"at": node, SPAN: node.span}
        raise unfit("not-a-mapping", "a point such as [120, 45], or a mapping with the key 'at'", node)


class Inset(Model):
    """A part of the board that shows what lies elsewhere, in a frame."""

    at: Pair
    """Its upper left corner."""
    size: Pair
    """Its width and height."""


class Board(Rule):
    """How the game looks; it changes no rule."""

    what: ClassVar[str] = "the board"

    size: Pair
    """Width and height, in the units of all places, e.g. `[1000, 800]`."""
    symbols: MapOf[Name, Symbol] = Field(default_factory=dict)
    """How the members of a kind are drawn, e.g. `{field: area, town: circle}`; what comes later lies on top."""
    colours: MapOf[Prose, Colour] = Field(default_factory=dict)
    """Colours of members, of kinds, or of members with a flag, e.g. `{red: orange, field.is_wet: water}`."""
    lines: MapOf[Name, Line] = Field(default_factory=dict)
    """Which graphs are drawn, and how, e.g. `{roads: solid, ferries: dotted}`."""
    show: MapOf[Prose, Shown] = Field(default_factory=dict)
    """How state is shown, e.g. `{field.owner: colour, field.pieces: count, card: list}`."""
    tell: MapOf[Name, MapOf[Prose, Expression]] = Field(default_factory=dict)
    """Numbers worked out of the position that people are told of each member, by kind and by what they are called,
    e.g. `player: {food for the winter: food_needed(it)}`."""
    places: MapOf[Name, MapOf[Name, Annotated[Position, Short(_TWO)]]] = Field(default_factory=dict)
    """Where members lie, by kind and id, e.g. `field: {north: [120, 45]}`."""
    insets: ListOf[Inset] = Field(default_factory=list)
    """Frames around what lies elsewhere."""
    backdrop: MapOf[Colour, ListOf[Outline]] = Field(default_factory=dict)
    """What lies under everything, by colour, e.g. `earth: ["10,20 30,20 20,40"]`."""
