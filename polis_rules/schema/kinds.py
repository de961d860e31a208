"""What there is in a game: kinds with their attributes and state, and the rows of their tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from polis_rules.schema.base import (
    RULE_KEYS,
    SPAN,
    AsItIs,
    Expression,
    Flag,
    Hidden,
    MapOf,
    Model,
    Name,
    Prose,
    Raw,
    Reading,
    Rule,
    Short,
    TypeText,
    conflict,
    unfit,
)
from polis_rules.schema.steps import Steps
from polis_rules.source import Mapping, Node, Sequence, Text


def _named_indexes(value: object) -> object:
    """`per: field` and `per: [field, token]` name each index after its kind."""
    if isinstance(value, Mapping):
        return value.entries
    kinds = value.items if isinstance(value, Sequence) else [value]
    if not kinds or not all(isinstance(kind, Text) and kind for kind in kinds):
        raise unfit("unfit-value", "a kind, a list of kinds, or a mapping from name to kind", value)
    if len(set(map(str, kinds))) < len(kinds):
        raise conflict("one kind stands twice in 'per'", "name each index: per: {name: kind, other: kind}")
    return {kind: kind for kind in kinds}


_KIND = {"type": "string"}
Per = Annotated[
    dict[Name, Name],
    BeforeValidator(_named_indexes),
    Short({"anyOf": [_KIND, {"type": "array", "items": _KIND}]}),
]


class _Declaration(Model):
    """A mapping whose only needed key is its type; a bare type is short for it."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Text) and node:
            return {"type": node, SPAN: node.span}
        raise unfit("not-text", "a type, or a mapping with the key 'type'", node)


class Attribute(_Declaration):
    """A fixed property of each member of a kind, given by the kind's table."""

    per: Per = Field(default_factory=dict)
    """One value for each member of this kind, e.g. `token`, `[token, field]` or `{held: token}`."""
    type: TypeText
    """The type: `0..5`, `number`, `flag`, a kind, `field or none`, `set of field`, `text`, `effects`,
    `formula` or `changes`."""
    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """For a formula: its parameters and their types, e.g. `{place: field}`."""
    default: Raw | None = None
    """The value of rows that give none. Without it every row must give one."""


class Variable(_Declaration):
    """A value that changes in play."""

    what: ClassVar[str] = "a state variable"

    per: Per = Field(default_factory=dict)
    """One value for each member of this kind, e.g. `token` or `{held: token}`."""
    type: TypeText
    """The type: `0..5`, `number`, `flag`, a kind, `field or none` or `set of field`."""
    start: Expression | None = None
    """The first value; it may read the member's own attributes, e.g. `it.copies`."""
    spendable: Flag = False
    """Whether `cost`, `pay`, `gain` and `lose` may name it."""
    title: Prose | None = None
    """What the game report calls it. Without a title its changes are not reported."""
    seen_by: Expression | None = None
    """Who sees it, e.g. `viewer == holder`. Without it everybody does."""


_BARE_TYPE = Short({"type": "string"})
Attributes = MapOf[Name, Annotated[Attribute, _BARE_TYPE]]
Variables = MapOf[Name, Annotated[Variable, _BARE_TYPE]]


class Kind(Rule):
    """A sort of thing: its members are the rows of its table."""

    plural: Prose | None = None
    """What several of them are called, where adding an s is wrong, e.g. `Oxen`."""
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
    def _row_keys_are_taken(self) -> Kind:
        for taken in RULE_KEYS:
            if taken in self.attributes:
                raise conflict(f"an attribute cannot be called '{taken}', every row may carry that already")
        return self


Index = Annotated[tuple[Text, ...], AsItIs()]


class Row(Rule):
    """A member of a kind: the values of its attributes."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": True})

    what: ClassVar[str] = "a row"

    values: Annotated[dict[Text, Node], AsItIs()] = Field(alias="\nvalues")
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
