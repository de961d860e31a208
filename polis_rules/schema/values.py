"""Values that keep their place: single ones, mappings, lists, and those that may be written in a shorter form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator
from pydantic_core import core_schema

from polis_rules.diagnostics import Span, nearest
from polis_rules.schema.objections import unfit
from polis_rules.source import ID_RULE, Mapping, Node, Sequence, Text, as_id, is_id

K = TypeVar("K")
V = TypeVar("V")

ID = r"[a-z][a-z0-9_]*"


@dataclass(frozen=True, slots=True, eq=False)  # annotations must be hashable, schemas are not
class Scalar:
    """Annotation of a single value: what it must be, how it is read, and what the JSON Schema says about it."""

    wanted: str
    read: Callable[[Text], object]
    """gives None for what it must not be"""
    schema: dict[str, Any]
    code: str = "unfit-value"

    def check(self, value: object) -> object:
        read = self.read(value) if isinstance(value, Text) else None
        if read is None:
            raise unfit(self.code, self.wanted, value)
        return read

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, Any]:
        return dict(self.schema)


def _words(text: Text) -> Text | None:
    return text if text or text.quoted else None


def _expression(text: Text) -> Text | None:
    if "\n" in text:
        raise unfit("not-text", "an expression on one line", "several lines")
    return text or None


def _name(text: Text) -> Text | None:
    if text and not is_id(text):
        raise unfit("invalid-id", _AN_ID, text, suggestion=as_id(text))
    return text or None


def _number(text: Text) -> int | None:
    return int(text) if not text.quoted and text.isascii() and text.isdecimal() and len(text) < 10 else None


def _hundredths(text: Text) -> int | None:
    found = re.fullmatch(r"([+-]?)([0-9]{1,6})(?:\.([0-9]{1,2}))?", text)
    if text.quoted or found is None:
        return None
    size = 100 * int(found[2]) + int((found[3] or "0").ljust(2, "0"))
    return -size if found[1] == "-" else size


def _number_range(text: Text) -> Text:
    ends = [int(end) for end in re.findall(r"[0-9]{1,9}", text)]
    if not re.fullmatch(r"[0-9]{1,9}\.\.[0-9]{1,9}", text) or ends[0] > ends[1]:
        low, high = sorted([*ends, 1])[:2] if len(ends) == 1 else sorted(ends)[:2] or (1, 8)
        is_written = len(text) == text.span.end_column - text.span.column  # and not what settings make
        raise unfit("unfit-value", _A_RANGE, text, suggestion=f"{low}..{high}" if ends and is_written else None)
    return text


def _grade(text: Text) -> Text:
    if text not in GRADES:
        raise unfit("unfit-value", _A_GRADE, text, suggestion=nearest(text, GRADES))
    return text


FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
GRADES = ("quoted", "print_and_play", "inferred", "reconstructed", "house")
_AN_ID = f"an id ({ID_RULE})"
_A_RANGE = "numbers from 0 on, such as 1..8"
_A_GRADE = f"one of {', '.join(GRADES)}"
_TEXT = {"type": "string"}
PLAIN = {"type": ["string", "integer", "boolean"]}
"""The JSON Schema of what is written in one word or line, whatever YAML makes of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Short:
    """Annotation for the JSON Schema of a value that may also be written in a shorter form."""

    schema: dict[str, Any]

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {"anyOf": [dict(self.schema), handler(core)]}


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """Annotation for the JSON Schema of a mapping that may also be written as the value of this key alone."""

    key: str

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        whole = handler(core)
        return {"anyOf": [handler.resolve_ref_schema(whole)["properties"][self.key], whole]}


def _of_others(value: object) -> object:
    """The grade of a row's values that have none of their own; the check of tables finds what is wrong with it."""
    if not isinstance(value, Mapping):
        return value
    default = value.get("default")
    return default if default in GRADES else None


def _listed(value: object) -> object:
    """The text of a set or list that YAML has taken apart, as `{red, blue}`, `[red, blue]` or entry by entry."""
    if isinstance(value, Mapping) and not any(value.entries.values()):
        return _laid(list(value.entries), value.span, "{}")
    if not isinstance(value, Sequence):
        return value
    items = [_listed(item) for item in value.items]
    if not all(isinstance(item, Text) for item in items):
        raise unfit("not-text", "a list of members, as [red, blue]", value)
    return _laid([item for item in items if isinstance(item, Text)], value.span, "[]")


def _laid(items: list[Text], span: Span, brackets: str) -> Text:
    """The text of a set or list; where it stands on one line, with each entry at its place."""
    last = span.end_column - span.column - 1
    ends = [(item.span.column - span.column, item.span.end_column - span.column) for item in items]
    on_one_line = all(item.span.line == span.end_line == span.line for item in items)
    if not on_one_line or any(
        not 0 < end - begin == len(item) <= last - begin for item, (begin, end) in zip(items, ends, strict=True)
    ):
        return Text(f"{brackets[0]}{', '.join(items)}{brackets[1]}", span)
    letters = [brackets[0], *" " * (last - 1), brackets[1]]
    for item, (begin, end) in zip(items, ends, strict=True):
        letters[begin:end] = item
        letters[end] = "," if item is not items[-1] else letters[end]
    return Text("".join(letters), span)


Name = Annotated[Text, Scalar(_AN_ID, _name, {"type": "string", "pattern": f"^{ID}$"}, "not-text")]
"""An id."""
Expression = Annotated[Text, Scalar("an expression", _expression, PLAIN, "not-text")]
"""A condition, an amount, or whatever else is worked out while playing; one line."""
Value = Annotated[
    Expression,
    BeforeValidator(_listed),
    Short({"type": "array", "items": PLAIN, "description": "A list of members, e.g. `[red, blue]`."}),
]
"""The same, where it may be a list, which YAML reads by itself."""
Seats = Annotated[
    Text, Scalar("a number of players", lambda text: text if text.isdecimal() else None, {"type": "string"})
]
"""How many play, as a key."""
NumberRange = Annotated[Text, Scalar(_A_RANGE, _number_range, _TEXT)]
"""Whole numbers in a row, as `1..8`."""
Prose = Annotated[Text, Scalar("a piece of text", _words, _TEXT, "not-text")]
"""Words for people."""
TypeText = Annotated[Text, Scalar("a type such as 0..5 or flag", _words, _TEXT, "not-text")]
"""A declared type, see `parse_type`."""
Grade = Annotated[Text, Scalar(_A_GRADE, _grade, {"enum": list(GRADES)})]
"""How sure a value is."""
RowGrade = Annotated[
    Grade | None, BeforeValidator(_of_others), Short({"type": "object", "additionalProperties": {"enum": list(GRADES)}})
]
"""The same of a row, where single values may have grades of their own: that of all others."""
Flag = Annotated[
    bool, Scalar("true or false", lambda text: None if text.quoted else FLAGS.get(text), {"type": "boolean"})
]
"""true or false."""
Hundredths = Annotated[
    int,
    Scalar("a number such as 3, 0.5 or -1.25", _hundredths, {"type": "number"}),
]
"""A number with at most two digits after the point, in hundredths."""
Number = Annotated[int, Scalar("a whole number", _number, {"type": "integer", "minimum": 0})]
"""A plain number."""


class AsItIs:
    """Annotation of a value that is not looked into."""

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> core_schema.CoreSchema:
        return core_schema.any_schema()


Raw = Annotated[Node, AsItIs()]
"""A part of the tree that something later reads."""


def entries(value: object) -> object:
    """What is read as a mapping with keys of the author's."""
    if isinstance(value, Mapping):
        return value.entries
    if isinstance(value, dict):
        return value
    raise unfit("not-a-mapping", "a mapping", value)


def _items(value: object) -> object:
    if isinstance(value, Sequence):
        return value.items
    raise unfit("not-a-list", "a list", value)


MapOf = Annotated[dict[K, V], BeforeValidator(entries)]
"""A mapping whose keys are chosen by the author of the ruleset."""
ListOf = Annotated[list[V], BeforeValidator(_items)]
"""A list."""


def _leads(value: object) -> object:
    """The name of a choice alone is its own label."""
    return {value: value} if isinstance(value, Text) else entries(value)


Leads = Annotated[dict[Name, Name], BeforeValidator(_leads), Short(PLAIN)]
"""Names of choices by label; a single one may stand without a label."""


def _stand_ins(value: object) -> object:
    """A name, or a list of names, is short for one of each for one."""
    items = value.items if isinstance(value, Sequence) else [value]
    if isinstance(value, Mapping):
        return value.entries
    if not all(isinstance(item, Text) and item for item in items):
        raise unfit("unfit-value", "a list of names, or a mapping from names to how many of it count for one", value)
    if len(set(map(str, items))) < len(items):
        raise unfit("unfit-value", "a list of names, each once", value)
    return {item: Text("1", item.span) for item in items if isinstance(item, Text)}


Rate = Annotated[
    int, Scalar("a whole number above 0", lambda text: _number(text) or None, {"type": "integer", "minimum": 1})
]
StandIns = Annotated[
    dict[Expression, Rate],
    BeforeValidator(_stand_ins),
    Short({"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}),
]
"""What may stand in for something, and so many for one of it."""
