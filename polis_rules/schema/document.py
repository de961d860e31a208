"""A whole ruleset: what its sections hold (kinds and rows, terms, graphs, actions and so on), manifest and scenario."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from polis_rules.schema.base import RULE_KEYS, SPAN, UNIT, Entry, Hidden, Model, Reading, Rule
from polis_rules.schema.board import Board
from polis_rules.schema.book import BookPlan
from polis_rules.schema.conditions import Requires, Where
from polis_rules.schema.declarations import Declaration, Memory, Per
from polis_rules.schema.objections import conflict, unfit
from polis_rules.schema.steps import Steps
from polis_rules.schema.targets import Targets
from polis_rules.schema.values import (
    Alone,
    AsItIs,
    Expression,
    Flag,
    Grade,
    Hundredths,
    Leads,
    ListOf,
    MapOf,
    Name,
    Number,
    NumberRange,
    Prose,
    Raw,
    RowGrade,
    Seats,
    Short,
    StandIns,
    TypeText,
    Value,
)
from polis_rules.source import Mapping, Node, Sequence, Text


class Attribute(Declaration):
    """A fixed property of each member of a kind, given by the kind's table."""

    alone = "type"

    type: TypeText
    """The type: `0..5`, `number`, `flag`, a kind, `field or none`, `set of field`, `text`, `effects`,
    `formula`, `condition` or `changes`."""
    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """For a formula or condition: its parameters and their types, e.g. `{place: field}`."""
    default: Raw | None = None
    """The value of rows that give none. Without it every row must give one."""
    title: Prose | None = None
    """What players call it, where its name in words is not that: the heads of tables, e.g. `wet` for `is_wet`."""
    is_: Value | None = Field(alias="is", default=None)
    """The value of every row, worked out once before play, e.g. `it.north is none`; no row gives one."""

    @model_validator(mode="after")
    def _given_or_worked_out(self) -> Attribute:
        if self.is_ is not None and self.default is not None:
            raise conflict("a value that is worked out has no default", "remove `default`, or `is`", key="default")
        if self.is_ is not None and self.type in ("text", "effects", "formula", "condition", "changes"):
            hint = "remove `is`: each row says it itself" if self.type in ("formula", "condition") else "remove `is`"
            raise conflict(f"'{self.type}' is nothing that is worked out before play", hint, key="is")
        return self


class Variable(Memory):
    """A value that changes in play."""

    what: ClassVar[str] = "a state variable"
    order = (
        *("per", "type", "unit", "at_most", "start", "spendable", "instead", "first", "bank"),
        *("title", "says", "seen_by", "size_seen_by", "lasts"),
    )
    telling = ("says", UNIT)
    alone = "type"
    other_words: ClassVar[dict[str, str]] = {"until": "lasts"}

    start: Value | None = None
    """The first value; it may read the member's own attributes, e.g. `it.copies`, or be a list, e.g. `[red, blue]`."""
    spendable: Flag = False
    """Whether `cost`, `pay`, `gain` and `lose` may name it."""
    instead: StandIns = Field(default_factory=dict)
    """What may stand in for it where it is paid, e.g. `[token]`, or so many for one of it: `{coin: 2}`."""
    first: Expression | None = None
    """How much of each payment need not be paid, e.g. `it.mills`."""
    bank: Expression | None = None
    """The state to which payments go and from which gains come, as far as it has any, e.g. `it.tribe.supply`."""
    says: Prose | None = None
    """How the report tells that it has another value now, e.g. `the price of {good} {rises or drops} to {new}`: in
    braces stand the kinds of what it belongs to, `old`, `new`, and two words, the first for more or a later member."""
    seen_by: Expression | None = None
    """Who sees it, e.g. `viewer == holder`. Without it everybody does."""
    size_seen_by: Expression | None = None
    """For a list: who sees how many members it holds. Without it everybody does."""
    lasts: Name | None = None
    """The phase or procedure for which it lasts, e.g. `take_turn`: whenever that begins, it is set to its `start`."""


_BARE_TYPE = Short({"type": "string"})
Attributes = MapOf[Name, Annotated[Attribute, _BARE_TYPE]]
Variables = MapOf[Name, Annotated[Variable, _BARE_TYPE]]


class Kind(Entry):
    """A sort of thing: its members are the rows of its table."""

    plural: Prose | None = None
    """What several of them are called, where adding an s is wrong, e.g. `Oxen`."""
    numbers: NumberRange | None = None
    """One member for each of these numbers, e.g. `1..8`; the `number` is an attribute. Such a kind has no table."""
    for_each: Per = Field(default_factory=dict)
    """One member for each combination of these kinds, e.g. `[suit, rank]` or `{left: token, right: token}`; each is
    an attribute of the member. Such a kind has no table."""
    in_force: Expression | None = None
    """When the `changes` of a member apply, e.g. `card == it`."""
    attributes: Attributes = Field(default_factory=dict)
    """What is fixed about each member, e.g. `value: 0..9`."""
    state: Variables = Field(default_factory=dict)
    """What changes in play, e.g. `owner: player or none`."""

    @model_validator(mode="after")
    def _numbers_or_combinations(self) -> Kind:
        if self.numbers is not None and self.for_each:
            raise conflict("a kind has 'numbers' or 'for_each', one of the two", key="numbers")
        return self

    @model_validator(mode="after")
    def _row_keys_are_taken(self) -> Kind:
        for taken in (*RULE_KEYS, "when"):
            if taken in self.attributes:
                raise conflict(f"an attribute cannot be called '{taken}', every row may carry that already")
        return self


Index = Annotated[tuple[Text, ...], AsItIs(), Hidden()]


class Row(Entry):
    """A member of a kind: the values of its attributes."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": True})

    what: ClassVar[str] = "a row"

    grade: RowGrade = None
    """How sure it is; or how sure single values are, e.g. `{price: reconstructed, default: quoted}`."""
    grades: Annotated[Mapping | None, AsItIs(), Hidden()] = Field(alias="\ngrades", default=None)
    """The grades of single values by attribute, of the title and, as `default`, of all others; as they are written."""
    values: Annotated[dict[Text, Node], AsItIs(), Hidden()] = Field(alias="\nvalues")
    """The values as they stand in the file, by attribute."""
    effects: Annotated[dict[Name, dict[Index, Steps]], Hidden()] = Field(alias="\neffects")
    """The steps of each attribute of type effects that has a value here, by the members of its `per` kinds:
    under the empty tuple where it has none."""

    @classmethod
    def fields_of(cls, node: Mapping, reading: Reading) -> dict[Any, object]:
        fields: dict[Any, object] = {SPAN: node.span}
        values: dict[Any, object] = {}
        for key, value in node.entries.items():
            (fields if key in RULE_KEYS else values)[key] = value
        if isinstance(grades := node.get("grade"), Mapping):
            fields["\ngrades"] = grades
        fields["\nvalues"] = values
        depths = reading.effects.get(id(node), {})
        fields["\neffects"] = {key: dict(_leaves(values[key], depth)) for key, depth in depths.items() if key in values}
        return fields


def _leaves(node: object, depth: int, keys: tuple[Text, ...] = ()) -> Iterator[tuple[tuple[Text, ...], object]]:
    """The values under `depth` levels of keys. Where a level is missing the check of the table says so."""
    if depth == 0:
        yield keys, node
    elif isinstance(node, Mapping):
        for key, inner in node.entries.items():
            yield from _leaves(inner, depth - 1, (*keys, key))


class Term(Entry):
    """A named quantity or condition: an entry of the ruleset's glossary."""

    order = ("when", "of", "is", UNIT, *RULE_KEYS)
    telling = (UNIT,)

    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """Its parameters and their types, e.g. `{who: player, place: field}`."""
    is_: Value = Field(alias="is")
    """What it stands for, e.g. `place.pieces[who] > 2`."""
    unit: Prose | None = None
    """Of a number: what it counts, e.g. `coins`. It is told beside the number, and changes no rule."""


class Edge(Entry):
    """A connection between two members."""

    one_way: Flag = False
    """Only from the first to the second."""


def _sources(value: object) -> object:
    """One attribute stands without a list."""
    return [value] if isinstance(value, Text) and value else value.items if isinstance(value, Sequence) else value


Sources = Annotated[list[Expression], BeforeValidator(_sources), Short({"type": "string"})]


class Graph(Entry):
    """Connections between members: listed here, or stated already by an attribute."""

    from_: Sources = Field(alias="from", default_factory=list)
    """The attributes that state them, e.g. `field.neighbours` or `[bridge.one, bridge.other]`."""
    edges: MapOf[Annotated[Expression, Short({"type": "string"})], Edge] | None = None
    """The connections, e.g. `north-south: {}`."""

    @model_validator(mode="after")
    def _edges_or_from(self) -> Graph:
        if (self.edges is None) == (not self.from_):
            raise conflict("a graph has 'edges' or 'from', one of the two", key="from")
        return self


class Route(Entry):
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


class Supply(Entry):
    """A counted piece: how many there are, and where they can be."""

    per: Name | None = None
    """One supply for each member of this kind; the member is called `owner` in the expressions."""
    total: Expression
    """How many there are."""
    reserve: Expression | None = None
    """State that counts those which are nowhere else, e.g. `owner.pieces`; without it the places hold all."""
    places: MapOf[Name, Expression]
    """How many are elsewhere, e.g. `board: sum(s.pieces[owner] for s in field)`."""


class ActionChoice(Model):
    """A choice of an action."""

    what: ClassVar[str] = "a choice"

    title: Prose | None = None
    """What the player reads, e.g. `Which field?`."""
    from_: Value = Field(alias="from")
    """The options: a kind, a set, a list, or numbers such as `0..you.coins`."""
    where: Where = Field(default_factory=dict)
    """Conditions that an option meets, by label, e.g. `not_yours: target.owner != you`."""
    leads_to: Leads = Field(default_factory=dict)
    """A choice that comes next: only what leaves it an option may be chosen. By label, or the name alone."""


class Action(Entry):
    """Something a player may do."""

    telling = ("says",)

    says: Prose | None = None
    """How the report tells that it was done, e.g. `{you} digs in {place}`: in braces stand `you`, the names of its
    choices, rolls and draws, and `paid` and `gained`."""
    cost: MapOf[Expression, Expression] = Field(default_factory=dict)
    """What is paid for it, e.g. `{coin: 1}`."""
    requires: Requires = Field(default_factory=dict)
    """Conditions by label; the label is the refusal that a player reads."""
    choose: MapOf[Name, ActionChoice] = Field(default_factory=dict)
    """What the player chooses, one after the other."""
    do: Steps = Field(default_factory=list)
    """What then happens."""


class Procedure(Entry):
    """A procedure or a phase: a named list of steps. A bare list is short for `{do: list}`."""

    what: ClassVar[str] = "a procedure or phase"
    telling = ("says",)

    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """Its parameters and their types, e.g. `{place: field}`."""
    gives: TypeText | None = None
    """The type of its answer, e.g. `field or none`: a step `give` sets it, and `result` names it where it is called."""
    says: Prose | None = None
    """How the report tells what is chosen in it and is no part of an action, e.g. `{you} feeds {place}`; in braces
    stands the same as for actions. Where nothing is chosen in it: how all is told that its own steps do."""
    do: Steps
    """What happens."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Sequence):
            return {"do": node, SPAN: node.span}
        raise unfit("not-a-list", "a list of steps, or a mapping with the key 'do'", node)


Procedures = MapOf[Name, Annotated[Procedure, Alone("do")]]


class Ending(Entry):
    """A reason for the game to end."""


class Score(Rule):
    """The final score; `who` is the player."""

    what: ClassVar[str] = "the score"

    terms: MapOf[Name, Expression]
    """What counts, e.g. `coins: who.coins`. The score is the sum."""
    tie_break: MapOf[Name, Expression] = Field(default_factory=dict)
    """What decides between equal scores, one after the other; more is better."""
    shared: Flag = False
    """All whose scores are still equal win together; without it nobody does."""


class Advice(Entry):
    """Something that makes a position worth more or less to a player, beside the score; `who` is the player."""

    counts: Expression
    """How many there are, e.g. `min(who.coins, 3)`."""
    points: Hundredths
    """What one of them is worth in points of the score, e.g. `0.5`, or `-2` for what is better avoided."""


class Setting(Rule):
    """What is settled before play: a constant of the game. A bare type is short for it."""

    order = ("type", "one_of", UNIT, "start", *RULE_KEYS)
    telling = (UNIT,)

    type: TypeText | None = None
    """What it may be: `flag`, or a range such as `3..5`."""
    one_of: ListOf[Name] | None = None
    """Instead of a type: the words that it may be, e.g. `[small, large]`."""
    unit: Prose | None = None
    """Of a number: what it counts, e.g. `coins`. It is told beside the number, and changes no rule."""
    start: Raw | None = None
    """What it is unless something else is chosen; without it false, 0, the least number or the first word."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Text) and node:
            return {"type": node, SPAN: node.span}
        raise unfit("not-text", "a type, or a mapping with the key 'type' or 'one_of'", node)


class Scenario(Rule):
    """A set-up."""

    scenario: Name
    """Its id."""
    settings: MapOf[Name, Raw] = Field(default_factory=dict)
    """What it settles, e.g. `{seats: 4}`."""
    start: MapOf[Expression, Raw] = Field(default_factory=dict)
    """First values, e.g. `field: {north: {owner: red}}` or `current_round: second`."""


class Source(Model):
    """A document that the rules were taken from."""

    title: Prose
    """Its title."""
    grade: Grade | None = None
    """How sure is what cites it and says nothing else: `quoted`, `print_and_play`, `inferred` or `reconstructed`."""
    url: Prose | None = None
    """Where to find it."""
    sections: ListOf[Prose] = Field(default_factory=list)
    """Its sections that hold rules, to find out which of them no rule cites, and which is misquoted."""


class Manifest(Model):
    """What a ruleset is called and which files it is made of."""

    what: ClassVar[str] = "the manifest"

    format: Number
    """The version of the language: 2."""
    ruleset: Name
    """The id of the ruleset."""
    title: Prose
    """What players read."""
    sources: MapOf[Name, Source] = Field(default_factory=dict)
    """What a `cite` may begin with, by id."""
    files: ListOf[Prose] = Field(default_factory=list)
    """The files of the ruleset, e.g. `[kinds.yaml, actions.yaml]`; a small ruleset needs none."""
    scenario: Name | None = None
    """The scenario that is played unless another one is asked for."""
    rounds: Expression | None = None
    """The number of the present round, for reports."""


class Sections(Model):
    """A file of a ruleset: any of the sections."""

    what: ClassVar[str] = "a file of a ruleset"

    settings: MapOf[Name, Annotated[Setting, _BARE_TYPE]] = Field(default_factory=dict)
    """What is settled before play, e.g. `long_game: {type: flag, title: A long game}`."""
    players: MapOf[Seats, ListOf[Name]] = Field(default_factory=dict)
    """Who sits, for each number of players, e.g. `{2: [red, blue], 3: [red, green, blue]}`."""
    kinds: MapOf[Name, Kind] = Field(default_factory=dict)
    """What there is: sorts of things, with their attributes and state."""
    state: Variables = Field(default_factory=dict)
    """State of the game itself, e.g. `round: 1..9`."""
    tables: MapOf[Name, MapOf[Name, Row]] = Field(default_factory=dict)
    """The members of each kind, by kind and id."""
    graphs: MapOf[Name, Graph] = Field(default_factory=dict)
    """Connections between members."""
    routes: MapOf[Name, Route] = Field(default_factory=dict)
    """Ways to travel over graphs."""
    terms: MapOf[Name, Term] = Field(default_factory=dict)
    """Named quantities and conditions."""
    supplies: MapOf[Name, Supply] = Field(default_factory=dict)
    """Counted pieces."""
    invariants: MapOf[Name, Expression] = Field(default_factory=dict)
    """What must hold after every decision, by label."""
    actions: MapOf[Name, Action] = Field(default_factory=dict)
    """What a player may do."""
    procedures: Procedures = Field(default_factory=dict)
    """Steps with a name and parameters."""
    phases: Procedures = Field(default_factory=dict)
    """The course of the game; play begins with the phase `game`."""
    endings: MapOf[Name, Ending] = Field(default_factory=dict)
    """The reasons for the game to end."""
    score: Score | None = None
    """The final score."""
    advice: MapOf[Name, Advice] = Field(default_factory=dict)
    """What is worth having beside the score, for players that are programs; it changes no rule."""
    board: Board | None = None
    """How the game looks; it changes no rule."""
    book: BookPlan | None = None
    """How the rulebook is laid out; it changes no rule."""
    targets: Targets | None = None
    """What games between bots should be like; it changes no rule."""


SECTIONS = tuple(Sections.written_keys())
"""The sections of the language."""
LEVELS = {
    "kinds": 1, "tables": 2, "graphs": 1, "routes": 1, "terms": 1, "supplies": 1,
    "actions": 1, "procedures": 1, "phases": 1, "endings": 1, "score": 0, "scenario": 0, "board": 0,
    "advice": 1,
}  # fmt: skip
"""Of the sections that hold rules: through how many names one comes to a rule."""
PRESENTATION = ("advice", "board", "book", "targets")
"""Sections that say how a game is shown, how it is well played and what it should be like. They are no rules, so they
do not reach the hash: what was recorded before they were changed is played again as before."""
ORDERED = ("actions", "phases", "score", "scenario")
"""Sections whose order of ids is part of the rules. In the others, and among tables, it does not reach the
hash; names inside an id, the rows of a table too, are hashed in their order."""


class Document(Sections):
    """A composed ruleset."""

    what: ClassVar[str] = "the ruleset"

    manifest: Manifest
    """The manifest."""
    score: Score
    """The final score."""
    scenario: Scenario
    """The scenario to be played."""
    _left_out: dict[str, list[str]] = PrivateAttr(default_factory=dict)

    def leave_out(self, members: dict[str, list[str]]) -> None:
        """Note which members of kinds are not there as things are settled here, but may be in another scenario."""
        self._left_out = members

    def left_out(self, kind: str) -> list[str]:
        """The ids of such members of a kind; none where every scenario has all of them."""
        return self._left_out.get(kind, [])
