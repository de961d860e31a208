"""What happens in a game: terms, graphs, routes, supplies, actions, procedures, the end and the score."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from polis_rules.schema.base import (
    RULE_KEYS,
    SPAN,
    Expression,
    Flag,
    ListOf,
    MapOf,
    Model,
    Name,
    Prose,
    Raw,
    Requires,
    Rule,
    Short,
    TypeText,
    Where,
    conflict,
    unfit,
)
from polis_rules.schema.steps import Steps
from polis_rules.source import Sequence


class Term(Rule):
    """A named quantity or condition: an entry of the ruleset's glossary."""

    order = ("of", "is", *RULE_KEYS)

    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """Its parameters and their types, e.g. `{who: player, place: field}`."""
    is_: Expression = Field(alias="is")
    """What it stands for, e.g. `place.pieces[who] > 2`."""


class Edge(Rule):
    """A connection between two members."""

    one_way: Flag = False
    """Only from the first to the second."""


class Graph(Rule):
    """Connections between members: listed here, or stated already by an attribute."""

    from_: Expression | None = Field(alias="from", default=None)
    """The attribute that states them, e.g. `field.neighbours`."""
    edges: MapOf[Annotated[Expression, Short({"type": "string"})], Edge] | None = None
    """The connections, e.g. `north-south: {}`."""

    @model_validator(mode="after")
    def _edges_or_from(self) -> Graph:
        if (self.edges is None) == (self.from_ is None):
            raise conflict("a graph has 'edges' or 'from', one of the two", key="from")
        return self


class Route(Rule):
    """How one travels: over which graphs, across which members, at what cost."""

    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """Its parameters and their types, e.g. `{who: player}`."""
    over: ListOf[Name]
    """The graphs, e.g. `[roads, rivers]`."""
    through: MapOf[Name, Expression] = Field(default_factory=dict)
    """Which members may be crossed, by kind. A kind that is not named cannot be crossed."""
    costs: MapOf[Name, Expression] = Field(default_factory=dict)
    """What each crossed member costs, by kind."""
    also: MapOf[Name, Expression] = Field(default_factory=dict)
    """Graphs whose edges are open only while a condition holds."""


class Supply(Rule):
    """A counted piece: how many there are, and where they can be."""

    per: Name | None = None
    """One supply for each member of this kind; the member is called `owner` in the expressions."""
    total: Expression
    """How many there are."""
    reserve: Expression
    """State that counts those which are nowhere else, e.g. `owner.pieces`."""
    places: MapOf[Name, Expression]
    """How many are elsewhere, e.g. `board: sum(s.pieces[owner] for s in field)`."""


class ActionChoice(Model):
    """A choice of an action."""

    what: ClassVar[str] = "a choice"

    title: Prose | None = None
    """What the player reads, e.g. `Which field?`."""
    from_: Expression = Field(alias="from")
    """The options: a kind, a set, or numbers such as `0..you.coins`."""
    where: Where = Field(default_factory=dict)
    """Conditions that an option meets, by label, e.g. `not_yours: target.owner != you`."""


class Action(Rule):
    """Something a player may do."""

    cost: MapOf[Expression, Expression] = Field(default_factory=dict)
    """What is paid for it, e.g. `{coin: 1}`."""
    requires: Requires = Field(default_factory=dict)
    """Conditions by label; the label is the refusal that a player reads."""
    choose: MapOf[Name, ActionChoice] = Field(default_factory=dict)
    """What the player chooses, one after the other."""
    do: Steps = Field(default_factory=list)
    """What then happens."""


class Procedure(Rule):
    """A procedure or a phase: a named list of steps. A bare list is short for `{do: list}`."""

    what: ClassVar[str] = "a procedure or phase"

    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """Its parameters and their types, e.g. `{place: field}`."""
    do: Steps
    """What happens."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Sequence):
            return {"do": node, SPAN: node.span}
        raise unfit("not-a-list", "a list of steps, or a mapping with the key 'do'", node)


Procedures = MapOf[Name, Annotated[Procedure, Short({"type": "array", "items": {"type": ["string", "object"]}})]]


class Ending(Rule):
    """A reason for the game to end."""


class Score(Rule):
    """The final score; `who` is the player."""

    what: ClassVar[str] = "the score"

    terms: MapOf[Name, Expression]
    """What counts, e.g. `coins: who.coins`. The score is the sum."""
    tie_break: MapOf[Name, Expression] = Field(default_factory=dict)
    """What decides between equal scores, one after the other; more is better."""


class Scenario(Rule):
    """A set-up."""

    scenario: Name
    """Its id."""
    start: MapOf[Expression, Raw] = Field(default_factory=dict)
    """First values, e.g. `field.owner: {north: red}` or `current_round: second`."""
