"""What declares a value with a type: the indexes that it may have, and the memory of a rule."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from polis_rules.schema.base import SPAN, UNIT, Model
from polis_rules.schema.objections import conflict, unfit
from polis_rules.schema.values import Expression, Name, Prose, Short, TypeText, Value
from polis_rules.source import Mapping, Sequence, Text


def _named_indexes(value: object) -> object:
    """`per: field` and `per: [field, token]` name each index after its kind."""
    if isinstance(value, Mapping):
        return value.entries
    kinds = value.items if isinstance(value, Sequence) else [value]
    if not kinds or not all(isinstance(kind, Text) and kind for kind in kinds):
        raise unfit("unfit-value", "a kind, a list of kinds, or a mapping from name to kind", value)
    if len(set(map(str, kinds))) < len(kinds):
        raise conflict("one kind stands twice here", "name each: {name: kind, other: kind}")
    return {kind: kind for kind in kinds}


_KIND = {"type": "string"}
Per = Annotated[
    dict[Name, Name],
    BeforeValidator(_named_indexes),
    Short({"anyOf": [_KIND, {"type": "array", "items": _KIND}]}),
]


class Declaration(Model):
    """A mapping whose only needed key is its type; a bare type is short for it."""

    telling: ClassVar[tuple[str, ...]] = (UNIT,)

    per: Per = Field(default_factory=dict)
    """One value for each member of this kind, e.g. `token`, `[token, field]` or `{held: token}`."""
    type: TypeText
    """The type: `0..5`, `number`, `flag`, a kind, `field or none`, `set of field` or `list of field`."""
    unit: Prose | None = None
    """Of a number: what it counts, e.g. `coins`. It is told beside the number, and changes no rule."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Text) and node:
            return {"type": node, SPAN: node.span}
        raise unfit("not-text", "a type, or a mapping with the key 'type'", node)


class Memory(Declaration):
    """A value that the steps of one rule may change; it is gone when the rule ends."""

    what: ClassVar[str] = "what a rule remembers"

    at_most: Expression | None = None
    """For a list: how many members it may hold."""
    start: Value | None = None
    """The first value; it may read whatever is known where it stands."""
    title: Prose | None = None
    """What the game report calls it. Without a title its changes are not reported."""
    seen_by: Expression | None = None
    """Who sees it, e.g. `viewer == current_player`. Without it everybody does."""
