"""What every model of the language builds on: frozen models with a place, and values that keep theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError, PydanticOmit, core_schema

from polis_rules.diagnostics import Span, nearest, quote
from polis_rules.source import ID_RULE, Mapping, Node, Sequence, Text, as_id, is_id

K = TypeVar("K")
V = TypeVar("V")

ID = r"[a-z][a-z0-9_]*"
REST = "*"
"""Where in `Model.order` the keys stand that it does not name, as the author has arranged them; else at its end."""
SPAN = "\nspan"
"""The key under which a model gets its own place. No key of a file can hold a line break."""


@dataclass(slots=True)
class Reading:
    """What one run of the loader knows besides the tree; mappings are known by `id`."""

    models: dict[int, type[Model]] = field(default_factory=dict)
    """Which model each mapping was read as."""
    effects: dict[int, dict[Text, int]] = field(default_factory=dict)
    """The keys of a row whose values are lists of steps, and under how many levels of `per` these stand."""


def describe(node: object) -> str:
    """What stands in a file, in words."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    text = str(node)
    return quote(text) if text else "empty"


def with_article(words: str) -> str:
    """`a` or `an`, and the words; quotes are passed over.

    >>> with_article("term"), with_article("'if' step")
    ('a term', "an 'if' step")
    """
    return f"an {words}" if words[words[0] == "'"] in "aeiou" else f"a {words}"


def unfit(
    code: str, wanted: str, found: object, hint: str | None = None, suggestion: str | None = None
) -> PydanticCustomError:
    """The error that a value is not `wanted`; the subject of the sentence is added where it is reported."""
    context = {"predicate": f"must be {wanted}", "found": describe(found), "hint": hint, "suggestion": suggestion}
    return PydanticCustomError(code, "{predicate}, not {found}", context)


def conflict(message: str, hint: str | None = None, code: str = "unfit-keys", key: str = "") -> PydanticCustomError:
    """The error that keys do not go together, or whatever else takes a whole sentence to say; `key` is where it is."""
    return PydanticCustomError(code, "{sentence}", {"sentence": message, "hint": hint, "key": key})


@dataclass(frozen=True, slots=True, eq=False)  # annotations must be hashable, schemas are not
class _Scalar:
    """Annotation of a single value: how it is checked, and what the JSON Schema says about it."""

    check: Callable[[object], object]
    schema: dict[str, Any]

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, Any]:
        return dict(self.schema)


def _text(wanted: str, value: object) -> Text:
    if isinstance(value, Text) and (value or value.quoted):
        return value
    raise unfit("not-text", wanted, value)


def _expression(value: object) -> Text:
    if isinstance(value, Text) and value and "\n" not in value:
        return value
    if isinstance(value, Text) and value:
        raise unfit("not-text", "an expression on one line", "several lines")
    raise unfit("not-text", "an expression", value)


def _name(value: object) -> Text:
    if isinstance(value, Text) and is_id(value):
        return value
    wanted = f"an id ({ID_RULE})"
    if isinstance(value, Text) and value:
        raise unfit("invalid-id", wanted, value, suggestion=as_id(value))
    raise unfit("not-text", wanted, value)


_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def _flag(value: object) -> bool:
    if isinstance(value, Text) and value in _FLAGS and not value.quoted:
        return _FLAGS[value]
    raise unfit("unfit-value", "true or false", value)


def _number(value: object) -> int:
    if isinstance(value, Text) and not value.quoted and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    raise unfit("unfit-value", "a whole number", value)


GRADES = ("quoted", "print_and_play", "inferred", "reconstructed", "house")


def _grade(value: object) -> Text:
    if isinstance(value, Text) and value in GRADES:
        return value
    meant = nearest(value, GRADES) if isinstance(value, Text) else None
    raise unfit("unfit-value", f"one of {', '.join(GRADES)}", value, suggestion=meant)


def _node(value: object) -> object:
    if isinstance(value, Text | Mapping | Sequence):
        return value
    raise unfit("not-text", "a value", value)


_VALUE = {"type": ["string", "integer", "boolean"]}

Name = Annotated[Text, _Scalar(_name, {"type": "string", "pattern": f"^{ID}$"})]
"""An id."""
Expression = Annotated[Text, _Scalar(_expression, _VALUE)]
"""A condition, an amount, or whatever else is worked out while playing; one line."""
Prose = Annotated[Text, _Scalar(partial(_text, "a piece of text"), {"type": "string"})]
"""Words for people."""
TypeText = Annotated[Text, _Scalar(partial(_text, "a type such as 0..5 or flag"), {"type": "string"})]
"""A declared type, see `parse_type`."""
Grade = Annotated[Text, _Scalar(_grade, {"enum": list(GRADES)})]
"""How sure a value is."""
Flag = Annotated[bool, _Scalar(_flag, {"type": "boolean"})]
"""true or false."""
Number = Annotated[int, _Scalar(_number, {"type": "integer", "minimum": 0})]
"""A plain number."""
Raw = Annotated[Node, _Scalar(_node, {})]
"""A part of the tree that something later reads."""


def _entries(value: object) -> object:
    if isinstance(value, Mapping):
        return value.entries
    if isinstance(value, dict):
        return value
    raise unfit("not-a-mapping", "a mapping", value)


def _items(value: object) -> object:
    if isinstance(value, Sequence):
        return value.items
    raise unfit("not-a-list", "a list", value)


MapOf = Annotated[dict[K, V], BeforeValidator(_entries)]
"""A mapping whose keys are chosen by the author of the ruleset."""
ListOf = Annotated[list[V], BeforeValidator(_items)]
"""A list."""


def _labelled(label: str, value: object) -> object:
    """A single condition gets the name of its key as its label."""
    if isinstance(value, Text):
        return {Text(label, value.span, value.quoted): value}
    return _entries(value)


@dataclass(frozen=True, slots=True, eq=False)
class Short:
    """Annotation for the JSON Schema of a value that may also be written in a shorter form."""

    schema: dict[str, Any]

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {"anyOf": [dict(self.schema), handler(core)]}


_ONE_CONDITION = Short(_VALUE)
Conditions = dict[Name, Expression]
Where = Annotated[Conditions, BeforeValidator(partial(_labelled, "where")), _ONE_CONDITION]
"""Conditions by label; a single one may stand without a label."""
Leaving = Annotated[Conditions, BeforeValidator(partial(_labelled, "leaving")), _ONE_CONDITION]
Requires = Annotated[Conditions, BeforeValidator(partial(_labelled, "requires")), _ONE_CONDITION]


class Hidden:
    """Annotation of a value that the loader fills in: it is not part of the JSON Schema."""

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, Any]:
        raise PydanticOmit


class AsItIs(Hidden):
    """Annotation of a hidden value that is not looked into either."""

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> core_schema.CoreSchema:
        return core_schema.any_schema()


class Model(BaseModel):
    """A mapping with fixed keys."""

    # Attribute docstrings become descriptions in `export`, not through pydantic's own setting: that one
    # reads the source of every class at import, which would make loading any ruleset 30 ms slower.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    what: ClassVar[str] = "this"
    """What an error message calls such a mapping; of a class that does not say it, the name of the class."""
    order: ClassVar[tuple[str, ...]] = ()
    """In which order its keys are written, where that is not the order of the fields. `REST` stands for the others."""

    span: Annotated[Span, AsItIs()] = Field(alias="\nspan")  # SPAN; type checkers want it spelled out

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        if "what" not in cls.__dict__:
            cls.what = with_article(cls.__name__.lower())

    @model_validator(mode="before")
    @classmethod
    def _open(cls, node: object, info: ValidationInfo) -> object:
        """Take a mapping of the tree apart; note which model it was meant to be, for error messages."""
        if not isinstance(node, Mapping):
            node = cls.short_form(node)
        if not isinstance(node, Mapping):
            return node
        reading: Reading = info.context  # type: ignore[assignment]
        reading.models[id(node)] = cls
        return cls.fields_of(node, reading)

    @classmethod
    def short_form(cls, node: object) -> object:
        """The keys that a shorter way of writing stands for; the error that there is no such way."""
        raise unfit("not-a-mapping", "a mapping", node)

    @classmethod
    def fields_of(cls, node: Mapping, _reading: Reading) -> dict[Any, object]:
        """The keys and values of a mapping, and its place."""
        return {**node.entries, SPAN: node.span}

    @classmethod
    def written_keys(cls) -> Iterable[str]:
        """The keys that may be written."""
        return (key for name, field in cls.model_fields.items() if "\n" not in (key := field.alias or name))


class Rule(Model):
    """Whatever has a source: a rule, or a row of a table."""

    title: Prose | None = None
    """What players read, e.g. `Red token`."""
    cite: Prose | None = None
    """Where it comes from: a source of the manifest, then the place, e.g. `rulebook, page 4`."""
    grade: Grade | None = None
    """How sure it is: `quoted`, `print_and_play`, `inferred`, `reconstructed`, or `house` for rules of our own."""
    ruling: Prose | None = None
    """What was decided where the text is open, and why."""


RULE_KEYS = tuple(Rule.written_keys())
"""What every rule, and every row besides its attributes, may say of itself."""
