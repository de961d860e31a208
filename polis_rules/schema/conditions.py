"""Conditions by label: what players hear is the label, or what the condition `says`."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Discriminator, Field, Tag

from polis_rules.schema.base import Model
from polis_rules.schema.values import PLAIN, Expression, Name, Prose, Short, entries
from polis_rules.source import Mapping, Text


class Condition(Model):
    """A condition with a sentence of its own."""

    what: ClassVar[str] = "a condition"

    if_: Expression = Field(alias="if")
    """What must hold, e.g. `you.coins >= price`."""
    says: Prose | None = None
    """What a player reads where it does not hold, e.g. `It costs {price} coins`; without it, its label."""


def asked_of(condition: Condition | Text) -> Text:
    """The expression that must hold."""
    return condition.if_ if isinstance(condition, Condition) else condition


def _sort(value: object) -> str:
    return "<condition>" if isinstance(value, Mapping) else "<expression>"


def _labelled(label: str, value: object) -> object:
    """A single condition gets the name of its key as its label."""
    if isinstance(value, Text):
        return {Text(label, value.span, value.quoted): value}
    return entries(value)


_ONE_CONDITION = Short(PLAIN)
Conditions = dict[
    Name,
    Annotated[
        Annotated[Condition, Tag("<condition>")] | Annotated[Expression, Tag("<expression>")], Discriminator(_sort)
    ],
]
Where = Annotated[Conditions, BeforeValidator(partial(_labelled, "where")), _ONE_CONDITION]
"""Conditions by label; a single one may stand without a label."""
Leaving = Annotated[Conditions, BeforeValidator(partial(_labelled, "leaving")), _ONE_CONDITION]
Requires = Annotated[Conditions, BeforeValidator(partial(_labelled, "requires")), _ONE_CONDITION]
